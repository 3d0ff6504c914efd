/** The position of each task in its machine: the offset of its slice in 255ths. Slices never move. */

import { NEVER } from "../../run/track.js";

/** @typedef {import("../../run/track.js").Track} Track */

const FULL = 255;

/**
 * Return the slices of a track's runs: by row, and by index for spells of tasks that lost their machine. If demands are
 * unknown, all slices of a machine have equal size.
 *
 * @param {Track} track
 */
export function slotsOf(track) {
  const rows = [];
  for (let row = 0; row < track.count; row += 1)
    if (track.machine[row] >= 0 && !track.spellsOf.has(row))
      rows.push({ machine: track.machine[row], start: track.begun[row], end: track.end[row], row, spell: -1 });
  track.spell.row.forEach((row, spell) => {
    const end = track.spell.end[spell] === NEVER ? Infinity : track.spell.end[spell];
    rows.push({ machine: track.spell.machine[spell], start: track.spell.start[spell], end, row, spell });
  });
  rows.sort((a, b) => a.start - b.start);
  const known = track.size.some((size) => size > 0);
  const slots = { row: new Uint8Array(track.count), spell: new Uint8Array(track.spell.row.length), size: track.size };
  if (!known) slots.size = new Uint8Array(track.count).fill(evenSize(rows));
  place(rows, slots);
  return slots;
}

/** @typedef {{machine: number, start: number, end: number, row: number, spell: number}} Run */

/**
 * Return the size at which the largest number of concurrent runs on any machine fits.
 * @param {Run[]} runs  sorted by start
 */
function evenSize(runs) {
  /** @type {Map<number, number[]>} */
  const ends = new Map();
  let most = 1;
  for (const { machine, start, end } of runs) {
    const there = (ends.get(machine) ?? []).filter((each) => each > start);
    there.push(end);
    ends.set(machine, there);
    most = Math.max(most, there.length);
  }
  return Math.max(1, Math.floor(FULL / most));
}

/**
 * Put each run into the lowest gap that is large enough at its start; at the bottom if there is none.
 *
 * @param {Run[]} runs  sorted by start
 * @param {{row: Uint8Array, spell: Uint8Array, size: Uint8Array}} slots
 */
function place(runs, slots) {
  /** @type {Map<number, {end: number, from: number, to: number}[]>} */
  const machines = new Map();
  for (const run of runs) {
    const size = slots.size[run.row] || 1;
    const there = (machines.get(run.machine) ?? []).filter((each) => each.end > run.start);
    let from = 0;
    for (const each of there) {
      if (each.from - from >= size - 1) break;
      from = Math.max(from, each.to);
    }
    if (from + size > FULL + 2) from = 0;
    const taken = { end: run.end, from, to: Math.min(FULL, from + size) };
    const at = there.findIndex((each) => each.from > from);
    there.splice(at < 0 ? there.length : at, 0, taken);
    machines.set(run.machine, there);
    if (run.spell >= 0) slots.spell[run.spell] = from;
    else slots.row[run.row] = from;
  }
}
