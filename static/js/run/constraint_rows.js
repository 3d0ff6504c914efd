/**
 * Waits by constraint and arrival time, from a run's summary. Pure functions; see `ConstraintWaits` in the contract.
 */

import { csvCell } from "../kit/csv.js";
import { roundTop } from "../kit/scales.js";

/** @import { ConstraintWaits } from "../contract/contract" */

/**
 * Return the rows of the chart: a shade from 0 to 1 per span, null if no task started.
 * @param {ConstraintWaits} waits  a summary's waits
 */
export function constraintRows(waits) {
  const means = waits.rows.flatMap((row) => row.mean_s_by_span.filter((value) => value !== null));
  const most = roundTop(Math.max(...means, 0) || 1);
  const from = (/** @type {number} */ span) => (waits.from_s + span * waits.every_s) * 1e9;
  const rows = waits.rows.map((row) => ({
    name: row.constraint,
    tasks: row.tasks,
    started: row.started,
    mean_ns: row.wait_s.mean === null ? null : row.wait_s.mean * 1e9,
    cells: row.mean_s_by_span.map((mean, span) => ({
      shade: mean === null ? null : mean / most,
      mean_ns: mean === null ? null : mean * 1e9,
      tasks: row.tasks_by_span[span],
      from_ns: from(span),
      until_ns: from(span + 1),
    })),
  }));
  return { most_ns: most * 1e9, rows };
}

/**
 * Return the waits as CSV: a line per constraint and span. Tasks without constraints have an empty name.
 * @param {ConstraintWaits} waits
 */
export function constraintCsv(waits) {
  const lines = waits.rows.flatMap((row) =>
    row.mean_s_by_span.map((mean, span) => {
      const from = waits.from_s + span * waits.every_s;
      return [row.constraint, from, from + waits.every_s, row.tasks_by_span[span], mean].map(csvCell).join(",");
    }),
  );
  return `${["constraint,from_s,until_s,tasks,mean_wait_s", ...lines].join("\n")}\n`;
}
