/**
 * How a scheduler that packs chose a task for a machine: the room that was free there, and each candidate with its
 * score. The recording has only the outcome, so the rule is applied again; where it finds another task, nothing is
 * told.
 *
 * The fit of a task is its demand times the free amount, as parts of the machine, summed over resources, as a part of
 * all candidates' fits. The work that its job has left, as a part of all candidates' work, is taken from that.
 */

/**
 * @import { Meta } from "../../contract/contract"
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Graphs } from "./job_graphs.js"
 */

/** Times of the tables are whole microseconds. */
const ROUNDED = 2000;
const LEAST = 1e-9;
/** So many starts of one instant are looked at. */
const MOST_STARTS = 200;

/**
 * @typedef {{stage: number, job: number, waits: number, fit: number, work: number, score: number, aligned: number}}
 *   Candidate  `fit` and `work` are the parts of the score, `aligned` is the fit before it is a part of all
 * @typedef {object} Choice  of one task for a machine
 * @property {number} at  the placement
 * @property {number} machine
 * @property {number[]} free  by resource
 * @property {number[]} has  by resource
 * @property {Candidate[]} candidates  the best first
 * @property {{job: number, share: number}[]} yielding  jobs that may not choose, since they hold most
 * @property {number[]} large  jobs whose tasks find no room there
 * @property {number} t_ns  the start
 *
 * @typedef {NonNullable<ReturnType<typeof fitsGround>>} FitsGround
 */

/**
 * What does not change over a run; null where machines of a cluster differ, estimates may err or machines fail, so that
 * the rule cannot be applied again.
 *
 * @param {Graphs} graphs @param {Meta} meta
 */
export function fitsGround(graphs, meta) {
  const experiment = /** @type {Experiment} */ (meta.experiment);
  const params = experiment.scheduler?.params ?? {};
  const has = machinesOf(graphs, experiment);
  if (!has || experiment.workload?.estimates || experiment.events?.length || experiment.constraints) return null;
  const { placements } = graphs;
  const order = Array.from(placements.start.keys()).filter((at) => placements.start[at] >= 0);
  order.sort((a, b) => placements.start[a] - placements.start[b] || placements.machine[a] - placements.machine[b]);
  const { stages } = graphs;
  const children = new Set();
  for (let stage = 0; stage < stages.count; stage += 1)
    for (const parent of stages.parents[stage]) children.add(graphs.jobs.firstStage[stages.job[stage]] + parent);
  return {
    has,
    order,
    children,
    delay: 1e9 * (experiment.network?.message_delay_s ?? 0),
    epsilon: params.epsilon ?? 0,
    fairness: params.fairness ?? 0,
    barrier: params.barrier ?? 1,
    /** The choices of instants that were looked at. @type {Map<number, Choice[]>} */
    kept: new Map(),
  };
}

/**
 * What each machine has, by resource; null where a cluster has machines of several kinds.
 * @param {Graphs} graphs
 * @param {Experiment} experiment
 */
function machinesOf({ resources }, experiment) {
  /** @type {number[][]} */
  const found = [];
  for (const cluster of experiment.topology?.clusters ?? []) {
    if (cluster.machines?.length !== 1) return null;
    const [group] = cluster.machines;
    const has = resources.map((name) => group[name] ?? group.resources?.[name] ?? 0);
    for (let left = group.count * (cluster.repeat ?? 1); left > 0; left -= 1) found.push(has);
  }
  return found.length ? found : null;
}

/**
 * The last choice up to an instant: of starts at one instant that of `wanted`, or else the first among most candidates;
 * null before the first and where the rule finds another task.
 *
 * @param {Graphs} graphs @param {FitsGround} ground @param {number} t_ns @param {number} [wanted]  a task
 */
export function choiceAt(graphs, ground, t_ns, wanted = -1) {
  const { start, task } = graphs.placements;
  const { order, kept } = ground;
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (start[order[middle]] <= t_ns) low = middle + 1;
    else high = middle;
  }
  if (!low) return null;
  const at = start[order[low - 1]];
  let first = low - 1;
  while (first > 0 && start[order[first - 1]] === at) first -= 1;
  const all = kept.get(at) ?? choicesOf(graphs, ground, order.slice(first, low).slice(0, MOST_STARTS));
  kept.set(at, all);
  const own = all.find((each) => task[each.at] === wanted);
  const jobs = (/** @type {Choice} */ each) => each.candidates.length + each.yielding.length;
  return own ?? all.reduce((best, each) => (best && jobs(best) >= jobs(each) ? best : each), all[0] ?? null);
}

/**
 * The choices of one instant, machine by machine, up to the first that the rule does not give.
 *
 * @param {Graphs} graphs @param {FitsGround} ground @param {number[]} starts
 */
function choicesOf(graphs, ground, starts) {
  const { stage, machine, start } = graphs.placements;
  const state = stateBefore(graphs, ground, start[starts[0]]);
  /** @type {Choice[]} */
  const found = [];
  const left = [...starts];
  while (left.length) {
    const on = machine[left[0]];
    const choice = choose(graphs, ground, state, on);
    const place = choice ? left.findIndex((at) => machine[at] === on && stage[at] === choice.candidates[0].stage) : -1;
    if (!choice || place < 0) return found;
    const [at] = left.splice(place, 1);
    found.push({ ...choice, at, t_ns: start[at] });
    launch(graphs, state, at);
  }
  return found;
}

/** @typedef {ReturnType<typeof stateBefore>} State */

/**
 * What the scheduler knows before it decides on starts at an instant: it hears of an end one message later, and a start
 * is one message away.
 *
 * @param {Graphs} graphs @param {FitsGround} ground @param {number} start_ns
 */
function stateBefore(graphs, { has, delay }, start_ns) {
  const { jobs, stages, placements, resources, capacity, dominant } = graphs;
  const now = start_ns - delay;
  const state = {
    free: has.map((each) => [...each]),
    held: Array.from({ length: jobs.count }, () => resources.map(() => 0)),
    work: new Float64Array(jobs.count),
    started: new Int32Array(stages.count),
    ended: new Int32Array(stages.count),
    /** @type {boolean[]} */
    open: [],
    capacity,
  };
  for (let at = 0; at < placements.count; at += 1) {
    const stage = placements.stage[at];
    const ended = placements.end[at] >= 0 && placements.end[at] + delay <= now + ROUNDED;
    if (!ended) state.work[stages.job[stage]] += dominant[stage] * stages.duration[stage];
    if (placements.start[at] < 0 || placements.start[at] > start_ns - ROUNDED) continue;
    if (ended) {
      state.started[stage] += 1;
      state.ended[stage] += 1;
    } else launch(graphs, state, at);
  }
  for (let stage = 0; stage < stages.count; stage += 1) {
    const job = stages.job[stage];
    const parents = stages.parents[stage].map((parent) => jobs.firstStage[job] + parent);
    state.open.push(
      jobs.arrival[job] <= now + ROUNDED && parents.every((each) => state.ended[each] === stages.tasks[each]),
    );
  }
  return state;
}

/**
 * A task takes its room.
 * @param {Graphs} graphs
 * @param {Pick<State, "free" | "held" | "started">} state
 * @param {number} at
 */
function launch({ stages, placements }, state, at) {
  const stage = placements.stage[at];
  state.started[stage] += 1;
  stages.demand[stage].forEach((amount, resource) => {
    state.free[placements.machine[at]][resource] -= amount;
    state.held[stages.job[stage]][resource] += amount;
  });
}

/**
 * The candidates for a machine, the best first; null for none.
 *
 * @param {Graphs} graphs @param {FitsGround} ground @param {State} state @param {number} machine
 */
function choose(graphs, ground, state, machine) {
  const { stages, jobs } = graphs;
  const open = state.open.flatMap((is, stage) => (is && state.started[stage] < stages.tasks[stage] ? [stage] : []));
  const active = [...new Set(open.map((stage) => stages.job[stage]))].map((job) => ({
    job,
    share: shareOf(state, job),
  }));
  active.sort((a, b) => a.share - b.share || a.job - b.job);
  const keep = Math.max(1, active.length - Math.floor(ground.fairness * active.length));
  const front = new Set(active.slice(0, keep).map(({ job }) => job));
  const [free, has] = [[...state.free[machine]], ground.has[machine]];
  const fits = open.filter((stage) => stages.demand[stage].every((amount, each) => amount <= free[each] + LEAST));
  const mine = fits.filter((stage) => front.has(stages.job[stage]));
  const all = mine.length ? mine : fits;
  if (!all.length) return null;
  const aligned = all.map((stage) =>
    stages.demand[stage].reduce(
      (sum, amount, each) => (has[each] ? sum + (amount / has[each]) * (free[each] / has[each]) : sum),
      0,
    ),
  );
  const work = all.map((stage) => (ground.epsilon > 0 ? state.work[stages.job[stage]] : 0));
  const [fitAll, workAll] = [aligned, work].map((each) => each.reduce((sum, one) => sum + one, 0));
  /** @type {(Candidate & {last: boolean, rank: number})[]} */
  const candidates = all.map((stage, place) => {
    const fit = fitAll > 0 ? aligned[place] / fitAll : 0;
    const less = workAll > 0 ? (ground.epsilon * work[place]) / workAll : 0;
    const waits = stages.tasks[stage] - state.started[stage];
    const last = ground.children.has(stage) && state.ended[stage] >= ground.barrier * stages.tasks[stage];
    const job = stages.job[stage];
    return {
      stage,
      job,
      waits,
      fit,
      work: less,
      score: fit - less,
      aligned: aligned[place],
      last,
      rank: stage - jobs.firstStage[job],
    };
  });
  candidates.sort((a, b) => Number(b.last) - Number(a.last) || b.score - a.score || a.job - b.job || a.rank - b.rank);
  const large = open
    .filter((stage) => front.has(stages.job[stage]) && !fits.includes(stage))
    .map((stage) => stages.job[stage]);
  const yielding = mine.length ? active.slice(keep) : [];
  return { machine, free, has, candidates, yielding, large: [...new Set(large)] };
}

/** The largest part of any resource that a job holds. @param {State} state @param {number} job */
function shareOf({ held, capacity }, job) {
  return Math.max(0, ...held[job].map((amount, each) => (capacity[each] > 0 ? amount / capacity[each] : 0)));
}
