/**
 * Magnify a plan: cells grow, while the gaps and name lines between them keep their size, so that zooming in shows
 * machines and not empty space. Along each axis, cells cover intervals; a position moves by the growth of the cells
 * before it.
 */

import { countHolding } from "../../kit/search.js";

/** @import { Plan } from "./layout.js" */

/** @typedef {number[][]} Axis  intervals: from, to, and the length covered before */

/** @type {WeakMap<object, {x: Axis, y: Axis}>} */
const known = new WeakMap();

/** Return a plan's axes: x, y as [[from, to, covered before], ...] in the plan's pixels. */
export function axesOf(/** @type {Plan} */ plan) {
  let axes = known.get(plan);
  if (!axes) {
    const parts = plan.blocks.flatMap((block) => block.parts);
    axes = {
      x: covered(parts.map((part) => [part.x, part.x + part.across * plan.sx])),
      y: covered(parts.map((part) => [part.y, part.y + Math.ceil(part.machines / part.across) * plan.sy])),
    };
    known.set(plan, axes);
  }
  return axes;
}

function covered(/** @type {number[][]} */ intervals) {
  /** @type {number[][]} */
  const merged = [];
  for (const [from, to] of intervals.sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to, 0]);
  }
  for (let place = 1; place < merged.length; place += 1)
    merged[place][2] = merged[place - 1][2] + merged[place - 1][1] - merged[place - 1][0];
  return merged;
}

/**
 * Return the last interval for which `before(interval)` is true; null if there is none.
 * @param {Axis} axis
 * @param {(interval: number[]) => boolean} before
 */
function lastOf(axis, before) {
  const count = countHolding(axis.length, (place) => before(axis[place]));
  return count ? axis[count - 1] : null;
}

/**
 * Return where the plan's position `at` lies after cells grow by `factor`.
 * @param {Axis} axis
 * @param {number} at
 * @param {number} factor
 */
export function stretched(axis, at, factor) {
  const interval = lastOf(axis, ([from]) => from <= at);
  return interval ? at + (factor - 1) * (interval[2] + Math.min(at, interval[1]) - interval[0]) : at;
}

/**
 * Return the plan's position that lies at `at` after cells grow by `factor`.
 * @param {Axis} axis
 * @param {number} at
 * @param {number} factor
 */
export function shrunk(axis, at, factor) {
  const grown = factor - 1;
  const interval = lastOf(axis, ([from, , before]) => from + grown * before <= at);
  if (!interval) return at;
  const [from, to, before] = interval;
  const inside = at - from - grown * before;
  return inside <= (to - from) * factor ? from + inside / factor : at - grown * (before + to - from);
}
