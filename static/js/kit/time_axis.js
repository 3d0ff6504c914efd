/** Ticks at round values on an axis of simulated time, with labels. */

import { axisSeconds, three, whole } from "./format.js";

/** From here on, an axis in minutes counts hours: "2 h 30 min" instead of "150 min". */
const HOURS_FROM_S = 7200;

export const STEPS_S = [
  0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200,
  14400, 28800, 86400, 172800, 604800, 2592000,
];

/**
 * Format a tick in the unit that fits the step, so that all ticks share one unit. On an axis beyond two hours, minutes
 * above an hour are hours and minutes.
 * @param {number} seconds
 * @param {number} step
 * @param {number} most  the largest tick in seconds
 */
export function axisTime(seconds, step, most = seconds) {
  if (step >= 3600) return `${three(seconds / 3600)}\u00a0h`;
  if (step >= 60 && most >= HOURS_FROM_S) return hoursAndMinutes(Math.round(seconds / 60));
  if (step >= 60) return `${three(seconds / 60)}\u00a0min`;
  if (step >= 0.1) return `${three(seconds)}\u00a0s`;
  return step >= 1e-4 ? `${three(seconds * 1e3)}\u00a0ms` : `${three(seconds * 1e6)}\u00a0µs`;
}

function hoursAndMinutes(/** @type {number} */ minutes) {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const words = [hours ? `${whole(hours)}\u00a0h` : "", rest || !hours ? `${rest}\u00a0min` : ""];
  return words.filter(Boolean).join(" ");
}

/**
 * Format an instant of a list that goes up to `most` seconds: no row says "99.8 min" where the next one says
 * "3 h 20 min".
 * @param {number} seconds
 * @param {number} most
 */
export function listedTime(seconds, most) {
  return most >= HOURS_FROM_S ? hoursAndMinutes(Math.round(seconds / 60)) : axisSeconds(seconds);
}

/**
 * Return at most `most` ticks between two instants.
 * @param {number} from_ns
 * @param {number} to_ns
 * @param {number} most
 */
export function timeTicks(from_ns, to_ns, most) {
  const step = stepOf((to_ns - from_ns) / 1e9 / Math.max(1, most));
  const ticks = [];
  for (let at = Math.ceil(from_ns / 1e9 / step - 1e-9); at * step <= to_ns / 1e9 + 1e-12; at += 1)
    ticks.push({ ns: at * step * 1e9, label: at === 0 ? "0" : axisTime(at * step, step, to_ns / 1e9) });
  return ticks;
}

/** Return a round step in seconds that is at least `rough`. @param {number} rough */
function stepOf(rough) {
  if (rough < STEPS_S[0]) return decimalStep(rough);
  return STEPS_S.find((each) => each >= rough) ?? 3600 * decimalStep(rough / 3600);
}

function decimalStep(/** @type {number} */ rough) {
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5].find((each) => each * power >= rough * 0.999) ?? 10);
}
