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

/** @param {CanvasRenderingContext2D} pen @param {TasksScene} scene @param {number} now @param {number} lag */
export function drawBands(pen, scene, now, lag) {
  const { plan, started, inks, track } = scene;
  if (!plan || !started || !track || lag <= 0 || !plan.rows.length) return;
  const counts = countsOf(scene, now - OVER * lag, now);
  const usual = (started.rows.length / Math.max(1, track.until)) * OVER * lag;
  const wide = (USUAL * plan.scale) / Math.max(1, usual);
  const foot = plan.rows.map(() => 0);
  plan.shelves.forEach((shelf, from) => {
    let head = 0;
    plan.rows.forEach((row, to) => {
      const count = counts[from * plan.rows.length + to];
      if (!count) return;
      const width = Math.min(MOST * plan.scale, Math.max(plan.scale, count * wide));
      const start = { x: shelf.box.x + shelf.box.width, y: shelf.box.y + shelf.box.height / 2 + head };
      const end = { x: plan.left, y: row.middle + foot[to] };
      head += width;
      foot[to] += width;
      band(pen, start, end, width, scene.shelfHue ? inks.strong[from % inks.strong.length] : inks.muted);
    });
  });
}

/** How many tasks of each shelf started in each row of clusters. @param {TasksScene} scene */
function countsOf(scene, from, to) {
  const { plan, started, track } = scene;
  if (!plan || !started || !track) return new Uint32Array(0);
  const counts = new Uint32Array(plan.shelves.length * plan.rows.length);
  for (let place = countUpTo(started.starts, from); place < started.rows.length; place += 1) {
    if (started.starts[place] > to) break;
    const row = started.rows[place];
    const where = plan.rowOf[track.machine[row]];
    if (where >= 0) counts[scene.shelfOf(row).keeper * plan.rows.length + where] += 1;
  }
  return counts;
}

function band(pen, from, to, width, colour) {
  const middle = (from.x + to.x) / 2;
  pen.globalAlpha = 0.45;
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.beginPath();
  pen.moveTo(from.x, from.y);
  pen.bezierCurveTo(middle, from.y, middle, to.y, to.x, to.y);
  pen.stroke();
  pen.globalAlpha = 1;
}
