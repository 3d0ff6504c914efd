/** What tells runs apart in charts: a colour and a dash for each place, as in the figures that the server builds. */

/** @type {(number[] | undefined)[]} */
export const DASHES = [undefined, [8, 4], [2, 3], [10, 3, 2, 3], [5, 2], [1, 4], [12, 4], [6, 2, 1, 2]];

/**
 * The colour of the run at a place: the hues of queues and masters, strong enough for lines.
 * @param {number} place
 */
export function roleOf(place) {
  return [place % 8, 0.95];
}
