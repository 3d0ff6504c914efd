/** The objectives and limits in the form of a new challenge. */

import { gettext } from "../../kit/words.js";

/** @typedef {{says: string, value: string, unit: string, better: "less" | "more"}} Objective */

/** @type {Objective[]} */
const USUAL = [
  { says: gettext("Queueing delay of tasks, p99"), value: "run.allocation_delay_s.p99", unit: "s", better: "less" },
  { says: gettext("Queueing delay of tasks, mean"), value: "run.allocation_delay_s.mean", unit: "s", better: "less" },
  { says: gettext("Job completion time, mean"), value: "run.job_completion_s.mean", unit: "s", better: "less" },
  { says: gettext("Job completion time, p99"), value: "run.job_completion_s.p99", unit: "s", better: "less" },
  { says: gettext("Job delay, p99"), value: "run.job_delay_s.p99", unit: "s", better: "less" },
  { says: gettext("Makespan"), value: "run.makespan_s", unit: "s", better: "less" },
  { says: gettext("Utilization of CPUs"), value: "run.utilisation.cpus", unit: "%", better: "more" },
  {
    says: gettext("Worst-served queue, share of its entitlement"),
    value: "run.fairness.entitled_worst",
    unit: "%",
    better: "more",
  },
];

/**
 * Return the usual objectives, and those that separate short and long jobs at a mean task duration of `cutoff` seconds.
 */
export function objectivesAt(/** @type {number} */ cutoff) {
  const values = { cutoff };
  return [
    ...USUAL,
    {
      says: gettext("p99 wait of tasks in short jobs (tasks below {cutoff} s on average)", values),
      value: `short_wait(run, 99, ${cutoff})`,
      unit: "s",
      better: "less",
    },
    {
      says: gettext("p99 wait of tasks in long jobs (tasks from {cutoff} s on average)", values),
      value: `long_wait(run, 99, ${cutoff})`,
      unit: "s",
      better: "less",
    },
  ];
}

/** Return the limit for an objective and a bound: a minimum if more is better. People type fractions in percent. */
export function limitOf(
  /** @type {{says: string, value: string, unit: string, better: string}} */ { says, value, unit, better },
  /** @type {number} */ bound,
) {
  const at = unit === "%" ? bound / 100 : bound;
  return { says, value, unit, ...(better === "more" ? { at_least: at } : { at_most: at }) };
}
