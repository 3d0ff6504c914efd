/** Who waits around an instant, and where, in a sentence. The module needs no page. */

import { duration, percent, whole } from "../kit/format.js";
import { gettext, ngettext } from "../kit/words.js";
import { bareName } from "../kit/names.js";

/** @typedef {import("../draw/charts/waits_over.js").Over} Over */
/** @typedef {import("../draw/charts/waits_over.js").GroupOver} GroupOver */

/** Where tasks wait, by the part of their wait. */
export const PLACES = [
  gettext("in queues of schedulers"),
  gettext("while the scheduler decides about them"),
  gettext("for a message"),
  gettext("in queues at machines"),
];
/** From this part of the waiting tasks on, one group has most of them. */
const MOST = 0.6;

/** How many tasks of a group wait in a span. */
const waiting = (/** @type {GroupOver} */ { parts }, /** @type {number} */ span) =>
  parts.reduce((sum, part) => sum + part[span], 0);

/**
 * What waits at an instant, as the mean over the span of time around it.
 *
 * @param {Over | null} over
 * @param {number} t_ns
 * @param {number | null} full  the part of the machines that have no room now, 0 to 1; null where that is not known
 */
export function waitsNow(over, t_ns, full = null) {
  const all = over?.groups.find((group) => group.kind === "all");
  if (!over || !all) return "";
  const span = Math.min(all.parts[0].length - 1, Math.max(0, Math.floor(t_ns / over.span_ns)));
  const count = waiting(all, span);
  const around = duration(over.span_ns);
  if (count < 0.5) return gettext("No task waits in the {span} around this moment.", { span: around });
  const part = all.parts.reduce((best, each, place) => (each[span] > all.parts[best][span] ? place : best), 0);
  const about = Math.max(1, Math.round(count));
  const some = whole(Math.max(1, Math.round(all.parts[part][span])));
  const where = { n: whole(about), some, place: PLACES[part], span: around };
  const first =
    all.parts[part][span] > 0.95 * count
      ? ngettext(
          "Averaged over the {span} around this moment, {n} task waits {place}.",
          "Averaged over the {span} around this moment, {n} tasks wait, nearly all of them {place}.",
          about,
          where,
        )
      : ngettext(
          "Averaged over the {span} around this moment, {n} task waits.",
          "Averaged over the {span} around this moment, {n} tasks wait, {some} of them {place}.",
          about,
          where,
        );
  return [first, groupWords(over, span, count), roomWords(full)].filter(Boolean).join(" ");
}

/** Whose tasks wait most, where one queue or class has most of them. */
function groupWords(/** @type {Over} */ { groups }, /** @type {number} */ span, /** @type {number} */ count) {
  const [most] = groups.filter((group) => group.kind !== "all").sort((a, b) => waiting(b, span) - waiting(a, span));
  if (!most || waiting(most, span) < MOST * count) return "";
  const n = whole(Math.round(waiting(most, span)));
  const all = n === whole(Math.round(count));
  if (all && most.kind !== "queue")
    return most.name === "short" ? gettext("All are tasks of short jobs.") : gettext("All are tasks of long jobs.");
  if (all)
    return ngettext("It belongs to the queue {queue}.", "All belong to the queue {queue}.", Math.round(count), {
      queue: bareName(most.name),
    });
  if (most.kind === "queue")
    return gettext("Most of them ({n}) belong to the queue {queue}.", { queue: bareName(most.name), n });
  return most.name === "short"
    ? gettext("Most are tasks of short jobs ({n}).", { n })
    : gettext("Most are tasks of long jobs ({n}).", { n });
}

/** How many machines have no room. */
function roomWords(/** @type {number | null} */ full) {
  if (full === null) return "";
  if (full > 0.995) return gettext("Now no machine has room left.");
  return full < 0.005
    ? gettext("Now every machine has room left.")
    : gettext("Now {share} of the machines have no room left.", { share: percent(full) });
}

const FULL = 255;

/** The part of the machines that are full by a picture's layer of load; null where there is none. */
export function fullPart(/** @type {Uint8Array | null | undefined} */ load) {
  if (!load?.length) return null;
  return load.reduce((full, byte) => full + Number(byte === FULL), 0) / load.length;
}
