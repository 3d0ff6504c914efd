/**
 * Jobs as graphs of stages in typed arrays: their dependencies, and where and when each task ran.
 *
 * A *placement* is a task in the order of stages, so the placements of a stage, and of a job, are contiguous. Times are
 * nanoseconds of simulated time, -1 for never.
 */

import { gettext } from "../../kit/words.js";

/** @import { Meta } from "../../contract/contract" */

/**
 * @typedef {"queue" | "arrival_us" | "end_us" | "tasks" | "path_us" | "first_stage" | "stages"} JobColumn
 * @typedef {Record<"job" | "first" | "tasks" | "duration_us", number[]> & {demand: number[][], parents: number[][],
 *   critical: boolean[], name: (string | null)[]}} StageColumns
 * @typedef {"task" | "machine" | "start_us" | "end_us" | "reason"} PlacementColumn
 * @typedef {{jobs: Record<JobColumn, number[]>, stages: StageColumns, placements: Record<PlacementColumn, number[]>}}
 *   Columns  in the server's format
 * @typedef {ReturnType<typeof assemble> & {left?: number}} Graphs  `left`: the number of omitted jobs
 */

const NS_PER_US = 1000;

/** @param {number[]} values */
function times(values) {
  return Float64Array.from(values, (value) => (value < 0 ? -1 : value * NS_PER_US));
}

/**
 * Convert the server's columns to {jobs, stages, placements}; `meta` contains the datacenter's capacity.
 * @param {Columns} options
 * @param {Pick<Meta, "resources" | "capacity" | "reasons">} meta
 */
export function assemble({ jobs, stages, placements }, meta) {
  const order = {
    /** @type {number} */
    count: stages.job.length,
    first: Int32Array.from(stages.first),
    tasks: Int32Array.from(stages.tasks),
  };
  /** @type {number} */
  const count = placements.task.length;
  /** @type {number[][]} */
  const demand = stages.demand;
  return {
    jobs: {
      /** @type {number} */
      count: jobs.queue.length,
      queue: Int32Array.from(jobs.queue),
      /** Returns the hue of a job's tasks. */
      hue: (/** @type {number} */ job) => Number(jobs.queue[job]),
      /** Returns what the hue represents: "owner", "queue", "length" or "job". */
      by: () => "queue",
      arrival: times(jobs.arrival_us),
      end: times(jobs.end_us),
      tasks: Int32Array.from(jobs.tasks),
      path: times(jobs.path_us),
      firstStage: Int32Array.from(jobs.first_stage),
      stages: Int32Array.from(jobs.stages),
    },
    stages: {
      ...order,
      job: Int32Array.from(stages.job),
      duration: times(stages.duration_us),
      demand,
      /** @type {number[][]} numbers within the job */
      parents: stages.parents,
      /** @type {boolean[]} */
      critical: stages.critical,
      /** @type {(string | null)[]} */
      name: stages.name,
    },
    placements: {
      count,
      stage: stageOf(order, count),
      task: Int32Array.from(placements.task),
      machine: Int32Array.from(placements.machine),
      start: times(placements.start_us),
      end: times(placements.end_us),
      reason: Uint8Array.from(placements.reason),
    },
    resources: meta.resources,
    capacity: meta.capacity,
    reasons: new Map(meta.reasons.map((each) => [each.code, each.name])),
    dominant: Float64Array.from(demand, (each) => dominantShare(each, meta.capacity)),
  };
}

/**
 * Return the stage of each placement.
 * @param {{count: number, first: Int32Array, tasks: Int32Array}} stages
 * @param {number} count  the number of placements
 */
function stageOf(stages, count) {
  const stage = new Int32Array(count);
  for (let number = 0; number < stages.count; number += 1)
    stage.fill(number, stages.first[number], stages.first[number] + stages.tasks[number]);
  return stage;
}

/**
 * Return the largest fraction of the datacenter that a demand takes of any resource.
 * @param {number[]} demand
 * @param {number[]} capacity
 */
export function dominantShare(demand, capacity) {
  let most = 0;
  demand.forEach((amount, resource) => {
    if (capacity[resource] > 0) most = Math.max(most, amount / capacity[resource]);
  });
  return most;
}

/**
 * Return a job's first placement, and one past its last.
 * @param {Graphs} graphs
 * @param {number} job
 */
export function placementsOf(graphs, job) {
  const { firstStage, stages } = graphs.jobs;
  if (!stages[job]) return [0, 0];
  const last = firstStage[job] + stages[job] - 1;
  return [graphs.stages.first[firstStage[job]], graphs.stages.first[last] + graphs.stages.tasks[last]];
}

/**
 * Return a stage's progress at an instant: {waiting, running, done, held}; `held` are the unfinished parents.
 * @param {Graphs} graphs
 * @param {number} stage
 * @param {number} t_ns
 */
export function progressOf(graphs, stage, t_ns) {
  const { stages, placements } = graphs;
  let running = 0;
  let done = 0;
  for (let at = stages.first[stage]; at < stages.first[stage] + stages.tasks[stage]; at += 1) {
    if (placements.end[at] >= 0 && placements.end[at] <= t_ns) done += 1;
    else if (placements.start[at] >= 0 && placements.start[at] <= t_ns) running += 1;
  }
  const first = graphs.jobs.firstStage[stages.job[stage]];
  const held = stages.parents[stage].map((parent) => first + parent).filter((parent) => endOf(graphs, parent) > t_ns);
  return { waiting: stages.tasks[stage] - running - done, running, done, held };
}

/**
 * Return when a stage's last task ended; Infinity if it never did.
 * @param {Graphs} graphs
 * @param {number} stage
 */
export function endOf(graphs, stage) {
  const { stages, placements } = graphs;
  let end = 0;
  for (let at = stages.first[stage]; at < stages.first[stage] + stages.tasks[stage]; at += 1) {
    if (placements.end[at] < 0) return Infinity;
    end = Math.max(end, placements.end[at]);
  }
  return end;
}

/**
 * Return when a stage's tasks could start: its job had arrived and its parents had ended.
 * @param {Graphs} graphs
 * @param {number} stage
 */
export function readyOf(graphs, stage) {
  const job = graphs.stages.job[stage];
  return graphs.stages.parents[stage].reduce(
    (ready, parent) => Math.max(ready, endOf(graphs, graphs.jobs.firstStage[job] + parent)),
    graphs.jobs.arrival[job],
  );
}

/**
 * Return a stage's first start and last end; Infinity if they have not happened.
 * @param {Graphs} graphs
 * @param {number} stage
 */
export function spanOf(graphs, stage) {
  const { stages, placements } = graphs;
  let begin = Infinity;
  for (let at = stages.first[stage]; at < stages.first[stage] + stages.tasks[stage]; at += 1) {
    if (placements.start[at] >= 0) begin = Math.min(begin, placements.start[at]);
  }
  return [begin, endOf(graphs, stage)];
}

/**
 * Return a stage's name: its name in the experiment, or its number in the job.
 * @param {Graphs} graphs
 * @param {number} stage
 */
export function stageName(graphs, stage) {
  return (
    graphs.stages.name[stage] ??
    gettext("stage {stage}", { stage: stage - graphs.jobs.firstStage[graphs.stages.job[stage]] })
  );
}

/**
 * Return the task for a question about a stage: one that waits at the instant, else one that runs, else its last.
 * @param {Graphs} graphs
 * @param {number} stage
 * @param {number} t_ns
 */
export function askedTask(graphs, stage, t_ns) {
  const { stages, placements } = graphs;
  const first = stages.first[stage];
  let found = first;
  for (let at = first; at < first + stages.tasks[stage]; at += 1) {
    if (placements.start[at] < 0 || placements.start[at] > t_ns) return at;
    if (placements.end[at] < 0 || placements.end[at] > t_ns) found = at;
  }
  return found;
}

/**
 * Return true if a job is altruistic: it started tasks of its plan only when it had to.
 * @param {Graphs} graphs
 * @param {number} job
 */
export function isAltruistic(graphs, job) {
  const [first, end] = placementsOf(graphs, job);
  for (let at = first; at < end; at += 1)
    if (graphs.reasons.get(graphs.placements.reason[at]) === "must_start") return true;
  return false;
}

/**
 * @param {Graphs} graphs
 * @param {number} placement
 */
export function isFromLeftover(graphs, placement) {
  return graphs.reasons.get(graphs.placements.reason[placement]) === "left_over";
}

/**
 * Return the last known instant: the last end, start or arrival.
 * @param {Graphs} graphs
 */
export function lastInstant(graphs) {
  let last = 1;
  for (const list of [graphs.placements.end, graphs.placements.start, graphs.jobs.arrival])
    for (const value of list) if (value > last) last = value;
  return last;
}
