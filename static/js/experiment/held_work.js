/** Machines that change at the same load, which brings more work to more machines, or at the same work. */

import { getAt, listOf, setAt } from "./experiment.js";

/** @import { Experiment } from "./experiment.js" */

const FIRST = "topology.clusters[0]";
const LOAD = "workload.arrivals.offered_load";

/**
 * What all machines have, by resource.
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
 * How many times as much of each resource there is; null where resources differ in this, and for what is no number.
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
 * Whether a person chooses what stays when there are more machines like the first: arrivals are a load of the machines,
 * and all resources grow alike.
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
 * Holds the work of an experiment while its machines change: the load becomes what the same arrivals are on the new
 * machines. Changes that follow one another start from the first load, so that machines taken back give it back.
 */
export class HeldWork {
  #from = { load: NaN, have: /** @type {Record<string, number>} */ ({}), left: NaN };

  /**
   * The experiment with the same arrivals on other machines; null where the load does not tell: some resources grow
   * more than others.
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
