/** Binary search. */

/**
 * Return how many of the first `count` places satisfy `holds`, which must be true up to some place and false after it.
 *
 * @param {number} count
 * @param {(place: number) => boolean} holds
 */
export function countHolding(count, holds) {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Return how many of the ascending `values` are <= `limit`.
 *
 * @param {ArrayLike<number>} values
 * @param {number} limit
 */
export function countUpTo(values, limit) {
  return countHolding(values.length, (place) => values[place] <= limit);
}
