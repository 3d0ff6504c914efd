/**
 * What each job or queue holds of the counted quantity at an instant, which ones have waiting tasks, and which is next.
 */

import { placementsOf, readyOf } from "./job_graphs.js";
import { resourcesByUse } from "./job_shares.js";

/**
 * @import { Meta } from "../../contract/contract"
 * @import { Graphs } from "./job_graphs.js"
 */

/**
 * @typedef {import("./measures.js").Measure} Measure
 * @typedef {ReturnType<typeof turnsGround>} Ground
 */

/**
 * @typedef {object} Turn  what one job or queue holds
 * @property {number} number
 * @property {number} lane  the row that it keeps while it is present
 * @property {number} holds  the counted quantity, as a fraction of the total
 * @property {number[]} parts  what it holds of each resource, as fractions of the total
 * @property {number} fair  its fair share
 * @property {number} runs  its running tasks
 * @property {number} waits  its tasks that could start now
 * @property {boolean} next  true if it is first in line
 * @property {boolean} alone  true if no other job or queue has waiting tasks, so that no comparison decides
 * @property {number} skipped  for how long it has let others go first, in ns; -1 if it has not
 */

/**
 * Return the facts that do not change over a run: the jobs' rows, when stages were ready, and the counted quantity.
 *
 * @param {Graphs} graphs
 * @param {Measure} measure
 * @param {Meta} meta
 */
export function turnsGround(graphs, measure, meta) {
  /** @type {{lane: ArrayLike<number>, lanes: number}} */
  const { lane, lanes } = measure.of === "queues" ? { lane: [], lanes: meta.queues.length } : lanesOf(graphs);
  const params = meta.experiment.scheduler?.params ?? {};
  const resource = params.resource ?? "";
  const used = resourcesByUse(graphs).slice(0, 2);
  const one = measure.counts === "one" ? graphs.resources.indexOf(resource) : -1;
  /** @type {"tasks" | "dominant" | number} */
  const counts = measure.counts !== "one" ? "dominant" : one < 0 ? "tasks" : one;
  return {
    lane,
    lanes,
    ready: Float64Array.from({ length: graphs.stages.count }, (_, stage) => readyOf(graphs, stage)),
    /** What is counted: a resource, "dominant" shares, or "tasks". */
    counts,
    /** The resources with a bar, the counted one first. */
    shown: one >= 0 ? [one, ...used.filter((each) => each !== one).slice(0, 1)] : used.sort((a, b) => a - b),
    most: mostRunning(graphs),
    /**
     * The maximum time for which a job lets others go first until a machine with its data has room; 0 if jobs do not
     * wait.
     */
    wait_ns: measure.local ? 1e9 * ((params.wait_s ?? 0) + (params.rack_wait_s ?? 0)) : 0,
  };
}

/** Assign each job a row that no other job has while it is present: the first free one. @param {Graphs} graphs */
export function lanesOf({ jobs }) {
  const lane = new Int32Array(jobs.count);
  /** @type {number[]} when each row is free again */
  const free = [];
  const order = Array.from(lane.keys()).sort((a, b) => jobs.arrival[a] - jobs.arrival[b] || a - b);
  for (const job of order) {
    const found = free.findIndex((at) => at <= jobs.arrival[job]);
    lane[job] = found < 0 ? free.length : found;
    free[lane[job]] = jobs.end[job] < 0 ? Infinity : jobs.end[job];
  }
  return { lane, lanes: free.length };
}

/** Return the maximum number of concurrently running tasks. @param {Graphs} graphs */
function mostRunning({ placements }) {
  /** @type {[t_ns: number, step: number][]} */
  const changes = [];
  for (let at = 0; at < placements.count; at += 1) {
    if (placements.start[at] < 0) continue;
    changes.push([placements.start[at], 1]);
    if (placements.end[at] >= 0) changes.push([placements.end[at], -1]);
  }
  changes.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let [runs, most] = [0, 1];
  for (const [, step] of changes) {
    runs += step;
    most = Math.max(most, runs);
  }
  return most;
}

/**
 * Return the rows at an instant, in order.
 *
 * @param {Graphs} graphs
 * @param {ReturnType<typeof turnsGround>} ground
 * @param {Measure} measure
 * @param {number} t_ns
 * @param {{queues: {share: number}[], weight: (job: number) => number}} by
 * @returns {Turn[]}
 */
export function turnsAt(graphs, ground, measure, t_ns, { queues, weight }) {
  const { jobs } = graphs;
  /** @type {(Turn & {weight: number, held: number[]})[]} */
  const rows = [];
  /**
   * @param {number} number
   * @param {number} lane
   * @param {number} share
   */
  const row = (number, lane, share) => {
    rows.push({
      number,
      lane,
      weight: share,
      held: graphs.capacity.map(() => 0),
      holds: 0,
      parts: [],
      fair: 0,
      runs: 0,
      waits: 0,
      next: false,
      alone: false,
      skipped: -1,
    });
    return rows[rows.length - 1];
  };
  if (measure.of === "queues") queues.forEach(({ share }, number) => row(number, number, share));
  for (let job = 0; job < jobs.count; job += 1) {
    if (jobs.arrival[job] > t_ns || (jobs.end[job] >= 0 && jobs.end[job] <= t_ns)) continue;
    addJob(
      graphs,
      ground,
      job,
      t_ns,
      measure.of === "queues" ? rows[jobs.queue[job]] : row(job, ground.lane[job], weight(job)),
    );
  }
  const weights = rows.reduce((sum, each) => sum + each.weight, 0);
  for (const each of rows) {
    each.parts = each.held.map((amount, resource) =>
      graphs.capacity[resource] > 0 ? amount / graphs.capacity[resource] : 0,
    );
    each.holds = counted(each, ground);
    each.fair = weights > 0 ? each.weight / weights : 0;
  }
  const first = rows
    .filter((each) => each.waits && each.weight > 0)
    .sort((a, b) => a.holds / a.weight - b.holds / b.weight || a.number - b.number)[0];
  if (first) first.next = true;
  if (first) first.alone = rows.every((each) => each === first || !each.waits);
  const skipped = first && ground.wait_ns > 0 ? skippedFor(graphs, first.number, t_ns) : -1;
  // A job that has waited longer takes any machine.
  if (first && skipped <= ground.wait_ns) first.skipped = skipped;
  return rows.sort((a, b) => a.lane - b.lane);
}

/**
 * Return for how long a job has let others go first: since the first start, after its own last start, of a job behind
 * it. Return -1 if none went before it.
 *
 * @param {Graphs} graphs
 * @param {number} job
 * @param {number} t_ns
 */
export function skippedFor(graphs, job, t_ns) {
  const { placements, stages, jobs } = graphs;
  const [first, end] = placementsOf(graphs, job);
  let since = jobs.arrival[job];
  for (let at = first; at < end; at += 1)
    if (placements.start[at] >= since && placements.start[at] <= t_ns) since = placements.start[at];
  let found = Infinity;
  for (let at = 0; at < placements.count; at += 1) {
    const start = placements.start[at];
    if (start <= since || start > t_ns || start >= found) continue;
    const other = stages.job[placements.stage[at]];
    if (other === job) continue;
    const more = runningAt(graphs, other, start) - 1 - runningAt(graphs, job, start);
    // Of two jobs with equally many running tasks, the first to arrive goes first.
    if (more > 0 || (more === 0 && job < other)) found = start;
  }
  return found <= t_ns ? t_ns - found : -1;
}

/**
 * Return how many tasks of a job run at an instant.
 * @param {Graphs} graphs
 * @param {number} job
 * @param {number} t_ns
 */
function runningAt(graphs, job, t_ns) {
  const { start, end } = graphs.placements;
  const [first, last] = placementsOf(graphs, job);
  let runs = 0;
  for (let at = first; at < last; at += 1)
    if (start[at] >= 0 && start[at] <= t_ns && (end[at] < 0 || end[at] > t_ns)) runs += 1;
  return runs;
}

/**
 * @param {Turn} turn
 * @param {Pick<Ground, "counts" | "most">} ground
 */
function counted({ parts, runs }, { counts, most }) {
  if (counts === "tasks") return runs / most;
  return counts === "dominant" ? Math.max(0, ...parts) : parts[counts];
}

/**
 * Add a job's tasks to a row: what they hold, how many run, and how many could run.
 * @param {Graphs} options
 * @param {Ground} options
 * @param {number} job
 * @param {number} t_ns
 * @param {Turn & {held: number[]}} row
 */
function addJob({ jobs, stages, placements }, { ready }, job, t_ns, row) {
  for (let stage = jobs.firstStage[job]; stage < jobs.firstStage[job] + jobs.stages[job]; stage += 1) {
    let runs = 0;
    for (let at = stages.first[stage]; at < stages.first[stage] + stages.tasks[stage]; at += 1) {
      const [start, end] = [placements.start[at], placements.end[at]];
      if (start < 0 || start > t_ns) row.waits += ready[stage] <= t_ns ? 1 : 0;
      else if (end < 0 || end > t_ns) runs += 1;
    }
    row.runs += runs;
    for (let resource = 0; resource < row.held.length; resource += 1)
      row.held[resource] += runs * stages.demand[stage][resource];
  }
}
