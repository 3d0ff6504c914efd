/** Scales of students' numbers. Pure. A scale is {low, high, log}; a position on it is from 0 to 1. */

import { withUnit } from "../../kit/format.js";

/** @typedef {{low: number, high: number, log: boolean}} Scale */

/** Return a value's position: 0 at the low end, 1 at the high end, clamped. */
export function placeOf(/** @type {Scale} */ { low, high, log }, /** @type {number} */ value) {
  if (log && value <= 0) return 0;
  const place = log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.min(1, Math.max(0, place));
}

/** Return the value at a position, with three digits, since drawing is no more precise. */
export function valueAt(/** @type {Scale} */ scale, /** @type {number} */ place) {
  const { low, high, log } = scale;
  const exact = log ? low * (high / low) ** place : low + (high - low) * place;
  // Round to a step of the scale, so that values near 0 on a scale through 0 are short, too.
  const value = log ? Number(exact.toPrecision(3)) : rounded(exact, (high - low) / 500);
  return Math.min(high, Math.max(low, value));
}

/** Round to a power of ten that is at most `step`. */
function rounded(/** @type {number} */ value, /** @type {number} */ step) {
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  return Number(value.toFixed(Math.min(20, digits)));
}

/** Format a value; `unit` is the server's: seconds, a fraction, a count. */
export function valueWords(/** @type {number | null} */ value, /** @type {string} */ unit) {
  return value === null ? "–" : withUnit(value, unit === "1" ? "share" : unit);
}

/** Within these bounds a time scale uses only seconds: 0.1 s to 1,000 s, not 100 ms to 16.7 min. */
const SECONDS = { low: 0.1, high: 10_000 };

/**
 * Format a value of a scale: one unit for all its ticks if that is short.
 * @param {Scale & {unit: string}} scale
 * @param {number} value
 */
export function scaleWords({ low, high, unit }, value) {
  const isShort = unit === "s" && (low === 0 || low >= SECONDS.low) && high >= 1 && high <= SECONDS.high;
  return isShort ? `${withUnit(value, "")}\u202fs` : valueWords(value, unit);
}

const ROUND = [1, 2, 2.5, 5, 10];
const MOST_TICKS = 5;

/** Return round values between the ends of a scale: at most five, at equal steps or at powers of ten. */
export function tickValues(/** @type {Scale} */ { low, high, log }) {
  if (log && high / low >= 100) {
    const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
    const step = Math.ceil((last - first + 1) / MOST_TICKS);
    const powers = Array.from({ length: last - first + 1 }, (_, at) => first + at);
    return powers.filter((power) => (power - first) % step === 0).map((power) => Number((10 ** power).toPrecision(1)));
  }
  const rough = (high - low) / (MOST_TICKS - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (ROUND.find((one) => one * power >= rough * 0.999) ?? 10) * power;
  const first = Math.ceil(low / step - 1e-6);
  const count = Math.floor(high / step + 1e-6) - first + 1;
  return Array.from({ length: count }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

/**
 * Return a scale's ticks with their positions; of values with equal texts only the first.
 * @param {Scale} scale
 * @param {(value: number) => string} say
 */
export function ticksOf(scale, say) {
  const ticks = tickValues(scale).map((value) => ({ value, place: placeOf(scale, value), words: say(value) }));
  return ticks.filter(({ words }, at) => ticks.findIndex((one) => one.words === words) === at);
}

/**
 * Return a curve after a finger moved between two points, both {x, y} with positions from 0 to 1: every place between
 * them gets the finger's height. A tap sets the nearest place.
 *
 * @param {(number | null)[]} heights  from 0 to 1, null where nothing is drawn
 * @param {{x: number, y: number}} from
 * @param {{x: number, y: number}} to
 */
export function drawn(heights, from, to) {
  const last = Math.max(1, heights.length - 1);
  const clamp = (/** @type {number} */ y) => Math.min(1, Math.max(0, y));
  const found = heights.map((height, at) => {
    const x = at / last;
    const isBetween = (x - from.x) * (x - to.x) <= 0 && from.x !== to.x;
    return isBetween ? clamp(from.y + ((to.y - from.y) * (x - from.x)) / (to.x - from.x)) : height;
  });
  const nearest = Math.round(Math.min(1, Math.max(0, to.x)) * last);
  const isNear = Math.abs(to.x - nearest / last) * last <= 0.5;
  // A finger need not reach the ends of the chart exactly.
  if (isNear && (from.x === to.x || nearest === 0 || nearest === last)) found[nearest] = clamp(to.y);
  return found;
}
