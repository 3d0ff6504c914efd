/**
 * Measure a run in this page: the numbers of the library's summary that a class compares (scheduler_core/metrics), from
 * the machine's arrays. Sums of many floats may differ from the library's by their last bits.
 */

import { Table } from "./painting.js";
import { whole } from "./turning.js";

/** @import { Machine } from "./machine.js" */

/**
 * What the arrays do not hold: the queues' shares, and the seconds before which what arrives does not count.
 * @typedef {{shares: number[], warmup_s: number}} Measured
 * @typedef {Record<string, number | null>} Figures  by the names of a summary
 * @typedef {{arrival: Float64Array, first: Float64Array, last: Float64Array, end: Float64Array, state: Uint8Array,
 *   kind: Int32Array, job: Int32Array}} Tasks  times in ns, `end` is -1 for a task that is not done
 * @typedef {{time: number, task: number, act: number}} Moment  of a walk through a run
 */

const [RUNNING, DONE, UNSCHEDULABLE] = [3, 4, 5];
/** Demands are whole multiples of this part of the datacenter, so that sums return to 0 exactly. */
const UNIT = 2 ** 40;
const [ARRIVES, STARTS, ENDS] = [0, 1, 2];
const NS = 1e9;

/** Return the numbers of a run that has ended. */
export function figuresOf(/** @type {Machine} */ machine, /** @type {Measured} */ { shares, warmup_s }) {
  const tasks = tasksOf(machine);
  const warmup_ns = Math.round(warmup_s * NS);
  const waits = [];
  for (let at = 0; at < tasks.first.length; at++)
    if (tasks.arrival[at] >= warmup_ns && tasks.first[at] >= 0) waits.push(tasks.first[at] - tasks.arrival[at]);
  const span_s = makespan(tasks);
  /** @type {Figures} */
  const figures = {
    ...distribution("allocation_delay_s", waits, [50, 90, 99]),
    ...distribution("job_completion_s", completions(machine, warmup_ns), [50, 99]),
    makespan_s: span_s,
    "utilisation.cpus": utilization(machine, tasks, span_s),
    "fairness.entitled_worst": entitledWorst(machine, tasks, shares),
    "counters.messages": machine.counted("messages"),
  };
  return figures;
}

/** @returns {Tasks} */
function tasksOf(/** @type {Machine} */ machine) {
  const of = (/** @type {string} */ name) => new Table(machine, "World.task", name);
  const [first, last, end, state, kind, job] = [
    "first_start_ns",
    "last_start_ns",
    "end_ns",
    "state",
    "demand",
    "job",
  ].map(of);
  const arrives = new Table(machine, "World.job", "arrival_ns");
  const count = first.rows;
  const times = (/** @type {(at: number) => number} */ read) =>
    Float64Array.from({ length: count }, (_, at) => read(at));
  const jobs = Int32Array.from({ length: count }, (_, at) => job.at(at));
  const states = Uint8Array.from({ length: count }, (_, at) => state.at(at));
  return {
    arrival: times((at) => arrives.at(jobs[at])),
    first: times((at) => first.at(at)),
    last: times((at) => last.at(at)),
    end: times((at) => (states[at] === DONE ? end.at(at) : -1)),
    state: states,
    kind: Int32Array.from({ length: count }, (_, at) => kind.at(at)),
    job: jobs,
  };
}

/** Return the completion times of the jobs that arrived after the warm-up and are complete, in ns. */
function completions(/** @type {Machine} */ machine, /** @type {number} */ warmup_ns) {
  const of = (/** @type {string} */ name) => new Table(machine, "World.job", name);
  const [arrival, end, done, tasks] = ["arrival_ns", "end_ns", "done", "tasks"].map(of);
  const found = [];
  for (let at = 0; at < arrival.rows; at++) {
    const counts = arrival.at(at) >= warmup_ns && done.at(at) === tasks.at(at) && end.at(at) >= 0;
    if (counts) found.push(end.at(at) - arrival.at(at));
  }
  return found;
}

/**
 * Return mean and percentiles by nearest rank, in seconds; null without values.
 * @param {string} name
 * @param {number[]} values_ns
 * @param {number[]} percents
 * @returns {Figures}
 */
function distribution(name, values_ns, percents) {
  const ordered = Float64Array.from(values_ns).sort();
  const count = ordered.length;
  // The sum of seconds and that of the rest stay exact.
  let [seconds, rest] = [0, 0];
  for (const value of ordered) {
    seconds += Math.floor(value / NS);
    rest += value % NS;
  }
  const mean = count ? (seconds * NS + rest) / count / NS : null;
  const at = (/** @type {number} */ percent) => {
    const rank = Math.max(1, Math.ceil(Math.round(((percent * count) / 100) * 1e9) / 1e9));
    return count ? ordered[rank - 1] / NS : null;
  };
  return Object.fromEntries([
    ...percents.map((percent) => [`${name}.p${percent}`, at(percent)]),
    [`${name}.mean`, mean],
  ]);
}

/** Return the time from the first arrival to the last end, in s. */
function makespan(/** @type {Tasks} */ { arrival, end }) {
  let [first, last] = [Infinity, -1];
  for (let at = 0; at < end.length; at++) {
    first = Math.min(first, arrival[at]);
    last = Math.max(last, end[at]);
  }
  return last >= 0 ? (last - first) / NS : 0;
}

/** Return how much of each resource all machines have together. */
function capacityOf(/** @type {Machine} */ machine) {
  const table = new Table(machine, "World.capacity");
  return Array.from({ length: table.width }, (_, resource) => {
    let sum = 0;
    for (let at = 0; at < table.rows; at++) sum += table.at(at, resource);
    return sum;
  });
}

/**
 * Return the use of CPUs, the first resource, as a fraction; null if no task used any, but another resource.
 * @param {Machine} machine
 * @param {Tasks} tasks
 * @param {number} span_s
 */
function utilization(machine, { last, end, kind }, span_s) {
  const demand = new Table(machine, "World.demand");
  const used = capacityOf(machine).map(() => 0);
  for (let at = 0; at < end.length; at++) {
    if (end[at] < 0) continue;
    const ran_s = (end[at] - last[at]) / NS;
    for (let resource = 0; resource < used.length; resource++) used[resource] += demand.at(kind[at], resource) * ran_s;
  }
  const parts = capacityOf(machine).map((each, resource) => (each * span_s > 0 ? used[resource] / (each * span_s) : 0));
  return parts[0] > 0 || parts.every((part) => part === 0) ? parts[0] : null;
}

/** Return the largest demand of each kind of tasks, in parts of the datacenter of 1 / `UNIT`. */
function unitsOf(/** @type {Machine} */ machine) {
  const demand = new Table(machine, "World.demand");
  const all = capacityOf(machine);
  return Array.from({ length: demand.rows }, (_, kind) => {
    const parts = all.map((each, resource) => demand.at(kind, resource) / Math.max(1, each));
    return Number(whole(Math.max(...parts) * UNIT));
  });
}

/**
 * Return what happens to the tasks that arrived by now, in order of time. A running task ends now.
 * @param {Tasks} tasks
 * @param {number} now_ns
 * @returns {Moment[]}
 */
function momentsOf({ arrival, last, end, state }, now_ns) {
  /** @type {Moment[]} */
  const moments = [];
  for (let task = 0; task < end.length; task++) {
    if (arrival[task] > now_ns || state[task] === UNSCHEDULABLE) continue;
    moments.push({ time: arrival[task], task, act: ARRIVES });
    if (end[task] < 0 && state[task] !== RUNNING) continue;
    if (last[task] >= 0) moments.push({ time: last[task], task, act: STARTS });
    moments.push({ time: end[task] < 0 ? now_ns : end[task], task, act: ENDS });
  }
  return moments.filter(({ time }) => time < now_ns).sort((one, other) => one.time - other.time);
}

/**
 * Return how much the worst-served queue used of what it was entitled to and could use, over time: its share of the
 * datacenter or what its tasks ask for, whichever is less. Null if no queue asked for anything.
 * @param {Machine} machine
 * @param {Tasks} tasks
 * @param {number[]} shares
 */
function entitledWorst(machine, tasks, shares) {
  const queueOf = new Table(machine, "World.job", "queue");
  const units = unitsOf(machine);
  const all = shares.reduce((sum, share) => sum + share, 0);
  const now_ns = machine.counted("now_ns");
  const queues = shares.map((share) => ({ share: share / all, asked: 0, used: 0, since: 0, entitled: 0, served: 0 }));
  const settle = (/** @type {typeof queues[number]} */ queue, /** @type {number} */ time) => {
    const [asked, used] = [queue.asked / UNIT, queue.used / UNIT];
    const entitled = Math.min(queue.share, asked);
    queue.entitled += entitled * (time - queue.since);
    queue.served += Math.min(used, entitled) * (time - queue.since);
    queue.since = time;
  };
  for (const { time, task, act } of momentsOf(tasks, now_ns)) {
    const queue = queues[queueOf.at(tasks.job[task])];
    const unit = units[tasks.kind[task]];
    settle(queue, time);
    if (act === ARRIVES) queue.asked += unit;
    if (act === STARTS) queue.used += unit;
    if (act === ENDS) queue.asked -= unit;
    if (act === ENDS && tasks.last[task] >= 0) queue.used -= unit;
  }
  for (const queue of queues) settle(queue, now_ns);
  const served = queues.filter(({ entitled }) => entitled > 0).map((queue) => queue.served / queue.entitled);
  return served.length ? Math.min(...served) : null;
}

/** Return whether tasks run before the first event: their waits are not waits, and a page does not tell them apart. */
export const hasStanding = (/** @type {Machine} */ machine) => machine.counted("tasks_running") > 0;
