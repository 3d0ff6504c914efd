/**
 * The decisions to show during playback: one at a time, so that a viewer can follow. The choice depends only on the
 * instant, so scrubbing shows the same decisions.
 */

import { countUpTo } from "../../kit/search.js";

/** @typedef {import("../../run/track.js").Track} Track */
/** @typedef {{rows: Uint32Array, leaves: Float64Array}} Leaving  rows sorted by when they leave their keeper */
/** @typedef {{row: number, at: number, share: number, place: number}} Decision */

const FULL = 255;
/** A decision is shown if it falls in this first part of its span; it stays for the rest of the span. */
const EARLY = 0.35;
/** Tasks that leave within this many units belong to one round, because rounding shifts the parts of waits. */
const TOGETHER = 2;

/** @param {Track} track @returns {Leaving} */
export function byLeaving(track) {
  const rows = Uint32Array.from({ length: track.count }, (_, row) => row).filter((row) => track.machine[row] >= 0);
  rows.sort((a, b) => track.leaves[a] - track.leaves[b] || a - b);
  return { rows, leaves: Float64Array.from(rows, (row) => track.leaves[row]) };
}

/**
 * Return the decision to show at `now`, or null. Time is cut into spans.
 *
 * @param {Leaving} leaving
 * @param {number} now
 * @param {number} span
 * @returns {Decision | null}
 */
export function decisionAt({ rows, leaves }, now, span) {
  if (!(span > 0)) return null;
  const from = Math.floor(now / span) * span;
  const place = countUpTo(leaves, from - 1e-9);
  const at = leaves[place];
  if (place >= rows.length || at > now || at > from + EARLY * span) return null;
  const share = (now - at) / ((1 - EARLY) * span);
  return share > 1 ? null : { row: rows[place], at, share, place };
}

/** Return how long a decision is shown within its span. @param {number} span */
export const lastsFor = (span) => (1 - EARLY) * span;

/**
 * Return the decision about one task while it lies in the last `span`; null before and after.
 *
 * @param {Leaving} leaving
 * @param {number} row
 * @param {number} now
 * @param {number} span
 * @returns {Decision | null}
 */
export function decisionAbout({ rows, leaves }, row, now, span) {
  const place = rows.indexOf(row);
  const share = (now - leaves[place]) / lastsFor(span);
  return place >= 0 && share >= 0 && share <= 1 ? { row, at: leaves[place], share, place } : null;
}

/**
 * Return the rows in the same round as a decision, its own row first.
 * @param {Leaving} leaving
 * @param {Decision} decision
 */
export function roundOf({ rows, leaves }, decision) {
  let last = decision.place;
  while (last < rows.length && leaves[last] <= decision.at + TOGETHER) last += 1;
  return rows.slice(decision.place, last);
}

/** Return the first machine chosen for a task. @param {Track} track @param {number} row */
export function firstMachine(track, row) {
  const spells = track.spellsOf.get(row);
  return spells ? track.spell.machine[spells[0]] : track.machine[row];
}

/** Return the machine that a task holds at an instant or is on its way to; -1 for none. @param {Track} track */
function heldAt(track, /** @type {number} */ row, /** @type {number} */ at) {
  const spells = track.spellsOf.get(row);
  if (!spells) return track.leaves[row] <= at && track.end[row] > at ? track.machine[row] : -1;
  const spell = track.spellAt(row, at);
  if (spell >= 0) return track.spell.machine[spell];
  const first = at < track.spell.start[spells[0]] && track.leaves[row] <= at;
  return first ? track.spell.machine[spells[0]] : -1;
}

/**
 * Return each machine's load, of 255, at the decision about a task, without that task.
 *
 * @param {Track} track
 * @param {Uint8Array} sizes  sizes of tasks, by row
 * @param {number} at
 * @param {number} mine
 * @returns {Map<number, {taken: number, tasks: number}>}
 */
export function takenAt(track, sizes, at, mine) {
  /** @type {Map<number, {taken: number, tasks: number}>} */
  const found = new Map();
  track.present(at, at, (row) => {
    if (row === mine) return;
    const machine = heldAt(track, row, at);
    if (machine < 0) return;
    const there = found.get(machine) ?? { taken: 0, tasks: 0 };
    found.set(machine, { taken: there.taken + (sizes[row] || 1), tasks: there.tasks + 1 });
  });
  return found;
}

/**
 * Return the remaining room on a machine with the task on it, of 255; negative if the task does not fit. Sizes are
 * rounded up, so each task may count one less.
 *
 * @param {{taken: number, tasks: number} | undefined} there
 * @param {number} size
 */
export function roomFor(there, size) {
  if (!there) return FULL - size;
  const room = FULL - there.taken - size;
  return room < 0 && room >= -there.tasks - 1 ? 0 : room;
}
