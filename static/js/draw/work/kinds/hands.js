/** Transfers: a borrowed machine, a share that is given away. */

import { eased } from "../flights.js";
import { arrow, between, faint, frame, line, scaleOf, slice } from "./pens.js";

/** @typedef {import("../scene.js").TasksScene} TasksScene */
/** @typedef {import("../moves.js").Moved} Moved */

/**
 * Show a lent machine: a dashed line from the lender, and a border in the borrower's hue that closes around the
 * machine.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {TasksScene} scene
 * @param {Moved} one
 */
export function borrow(pen, scene, one) {
  const [x, y] = scene.middleOf(one.machine);
  if (Number.isNaN(x)) return;
  const { inks } = scene;
  line(pen, scene, one.from, [x, y], inks.muted, { dash: [4, 4], alpha: 0.6 * (1 - one.share) });
  const reached = between([x, y], one.to, eased(one.share));
  if (one.to[0] !== x) {
    line(pen, scene, [x, y], reached, inks.strong[one.hue], { alpha: 0.8 * (1 - one.share) });
    faint(pen, 0.8 * (1 - one.share), () => arrow(pen, scene, [x, y], reached, inks.strong[one.hue]));
  }
  frame(pen, scene, one.machine, inks.strong[one.hue], 1 - one.share * one.share, 3);
}

/**
 * Show room that no job's plan needs: a gray slice that takes the hue of the job that gets it.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {TasksScene} scene
 * @param {Moved} one
 */
export function give(pen, scene, one) {
  const [x, y] = scene.middleOf(one.machine);
  if (Number.isNaN(x)) return;
  const { inks } = scene;
  const at = between([x, y - 14 * scaleOf(scene) * (1 - one.share)], [x, y], eased(one.share));
  frame(pen, scene, one.machine, inks.ink, 1 - one.share, 3);
  faint(pen, 1.4 - one.share, () => slice(pen, scene, at, inks.surface, inks.muted));
  faint(pen, eased(one.share) * (1.6 - one.share), () => slice(pen, scene, at, inks.strong[one.hue], inks.ink));
}
