/** The color and dash that identify a run in charts, by its index; the server's figures use the same. */

/** @type {(number[] | undefined)[]} */
export const DASHES = [undefined, [8, 4], [2, 3], [10, 3, 2, 3], [5, 2], [1, 4], [12, 4], [6, 2, 1, 2]];

/**
 * Return the color of the run at an index: the hues of queues and masters, strong enough for lines.
 * @param {number} place
 */
export function roleOf(place) {
  return [place % 8, 0.95];
}
