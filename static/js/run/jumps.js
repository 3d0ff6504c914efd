/** What one can jump to in a run, and the next or the previous of it. */

import { countHolding } from "../kit/search.js";
import { gettext, midSentence } from "../kit/words.js";

/**
 * @import { Meta } from "../contract/contract"
 * @import { SeenMark } from "./frames.js"
 */

/** Ways to jump, for a run's meta: {id, label, source: "marks" | "decisions" | "slowest", kind?}. */
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
 * The first of the entries, in order of t_ns, after an instant; or the last before it.
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
 * What a mark of the datacenter as a whole is, in words; "" for one that flashes on a machine.
 * @param {Meta | null} meta
 * @param {{kind?: string}} mark
 */
export function tellWhole(meta, mark) {
  const kind = (meta?.marks ?? []).find((each) => each.kind === mark.kind);
  return kind?.whole ? `${kind.label}: ${midSentence(kind.help)}` : "";
}

/**
 * The mark of the datacenter as a whole that is nearest to an instant, no farther than `within` nanoseconds; or null.
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
 * Marks of one kind, in order; null: of all that are events to step to, which the quiet kinds are not.
 * @param {SeenMark[]} marks
 * @param {string | null} kind
 */
export function marksOf(marks, kind, quiet = new Set()) {
  return marks.filter((mark) => (kind === null ? !quiet.has(mark.kind) : mark.kind === kind));
}
