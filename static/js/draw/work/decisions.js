/**
 * The decisions that are shown while a run plays: of all that happen, one at a time, so that an eye can follow it.
 * Which one depends on the instant alone, so that scrubbing shows the same.
 */

import { countUpTo } from "../../kit/search.js";

/** @typedef {import("../../run/track.js").Track} Track */
/** @typedef {{rows: Uint32Array, leaves: Float64Array}} Leaving  rows by when they leave their keeper */
/** @typedef {{row: number, at: number, share: number, place: number}} Decision */

const FULL = 255;
/** A decision is shown where it comes in the first part of its span; it then lasts for the rest. */
const EARLY = 0.35;
/** Tasks that leave within this many units belong to one round, because parts of waits are rounded. */
const TOGETHER = 2;

/** @param {Track} track @returns {Leaving} */
export function byLeaving(track) {
  const rows = Uint32Array.from({ length: track.count }, (_, row) => row).filter((row) => track.machine[row] >= 0);
  rows.sort((a, b) => track.leaves[a] - track.leaves[b] || a - b);
  return { rows, leaves: Float64Array.from(rows, (row) => track.leaves[row]) };
}

/**
 * The decision that is shown at `now`, where time is cut into spans; null for none.
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

/** How long a decision is shown of its span. @param {number} span */
export const lastsFor = (span) => (1 - EARLY) * span;

/**
 * The decision about one task, while it is one of the last `span`; null before and after.
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

/** The rows of the same round as a decision, itself first. @param {Leaving} leaving @param {Decision} decision */
export function roundOf({ rows, leaves }, decision) {
  let last = decision.place;
  while (last < rows.length && leaves[last] <= decision.at + TOGETHER) last += 1;
  return rows.slice(decision.place, last);
}

/** The machine that was chosen for a task first. @param {Track} track @param {number} row */
export function firstMachine(track, row) {
  const spells = track.spellsOf.get(row);
  return spells ? track.spell.machine[spells[0]] : track.machine[row];
}

/** The machine that a task holds at an instant, or is on its way to; -1 for none. @param {Track} track */
function heldAt(track, /** @type {number} */ row, /** @type {number} */ at) {
  const spells = track.spellsOf.get(row);
  if (!spells) return track.leaves[row] <= at && track.end[row] > at ? track.machine[row] : -1;
  const spell = track.spellAt(row, at);
  if (spell >= 0) return track.spell.machine[spell];
  const first = at < track.spell.start[spells[0]] && track.leaves[row] <= at;
  return first ? track.spell.machine[spells[0]] : -1;
}

/**
 * How full each machine was, of 255, when a task was decided about, without that task.
 *
 * @param {Track} track
 * @param {Uint8Array} sizes  of tasks, by row
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
 * The room that is left on a machine once a task is there, of 255; negative where it does not fit. Sizes are rounded
 * up, so each task may count one less.
 *
 * @param {{taken: number, tasks: number} | undefined} there
 * @param {number} size
 */
export function roomFor(there, size) {
  if (!there) return FULL - size;
  const room = FULL - there.taken - size;
  return room < 0 && room >= -there.tasks - 1 ? 0 : room;
}
