/** The kinds of events a user can jump to in a run, and the next or previous one. */

import { countHolding } from "../kit/search.js";
import { gettext, midSentence } from "../kit/words.js";

/**
 * @import { Meta } from "../contract/contract"
 * @import { SeenMark } from "./frames.js"
 */

/** Return the kinds of jumps for a run: {id, label, source: "marks" | "decisions" | "slowest", kind?}. */
export function jumpsOf(/** @type {Meta} */ meta) {
  return [
    { id: "event", label: gettext("any event"), source: "marks", kind: null },
    { id: "decision", label: gettext("any decision"), source: "decisions" },
    ...(meta?.marks ?? []).map((mark) => ({
      id: `mark-${mark.kind}`,
      label: midSentence(mark.label),
      source: "marks",
      kind: mark.kind,
    })),
    { id: "slowest", label: gettext("a wait of the slowest 1 % (p99)"), source: "slowest" },
  ];
}

/**
 * Return the first entry after an instant, or the last one before it. `entries` are sorted by t_ns.
 * @template {{t_ns: number}} T
 * @param {T[]} entries
 * @param {number} t_ns
 * @param {number} direction
 */
export function nearest(entries, t_ns, direction) {
  const after = countHolding(entries.length, (place) => entries[place].t_ns <= t_ns);
  if (direction > 0) return entries[after] ?? null;
  let place = after - 1;
  while (place >= 0 && entries[place].t_ns >= t_ns) place -= 1;
  return entries[place] ?? null;
}

/**
 * Describe a mark that concerns the whole datacenter; "" for a mark that flashes on a machine.
 * @param {Meta | null} meta
 * @param {{kind?: string}} mark
 */
export function tellWhole(meta, mark) {
  const kind = (meta?.marks ?? []).find((each) => each.kind === mark.kind);
  return kind?.whole ? `${kind.label}: ${midSentence(kind.help)}` : "";
}

/**
 * Return the mark of the whole datacenter nearest to an instant, at most `within` nanoseconds away; or null.
 * @param {Meta} meta
 * @param {SeenMark[]} marks
 * @param {number} t_ns
 * @param {number} within
 */
export function wholeNear(meta, marks, t_ns, within) {
  const kinds = new Set((meta?.marks ?? []).filter((each) => each.whole).map((each) => each.kind));
  if (!kinds.size) return null;
  let best = null;
  for (const mark of marks) {
    const far = Math.abs(mark.t_ns - t_ns);
    if (kinds.has(mark.kind) && far <= within && (best === null || far < Math.abs(best.t_ns - t_ns))) best = mark;
  }
  return best;
}

/**
 * Return the marks of one kind, in order. With null, return all marks except the quiet kinds, which stepping skips.
 * @param {SeenMark[]} marks
 * @param {string | null} kind
 */
export function marksOf(marks, kind, quiet = new Set()) {
  return marks.filter((mark) => (kind === null ? !quiet.has(mark.kind) : mark.kind === kind));
}
