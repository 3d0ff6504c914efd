/** Where a run's waiting time went: rows by queue and class, and one sentence, from the summary's `waits`. */

import { measured, percent, whole } from "../kit/format.js";
import { bareName } from "../kit/names.js";
import { gettext, ngettext } from "../kit/words.js";

/** @import { KeeperMeta } from "../contract/contract" */

/** @import { Summary } from "../contract/contract" */

export const PARTS = /** @type {const} */ (["framework_queuing", "processing", "communication", "worker_queuing"]);

/** @typedef {ReturnType<typeof waitRows>[number]} WaitRow */
/** With at most this fraction of capacity free, machines are the bottleneck; from MUCH_FREE on they are not. */
const HARDLY_FREE = 0.05;
const MUCH_FREE = 0.2;
/** The index in PARTS of waits in machine queues. */
const AT_MACHINES = 3;
/** A mean wait below this value counts as no wait, in seconds. */
const HARDLY_S = 0.01;

/**
 * Return the rows of the chart: all tasks first, then queues and classes. Summaries of earlier versions contain only
 * all tasks.
 * @param {Partial<Summary> | null | undefined} summary
 */
export function waitRows(summary) {
  if (!summary?.tasks || summary.allocation_delay_s?.mean == null) return [];
  const groups = summary.waits?.groups ?? [
    {
      kind: "all",
      name: "",
      tasks: 1,
      parts_s: Object.fromEntries(PARTS.map((part) => [part, summary.delay_components_s?.[part].mean ?? 0])),
      free: null,
      curve_s: [],
    },
  ];
  return groups.map((group) => {
    const total = PARTS.reduce((sum, part) => sum + group.parts_s[part], 0);
    return {
      ...group,
      total_s: total,
      mean_s: total / group.tasks,
      shares: PARTS.map((part) => (total > 0 ? group.parts_s[part] / total : 0)),
    };
  });
}

/**
 * Explain waits in scheduler queues while much capacity is free: tasks wait for the scheduler, its masters, or other
 * stages of the job.
 * @param {{share: string, free: string}} told
 * @param {KeeperMeta | undefined} keeper
 * @param {boolean} graphs
 */
function keptBack(told, keeper, graphs) {
  if (graphs)
    return gettext(
      "Tasks wait for other stages of their jobs, or for the scheduler: {free} of the capacity is free meanwhile.",
      told,
    );
  if (!keeper || keeper.role === "queue" || keeper.role === "job")
    return gettext(
      "The scheduler is the bottleneck: tasks spend {share} of their wait in its queue, while {free} of the " +
        "capacity " +
        "is free.",
      told,
    );
  return gettext(
    "{keeper}s are the bottleneck: tasks spend {share} of their wait in their queues, while {free} of the capacity " +
      "is free.",
    { ...told, keeper: keeper.label },
  );
}

/**
 * Report where tasks wait if some capacity is free, but not much. Name no bottleneck.
 * @param {{share: string, free: string}} told
 * @param {number} most
 * @param {boolean} graphs
 */
function between(told, most, graphs) {
  if (most === AT_MACHINES)
    return gettext(
      "Over the whole run, tasks spend {share} of their wait in queues at machines, while on average {free} of the " +
        "capacity, on other machines, is free.",
      told,
    );
  if (graphs)
    return gettext(
      "Tasks wait for other stages of their jobs, or for the scheduler: {free} of the capacity is free meanwhile.",
      told,
    );
  return gettext(
    "Over the whole run, tasks spend {share} of their wait in queues of schedulers, while on average {free} of the " +
      "capacity is free.",
    told,
  );
}

/**
 * Return the sentence about where the waiting time went.
 * @param {WaitRow} row
 * @param {KeeperMeta | undefined} keeper
 * @param {boolean} graphs
 */
function where(row, keeper, graphs) {
  const most = row.shares.indexOf(Math.max(...row.shares));
  const told = { share: percent(row.shares[most]), free: percent(row.free ?? 0) };
  if (most === 1) return gettext("Deciding is the bottleneck: it takes {share} of the waiting time.", told);
  if (most === 2) return gettext("Messages are the bottleneck: they take {share} of the waiting time.", told);
  if (row.free === null)
    return most === 0
      ? gettext("Tasks spend {share} of their wait in queues of schedulers.", told)
      : gettext("Tasks spend {share} of their wait in queues at machines.", told);
  if (row.free >= HARDLY_FREE && row.free < MUCH_FREE) return between(told, most, graphs);
  if (row.free < MUCH_FREE && most === AT_MACHINES)
    return gettext(
      "Over the whole run, machines are nearly full: while tasks wait in queues at machines, only {free} of all " +
        "capacity is free on average.",
      told,
    );
  if (row.free < MUCH_FREE)
    return gettext(
      "Over the whole run, machines are the bottleneck: while tasks wait, only {free} of the capacity is free on " +
        "average.",
      told,
    );
  if (most === 0) return keptBack(told, keeper, graphs);
  return gettext(
    "Over the whole run, queues at machines are the bottleneck: tasks spend {share} of their wait there, while " +
      "{free} of the capacity is free on other machines.",
    told,
  );
}

/**
 * Return how many tasks wait until the run's end: no machine can run them, or the run is stuck.
 * @param {Partial<Summary> | null | undefined} summary
 */
export function neverStarted(summary) {
  const stuck = summary?.finished === "stuck" ? (summary.waiting_groups ?? []) : [];
  const waiting = stuck.reduce((sum, group) => sum + group.tasks, 0);
  return Math.max(waiting, summary?.tasks?.unschedulable ?? 0);
}

/**
 * Describe the tasks that never start in a stuck run: a heading and a sentence per group; empty for any other run.
 * Summaries of earlier versions do not record how a run ended.
 * @param {Partial<Summary> | null | undefined} summary
 * @returns {string[]}
 */
export function stuckWords(summary) {
  if (summary?.finished !== "stuck") return [];
  const groups = summary.waiting_groups ?? [];
  const tasks = groups.reduce((sum, group) => sum + group.tasks, 0);
  const heading = ngettext(
    "This run is stuck: at its end {count} task waits, and nothing will ever change.",
    "This run is stuck: at its end {count} tasks wait, and nothing will ever change.",
    tasks,
    { count: whole(tasks) },
  );
  const told = groups.map((group) =>
    ngettext(
      "Queue {queue}, {count} task (task {first}): {reason}",
      "Queue {queue}, {count} tasks (the first is task {first}): {reason}",
      group.tasks,
      { queue: bareName(group.queue), count: whole(group.tasks), first: whole(group.first_task), reason: group.reason },
    ),
  );
  return [heading, ...told];
}

/**
 * Summarize a run's waits in one or two sentences.
 * @param {Partial<Summary> | null | undefined} summary
 * @param {import("../contract/contract").KeeperMeta | undefined} keeper  meta.work.keeper, or undefined
 */
export function bottleneckWords(summary, keeper) {
  const [all] = waitRows(summary);
  if (!summary || !all) return "";
  const never = summary.tasks?.unschedulable ?? 0;
  const said =
    all.mean_s < HARDLY_S
      ? gettext("Tasks hardly wait: {mean} on average.", { mean: measured(all.mean_s * 1e9) })
      : where(all, keeper, Boolean(summary.graphs));
  if (!never) return said;
  const told = { count: whole(never) };
  const barred = ngettext("{count} task fits no machine.", "{count} tasks fit no machine.", never, told);
  return `${said} ${barred}`;
}

/**
 * Return the wait curves by queue or class, as points from 0 to 1 on a shared log time axis; null with fewer than two
 * groups.
 * @param {ReturnType<typeof waitRows>} rows
 */
export function waitCurves(rows) {
  const several = rows.filter((row) => row.kind !== "all" && row.curve_s.length);
  if (several.length < 2) return null;
  const seconds = several.flatMap((row) => row.curve_s.map(([, wait]) => wait));
  const high = Math.max(...seconds, 1e-3);
  const low = Math.max(high / 1e5, Math.min(...seconds.filter((wait) => wait > 0), high / 10));
  const place = (/** @type {number} */ wait) => Math.log(Math.max(wait, low) / low) / Math.log(high / low);
  return {
    low,
    high,
    curves: several.map((row) => ({
      kind: row.kind,
      name: row.name,
      points: row.curve_s.map(([share, wait]) => [place(wait), share]),
    })),
  };
}
