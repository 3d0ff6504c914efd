/**
 * Racks, groups and types of machines on their cells: a word, and a bar at the left of a rack's first machine. The map
 * draws outlines around groups.
 */

import { FONT } from "../../../kit/type.js";
import { scaleOf } from "./pens.js";

/** @import { Pen } from "../../scenes/scene.js" */

/** @typedef {import("../scene.js").TasksScene} TasksScene */

/** Cells at least this wide, in CSS pixels, contain a word. */
const LEAST_WIDE = 44;
const HIGH = 18;

/** @param {CanvasRenderingContext2D} pen @param {TasksScene} scene */
export function tagged(pen, scene) {
  const { plan, tags } = scene;
  if (!plan || !tags || plan.wide < LEAST_WIDE * scaleOf(scene)) return;
  for (const [machine, text] of tags.racks) word(pen, scene, machine, text, { bar: true, first: true });
  for (const [machine, text] of tags.groups) word(pen, scene, machine, text, { bar: false, first: true, cells: 2 });
  for (const [machine, text] of tags.types) word(pen, scene, machine, text, { bar: false, first: false });
}

/**
 * Write a word on a cell: at the top left of the first of several machines, or at the bottom right for a type.
 * @param {Pen} pen
 * @param {TasksScene} scene
 * @param {number} machine
 * @param {string} text
 * @param {{bar: boolean, first: boolean, cells?: number}} options
 */
function word(pen, scene, machine, text, { bar, first, cells = 1 }) {
  const { plan, inks } = scene;
  if (!plan) return;
  const scale = scaleOf(scene);
  const [x, y] = [plan.x[machine], plan.y[machine]];
  if (Number.isNaN(x)) return;
  pen.font = `${14 * scale}px ${FONT}`;
  pen.textAlign = "left";
  const wide = Math.min(cells * plan.wide, pen.measureText(text).width + 6 * scale);
  const left = first ? x : x + plan.wide - wide;
  const top = first ? y : y + plan.high - HIGH * scale;
  pen.save();
  pen.beginPath();
  pen.rect(x, y, Math.max(plan.wide, wide), plan.high);
  pen.clip();
  pen.fillStyle = inks.surface;
  pen.fillRect(left, top, wide, HIGH * scale);
  pen.fillStyle = inks.ink;
  if (bar) pen.fillRect(x, y, 2 * scale, plan.high);
  pen.fillText(text, left + 3 * scale, top + 14 * scale);
  pen.restore();
}
