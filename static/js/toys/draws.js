/**
 * Keyed random numbers, equal to the library's (scheduler_core/engine/rng.py): a number is a hash of (seed, stream,
 * entity, draw number), three rounds of splitmix64. A toy thus draws the same machines as the library's scheduler.
 */

export const STREAM_ARRIVAL = 1;
export const STREAM_DURATION = 4;
export const STREAM_QUEUE = 5;
export const STREAM_PROBE = 16;
export const STREAM_CLAIM = 40;

const ALL = (1n << 64n) - 1n;
const GOLDEN = 0x9e3779b97f4a7c15n;

/** @param {bigint} z */
function mix(z) {
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & ALL;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & ALL;
  return z ^ (z >> 31n);
}

/** @param {bigint} z @param {number} part  the next part of a key */
const step = (z, part) => mix((z + GOLDEN * (BigInt(part) + 1n)) & ALL);

/**
 * Return 64 random bits for the key.
 * @param {number} seed
 * @param {number} stream
 * @param {number} entity
 * @param {number} draw
 */
export function bits(seed, stream, entity, draw) {
  return step(step(step(BigInt(seed), stream), entity), draw);
}

/**
 * Return a uniform number in the open interval (0, 1).
 * @param {number} seed
 * @param {number} stream
 * @param {number} entity
 * @param {number} draw
 */
export function uniform(seed, stream, entity, draw) {
  return (Number(bits(seed, stream, entity, draw) >> 11n) + 0.5) / 9007199254740992;
}

/**
 * Return an integer from 0 to n - 1.
 * @param {number} seed
 * @param {number} stream
 * @param {number} entity
 * @param {number} draw
 * @param {number} n
 */
export function below(seed, stream, entity, draw, n) {
  return Number(((bits(seed, stream, entity, draw) >> 32n) * BigInt(n)) >> 32n);
}
