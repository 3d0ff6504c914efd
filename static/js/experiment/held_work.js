/** When machines change, keep the load (more machines then get more work) or keep the work. */

import { getAt, listOf, setAt } from "./experiment.js";

/** @import { Experiment } from "./experiment.js" */

const FIRST = "topology.clusters[0]";
const LOAD = "workload.arrivals.offered_load";

/**
 * Return the total capacity of all machines by resource.
 * @param {Experiment} experiment
 */
export function capacityOf(experiment) {
  /** @type {Record<string, number>} */
  const have = {};
  for (const cluster of listOf(experiment.topology?.clusters))
    for (const { count = 1, cpus = 1, memory_gb = 0, gpus = 0, resources = {} } of listOf(cluster.machines))
      for (const [name, amount] of Object.entries({ cpus, memory_gb, gpus, ...resources }))
        have[name] = (have[name] ?? 0) + (cluster.repeat ?? 1) * count * Number(amount);
  return have;
}

/**
 * Return the common growth factor of all resources; null if the factors differ or are not numbers.
 * @param {Record<string, number>} before
 * @param {Record<string, number>} after
 */
function growthOf(before, after) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => before[name] || after[name],
  );
  const factors = names.map((name) => (after[name] ?? 0) / (before[name] ?? 0));
  const [first] = factors;
  if (!Number.isFinite(first) || first <= 0) return null;
  return factors.every((each) => Math.abs(each / first - 1) < 1e-9) ? first : null;
}

/**
 * Return true if the page should ask what stays constant when machines like the first are added: arrivals are given as
 * a load, and all resources grow by the same factor.
 * @param {Experiment} experiment
 */
export function asksWhatStays(experiment) {
  if (typeof getAt(experiment, LOAD) !== "number") return false;
  const cluster = getAt(experiment, FIRST);
  if (!cluster?.machines?.[0]) return false;
  const more = setAt(experiment, `${FIRST}.machines[0].count`, 2 * (cluster.machines[0].count ?? 1));
  const clusters = setAt(experiment, `${FIRST}.repeat`, 2 * (cluster.repeat ?? 1));
  const have = capacityOf(experiment);
  return [more, clusters].every((each) => growthOf(have, capacityOf(each)) !== null);
}

/**
 * Keeps an experiment's work constant while its machines change: the load is recomputed for the same arrivals.
 * Consecutive changes start from the first load, so that reverting the machines restores it exactly.
 */
export class HeldWork {
  #from = { load: NaN, have: /** @type {Record<string, number>} */ ({}), left: NaN };

  /**
   * Return the experiment with the same arrivals on the new machines; null if resources grow by different factors, so
   * that the load is undefined.
   * @param {Experiment} before
   * @param {Experiment} after
   */
  kept(before, after) {
    const load = getAt(before, LOAD);
    if (typeof load !== "number") return after;
    if (load !== this.#from.left) this.#from = { load, have: capacityOf(before), left: load };
    const growth = growthOf(this.#from.have, capacityOf(after));
    if (growth === null) return null;
    this.#from.left = this.#from.load / growth;
    return setAt(after, LOAD, this.#from.left);
  }
}
