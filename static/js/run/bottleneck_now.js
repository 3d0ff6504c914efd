/** Return a sentence that says how many tasks wait at an instant, and where. The module does not need a page. */

import { percent, whole } from "../kit/format.js";
import { gettext, ngettext } from "../kit/words.js";
import { bareName } from "../kit/names.js";

/** @typedef {import("../draw/charts/waits_over.js").Over} Over */
/** @typedef {import("../draw/charts/waits_over.js").GroupOver} GroupOver */

/** Where tasks wait, by part of the wait. */
export const PLACES = [
  gettext("in queues of schedulers"),
  gettext("while the scheduler decides about them"),
  gettext("for a message"),
  gettext("in queues at machines"),
];
/** From this fraction of the waiting tasks on, one group has most of them. */
const MOST = 0.6;
/** From this fraction on, one place has nearly all of them. */
const ALL = 0.95;

/** Return how many tasks of a group wait in a span. */
const waiting = (/** @type {GroupOver} */ { parts }, /** @type {number} */ span) =>
  parts.reduce((sum, part) => sum + part[span], 0);

/**
 * Return the sentences about an instant: the number of waiting tasks in the picture, and where most tasks around this
 * instant wait.
 *
 * @param {Over | null} over
 * @param {number} t_ns
 * @param {number} count  the number of waiting tasks in the picture
 * @param {number | null} full  the fraction of machines without room now, 0 to 1; null if unknown
 * @param {number} never  tasks that wait until the run's end
 */
export function waitsNow(over, t_ns, count, full = null, never = 0) {
  const all = over?.groups.find((group) => group.kind === "all");
  if (!over || !all) return "";
  if (!count) return gettext("No task waits now.");
  const span = Math.min(all.parts[0].length - 1, Math.max(0, Math.floor(t_ns / over.span_ns)));
  const first = ngettext("Now {n} task waits.", "Now {count} tasks wait.", count, { n: count, count: whole(count) });
  const whose = arePlaced(count, never) ? [placeWords(all, span), groupWords(over, span)] : [];
  return [first, ...whose, roomWords(full)].filter(Boolean).join(" ");
}

/**
 * Return whether most of some waiting tasks start at some time: parts of waits are known only of these.
 * @param {number} count
 * @param {number} never  tasks that wait until the run's end
 */
export const arePlaced = (count, never) => 2 * never < count;

/** Return where most tasks wait around an instant, in one of the spans. */
export function placeWords(/** @type {GroupOver} */ all, /** @type {number} */ span) {
  const sum = waiting(all, span);
  if (!sum) return "";
  const part = all.parts.reduce((best, each, place) => (each[span] > all.parts[best][span] ? place : best), 0);
  const share = all.parts[part][span] / sum;
  return share > ALL
    ? gettext("Around this moment, nearly all wait {place}.", { place: PLACES[part] })
    : gettext("Around this moment, {share} wait {place}.", { share: percent(share), place: PLACES[part] });
}

/** Name the queue or class that has most of the waiting tasks; "" if no group has. */
function groupWords(/** @type {Over} */ { groups }, /** @type {number} */ span) {
  const sum = waiting(/** @type {GroupOver} */ (groups.find((group) => group.kind === "all")), span);
  const [most] = groups.filter((group) => group.kind !== "all").sort((a, b) => waiting(b, span) - waiting(a, span));
  const share = most && sum ? waiting(most, span) / sum : 0;
  if (!most || share < MOST) return "";
  const values = { queue: bareName(most.name), share: percent(share) };
  if (most.kind === "queue")
    return share > ALL
      ? gettext("Nearly all belong to the queue {queue}.", values)
      : gettext("Most of them ({share}) belong to the queue {queue}.", values);
  if (share > ALL)
    return most.name === "short"
      ? gettext("Nearly all are tasks of short jobs.")
      : gettext("Nearly all are tasks of long jobs.");
  return most.name === "short"
    ? gettext("Most are tasks of short jobs ({share}).", values)
    : gettext("Most are tasks of long jobs ({share}).", values);
}

/** Return how many machines have no room. */
function roomWords(/** @type {number | null} */ full) {
  if (full === null) return "";
  if (full > 0.995) return gettext("Now no machine has room left.");
  return full < 0.005
    ? gettext("Now every machine has room left.")
    : gettext("Now {share} of the machines have no room left.", { share: percent(full) });
}

const FULL = 255;

/** Return the fraction of full machines in a picture's load layer; null without one. */
export function fullPart(/** @type {Uint8Array | null | undefined} */ load) {
  if (!load?.length) return null;
  return load.reduce((full, byte) => full + Number(byte === FULL), 0) / load.length;
}
