/** Racks and types of machines on their cells: a word, and a bar at the left of a rack's first machine. */

import { FONT } from "../../kit/type.js";
import { scaleOf } from "./pens.js";

/** @typedef {import("../scene.js").TasksScene} TasksScene */

/** Cells from this many CSS pixels on hold a word. */
const LEAST_WIDE = 44;
const HIGH = 18;

/** @param {CanvasRenderingContext2D} pen @param {TasksScene} scene */
export function tagged(pen, scene) {
  const { plan, tags } = scene;
  if (!plan || !tags || plan.wide < LEAST_WIDE * scaleOf(scene)) return;
  for (const [machine, text] of tags.racks) word(pen, scene, machine, text, true);
  for (const [machine, text] of tags.types) word(pen, scene, machine, text, false);
}

/** A word at the top of a cell; of a rack at its left, of a type at its right. */
function word(pen, scene, machine, text, ofRack) {
  const { plan, inks } = scene;
  const scale = scaleOf(scene);
  const [x, y] = [plan.x[machine], plan.y[machine]];
  if (Number.isNaN(x)) return;
  pen.font = `${14 * scale}px ${FONT}`;
  pen.textAlign = "left";
  const wide = Math.min(plan.wide, pen.measureText(text).width + 6 * scale);
  const left = ofRack ? x : x + plan.wide - wide;
  const top = ofRack ? y : y + plan.high - HIGH * scale;
  pen.save();
  pen.beginPath();
  pen.rect(x, y, plan.wide, plan.high);
  pen.clip();
  pen.fillStyle = inks.surface;
  pen.fillRect(left, top, wide, HIGH * scale);
  pen.fillStyle = inks.ink;
  if (ofRack) pen.fillRect(x, y, 2 * scale, plan.high);
  pen.fillText(text, left + 3 * scale, top + 14 * scale);
  pen.restore();
}
