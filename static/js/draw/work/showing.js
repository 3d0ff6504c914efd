/**
 * Where a task is drawn at an instant. Movements begin at their true time and last at least `lag` units, so that a
 * viewer can follow them: a task lands late, never early. It leaves its shelf at the true time, so that the shelf's
 * count is correct; in slow motion it stays visible before it leaves.
 */

import { NEVER } from "../../run/track.js";

/** @typedef {import("../../run/track.js").Track} Track */

export const GONE = 0;
export const SHELF = 1;
export const FLIGHT = 2;
export const QUEUED = 3;
export const RUNS = 4;
/** The part of the lag in which a task arrives; in slow motion it does not leave earlier. */
const DWELL = 0.5;

/**
 * `where` is a constant above; `share` is a flight's progress, 0 to 1; `entering` is the progress of its arrival, 1
 * when it is there. `start` and `end` are those of the run on the machine. `probe` is QUEUED or FLIGHT if a probe waits
 * or flies for the task.
 */
export class Shown {
  where = GONE;
  machine = -1;
  spell = -1;
  share = 0;
  entering = 1;
  start = 0;
  end = 0;
  probe = GONE;
  probeShare = 0;
  /** True if a task is drawn on its shelf although it has left. */
  passing = false;
}

/**
 * Write into `shown` where a task is drawn at `now`.
 *
 * @param {Track} track
 * @param {number} row
 * @param {number} now
 * @param {{lag: number, probing: boolean, film?: boolean, back?: number}} how  `film`: in slow motion, a task leaves
 *   its shelf only after a viewer could see it; `back`: the number of lags after which a refused request is back on the
 *   shelf
 * @param {Shown} shown
 */
export function showTask(track, row, now, { lag, probing, film = false, back = 0 }, shown) {
  shown.probe = GONE;
  shown.passing = false;
  shown.spell = -1;
  shown.machine = track.machine[row];
  const came = track.arrival[row];
  const refused = track.refused.get(row);
  // A task whose request was refused leaves again after the refusal is visibly back.
  const seen = came + DWELL * lag;
  const ready = film ? Math.max(seen, refused === undefined ? 0 : refused + back * lag) : came;
  shown.entering = lag > 0 ? Math.min(1, (now - came) / (DWELL * lag)) : 1;
  if (now >= track.begun[row] && track.spellsOf.has(row)) showSpell(track, row, now, lag, shown);
  else if (shown.machine < 0) shown.where = now < track.end[row] ? SHELF : GONE;
  else if (probing && !track.central?.[row])
    showProbed(track, row, now, { lag, ready, seen: Math.max(seen, ready) }, shown);
  else showSent(track, row, now, lag, ready, shown);
}

/** @param {Track} track @param {number} row @param {number} now @param {number} lag @param {Shown} shown */
function showSpell(track, row, now, lag, shown) {
  const spell = track.spellAt(row, now);
  if (spell < 0) {
    shown.where = now < track.end[row] ? SHELF : GONE;
    return;
  }
  const begun = track.spell.start[spell];
  // A task that will be preempted is drawn with its full duration, because nothing knows of the preemption yet.
  const needs = track.ran[row] === NEVER ? Infinity : begun + track.ran[row];
  take(shown, track.spell.machine[spell], begun, Math.max(track.spell.end[spell], needs), spell);
  const first = begun <= track.begun[row] ? Math.max(track.leaves[row], track.arrival[row] + DWELL * lag) : begun;
  fly(shown, now, first, first + lag);
}

/**
 * Show a task that is sent: it stands on its shelf, flies, possibly queues, and runs.
 * @param {number} row
 * @param {number} now
 * @param {number} lag
 * @param {number} ready
 */
function showSent(/** @type {Track} */ track, row, now, lag, ready, /** @type {Shown} */ shown) {
  const leaves = Math.max(track.leaves[row], ready);
  const there = Math.max(track.reaches[row], leaves + lag);
  take(shown, track.machine[row], track.begun[row], track.end[row], -1);
  if (now < leaves) {
    shown.where = SHELF;
    shown.passing = now >= track.leaves[row];
  } else if (now < there) fly(shown, now, leaves, there);
  else if (now < track.served[row]) shown.where = QUEUED;
  else shown.where = now < Math.max(shown.end, there + DWELL * lag) ? RUNS : GONE;
}

/**
 * Show a task that a probe fetches: it stays on its shelf while its probe flies and waits, then flies itself.
 * @param {number} row
 * @param {number} now
 * @param {{lag: number, ready: number, seen: number}} how  `seen`: the time from which on its probe may leave
 */
function showProbed(/** @type {Track} */ track, row, now, how, /** @type {Shown} */ shown) {
  const { lag, ready, seen } = how;
  const out = Math.max(track.leaves[row], seen);
  const there = Math.max(track.reaches[row], out + lag);
  const leaves = Math.max(track.served[row], ready);
  take(shown, track.machine[row], track.begun[row], track.end[row], -1);
  if (now < leaves) {
    shown.where = SHELF;
    shown.passing = now >= track.served[row];
    const stolen = track.stolen.get(row);
    if (stolen && now < stolen.at) shown.machine = stolen.from;
    if (now >= there) shown.probe = QUEUED;
    else if (now >= out) {
      shown.probe = FLIGHT;
      shown.probeShare = (now - out) / Math.max(1e-9, there - out);
    }
    return;
  }
  const lands = Math.max(track.begun[row], leaves + lag);
  if (now < lands) fly(shown, now, leaves, lands);
  else shown.where = now < Math.max(shown.end, lands + DWELL * lag) ? RUNS : GONE;
}

/** @param {Shown} shown */
function take(
  shown,
  /** @type {number} */ machine,
  /** @type {number} */ start,
  /** @type {number} */ end,
  /** @type {number} */ spell,
) {
  shown.machine = machine;
  shown.start = start;
  shown.end = end;
  shown.spell = spell;
}

/** Show a flight until `to`, then the running task. @param {Shown} shown */
function fly(shown, /** @type {number} */ now, /** @type {number} */ from, /** @type {number} */ to) {
  shown.where = now < to ? FLIGHT : RUNS;
  shown.share = now < to ? Math.max(0, (now - from) / Math.max(1e-9, to - from)) : 1;
}
