/** Curves of a workload and the small numbers about them. */

import { Plot } from "../../experiment/forms/plot.js";
import { written } from "../../kit/format.js";
import { gettext } from "../../kit/words.js";

/** @import { PlotData } from "../../experiment/forms/plot.js" */

export const SHARES = [0, 0.5, 1];

/** @param {number} value */
export const asPercent = (value) => `${Math.round(value * 100)}\u202f%`;

/**
 * @param {number[]} x
 * @param {(number | null | undefined)[]} y
 * @param {number} value
 */
export const at = (x, y, value) => {
  let found = 0;
  for (let index = 0; index < x.length && x[index] <= value; index += 1) found = y[index] ?? found;
  return found;
};

/**
 * @param {string} label
 * @param {(value: number) => string} format
 * @param {(x: number, data: PlotData) => string} sentence
 */
export function shapePlot(label, format, sentence) {
  return new Plot({
    label: gettext("{label}: density and cumulative share. Arrow keys read values.", { label }),
    axis: format,
    unit: asPercent,
    sentence,
  });
}

/** @param {number} value */
export function signed(value) {
  return Math.abs(value) < 0.05 ? "0" : `${value > 0 ? "+" : "−"}${written(Math.abs(value), 1, 1)}`;
}

/**
 * @param {number[]} values
 * @param {number} share
 */
export function quantile(values, share) {
  const ordered = [...values].sort((one, other) => one - other);
  return ordered[Math.min(ordered.length - 1, Math.floor(share * ordered.length))] ?? 0;
}
