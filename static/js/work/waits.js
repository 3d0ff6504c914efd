/** How many tasks wait at an instant, and with whom: what truly happened, however slowly movements are drawn. */

import { FLIGHT, QUEUED, SHELF, Shown, showTask } from "./showing.js";
import { UNKNOWN } from "./track.js";

/** The shelf, of so many, of whoever keeps a task. @param {number} keeper @param {number} shelves */
export function shelfNumber(keeper, shelves) {
  return keeper === UNKNOWN ? 0 : Math.min(keeper, shelves - 1);
}

/**
 * Count the tasks that have arrived and do not run, as the frames' counter `tasks_waiting` does: by shelf those with
 * their keeper or on their way from it, and those that stand in queues of machines.
 *
 * @param {import("./track.js").Track} track
 * @param {{now: number, probing: boolean, shelves: number}} how  `now` in units of the track
 */
export function countWaiting(track, { now, probing, shelves }) {
  const shown = new Shown();
  const counts = { shelves: new Uint32Array(shelves), machines: 0 };
  track.present(now, now, (row) => {
    showTask(track, row, now, { lag: 0, probing }, shown);
    if (shown.where === QUEUED) counts.machines += 1;
    else if (shown.where === SHELF || shown.where === FLIGHT)
      counts.shelves[shelfNumber(track.keeper[row], shelves)] += 1;
  });
  return counts;
}
