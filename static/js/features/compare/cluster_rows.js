/** Rows for the operator of a cluster, side by side: queues, priorities, use of machines, and what still fits. */

import { clusterMeasure, clusterNames, clusterValue } from "../../run/cluster_measures.js";
import { ratioOf } from "./compared_rows.js";

/**
 * @import { ClusterMeasure } from "../../run/cluster_measures.js"
 * @import { Summaries } from "./compared_rows.js"
 * @typedef {{measure: ClusterMeasure, cells: {text: string, ratio: string, side: number}[]}} ClusterRow
 */

/**
 * Return the rows by part, in order: [[part, rows]], with ratios to the run at index `reference`. A measure that a run
 * with a summary lacks has no row, and neither has a count that is 0 in every run.
 * @param {Summaries} summaries
 * @param {number} reference
 * @returns {[string, ClusterRow[]][]}
 */
export function clusterRows(summaries, reference) {
  const known = summaries.filter(Boolean);
  /** @type {Map<string, ClusterRow[]>} */
  const parts = new Map();
  for (const name of clusterNames(known[0])) {
    const measure = clusterMeasure(name);
    const values = summaries.map((summary) => clusterValue(summary, name));
    const isWhole = known.every((summary) => clusterValue(summary, name) !== undefined);
    if (!measure || !isWhole || (measure.isCount && !values.some(Boolean))) continue;
    const cells = values.map((value, at) => ({
      text: typeof value === "number" ? measure.show(value) : "–",
      ...ratioOf(value, values[reference], at === reference),
    }));
    if (cells.some((cell) => cell.text !== "–"))
      parts.set(measure.part, [...(parts.get(measure.part) ?? []), { measure, cells }]);
  }
  return [...parts];
}
