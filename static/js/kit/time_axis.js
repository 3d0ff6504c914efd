/** Ticks at round values on an axis of simulated time, with labels. */

import { three } from "./format.js";

export const STEPS_S = [
  0.001, 0.01, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 28800, 86400,
  172800, 604800, 2592000,
];

/**
 * Format a tick in the unit that fits the step, so that all ticks share one unit.
 * @param {number} seconds
 * @param {number} step
 */
export function axisTime(seconds, step) {
  if (step >= 3600) return `${three(seconds / 3600)}\u00a0h`;
  if (step >= 60) return `${three(seconds / 60)}\u00a0min`;
  if (step >= 0.1) return `${three(seconds)}\u00a0s`;
  return step >= 1e-4 ? `${three(seconds * 1e3)}\u00a0ms` : `${three(seconds * 1e6)}\u00a0µs`;
}

/**
 * Return at most `most` ticks between two instants.
 * @param {number} from_ns
 * @param {number} to_ns
 * @param {number} most
 */
export function timeTicks(from_ns, to_ns, most) {
  const rough = (to_ns - from_ns) / 1e9 / Math.max(1, most);
  const step = STEPS_S.find((each) => each >= rough) ?? rough;
  const small = rough < STEPS_S[0] ? 10 ** Math.ceil(Math.log10(rough)) : step;
  const ticks = [];
  for (let at = Math.ceil(from_ns / 1e9 / small - 1e-9); at * small <= to_ns / 1e9 + 1e-12; at += 1)
    ticks.push({ ns: at * small * 1e9, label: at === 0 ? "0" : axisTime(at * small, small) });
  return ticks;
}
