/**
 * Where cells are too small for tasks: bands from the shelves to the rows of clusters, as wide as tasks start there.
 */

import { countUpTo } from "../kit/search.js";

/** @typedef {import("./scene.js").TasksScene} TasksScene */

/** A band is the rate over so many lags. */
const OVER = 3;
/** All bands together are so wide, in CSS pixels, where tasks start as fast as they do on average. */
const USUAL = 36;
const MOST = 90;

/**
 * The rows of a track by start, and their starts.
 *
 * @param {import("./track.js").Track} track
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
  const wide = (USUAL * plan.scale) / usual;
  const foot = plan.rows.map(() => 0);
  const flat = plan.strip.width > plan.strip.height;
  plan.shelves.forEach((shelf, from) => {
    let head = 0;
    plan.rows.forEach((row, to) => {
      const rate = rates[from * plan.rows.length + to];
      if (!rate) return;
      const width = Math.min(MOST * plan.scale, Math.max(plan.scale, rate * wide));
      const [start, end] = flat
        ? [
            { x: shelf.box.x + shelf.box.width / 2 + head, y: shelf.box.y + shelf.box.height },
            { x: row.middle + foot[to], y: plan.machines.y },
          ]
        : [
            { x: shelf.box.x + shelf.box.width, y: shelf.box.y + shelf.box.height / 2 + head },
            { x: plan.left, y: row.middle + foot[to] },
          ];
      head += width;
      foot[to] += width;
      band(pen, { start, end, flat }, width, scene.shelfHue ? inks.strong[from % inks.strong.length] : inks.muted);
    });
  });
}

/** How many tasks of each shelf start a second in each row of clusters. @param {TasksScene} scene */
function ratesOf(scene, now_ns, span_ns) {
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

/** Rates by part of the datacenter, as rates by row on the screen: each part goes to the row of its middle. */
function spread({ plan, density, meta }, byPlace, rates) {
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

function band(pen, { start, end, flat }, width, colour) {
  const middle = flat ? (start.y + end.y) / 2 : (start.x + end.x) / 2;
  pen.globalAlpha = 0.45;
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.beginPath();
  pen.moveTo(start.x, start.y);
  if (flat) pen.bezierCurveTo(start.x, middle, end.x, middle, end.x, end.y);
  else pen.bezierCurveTo(middle, start.y, middle, end.y, end.x, end.y);
  pen.stroke();
  pen.globalAlpha = 1;
}
