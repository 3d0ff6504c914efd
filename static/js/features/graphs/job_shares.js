/**
 * Dominant shares over time, computed from where and when tasks ran: means over time bins, exact to the nanosecond.
 *
 * A dominant share is the largest fraction of the datacenter that a job or queue holds of any resource.
 */

import { isAltruistic, isFromLeftover, lastInstant, placementsOf, readyOf } from "./job_graphs.js";

/**
 * @import { Meta } from "../../contract/contract"
 * @import { Graphs } from "./job_graphs.js"
 */

/**
 * @typedef {{count: number, length: number, end: number}} Bins  bins of equal length over a run; times in ns
 * @typedef {{own: Float64Array, slope: Float64Array}} Scratch
 * @typedef {ReturnType<typeof leftoverPool>} Pool
 */

/**
 * Return bins of equal length over a run: {count, length in ns, end}.
 * @param {Graphs} graphs
 */
export function binsOf(graphs, count = 240) {
  const end = lastInstant(graphs);
  return { count, length: end / count, end };
}

/**
 * Add `amount` from `from` to `to` to the bins; the sums are valid only after `settle`. `into`: {own, slope} with count
 * + 2 entries.
 * @param {Scratch} into
 * @param {Bins} bins
 * @param {number} from
 * @param {number} to
 * @param {number} amount
 */
function spread(into, bins, from, to, amount) {
  const a = Math.min(bins.count, Math.max(0, from / bins.length));
  const b = Math.min(bins.count, Math.max(0, to / bins.length));
  if (b <= a) return;
  const [first, last] = [Math.floor(a), Math.floor(b)];
  if (first === last) {
    into.own[first] += amount * (b - a);
    return;
  }
  into.own[first] += amount * (first + 1 - a);
  into.slope[first + 1] += amount;
  into.slope[last] -= amount;
  if (last < bins.count) into.own[last] += amount * (b - last);
}

/** @param {Bins} bins */
const scratch = (bins) => ({ own: new Float64Array(bins.count + 2), slope: new Float64Array(bins.count + 2) });

/**
 * Return the bins' means, and reset the scratch arrays to zero.
 * @param {Scratch} into
 * @param {Bins} bins
 */
function settle(into, bins) {
  const means = new Float64Array(bins.count);
  let level = 0;
  for (let bin = 0; bin < bins.count; bin += 1) {
    level += into.slope[bin];
    means[bin] = Math.max(0, into.own[bin] + level);
  }
  into.own.fill(0);
  into.slope.fill(0);
  return means;
}

/**
 * @param {Float64Array[]} vectors
 * @param {Bins} bins
 * @param {number[]} capacity
 */
function most(vectors, bins, capacity) {
  const share = new Float64Array(bins.count);
  vectors.forEach((used, resource) => {
    if (capacity[resource] > 0)
      for (let bin = 0; bin < bins.count; bin += 1) share[bin] = Math.max(share[bin], used[bin] / capacity[resource]);
  });
  return share;
}

/**
 * @param {Graphs} graphs
 * @param {number} at
 * @param {number} end
 */
const endOfRun = (graphs, at, end) => (graphs.placements.end[at] < 0 ? end : graphs.placements.end[at]);

/**
 * Return a job's dominant share in each bin.
 * @param {Graphs} graphs
 * @param {Bins} bins
 * @param {number} job
 */
export function jobShare(graphs, bins, job) {
  const [first, end] = placementsOf(graphs, job);
  return shareOf(graphs, bins, [[first, end]]);
}

/**
 * @param {Graphs} graphs
 * @param {Bins} bins
 * @param {number[][]} ranges
 */
function shareOf(graphs, bins, ranges) {
  const { placements, stages, capacity } = graphs;
  const into = capacity.map(() => scratch(bins));
  for (const [first, end] of ranges) {
    for (let at = first; at < end; at += 1) {
      if (placements.start[at] < 0) continue;
      const demand = stages.demand[placements.stage[at]];
      for (let resource = 0; resource < capacity.length; resource += 1)
        if (demand[resource] > 0)
          spread(into[resource], bins, placements.start[at], endOfRun(graphs, at, bins.end), demand[resource]);
    }
  }
  return most(
    into.map((each) => settle(each, bins)),
    bins,
    capacity,
  );
}

/**
 * Return each queue's dominant share in each bin.
 * @param {Graphs} graphs
 * @param {Bins} bins
 * @param {number} queues
 */
export function queueShares(graphs, bins, queues) {
  /** @type {number[][][]} */
  const ranges = Array.from({ length: queues }, () => []);
  for (let job = 0; job < graphs.jobs.count; job += 1) ranges[graphs.jobs.queue[job]]?.push(placementsOf(graphs, job));
  return ranges.map((own) => shareOf(graphs, bins, own));
}

/**
 * Return the weight of each job in fair shares: the share of its queue if the scheduler weighs by queue, else 1.
 * @param {Meta} meta
 * @param {Graphs} graphs
 */
export function weightOf(meta, graphs) {
  const byQueue = meta.experiment.scheduler?.params?.weights === "queue_share";
  return byQueue ? (/** @type {number} */ job) => meta.queues[graphs.jobs.queue[job]].share : () => 1;
}

/**
 * Return the total weight of the jobs present in each bin (a mean); `weight(job)`.
 * @param {Graphs} graphs
 * @param {Bins} bins
 * @param {(job: number) => number} [weight]
 */
export function weightsThere(graphs, bins, weight = () => 1) {
  const into = scratch(bins);
  const { jobs } = graphs;
  for (let job = 0; job < jobs.count; job += 1)
    spread(into, bins, jobs.arrival[job], jobs.end[job] < 0 ? bins.end : jobs.end[job], weight(job));
  return settle(into, bins);
}

/**
 * Return the jobs with the most work, as fractions of the datacenter over the run.
 * @param {Graphs} graphs
 * @param {number} count
 */
export function largestJobs(graphs, count) {
  const { placements, dominant, jobs } = graphs;
  const work = new Float64Array(jobs.count);
  for (let at = 0; at < placements.count; at += 1) {
    if (placements.start[at] >= 0 && placements.end[at] >= 0)
      work[graphs.stages.job[placements.stage[at]]] +=
        dominant[placements.stage[at]] * (placements.end[at] - placements.start[at]);
  }
  return Array.from(work.keys())
    .sort((a, b) => work[b] - work[a] || a - b)
    .slice(0, count);
}

/**
 * Return the indices of the resources that tasks use, the most used first. Use is the time integral of a resource's
 * used fraction.
 * @param {Graphs} graphs
 */
export function resourcesByUse(graphs) {
  const { placements, stages, capacity } = graphs;
  const used = capacity.map(() => 0);
  for (let at = 0; at < placements.count; at += 1) {
    if (placements.end[at] < 0) continue;
    stages.demand[placements.stage[at]].forEach((/** @type {number} */ amount, /** @type {number} */ resource) => {
      used[resource] +=
        capacity[resource] > 0 ? (amount / capacity[resource]) * (placements.end[at] - placements.start[at]) : 0;
    });
  }
  return used
    .map((_, resource) => resource)
    .filter((resource) => used[resource] > 0)
    .sort((a, b) => used[b] - used[a]);
}

/**
 * Return the pool of one resource's capacity that plans leave over, and its users, in each bin, as fractions of the
 * capacity.
 *
 * {left, given, drawn, givers, drawers}: `left` is the capacity that tasks started by a plan or a share do not hold
 * while a job is present; `given` is the part that altruistic jobs forgo: how far those starts are below their fair
 * shares although more tasks could run; `drawn` is held by tasks started from the leftover. `givers` and `drawers` list
 * the three largest of each bin as [job, fraction]; `gives` and `takes` contain each job's fractions over time.
 * @param {Graphs} graphs
 * @param {Bins} bins
 * @param {number} resource
 * @param {(job: number) => number} [weigh]
 */
export function leftoverPool(graphs, bins, resource, weigh = () => 1) {
  const { jobs, placements, stages } = graphs;
  const part = Float64Array.from(stages.demand, (demand) => demand[resource] / graphs.capacity[resource]);
  const weights = weightsThere(graphs, bins, weigh);
  const pool = {
    left: Float64Array.from(weights, (sum) => (sum > 1e-9 ? 1 : 0)),
    given: new Float64Array(bins.count),
    drawn: new Float64Array(bins.count),
    givers: tops(bins),
    drawers: tops(bins),
    /** @type {Map<number, Float64Array>} */
    gives: new Map(),
    /** @type {Map<number, Float64Array>} */
    takes: new Map(),
  };
  const [planned, drawn, could, there] = [scratch(bins), scratch(bins), scratch(bins), scratch(bins)];
  for (let job = 0; job < jobs.count; job += 1) {
    const until = jobs.end[job] < 0 ? bins.end : jobs.end[job];
    const altruistic = isAltruistic(graphs, job);
    for (let stage = jobs.firstStage[job]; stage < jobs.firstStage[job] + jobs.stages[job]; stage += 1) {
      if (part[stage] === 0) continue;
      const ready = altruistic ? readyOf(graphs, stage) : 0;
      for (let at = stages.first[stage]; at < stages.first[stage] + stages.tasks[stage]; at += 1) {
        const end = endOfRun(graphs, at, bins.end);
        const fromLeftover = isFromLeftover(graphs, at);
        if (placements.start[at] >= 0)
          spread(fromLeftover ? drawn : planned, bins, placements.start[at], end, part[stage]);
        if (altruistic)
          spread(
            could,
            bins,
            ready,
            placements.start[at] < 0 ? until : fromLeftover ? end : placements.start[at],
            part[stage],
          );
      }
    }
    const [holds, took] = [settle(planned, bins), settle(drawn, bins)];
    for (let bin = 0; bin < bins.count; bin += 1) pool.left[bin] = Math.max(0, pool.left[bin] - holds[bin]);
    add(pool.drawn, pool.drawers, took, job, bins);
    if (took.some((part) => part > 0)) pool.takes.set(job, took);
    if (!altruistic) continue;
    spread(there, bins, jobs.arrival[job], until, weigh(job));
    const [more, weight] = [settle(could, bins), settle(there, bins)];
    const gave = more.map((can, bin) =>
      Math.max(0, Math.min(can, weights[bin] > 1e-9 ? weight[bin] / weights[bin] - holds[bin] : 0)),
    );
    pool.gives.set(job, gave);
    add(pool.given, pool.givers, gave, job, bins);
  }
  return pool;
}

const TOP = 3;
/** @returns {[job: number, part: number][][]} */
const tops = (/** @type {Bins} */ bins) => Array.from({ length: bins.count }, () => []);

/**
 * @param {Float64Array} sum
 * @param {[number, number][][]} largest
 * @param {Float64Array} shares
 * @param {number} job
 * @param {Bins} bins
 */
function add(sum, largest, shares, job, bins) {
  for (let bin = 0; bin < bins.count; bin += 1) {
    if (!(shares[bin] > 1e-9)) continue;
    sum[bin] += shares[bin];
    const list = largest[bin];
    list.push([job, shares[bin]]);
    list.sort((a, b) => b[1] - a[1]);
    if (list.length > TOP) list.pop();
  }
}
