/** Number formatting: three significant digits, a suitable unit, the same unit names everywhere. */

import { unitFor } from "./units.js";
import { gettext, language } from "./words.js";

const MINUS = "\u2212";
const NARROW = "\u202f";

/** @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/**
 * Format a number in the page's language with a minimum and a maximum number of decimals.
 * @param {number} value
 * @param {number} least
 * @param {number} most
 */
export function written(value, least, most) {
  const key = `${language()} ${least} ${most}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(language(), { minimumFractionDigits: least, maximumFractionDigits: most });
    formats.set(key, format);
  }
  return format.format(value);
}

/**
 * Format a number with three significant digits and grouped thousands, without an exponent. `keep` keeps trailing
 * zeros, for measured values.
 * @param {number} value
 */
export function three(value, keep = false) {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const digits = Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(size))));
  const text = size >= 1000 ? whole(size) : written(size, keep ? digits : 0, digits);
  return value < 0 ? MINUS + text : text;
}

/**
 * Format a whole number with grouped thousands.
 * @param {number} value
 */
export function whole(value) {
  return written(Math.round(value) + 0, 0, 0); // + 0 turns -0 into 0
}

/**
 * Format a number with up to three decimals and grouped thousands, as for costs in a flow network.
 * @param {number} value
 */
export function decimals(value) {
  return written(value, 0, 3);
}

/**
 * Format a count for a small space: 950, 12.3k, 1.2M.
 * @param {number} value
 */
export function short(value) {
  if (value < 10000) return whole(value);
  if (value < 1e6) return `${three(value / 1e3)}k`;
  return `${three(value / 1e6)}M`;
}

/**
 * Format a duration in nanoseconds with a suitable unit.
 * @param {number | null | undefined} ns
 */
export function duration(ns, keep = false) {
  if (ns === null || ns === undefined || !Number.isFinite(ns)) return "–";
  const size = Math.abs(ns);
  if (size === 0) return `0${NARROW}s`;
  if (size < 999.5e3) return `${three(ns / 1e3, keep)}${NARROW}µs`;
  if (size < 999.5e6) return `${three(ns / 1e6, keep)}${NARROW}ms`;
  if (size < 600e9) return `${three(ns / 1e9, keep)}${NARROW}s`;
  if (size < 7200e9) return `${three(ns / 60e9, keep)}${NARROW}min`;
  return `${three(ns / 3600e9, keep)}${NARROW}h`;
}

/**
 * Format a measured duration, always with three digits, so that columns stay aligned.
 * @param {number | null | undefined} ns
 */
export function measured(ns) {
  return duration(ns, true);
}

/** Return the decimal separator of the page's language. */
function point() {
  return written(0.5, 1, 1).charAt(1);
}

/**
 * Format a range of durations in nanoseconds, rounded outwards: "1.2 to 1.6 s". Return one duration if both ends look
 * alike.
 * @param {number} low
 * @param {number} high
 */
export function durationRange(low, high) {
  const [, size, unit] = UNITS.find(([below]) => high < below) ?? UNITS[UNITS.length - 1];
  const digits = (/** @type {number} */ value) => 10 ** Math.floor(Math.log10(value) - 1);
  const outwards = (/** @type {number} */ value, /** @type {(value: number) => number} */ round) =>
    value > 0 ? round(Number((value / size / digits(value / size)).toPrecision(12))) * digits(value / size) : 0;
  const [from, to] = [outwards(low, Math.floor), outwards(high, Math.ceil)].map((value) => three(value));
  return from === to
    ? `${to}${NARROW}${unit}`
    : gettext("{low} to {high}{unit}", { low: from, high: to, unit: `${NARROW}${unit}` });
}

/** Time units: [upper limit in nanoseconds, size in nanoseconds, name]. @type {[number, number, string][]} */
const UNITS = [
  [995e3, 1e3, "µs"],
  [995e6, 1e6, "ms"],
  [600e9, 1e9, "s"],
  [7200e9, 60e9, "min"],
  [Infinity, 3600e9, "h"],
];

/**
 * Format simulated time as a clock: 00:12:41. Short runs show tenths, and `fine` shows milliseconds, because events lie
 * close together in long runs too: a step to the next one must be seen.
 * @param {number} ns
 */
export function clock(ns, longest_ns = Infinity, fine = false) {
  const seconds = Math.max(0, ns / 1e9);
  const pad = (/** @type {number} */ value) => String(Math.floor(value)).padStart(2, "0");
  const base = `${pad(seconds / 3600)}:${pad((seconds / 60) % 60)}:${pad(seconds % 60)}`;
  const digits = fine ? 3 : longest_ns < 600e9 ? 1 : 0;
  if (!digits) return base;
  const part = Math.floor((Math.max(0, ns) / 10 ** (9 - digits)) % 10 ** digits);
  return `${base}${point()}${String(part).padStart(digits, "0")}`;
}

/**
 * Format an instant of a run as in the server's sentences: "9.63 s", "1,234.56 s".
 * @param {number} ns
 */
export function moment(ns) {
  return ns < 10e9 ? duration(ns) : `${written(ns / 1e9, 0, 2)}${NARROW}s`;
}

/**
 * Join numbers and units in a sentence from the server with non-breaking spaces.
 * @param {string} text
 */
export function glued(text) {
  return text.replace(/(\d) (?=(?:s|ms|µs|%|CPUs?|GPUs?)(?![\p{L}\d]))/gu, `$1${NARROW}`);
}

/**
 * @param {number} share
 */
export function percent(share) {
  return `${three(share * 100)}${NARROW}%`;
}

/** Beyond this factor a ratio is only bounded: a wait of 493 s against one of 500 µs is no better told by 986,000. */
const FARTHEST = 1000;

/** Return true if a ratio is so far from 1 that it is only bounded. */
export const isBeyond = (/** @type {number} */ ratio) => ratio > FARTHEST || (ratio > 0 && ratio < 1 / FARTHEST);

/**
 * Format a ratio for a sentence that says "times": "2.5", "more than 1,000", "less than 0.001".
 * @param {number} ratio
 */
export function factor(ratio, keep = false) {
  if (!isBeyond(ratio)) return three(ratio, keep);
  return ratio > 1
    ? gettext("more than {factor}", { factor: whole(FARTHEST) })
    : gettext("less than {factor}", { factor: three(1 / FARTHEST) });
}

/**
 * Format a ratio for a table: "2.5 ×", "> 1,000 ×", "< 0.001 ×".
 * @param {number} ratio
 */
export function times(ratio, keep = false) {
  const bound = ratio > 1 ? `>${NARROW}${whole(FARTHEST)}` : `<${NARROW}${three(1 / FARTHEST)}`;
  return `${isBeyond(ratio) ? bound : three(ratio, keep)}${NARROW}×`;
}

/**
 * Format a parameter's value with its unit; the units "1" and "" mean no unit.
 * @param {unknown} value
 * @param {string | undefined} unit
 */
export function withUnit(value, unit) {
  if (typeof value === "boolean") return value ? gettext("on") : gettext("off");
  if (typeof value !== "number") return String(value);
  if (unit === "s") return duration(value * 1e9);
  if (unit === "share") return percent(value);
  const text = Number.isInteger(value) ? whole(value) : three(value);
  return !unit || unit === "1" ? text : `${text}${NARROW}${unitFor(value, unit)}`;
}

/**
 * Format seconds for an axis: "40 ms", "3 s", "12 min", "2 h 46 min". Powers of ten, the ticks of a log axis, stay in
 * seconds.
 * @param {number} seconds
 */
export function axisSeconds(seconds) {
  const power = 10 ** Math.round(Math.log10(seconds));
  if (seconds >= 600 && Math.abs(seconds / power - 1) < 1e-9) return `${whole(seconds)}\u00a0s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return duration(seconds * 1e9).replace(NARROW, "\u00a0");
  const rest = minutes % 60 ? ` ${minutes % 60}\u00a0min` : "";
  return `${whole(Math.floor(minutes / 60))}\u00a0h${rest}`;
}

/** The approximate number of characters that fit in one line. */
const LINE = 120;

/** Return a text for one line: the first sentence if the text is longer. @param {string} text */
export function oneLine(text) {
  return text.length > LINE ? (text.match(/^.*?[.!?](?=\s|$)/)?.[0] ?? text) : text;
}
