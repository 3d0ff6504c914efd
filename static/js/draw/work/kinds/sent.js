/**
 * The last tasks that the central scheduler for long jobs sent: empty frames stay in its box, with lines to their
 * machines.
 */

import { whole } from "../../../kit/format.js";
import { countUpTo } from "../../../kit/search.js";
import { FONT } from "../../../kit/type.js";
import { gettext, ngettext } from "../../../kit/words.js";
import { PLACE, placeOn } from "../shelves.js";
import { arrow, faint, frame, line, scaleOf } from "./pens.js";

/**
 * @import { Pen } from "../../scenes/scene.js"
 * @import { Shelf } from "../shelves.js"
 */

/** @typedef {import("../scene.js").TasksScene} TasksScene */
/** @typedef {import("../../../run/track.js").Track} Track */

/** How many lags the lines to the machines stay visible. */
const LASTS = 8;
const GHOST = 0.7;
const SIDE = 6;

/**
 * Rows of tasks that the central scheduler sends, sorted by when they leave it, by track.
 * @type {WeakMap<Track, {rows: number[], leaves: Float64Array}>}
 */
const known = new WeakMap();

function sentBy(/** @type {Track} */ track) {
  const found = known.get(track);
  if (found) return found;
  const rows = Array.from({ length: track.count }, (_, row) => row).filter(
    (row) => track.central?.[row] && track.machine[row] >= 0,
  );
  rows.sort((a, b) => track.leaves[a] - track.leaves[b] || a - b);
  const made = { rows, leaves: Float64Array.from(rows, (row) => track.leaves[row]) };
  known.set(track, made);
  return made;
}

/**
 * Return the last long job sent up to an instant: its rows and when the last of them left; null before the first.
 *
 * @param {Track} track
 * @param {number} now
 */
export function lastSent(track, now) {
  const { rows, leaves } = sentBy(track);
  const last = countUpTo(leaves, now) - 1;
  if (last < 0) return null;
  const job = track.job[rows[last]];
  return {
    job,
    at: leaves[last],
    rows: rows.filter((/** @type {number} */ row) => track.job[row] === job && track.leaves[row] <= now),
  };
}

/**
 * @param {CanvasRenderingContext2D} pen @param {TasksScene} scene @param {number} now
 * @param {{lag: number}} how
 */
export function sent(pen, scene, now, { lag }) {
  const { plan, track, inks, focus } = scene;
  const shelf = plan?.shelves[1];
  if (!plan || !track || !shelf) return;
  const last = lastSent(track, now);
  if (!last) return;
  scene.drew.add("sent");
  const scale = scaleOf(scene);
  const side = SIDE * scale;
  pen.lineWidth = scale;
  const places = Math.min(last.rows.length, shelf.room - shelf.at.length);
  faint(pen, GHOST, () => {
    for (let place = 0; place < places; place += 1) {
      const [x, y] = placeOn(shelf, shelf.at.length + place, scale);
      pen.strokeStyle = inks.strong[scene.hue?.index(last.rows[place]) ?? 0];
      if (shelf.at.length < last.rows.length) pen.strokeRect(x - side / 2, y - side / 2, side, side);
    }
  });
  const film = focus?.sort === "place" && last.rows.includes(scene.focusRow);
  // The note of a moment's task stands in its box, where the caption would be.
  if (!focus || scene.shelfOf(scene.focusRow) !== shelf) caption(pen, scene, shelf, last);
  const share = film ? 0.3 : (now - last.at) / Math.max(1e-9, LASTS * lag);
  if (share > 1 || (focus && !film)) return;
  const from = /** @type {[number, number]} */ ([shelf.box.x + shelf.box.width, shelf.box.y + PLACE * scale]);
  for (const row of last.rows) {
    const machine = track.machine[row];
    const [, middle] = scene.middleOf(machine);
    if (Number.isNaN(middle)) continue;
    const to = /** @type {[number, number]} */ ([plan.x[machine], middle]);
    line(pen, scene, from, to, inks.ink, { alpha: 0.45 * (1 - share), wide: 1.5 });
    faint(pen, 0.8 * (1 - share), () => arrow(pen, scene, from, to, inks.ink));
    frame(pen, scene, machine, inks.ink, 1 - share, 2);
  }
}

/**
 * Write the job of these tasks below them.
 * @param {Pen} pen
 * @param {TasksScene} scene
 * @param {Shelf} options
 * @param {{job: number, rows: number[]}} options
 */
function caption(pen, scene, { box, columns, at }, { job, rows }) {
  const scale = scaleOf(scene);
  const below = Math.ceil(Math.max(at.length, rows.length) / columns) * PLACE * scale;
  if (box.height < below + 52 * scale) return;
  pen.font = `${14 * scale}px ${FONT}`;
  pen.textAlign = "left";
  pen.fillStyle = scene.inks.ink;
  const n = rows.length;
  const lines = [
    gettext("job {job}, a long one:", { job: whole(job) }),
    ngettext("{n} task sent", "{count} tasks sent", n, { n, count: whole(n) }),
  ];
  lines.forEach((words, place) => pen.fillText(words, box.x + 5 * scale, box.y + below + (22 + 20 * place) * scale));
}
