/** Captions of the wait charts: sentences that change with the data. The module does not need a page. */

import { cdf } from "../kit/histogram.js";
import { measured, percent, whole } from "../kit/format.js";
import { gettext } from "../kit/words.js";

/** @typedef {import("../kit/histogram.js").Histogram} Histogram */
/** @typedef {Record<string, number | null>} Values  percentiles by name, in nanoseconds */

const FLOOR_NS = 1e3;

/**
 * Return a wait in words. A wait below a microsecond counts as none.
 * @param {number | null | undefined} ns
 */
function timeOf(ns) {
  return (ns ?? 0) < FLOOR_NS ? gettext("no time") : measured(ns);
}

/**
 * Caption the percentiles: "1 task in 100 waits more than 2.5 s; half of them wait less than 8 ms."
 * @param {Values} values
 */
export function waitCaption(values) {
  const { p50, p99 } = values;
  if (typeof p50 !== "number" || typeof p99 !== "number") return "";
  if (p99 < FLOOR_NS) return gettext("99 tasks in 100 start at once.");
  const most = gettext("1 task in 100 waits more than {p99};", { p99: measured(p99) });
  const half =
    p50 < FLOOR_NS ? gettext("half start at once.") : gettext("half wait less than {p50}.", { p50: timeOf(p50) });
  return `${most} ${half}`;
}

/**
 * Return the fraction of tasks that waited at most `ns` nanoseconds.
 * @param {Histogram} hist
 * @param {number} ns
 */
export function shareWithin(hist, ns) {
  const { x, y } = cdf(hist, FLOOR_NS);
  let share = 0;
  for (let place = 0; place < x.length && x[place] <= ns * 1.0001; place += 1) share = y[place];
  return share;
}

/**
 * Caption the curve at one round time: the smallest of 1 ms, 10 ms, ... at which half of the tasks have started.
 * @param {Histogram | null} hist
 * @param {Histogram | null} before
 */
export function withinCaption(hist, before) {
  if (!hist) return "";
  let ns = 1e6;
  while (ns < 1e13 && shareWithin(hist, ns) < 0.5) ns *= 10;
  const now = gettext("{share} of the tasks started within {time}", {
    share: percent(shareWithin(hist, ns)),
    time: measured(ns),
  });
  if (!before) return `${now}.`;
  return gettext("{now}; before the change, {share}.", { now, share: percent(shareWithin(before, ns)) });
}

/**
 * Compare a run's value with the previous run's: longer, shorter, or the same within 5 %.
 * @param {number | null} now
 * @param {number | null} before
 */
export function comparedCaption(now, before) {
  if (typeof now !== "number" || typeof before !== "number") return "";
  const then = timeOf(before);
  if (Math.abs(now - before) <= 0.05 * Math.max(now, before)) return gettext("About as before ({then}).", { then });
  return now > before
    ? gettext("Longer than before your change ({then}).", { then })
    : gettext("Shorter than before your change ({then}).", { then });
}

/**
 * Caption the current instant: busy machines and waiting tasks.
 * @param {{busy: number, machines: number, waiting?: number}} told
 */
export function nowCaption({ busy, machines, waiting }) {
  const text = gettext("Now {busy} of {machines} machines are busy", { busy: whole(busy), machines: whole(machines) });
  if (!waiting) return `${text}.`;
  return gettext("{text}; {waiting} tasks wait.", { text, waiting: whole(waiting) });
}
