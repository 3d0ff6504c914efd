/** The messages that a part of a run sent and received, in words and rows. Times in seconds. */

import { clock, duration, whole } from "../../kit/format.js";
import { gettext } from "../../kit/words.js";

/**
 * @typedef {{kind: string, label: string, help: string, sent: number, received: number}} KindCount
 * @typedef {{directed: boolean, sent: number, received: number, whole: boolean, from_s: number, until_s: number,
 *   kinds: KindCount[], messages: {kind: string, frm: string, to: string, task: number | null,
 *   sent_s: number}[]}} PartCounts  the server's counts of a part's messages
 */

/** @param {number} t_s */
const at = (t_s) => clock(t_s * 1e9, t_s * 1e9);

/**
 * Describe the number of messages and the counted time.
 * @param {PartCounts} found
 */
export function tellCounts(found) {
  const many = found.directed
    ? gettext("{sent} sent, {received} received", { sent: whole(found.sent), received: whole(found.received) })
    : gettext("{n} messages about it", { n: whole(found.sent) });
  if (found.whole) return gettext("{many} so far.", { many });
  const span = duration((found.until_s - found.from_s) * 1e9);
  return gettext("{many} in the {span} before {to}. This run has too many messages to count all of them.", {
    many,
    span,
    to: at(found.until_s),
  });
}

/**
 * Return the rows of a table: [{label, help, cells}], with one count each if messages have no direction.
 * @param {PartCounts} found
 */
export function countRows(found) {
  return found.kinds.map((kind) => ({
    label: kind.label,
    help: kind.help,
    cells: (found.directed ? [kind.sent, kind.received] : [kind.sent]).map(whole),
  }));
}

/**
 * Return the last messages, newest first: [{t_s, text}].
 * @param {PartCounts} found
 * @param {number} most
 */
export function lastOnes(found, most) {
  const labels = new Map(found.kinds.map((kind) => [kind.kind, kind.label]));
  return found.messages
    .slice(-most)
    .toReversed()
    .map((one) => ({
      t_s: one.sent_s,
      text:
        `${labels.get(one.kind) ?? one.kind}: ${one.frm} → ${one.to}` +
        (one.task === null ? "" : gettext(", task {task}", { task: whole(one.task) })),
    }));
}
