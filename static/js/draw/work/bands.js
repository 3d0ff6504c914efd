/**
 * Bands for cells that are too small to show tasks: from the shelves to the rows of clusters, as wide as the rate of
 * task starts there.
 */

import { countUpTo } from "../../kit/search.js";

/**
 * @import { Box } from "./shelves.js"
 * @import { Pen } from "../scenes/scene.js"
 */

/** @typedef {import("./scene.js").TasksScene} TasksScene */

/** A band shows the rate over this many lags. */
const OVER = 3;
/** The total width of all bands at the run's average start rate, in CSS pixels. */
const USUAL = 36;

/**
 * Return a track's rows sorted by start, and their starts.
 *
 * @param {import("../../run/track.js").Track} track
 */
export function byStart(track) {
  const rows = Uint32Array.from({ length: track.count }, (_, row) => row).filter((row) => track.machine[row] >= 0);
  rows.sort((a, b) => track.begun[a] - track.begun[b]);
  return { rows, starts: Float64Array.from(rows, (row) => track.begun[row]) };
}

/** @param {CanvasRenderingContext2D} pen @param {TasksScene} scene @param {number} now_ns @param {number} lag_ns */
export function drawBands(pen, scene, now_ns, lag_ns) {
  const { plan, inks, usual } = scene;
  if (!plan || lag_ns <= 0 || !plan.rows.length || !usual) return;
  const rates = ratesOf(scene, now_ns, OVER * lag_ns);
  const flat = plan.strip.width > plan.strip.height;
  const wide = (USUAL * plan.scale) / usual;
  const widths = flat ? [] : fitting(plan, rates, wide);
  const feet = plan.rows.map(({ middle }, to) => middle - sumOf(widths.map((each) => each[to])) / 2);
  plan.shelves.forEach((shelf, from) => {
    const colour = scene.shelfHue ? inks.strong[from % inks.strong.length] : inks.muted;
    const mine = plan.rows.map((_, to) => rates[from * plan.rows.length + to]);
    if (flat) {
      outflow(pen, plan, shelf, { rate: sumOf(mine), wide, colour });
      return;
    }
    const right = shelf.box.x + shelf.box.width;
    let head = shelf.box.y + (shelf.box.height - sumOf(widths[from])) / 2;
    widths[from].forEach((width, to) => {
      if (width) band(pen, { x: right, y: head }, { x: plan.left, y: feet[to] }, width, colour);
      head += width;
      feet[to] += width;
    });
  });
}

const sumOf = (/** @type {number[]} */ values) => values.reduce((sum, value) => sum + value, 0);

/**
 * Return the width of each band by shelf and row, proportional to its rate. One factor narrows all bands if a shelf or
 * a row has no room for its bands side by side.
 *
 * @param {{shelves: {box: {height: number}}[], rows: {size: number}[], scale: number}} plan
 * @param {ArrayLike<number>} rates  by shelf, then row
 * @param {number} wide  pixels per task and second
 */
export function fitting({ shelves, rows, scale }, rates, wide) {
  const widths = shelves.map((_, from) => rows.map((_, to) => rates[from * rows.length + to] * wide));
  const ends = [
    ...shelves.map(({ box }, from) => box.height / sumOf(widths[from])),
    ...rows.map(({ size }, to) => size / sumOf(widths.map((each) => each[to]))),
  ];
  const factor = Math.min(1, ...ends);
  return widths.map((each) => each.map((width) => (width ? Math.max(scale / 2, width * factor) : 0)));
}

/**
 * Draw a bar below the shelf, as wide as its rate. Without room for bands, because the strip lies above the map, it
 * replaces them.
 * @param {Pen} pen
 * @param {{scale: number, machines: {y: number}}} options
 * @param {{box: Box}} options
 * @param {{rate: number, wide: number, colour: string}} options
 */
function outflow(pen, { scale, machines }, { box }, { rate, wide, colour }) {
  const foot = box.y + box.height;
  const width = Math.min(box.width, rate * wide);
  pen.fillStyle = colour;
  pen.fillRect(box.x + (box.width - width) / 2, foot, width, Math.min(6 * scale, Math.max(0, machines.y - foot)));
}

/** Return how many tasks per second of each shelf start in each row of clusters. @param {TasksScene} scene */
function ratesOf(scene, /** @type {number} */ now_ns, /** @type {number} */ span_ns) {
  const { plan, started, track, density } = scene;
  const rows = plan?.rows.length ?? 0;
  const rates = new Float64Array((plan?.shelves.length ?? 0) * rows);
  if (!plan) return rates;
  if (track && started) {
    const [from, to] = [(now_ns - span_ns) / track.unit_ns, now_ns / track.unit_ns];
    for (let place = countUpTo(started.starts, from); place < started.rows.length; place += 1) {
      if (started.starts[place] > to) break;
      const row = started.rows[place];
      const where = plan.rowOf[track.machine[row]];
      if (where >= 0) rates[scene.shelfOf(row).keeper * rows + where] += 1e9 / span_ns;
    }
  } else if (density?.shelves === plan.shelves.length) spread(scene, density.rates(now_ns, span_ns), rates);
  return rates;
}

/**
 * Convert rates by part of the datacenter into rates by row on the screen: each part goes to the row of its center.
 * @param {TasksScene} options
 * @param {ArrayLike<number>} byPlace
 * @param {Float64Array} rates
 */
function spread({ plan, density, meta }, byPlace, rates) {
  if (!plan || !density || !meta) return;
  const { clusters } = meta;
  for (let place = 0; place < density.places; place += 1) {
    const middle =
      clusters[Math.min(clusters.length - 1, Math.floor(((place + 0.5) * clusters.length) / density.places))];
    const where = plan.rowOf[middle.first];
    if (where < 0) continue;
    for (let shelf = 0; shelf < density.shelves; shelf += 1)
      rates[shelf * plan.rows.length + where] += byPlace[shelf * density.places + place];
  }
}

/**
 * Draw a band of constant height, so that it does not fold on a short path. `from`, `to`: its upper ends.
 * @param {Pen} pen
 * @param {{x: number, y: number}} from
 * @param {{x: number, y: number}} to
 * @param {number} high
 * @param {string} colour
 */
function band(pen, from, to, high, colour) {
  const middle = (from.x + to.x) / 2;
  pen.globalAlpha = 0.45;
  pen.fillStyle = colour;
  pen.beginPath();
  pen.moveTo(from.x, from.y);
  pen.bezierCurveTo(middle, from.y, middle, to.y, to.x, to.y);
  pen.lineTo(to.x, to.y + high);
  pen.bezierCurveTo(middle, to.y + high, middle, from.y + high, from.x, from.y + high);
  pen.fill();
  pen.globalAlpha = 1;
}
