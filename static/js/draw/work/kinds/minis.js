/** Each keeper's copy of the state as a small map in its box; machines that differ from the true state are marked. */

import { duration } from "../../../kit/format.js";
import { FONT } from "../../../kit/type.js";
import { gettext } from "../../../kit/words.js";
import { onPlate } from "../labels.js";
import { scaleOf } from "./pens.js";

/**
 * @import { Pen } from "../../scenes/scene.js"
 * @import { Shelf } from "../shelves.js"
 */

/** @typedef {import("../scene.js").TasksScene} TasksScene */

const LEAST_HIGH = 44;
const LABEL = 18;
/** The maximum part of a box that the copy uses. */
const MOST = 0.62;

/** Return the machines' positions as columns and rows, derived from the map. */
function gridOf(/** @type {import("../scene.js").Plan} */ plan) {
  const ids = plan.ids.subarray(0, plan.count);
  const columns = [...new Set([...ids].map((id) => plan.x[id]))].sort((a, b) => a - b);
  const rows = [...new Set([...ids].map((id) => plan.y[id]))].sort((a, b) => a - b);
  const [column, row] = [columns, rows].map((all) => new Map(all.map((each, place) => [each, place])));
  return {
    ids,
    columns: columns.length,
    rows: rows.length,
    at: (/** @type {number} */ id) => [column.get(plan.x[id]) ?? 0, row.get(plan.y[id]) ?? 0],
  };
}

/** @type {WeakMap<import("../scene.js").Plan, ReturnType<typeof gridOf>>} */
const grids = new WeakMap();

/** @param {CanvasRenderingContext2D} pen @param {TasksScene} scene @param {number} now */
export function minis(pen, scene, now) {
  const { plan, shared, track } = scene;
  if (!plan || !shared || !track) return;
  const grid = grids.get(plan) ?? gridOf(plan);
  grids.set(plan, grid);
  const { focus, focusRow } = scene;
  const asks = focus?.sort === "bounce" && focusRow >= 0 ? track.keeper[focusRow] : -1;
  for (const shelf of plan.shelves.slice(0, shared.keepers)) {
    const at = shelf.keeper === asks ? untilRefused(scene, now) : now;
    const asked = shelf.keeper === asks ? (focus?.machines[0] ?? -1) : -1;
    drawCopy(pen, scene, shelf, { grid, truth: shared.takenAt(at), now: at, asked });
  }
}

/**
 * Limit an instant to the moment: in its film, the keeper whose request is refused keeps the copy on which it decided.
 * @param {TasksScene} options
 * @param {number} now
 */
function untilRefused({ focus, track }, now) {
  return Math.min(now, (focus?.t_ns ?? 0) / (track?.unit_ns ?? 1));
}

/**
 * @param {Pen} pen
 * @param {TasksScene} scene
 * @param {Shelf} options
 * @param {{grid: ReturnType<typeof gridOf>, truth: Uint8Array, now: number, asked: number}} options
 */
function drawCopy(pen, scene, { keeper, box }, { grid, truth, now, asked }) {
  const { inks, shared, track } = scene;
  if (!shared || !track) return;
  const scale = scaleOf(scene);
  const high = Math.min(MOST * box.height, ((box.width - 8 * scale) / grid.columns) * grid.rows);
  if (high < LEAST_HIGH * scale) return;
  scene.drew.add("own-copy");
  const top = box.y + box.height - high - 4 * scale;
  const left = box.x + 4 * scale;
  const [wide, tall] = [(box.width - 8 * scale) / grid.columns, high / grid.rows];
  const copy = shared.copy(keeper, now);
  let differ = 0;
  for (const id of grid.ids) {
    const [column, row] = grid.at(id);
    const cell = /** @type {[number, number, number, number]} */ ([
      left + column * wide,
      top + row * tall,
      wide - scale,
      tall - scale,
    ]);
    pen.fillStyle = copy[id] ? inks.muted : inks.cell;
    pen.fillRect(...cell);
    if (Boolean(copy[id]) !== Boolean(truth[id])) {
      differ += 1;
      pen.fillStyle = inks.ink;
      // Taken in truth and free in the copy, or vice versa.
      corner(pen, cell, copy[id] ? inks.surface : inks.ink);
    }
    if (id !== asked) continue;
    pen.strokeStyle = inks.alarm;
    pen.lineWidth = 2 * scale;
    pen.strokeRect(cell[0] - scale, cell[1] - scale, cell[2] + 2 * scale, cell[3] + 2 * scale);
  }
  pen.font = `${14 * scale}px ${FONT}`;
  pen.textAlign = "left";
  pen.fillStyle = inks.muted;
  const age = duration((now - shared.madeAt(keeper, now)) * track.unit_ns);
  const told = [gettext("copy {age} old, {n} wrong", { age, n: differ }), gettext("copy {age} old", { age }), age].find(
    (each) => pen.measureText(each).width <= box.width - 8 * scale,
  );
  if (told && high + LABEL * scale < box.height) onPlate(pen, scene, told, left, top - 5 * scale);
}

/**
 * Fill half of a cell whose copy differs from the true state.
 * @param {Pen} pen
 * @param {[number, number, number, number]} options
 * @param {string} colour
 */
function corner(pen, [x, y, wide, high], colour) {
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x + wide, y);
  pen.lineTo(x + wide, y + high);
  pen.closePath();
  pen.fillStyle = colour;
  pen.fill();
}
