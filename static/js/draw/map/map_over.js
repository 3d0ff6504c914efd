/** The map's top canvas: flashing marks, the hovered machine, the pinned machine, the keyboard cursor. */

import { placeOf } from "./camera.js";
import { reducedMotion } from "../../kit/dom.js";

/**
 * @import { Flashes } from "./map_marks.js"
 * @import { Look } from "./map.js"
 * @import { Part, Plan } from "./layout.js"
 * @import { Pen } from "../scenes/scene.js"
 */

/**
 * @typedef {{view: Plan, parts: Part[], machines: number, look: Look, flashes: Flashes, pointed: number, pinned:
 *   number,
 *   cursor: number}} Over  the last three are machines or -1
 */

/**
 * Draw the top canvas. `of`: {view, parts, machines, look, flashes, pointed, pinned, cursor}; the last three are
 * machines or -1.
 * @param {Pen} pen
 * @param {number} now
 * @param {Over} of
 */
export function drawOver(pen, now, of) {
  const { flashes, look } = of;
  pen.clearRect(0, 0, pen.canvas.width, pen.canvas.height);
  flashes.draw(pen, now, (/** @type {number} */ machine) => boxOf(of, machine), { ...look, still: reducedMotion() });
  if (of.pointed >= 0) outline(pen, boxOf(of, of.pointed), 1.5, look);
  if (of.pinned >= 0) outline(pen, boxOf(of, of.pinned), 2.5, look);
  if (of.cursor >= 0) focusRing(pen, boxOf(of, of.cursor), look);
}

/**
 * Return a cell's box on the screen; null if it is not visible.
 * @param {Over} options
 * @param {number} machine
 */
function boxOf({ view, parts, machines }, machine) {
  if (machine >= machines) return null;
  const [x, y] = placeOf(view, parts, machine);
  const [wide, high] = [view.sx - view.gap, view.sy - view.gap];
  return x + wide < 0 || y + high < 0 || x > view.width || y > view.height ? null : [x, y, wide, high];
}

/**
 * @param {Pen} pen
 * @param {number[] | null} box
 * @param {number} thick
 * @param {Look} options
 */
function outline(pen, box, thick, { scale, ink }) {
  if (!box) return;
  const half = (thick * scale) / 2;
  pen.strokeStyle = ink;
  pen.lineWidth = thick * scale;
  pen.strokeRect(box[0] - half, box[1] - half, box[2] + 2 * half, box[3] + 2 * half);
}

/**
 * Draw a focus ring that is visible at any cell size and over any color.
 * @param {Pen} pen
 * @param {number[] | null} box
 * @param {Look} options
 */
function focusRing(pen, box, { scale, paper, focus }) {
  if (!box) return;
  const out = 2.5 * scale;
  for (const { colour, thick } of [
    { colour: paper, thick: 5 },
    { colour: focus, thick: 2.5 },
  ]) {
    pen.strokeStyle = colour;
    pen.lineWidth = thick * scale;
    pen.strokeRect(box[0] - out, box[1] - out, box[2] + 2 * out, box[3] + 2 * out);
  }
}
