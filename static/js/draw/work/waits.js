/** Exact counts of waiting tasks at an instant, by shelf; movements are drawn later than they happen. */

import { FLIGHT, QUEUED, SHELF, Shown, showTask } from "./showing.js";
import { UNKNOWN } from "../../run/track.js";

/** Return the number of the shelf of a keeper. @param {number} keeper @param {number} shelves */
export function shelfNumber(keeper, shelves) {
  return keeper === UNKNOWN ? 0 : Math.min(keeper, shelves - 1);
}

/**
 * Return when a task that waits at an instant starts.
 * @param {import("../../run/track.js").Track} track
 * @param {number} row
 */
function nextStart(track, row, /** @type {number} */ now) {
  const spells = now < track.begun[row] ? undefined : track.spellsOf.get(row);
  if (!spells) return track.begun[row];
  for (let place = spells[0]; place < spells[1]; place += 1)
    if (track.spell.start[place] > now) return track.spell.start[place];
  return Infinity;
}

/**
 * Count the tasks that have arrived and do not run: those on each shelf, those that wait on or in transit from each
 * shelf, and those in machine queues. If a frame reports fewer waiting tasks, the others already hold a machine and
 * their launch is in transit; these are the tasks that start next.
 *
 * @param {import("../../run/track.js").Track} track
 * @param {{now: number, probing: boolean, shelves: number, waiting?: number}} how  `now` is in units of the track
 */
export function countWaiting(track, { now, probing, shelves, waiting = Infinity }) {
  const shown = new Shown();
  const counts = { stand: new Uint32Array(shelves), shelves: new Uint32Array(shelves), machines: 0 };
  /** @type {{start: number, shelf: number, stands: boolean}[]} */
  const there = [];
  track.present(now, now, (row) => {
    showTask(track, row, now, { lag: 0, probing }, shown);
    if (shown.where === QUEUED) counts.machines += 1;
    else if (shown.where === SHELF || shown.where === FLIGHT) {
      const shelf = shelfNumber(track.keeper[row], shelves);
      counts.shelves[shelf] += 1;
      if (shown.where === SHELF) counts.stand[shelf] += 1;
      there.push({ start: nextStart(track, row, now), shelf, stands: shown.where === SHELF });
    }
  });
  there.sort((a, b) => a.start - b.start);
  const launched = Math.max(0, there.length + counts.machines - waiting);
  for (const { shelf } of there.slice(0, launched)) counts.shelves[shelf] -= 1;
  // A task that lost its machine stays on the shelf until it runs again, and its new launch may be in transit.
  const stand = there.filter((each) => each.stands);
  const again = Math.max(0, stand.length + counts.machines - waiting);
  for (const { shelf } of stand.slice(0, again)) counts.stand[shelf] -= 1;
  return counts;
}

/**
 * Write each shelf's count at the instant of the page's other numbers. Paused pictures are drawn at that instant;
 * moving ones are slightly ahead of it. With small cells, tasks in transit stand on their shelf, and those with a
 * launch in transit no longer wait. In slow motion the count is the number of squares.
 *
 * @param {import("./scene.js").TasksScene} scene
 * @param {number} now
 * @param {import("../../run/frames.js").Picture | null} told
 */
export function countOn(scene, now, told) {
  const { shelves, drawn } = /** @type {import("./scene.js").Plan} */ (scene.plan);
  const track = /** @type {import("../../run/track.js").Track} */ (scene.track);
  const at = told ? told.t_ns / track.unit_ns : now;
  const of = `${at} ${shelves.length}`;
  if (scene.counted?.of !== of) {
    const how = { now: at, probing: Boolean(scene.probing), shelves: shelves.length };
    scene.counted = { of, ...countWaiting(track, { ...how, waiting: told?.counters.tasks_waiting }) };
  }
  for (const shelf of shelves) {
    if (!drawn) takeLaunches(shelf, scene.counted.shelves[shelf.keeper]);
    else if (now === at) takeLaunches(shelf, scene.counted.stand[shelf.keeper]);
    shelf.count = scene.focus || !drawn ? shelf.stands : scene.counted.stand[shelf.keeper];
  }
}

/** @param {import("./shelves.js").Shelf} shelf @param {number} waiting */
function takeLaunches(shelf, waiting) {
  shelf.stands = Math.min(shelf.stands, waiting);
  for (const column of [shelf.at, shelf.entering, shelf.passing])
    column.splice(0, Math.max(0, column.length - shelf.stands));
}
