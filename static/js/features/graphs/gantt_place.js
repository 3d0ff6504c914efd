/** The geometry of a Gantt chart: rows, lanes and bars. */

import { countUpTo } from "../../kit/search.js";
import { lastInstant } from "./job_graphs.js";

/**
 * @import { Gifts } from "./gifts.js"
 * @import { Graphs } from "./job_graphs.js"
 */

/**
 * @typedef {ReturnType<typeof ganttRows>} Rows
 * @typedef {Rows & {gifts: Gifts | null, hue?: (job: number) => number}} Model  the contents of a chart
 * @typedef {{span: number[], scroll: number, tops: Float64Array, width: number, height: number}} Frame  the visible
 *   time span (in ns) and rows (in pixels)
 * @typedef {ReturnType<typeof ganttPlace>} Places
 * @typedef {{kind: "task", at: number} | {kind: "row", row: number}} GanttItem  the item under the pointer
 */

const GUTTER = 64;

const AXIS = 22;

const LANE = 8;

const LEAST_ROW = 5;

const MOST_ROW = 72;

const MOST_FACTOR = 4;

/**
 * Return rows and lanes: {by, rows: numbers of jobs or machines, order: placements by row and start, first: index in
 * order at which each row begins, lane: of each placement, lanes: of each row}. Overlapping tasks of a row lie in
 * different lanes.
 * @param {Graphs} graphs
 * @param {"jobs" | "machines"} by
 */
export function ganttRows(graphs, by) {
  const { placements, jobs, stages } = graphs;
  const rowOf = new Int32Array(placements.count).fill(-1);
  /** @type {number[]} */
  const numbers = [];
  if (by === "jobs") {
    for (let job = 0; job < jobs.count; job += 1) numbers.push(job);
    for (let at = 0; at < placements.count; at += 1)
      if (placements.start[at] >= 0) rowOf[at] = stages.job[placements.stage[at]];
  } else {
    const seen = new Map();
    for (const machine of [...new Set(placements.machine)].filter((each) => each >= 0).sort((a, b) => a - b)) {
      seen.set(machine, numbers.length);
      numbers.push(machine);
    }
    for (let at = 0; at < placements.count; at += 1)
      if (placements.start[at] >= 0) rowOf[at] = seen.get(placements.machine[at]) ?? -1;
  }
  const order = Int32Array.from(rowOf.keys()).filter((at) => rowOf[at] >= 0);
  order.sort((a, b) => rowOf[a] - rowOf[b] || placements.start[a] - placements.start[b] || a - b);
  const first = new Int32Array(numbers.length + 1);
  for (const at of order) first[rowOf[at] + 1] += 1;
  for (let row = 0; row < numbers.length; row += 1) first[row + 1] += first[row];
  const lane = new Int32Array(placements.count);
  const lanes = new Int32Array(numbers.length).fill(1);
  const end = lastInstant(graphs);
  for (let row = 0; row < numbers.length; row += 1) {
    /** @type {number[]} */
    const free = [];
    for (let place = first[row]; place < first[row + 1]; place += 1) {
      const at = order[place];
      let found = free.findIndex((until) => until <= placements.start[at]);
      if (found < 0) found = free.length;
      free[found] = placements.end[at] < 0 ? end : placements.end[at];
      lane[at] = found;
    }
    lanes[row] = Math.max(1, free.length);
  }
  return { by, rows: numbers, order, first, lane, lanes, end };
}

/**
 * Return the tops of rows: as tall as their lanes need, but together at most as tall as the space if possible.
 * @param {{lanes: Int32Array}} model
 * @param {number} space
 * @param {boolean} tall
 */
export function rowTops(model, space, tall) {
  const natural = Array.from(model.lanes, (lanes) => Math.min(MOST_ROW, lanes * LANE + 4));
  const all = natural.reduce((sum, height) => sum + height, 0);
  const factor = tall ? 1 : Math.min(MOST_FACTOR, space / Math.max(1, all));
  const least = tall ? 16 : LEAST_ROW;
  const tops = new Float64Array(natural.length + 1);
  natural.forEach((height, row) => {
    tops[row + 1] = tops[row] + Math.max(least, height * factor);
  });
  return tops;
}

/**
 * Return the geometry of a view: {span: [from, to] in ns, scroll: px, tops, width, height}.
 * @param {Frame} view
 */
export function ganttPlace(view) {
  const inner = Math.max(1, view.width - GUTTER);
  const [from, to] = view.span;
  return {
    left: GUTTER,
    top: AXIS,
    inner,
    space: view.height - AXIS,
    x: (/** @type {number} */ ns) => GUTTER + ((ns - from) / (to - from)) * inner,
    time: (/** @type {number} */ x) => from + ((x - GUTTER) / inner) * (to - from),
    y: (/** @type {number} */ row) => AXIS + view.tops[row] - view.scroll,
    rowAt: (/** @type {number} */ y) => rowBelow(view.tops, y - AXIS + view.scroll),
  };
}

/**
 * @param {Float64Array} tops
 * @param {number} y
 */
export function rowBelow(tops, y) {
  if (y < 0 || y >= tops[tops.length - 1]) return -1;
  return countUpTo(tops, y) - 1;
}

/**
 * Return the bar of a placement: {x, y, w, h}.
 * @param {Graphs} graphs
 * @param {Rows} model
 * @param {Frame} view
 * @param {Places} place
 * @param {number} row
 * @param {number} at
 */
export function barOf(graphs, model, view, place, row, at) {
  const { start, end } = graphs.placements;
  const height = view.tops[row + 1] - view.tops[row];
  const pad = height > 12 ? 2 : 0.5;
  const lane = (height - 2 * pad) / model.lanes[row];
  const x = place.x(start[at]);
  return {
    x,
    y: place.y(row) + pad + lane * model.lane[at],
    w: Math.max(1, place.x(end[at] < 0 ? model.end : end[at]) - x - (lane > 3 ? 0.5 : 0)),
    h: Math.max(0.75, lane - (lane > 3 ? 1 : 0)),
  };
}

export { AXIS as GANTT_AXIS, GUTTER as GANTT_GUTTER };
