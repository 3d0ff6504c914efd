/**
 * Find resources that the workload needs and the datacenter lacks, and return a datacenter that has them. No function
 * changes its argument.
 */

import { listOf } from "./experiment.js";
import { three } from "../kit/format.js";
import { clustersOf, groupsOf, withClusters } from "./topology.js";
import { gettext } from "../kit/words.js";

/** @import { Experiment } from "./experiment.js" */

const NAMES = ["cpus", "memory_gb", "gpus"];
const GB_A_CPU = 4;
const SPREADS = 4; // assumed ratio of the largest value to the median of an unbounded amount

const number = (/** @type {unknown} */ value) => (Number.isFinite(value) ? /** @type {number} */ (value) : 0);

/** Return the largest value of a distribution, or an estimate. */
function most(
  /** @type {{max?: unknown, values?: unknown, value?: unknown, mean?: unknown, median?: unknown} | undefined} */
  distribution,
) {
  if (!distribution) return 0;
  const { max, values, value, mean, median } = distribution;
  return (
    number(max) ||
    Math.max(0, ...(Array.isArray(values) ? values : []).map(number)) ||
    number(value) ||
    SPREADS * (number(median) || number(mean))
  );
}

/**
 * @typedef {{demand?: Record<string, unknown>, demands?: unknown,
 *   drawn_demand?: {amounts?: Record<string, Parameters<typeof most>[0]>}}} Demanding  a workload with demands
 */

/** Return the largest amount of each resource that a task of a synthetic workload requests. */
function largest(/** @type {Demanding | null | undefined} */ workload) {
  const kinds = [workload?.demand, ...listOf(workload?.demands).map((each) => each.demand ?? each)];
  return Object.fromEntries(
    NAMES.map((name) => [
      name,
      Math.max(0, ...kinds.map((each) => number(each?.[name])), most(workload?.drawn_demand?.amounts?.[name])),
    ]),
  );
}

const offered = (/** @type {Record<string, unknown>} */ group, /** @type {string} */ name) =>
  number(group[name] ?? (name === "cpus" ? 1 : 0));

/** Return {name: amount} of the resources that tasks request and no machine has enough of. */
export function lackingOf(/** @type {Experiment} */ experiment) {
  const groups = clustersOf(experiment).flatMap(groupsOf);
  const wanted = largest(experiment.workload);
  return Object.fromEntries(
    NAMES.filter((name) => wanted[name] > Math.max(0, ...groups.map((group) => offered(group, name)))).map((name) => [
      name,
      wanted[name],
    ]),
  );
}

/** Return the experiment with machines that have the lacking resources; memory grows in proportion to CPUs. */
export function equipped(/** @type {Experiment} */ experiment, lacking = lackingOf(experiment)) {
  const better = (/** @type {import("./topology.js").Group} */ group) => {
    const next = { ...group, cpus: Math.max(offered(group, "cpus"), Math.ceil(lacking.cpus ?? 0)) };
    if (lacking.memory_gb)
      next.memory_gb = Math.max(offered(group, "memory_gb"), GB_A_CPU * next.cpus, Math.ceil(lacking.memory_gb));
    if (lacking.gpus) next.gpus = Math.max(offered(group, "gpus"), Math.ceil(lacking.gpus));
    return next;
  };
  return withClusters(
    experiment,
    clustersOf(experiment).map((cluster) => ({ ...cluster, machines: groupsOf(cluster).map(better) })),
  );
}

/** Return lacking resources in words: "2 CPUs and 4 GB". */
export function lackingWords(/** @type {Record<string, number>} */ lacking) {
  /** @type {Record<string, string>} */
  const units = { cpus: "CPUs", memory_gb: gettext("GB of memory"), gpus: "GPUs" };
  const parts = Object.entries(lacking).map(
    ([name, amount]) =>
      `${three(amount)} ${amount === 1 && name !== "memory_gb" ? units[name].slice(0, -1) : units[name]}`,
  );
  return [...parts.slice(0, -2), parts.slice(-2).join(" and ")].join(", ");
}
