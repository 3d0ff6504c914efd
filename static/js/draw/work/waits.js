/** How many tasks wait at an instant, and with whom: what truly happened, however slowly movements are drawn. */

import { FLIGHT, QUEUED, SHELF, Shown, showTask } from "./showing.js";
import { UNKNOWN } from "../../run/track.js";

/** The shelf, of so many, of whoever keeps a task. @param {number} keeper @param {number} shelves */
export function shelfNumber(keeper, shelves) {
  return keeper === UNKNOWN ? 0 : Math.min(keeper, shelves - 1);
}

/**
 * When a task that waits at an instant starts.
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
 * Count the tasks that have arrived and do not run: by shelf those with their keeper or on their way from it, and those
 * that stand in queues of machines. Where a frame says that fewer wait, the others hold a machine to which their launch
 * is on its way; they are those that start next.
 *
 * @param {import("../../run/track.js").Track} track
 * @param {{now: number, probing: boolean, shelves: number, waiting?: number}} how  `now` in units of the track
 */
export function countWaiting(track, { now, probing, shelves, waiting = Infinity }) {
  const shown = new Shown();
  const counts = { shelves: new Uint32Array(shelves), machines: 0 };
  /** @type {{start: number, shelf: number}[]} */
  const there = [];
  track.present(now, now, (row) => {
    showTask(track, row, now, { lag: 0, probing }, shown);
    if (shown.where === QUEUED) counts.machines += 1;
    else if (shown.where === SHELF || shown.where === FLIGHT) {
      const shelf = shelfNumber(track.keeper[row], shelves);
      counts.shelves[shelf] += 1;
      there.push({ start: nextStart(track, row, now), shelf });
    }
  });
  const launched = there.length + counts.machines - waiting;
  if (launched > 0) {
    there.sort((a, b) => a.start - b.start);
    for (const { shelf } of there.slice(0, launched)) counts.shelves[shelf] -= 1;
  }
  return counts;
}

/**
 * Take those off the shelves whose launch is on its way: they wait no more.
 *
 * @param {import("./scene.js").TasksScene} scene
 * @param {number} now
 * @param {import("../../run/frames.js").Picture | null} told  the picture of that instant
 */
export function withoutLaunches(scene, now, told) {
  const { shelves } = /** @type {import("./scene.js").Plan} */ (scene.plan);
  const track = /** @type {import("../../run/track.js").Track} */ (scene.track);
  const how = { now, probing: Boolean(scene.probing), shelves: shelves.length };
  const counts = countWaiting(track, { ...how, waiting: told?.counters.tasks_waiting });
  for (const shelf of shelves) {
    shelf.stands = Math.min(shelf.stands, counts.shelves[shelf.keeper]);
    for (const column of [shelf.at, shelf.entering, shelf.passing])
      column.splice(0, Math.max(0, column.length - shelf.stands));
  }
}
