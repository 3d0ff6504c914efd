/** The table of whole runs side by side: a row for each figure, with ratios to the baseline. */

import { duration, factor, percent, times, whole } from "../../kit/format.js";
import { isHardly } from "../../run/study/study.js";
import { gettext } from "../../kit/words.js";
import { definitionWords } from "../../run/cutoff.js";

/** @import { Summary, TaskTimes } from "../../contract/contract" */

/**
 * @typedef {(Partial<Summary> | null)[]} Summaries  summaries of the runs; null before a run has ended
 * @typedef {{[figure in "allocation_delay_s" | "job_completion_s" | "job_delay_s"]?: Partial<TaskTimes>}} Figures
 * @typedef {{[figure in "allocation_delay_s" | "job_completion_s"]: Partial<TaskTimes>}} ClassFigures
 * @typedef {{by_work_class: Record<"short" | "long", ClassFigures>}} Classed  a summary with classes of jobs
 */

/**
 * Heading, field of the summary, its parts, unit, the text for null, and the heading's help.
 * @type {[string, keyof Figures, (keyof TaskTimes)[], string, string, string][]}
 */
const ROWS = [
  [
    gettext("Queueing delay"),
    "allocation_delay_s",
    ["mean", "p50", "p90", "p99", "p99.9", "max"],
    "s",
    gettext("none started"),
    gettext("Time from a task's arrival until it first starts."),
  ],
  [
    gettext("Job completion time"),
    "job_completion_s",
    ["mean", "p50", "p99"],
    "s",
    gettext("none completed"),
    gettext("Time from a job's arrival until its last task ends."),
  ],
  [
    gettext("Job delay"),
    "job_delay_s",
    ["p99"],
    "s",
    gettext("none completed"),
    gettext("Job completion time minus the ideal one."),
  ],
];
/** @type {[string, (summary: Partial<Summary>) => number | null | undefined, string, string][]} */
const SINGLE = [
  [
    gettext("Makespan"),
    (summary) => summary.makespan_s,
    "s",
    gettext("Time from the first arrival until the last task ends."),
  ],
  [
    gettext("Utilization of CPUs"),
    (summary) => summary.utilisation?.cpus,
    "1",
    gettext("Mean share of all CPUs that are in use during the makespan."),
  ],
  [
    gettext("Utilization of memory"),
    (summary) => summary.utilisation?.memory_gb,
    "1",
    gettext("Mean share of all memory that is in use during the makespan."),
  ],
  [
    gettext("Utilization of GPUs"),
    (summary) => summary.utilisation?.gpus,
    "1",
    gettext("Mean share of all GPUs that are in use during the makespan."),
  ],
  [
    gettext("Job starts, mean error against the recording"),
    (summary) => summary.recorded_starts?.error_s?.mean,
    "s",
    gettext("Mean time between a job's start in the run and its recorded start, earlier or later."),
  ],
  [
    gettext("Job starts within 60 s of the recording"),
    (summary) => summary.recorded_starts?.within_60_s,
    "",
    gettext("Jobs that start at most 60 s before or after their recorded start."),
  ],
  [
    gettext("Worst-served queue, share of its entitlement"),
    (summary) => summary.fairness?.entitled_worst,
    "1",
    gettext("Smallest part of its entitlement that a queue used. Share and demand give the entitlement."),
  ],
  [
    gettext("Lost work"),
    (summary) => summary.lost_work_s,
    "s",
    gettext("Work of tasks that were stopped before their end."),
  ],
  [gettext("Messages"), (summary) => summary.counters?.messages, "", gettext("Messages sent over the network.")],
  [
    gettext("Tasks unfinished"),
    (summary) => summary.tasks?.unfinished,
    "",
    gettext("Tasks that had not ended when the run ended."),
  ],
];

/**
 * @param {number | null | undefined} value
 * @param {string} unit
 * @param {string} none
 */
function shown(value, unit, none) {
  if (value === null && none) return none;
  if (typeof value !== "number") return "–";
  return unit === "s" ? duration(value * 1e9, true) : unit === "1" ? percent(value) : whole(value);
}

/**
 * Metrics of the workload's short and long jobs, which every scheduler has.
 * @type {[keyof Classed["by_work_class"], keyof ClassFigures, keyof TaskTimes, string][]}
 */
const CLASSES = [
  ["short", "allocation_delay_s", "p50", gettext("Short jobs: queueing delay · p50")],
  ["short", "allocation_delay_s", "p99", gettext("Short jobs: queueing delay · p99")],
  ["short", "job_completion_s", "p99", gettext("Short jobs: completion time · p99")],
  ["long", "allocation_delay_s", "p99", gettext("Long jobs: queueing delay · p99")],
  ["long", "job_completion_s", "p99", gettext("Long jobs: completion time · p99")],
];

/**
 * Return the definition of a short job in these runs; "" if there is only one class of jobs, or if the runs use
 * different cutoffs, so that their classes differ.
 * @param {Summaries} summaries
 */
export function classesOf(summaries) {
  const works = summaries.filter(Boolean).map((summary) => summary?.by_work_class);
  const [first] = works;
  const alike = works.every((work) => work?.cutoff_s === first?.cutoff_s && work?.short?.jobs && work?.long?.jobs);
  return first && alike ? definitionWords(first) : "";
}

/**
 * Return the queues that have waits of their own in the summaries, in their order.
 * @param {Summaries} summaries
 * @returns {string[]}
 */
function queuesOf(summaries) {
  const named = summaries.flatMap((summary) => summary?.waits?.groups ?? []).filter(({ kind }) => kind === "queue");
  return [...new Set(named.map(({ name }) => name))];
}

/**
 * @param {Partial<Summary> | null} summary
 * @param {string} queue
 * @returns {number | undefined} seconds
 */
function p99OfQueue(summary, queue) {
  const group = (summary?.waits?.groups ?? []).find((each) => each.kind === "queue" && each.name === queue);
  const point = group?.curve_s.find((each) => each[0] === 0.99);
  return point?.[1];
}

/**
 * Return the table's rows: [{figure, name, help, cells: [{text, ratio, words}]}], with ratios to the run at index
 * `reference`. A null summary gives empty cells.
 * @param {Summaries} summaries
 * @param {number} reference
 */
export function comparedRows(summaries, reference) {
  const row = (
    /** @type {string} */ figure,
    /** @type {string} */ name,
    /** @type {string} */ help,
    /** @type {(number | null | undefined)[]} */ values,
    /** @type {string} */ unit,
    none = "",
  ) => ({
    figure,
    name,
    help,
    cells: values.map((value, at) => ({
      text: shown(value, unit, none),
      ...ratioOf(value, values[reference], at === reference),
    })),
  });
  const groups = ROWS.flatMap(([head, key, names, unit, none, help]) =>
    names.map((each) =>
      row(
        `${key}.${each}`,
        `${head} · ${each}`,
        help,
        summaries.map((/** @type {Figures | null} */ summary) => summary?.[key]?.[each]),
        unit,
        none,
      ),
    ),
  );
  const single = SINGLE.map(([name, read, unit, help]) =>
    row(
      "",
      name,
      help,
      summaries.map((summary) => (summary ? read(summary) : undefined)),
      unit,
    ),
  );
  const queues = queuesOf(summaries).map((queue) =>
    row(
      `waits.${queue}`,
      gettext("{queue}: queueing delay · p99", { queue }),
      gettext("Wait of the tasks of this queue from arrival until they first start."),
      summaries.map((summary) => p99OfQueue(summary, queue)),
      "s",
    ),
  );
  const definition = classesOf(summaries);
  const classes = (definition ? CLASSES : []).map(([which, key, each, name]) =>
    row(
      `${which}.${key}.${each}`,
      name,
      definition,
      /** @type {(Classed | null)[]} */ (summaries).map((summary) => summary?.by_work_class[which][key][each]),
      "s",
    ),
  );
  return [...groups, ...classes, ...queues, ...single].filter((each) => each.cells.some((cell) => cell.text !== "–"));
}

/**
 * Return the main finding: each run's p99 wait compared with the baseline's; "" until two runs have ended.
 * @param {string[]} names
 * @param {Summaries} summaries
 * @param {number} reference
 */
export function findingOfRuns(names, summaries, reference) {
  const p99 = (/** @type {number} */ at) => summaries[at]?.allocation_delay_s?.p99;
  const base = p99(reference);
  if (typeof base !== "number") return "";
  const show = (/** @type {number} */ value) => duration(value * 1e9);
  return names
    .map((own, at) => {
      const value = p99(at);
      if (at === reference || typeof value !== "number") return "";
      const values = { own, other: names[reference], value: show(value), base: show(base) };
      if (value === base) return gettext("{own}'s p99 queueing delay equals {other}'s ({base}).", values);
      if (!value || !base) return gettext("{own}'s p99 queueing delay is {value}; {other}'s is {base}.", values);
      if (isHardly(value / base))
        return gettext("{own}'s p99 queueing delay hardly differs from {other}'s ({value} and {base}, {share}).", {
          ...values,
          share: percent(Math.abs(value / base - 1)),
        });
      return gettext("{own}'s p99 queueing delay is {ratio} times {other}'s ({value} and {base}).", {
        ...values,
        ratio: factor(value / base),
      });
    })
    .filter(Boolean)
    .join(" ");
}

/**
 * @param {number | null | undefined} value
 * @param {number | null | undefined} base
 * @param {boolean} isBase
 */
export function ratioOf(value, base, isBase) {
  if (isBase || typeof value !== "number" || typeof base !== "number") return { ratio: "", side: 0 };
  if (value === base) return { ratio: gettext("same"), side: 0 };
  if (base === 0 || value === 0) return { ratio: "", side: Math.sign(value - base) };
  return { ratio: times(value / base), side: Math.sign(value - base) };
}
