/** The task that one looks at, wherever it is drawn, and the machines that a moment is about. */

import { gettext } from "../kit/words.js";
import { whole } from "../kit/format.js";
import { FLIGHT, QUEUED, RUNS, SHELF } from "./showing.js";
import { arrow, line } from "./kinds/pens.js";
import { placeOn } from "./shelves.js";
import { eased } from "./flights.js";
import { FONT } from "../kit/type.js";

/** @typedef {import("./scene.js").TasksScene} TasksScene */
/** @typedef {{task: number, machines: number[]}} Focus */

/**
 * Where the task is drawn in this frame; called while tasks are sorted, when it is its turn.
 *
 * @param {TasksScene} scene
 * @param {number} row
 * @returns {[number, number] | null}
 */
export function placeOfFocus(scene, row) {
  const { shown, plan } = scene;
  if (!plan) return null;
  const shelf = scene.shelfOf(row);
  const cell = scene.middleOf(shown.machine);
  if (shown.where === SHELF) return placeOn(shelf, shelf.stands - 1, plan.scale);
  if (shown.where === QUEUED) return [plan.x[shown.machine] + 5 * plan.scale, cell[1]];
  if (shown.where === RUNS) return cell;
  if (shown.where !== FLIGHT) return null;
  const from = placeOn(shelf, 0, plan.scale);
  const share = eased(shown.share);
  return [from[0] + (cell[0] - from[0]) * share, from[1] + (cell[1] - from[1]) * share];
}

/** @param {CanvasRenderingContext2D} pen @param {TasksScene} scene */
export function drawFocus(pen, scene) {
  const { focus, focusAt, plan, inks } = scene;
  if (!focus || !plan?.drawn) return;
  const { scale } = plan;
  focus.machines.forEach((machine, place) => {
    if (Number.isNaN(plan.x[machine])) return;
    pen.strokeStyle = inks.ink;
    pen.lineWidth = 2.5 * scale;
    pen.setLineDash(place ? [5 * scale, 4 * scale] : []);
    pen.strokeRect(
      plan.x[machine] - 2 * scale,
      plan.y[machine] - 2 * scale,
      plan.wide + 4 * scale,
      plan.high + 4 * scale,
    );
    pen.setLineDash([]);
  });
  if (!focusAt || Number.isNaN(focusAt[0])) return;
  // Where it goes, for as long as it is not there.
  const goal = focus.machines.length && scene.focusWaits ? scene.middleOf(focus.machines[0]) : [NaN, NaN];
  if (!Number.isNaN(goal[0])) {
    line(pen, scene, focusAt, goal, inks.ink, { alpha: 0.5, dash: [6, 4] });
    arrow(pen, scene, focusAt, /** @type {[number, number]} */ (goal), inks.ink);
  }
  const [x, y] = focusAt;
  pen.beginPath();
  pen.arc(x, y, 11 * scale, 0, 2 * Math.PI);
  pen.strokeStyle = inks.ink;
  pen.lineWidth = 2.5 * scale;
  pen.stroke();
  label(pen, gettext("task {task}", { task: whole(focus.task) }), x + 15 * scale, y, scale, inks);
}

function label(pen, text, x, y, scale, inks) {
  pen.font = `600 ${16 * scale}px ${FONT}`;
  pen.textAlign = "left";
  const wide = pen.measureText(text).width;
  const left = Math.min(x, pen.canvas.width - wide - 12 * scale);
  pen.fillStyle = inks.surface;
  pen.fillRect(left - 4 * scale, y - 12 * scale, wide + 8 * scale, 24 * scale);
  pen.fillStyle = inks.ink;
  pen.fillText(text, left, y + 5 * scale);
}
