/** What one can jump to in a run, and the next or the previous of it. */

/** Ways to jump, for a run's meta: {id, label, source: "marks" | "decisions" | "slowest", kind?}. */
export function jumpsOf(meta) {
  return [
    { id: "event", label: "any event", source: "marks", kind: null },
    { id: "decision", label: "any decision", source: "decisions" },
    ...(meta?.marks ?? []).map((mark) => ({ id: `mark-${mark.kind}`, label: mark.label.toLowerCase(), source: "marks", kind: mark.kind })),
    { id: "slowest", label: "a wait of the slowest 1 % (p99)", source: "slowest" },
  ];
}

/** The first of the entries, in order of t_ns, after an instant; or the last before it. */
export function nearest(entries, t_ns, direction) {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle].t_ns <= t_ns) low = middle + 1; else high = middle;
  }
  if (direction > 0) return entries[low] ?? null;
  let place = low - 1;
  while (place >= 0 && entries[place].t_ns >= t_ns) place -= 1;
  return entries[place] ?? null;
}

/** Marks of one kind, in order; null: of all that are events to step to, which the quiet kinds are not. */
export function marksOf(marks, kind, quiet = new Set()) { return marks.filter((mark) => (kind === null ? !quiet.has(mark.kind) : mark.kind === kind)); }
