/**
 * A toy's workload (jobs of one task each, drawn by key) and the statistics of its runs. Times are whole nanoseconds.
 */

import { STREAM_ARRIVAL, STREAM_DURATION, STREAM_QUEUE, below, uniform } from "./draws.js";

export const SECOND = 1e9;
const MILLISECOND = 1e6;

/**
 * @typedef {object} Job
 * @property {number} arrival
 * @property {number} duration
 * @property {number} queue  the job's queue, if there are several
 *
 * @typedef {object} Work
 * @property {number} seed
 * @property {number} machines  each runs one task at a time
 * @property {Job[]} jobs  in order of arrival
 *
 * @typedef {object} Task  the outcome of a job's task
 * @property {number} machine
 * @property {number} start
 * @property {number} end
 * @property {number} tries  requests sent for it
 *
 * @typedef {object} Happening  its kind decides which of the optional values it has
 * @property {number} at
 * @property {string} kind
 * @property {number} task
 * @property {number} [who]  the scheduler or master
 * @property {number} [machine]
 * @property {number} [place]  the queue that the task joins
 * @property {number[]} [asked]  the probed machines
 * @property {number[]} [free]  a copy: 1 for each free machine
 * @property {number} [from]  when the copy was made
 *
 * @typedef {object} Run
 * @property {Task[]} tasks  one per job
 * @property {Happening[]} story  the events, in order
 */

/**
 * Draw a workload: gaps and durations are exponential, rounded to whole milliseconds.
 * @param {{seed?: number, machines: number, load: number, mean_s: number, jobs: number, shares?: number[]}} wanted
 *   load: offered work over machines; shares: of the queues
 * @returns {Work}
 */
export function drawWork({ seed = 1, machines, load, mean_s, jobs, shares = [1] }) {
  const gap_ms = (mean_s * 1000) / (load * machines);
  let at_ms = 0;
  const drawn = Array.from({ length: jobs }, (_, number) => {
    at_ms += exponential(seed, STREAM_ARRIVAL, number) * gap_ms;
    const duration_ms = Math.max(100, Math.round(exponential(seed, STREAM_DURATION, number) * mean_s * 1000));
    return {
      arrival: Math.round(at_ms) * MILLISECOND,
      duration: duration_ms * MILLISECOND,
      queue: queueOf(seed, number, shares),
    };
  });
  return { seed, machines, jobs: drawn };
}

/** @param {number} seed @param {number} stream @param {number} number */
const exponential = (seed, stream, number) => -Math.log(uniform(seed, stream, number, 0));

/** @param {number} seed @param {number} number @param {number[]} shares */
function queueOf(seed, number, shares) {
  const all = shares.reduce((sum, share) => sum + share, 0);
  let at = (below(seed, STREAM_QUEUE, number, 0, 1e6) / 1e6) * all;
  for (let queue = 0; queue < shares.length - 1; queue += 1) {
    at -= shares[queue];
    if (at < 0) return queue;
  }
  return shares.length - 1;
}

/**
 * Add jobs that arrive together at an instant, dealt to the queues in turn.
 * @param {Work} work
 * @param {number} at
 * @param {number} count
 * @param {number} mean_s
 * @returns {Work}
 */
export function withBurst(work, at, count, mean_s) {
  const queues = 1 + work.jobs.reduce((most, job) => Math.max(most, job.queue), 0);
  const more = Array.from({ length: count }, (_, number) => ({
    // A microsecond apart, because no two jobs of a toy arrive at the same instant.
    arrival: at + number * 1000,
    duration: Math.round(mean_s * 1000) * MILLISECOND,
    queue: number % queues,
  }));
  return { ...work, jobs: [...work.jobs, ...more].sort((one, other) => one.arrival - other.arrival) };
}

/**
 * Return a run's statistics: the tasks' mean and 95th percentile wait in seconds, and the refusals.
 * @param {Work} work
 * @param {Run} run
 */
export function told(work, run) {
  const waits = run.tasks.map((task, number) => (task.start - work.jobs[number].arrival) / SECOND);
  const sorted = [...waits].sort((one, other) => one - other);
  const count = (/** @type {string} */ kind) => run.story.filter((one) => one.kind === kind).length;
  return {
    mean_s: waits.reduce((sum, wait) => sum + wait, 0) / Math.max(1, waits.length),
    p95_s: sorted[Math.min(sorted.length - 1, Math.floor(0.95 * sorted.length))] ?? 0,
    refused: count("refused"),
    asked: run.tasks.reduce((sum, task) => sum + task.tries, 0),
    borrowed: count("lent"),
  };
}

/** @param {Work} work @returns {Run} */
export function emptyRun(work) {
  return { tasks: work.jobs.map(() => ({ machine: -1, start: Infinity, end: Infinity, tries: 0 })), story: [] };
}
