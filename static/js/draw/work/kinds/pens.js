/** Drawing helpers for movements. Lengths are CSS pixels. */

import { eased } from "../flights.js";

/** @import { Pen } from "../../scenes/scene.js" */

/** @typedef {import("../scene.js").TasksScene} TasksScene */
/** @typedef {[number, number]} Point */

/** The trail's part of the way. */
const TRAIL = 0.35;

export const scaleOf = (/** @type {TasksScene} */ scene) => scene.plan?.scale ?? 1;

/** @param {Point} from @param {Point} to @param {number} share @returns {Point} */
export function between(from, to, share) {
  return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
}

/** Draw with another opacity. @param {CanvasRenderingContext2D} pen @param {number} alpha @param {() => void} paint */
export function faint(pen, alpha, paint) {
  pen.globalAlpha = Math.min(1, Math.max(0, alpha));
  paint();
  pen.globalAlpha = 1;
}

/**
 * Draw a straight line; `alpha` and `wide` are numbers, `dash` is in CSS pixels.
 * @param {Pen} pen
 * @param {TasksScene} scene
 * @param {Point} from
 * @param {Point} to
 * @param {string} colour
 * @param {{dash?: number[], alpha?: number, wide?: number}} [options]
 */
export function line(pen, scene, from, to, colour, { dash = [], alpha = 1, wide = 1.5 } = {}) {
  const scale = scaleOf(scene);
  faint(pen, alpha, () => {
    pen.strokeStyle = colour;
    pen.lineWidth = wide * scale;
    pen.setLineDash(dash.map((each) => each * scale));
    pen.beginPath();
    pen.moveTo(from[0], from[1]);
    pen.lineTo(to[0], to[1]);
    pen.stroke();
    pen.setLineDash([]);
  });
}

/** Draw the last part of the completed way. @param {Point} from @param {Point} to @param {number} share */
export function trail(
  /** @type {Pen} */ pen,
  /** @type {TasksScene} */ scene,
  from,
  to,
  share,
  /** @type {string} */ colour,
) {
  const at = eased(share);
  line(pen, scene, between(from, to, Math.max(0, at - TRAIL)), between(from, to, at), colour, { alpha: 0.55, wide: 2 });
}

/**
 * @param {Pen} pen
 * @param {TasksScene} scene
 * @param {Point} options
 * @param {string} colour
 * @param {number} radius
 */
export function dot(pen, scene, [x, y], colour, radius) {
  pen.beginPath();
  pen.arc(x, y, radius * scaleOf(scene), 0, 2 * Math.PI);
  pen.fillStyle = colour;
  pen.fill();
  pen.strokeStyle = scene.inks.surface;
  pen.lineWidth = scaleOf(scene);
  pen.stroke();
}

/** Draw a ring that grows and fades. @param {number} share */
export function burst(
  /** @type {Pen} */ pen,
  /** @type {TasksScene} */ scene,
  /** @type {Point} */ [x, y],
  share,
  /** @type {string} */ colour,
) {
  faint(pen, 1 - share, () => {
    pen.strokeStyle = colour;
    pen.lineWidth = 2.5 * scaleOf(scene);
    pen.beginPath();
    pen.arc(x, y, (5 + 8 * share) * scaleOf(scene), 0, 2 * Math.PI);
    pen.stroke();
  });
}

/**
 * @param {Pen} pen
 * @param {TasksScene} scene
 * @param {Point} options
 * @param {string} colour
 * @param {string} edge
 */
export function slice(pen, scene, [x, y], colour, edge) {
  const larger = scene.focusMoved ? 1.8 : 1;
  const wide = 16 * larger * scaleOf(scene);
  const high = 8 * larger * scaleOf(scene);
  pen.fillStyle = colour;
  pen.fillRect(x - wide / 2, y - high / 2, wide, high);
  pen.strokeStyle = edge;
  pen.lineWidth = 1.5 * scaleOf(scene);
  pen.strokeRect(x - wide / 2, y - high / 2, wide, high);
}

/**
 * Draw a frame around a machine's cell.
 * @param {Pen} pen
 * @param {TasksScene} scene
 * @param {number} machine
 * @param {string} colour
 * @param {number} alpha
 */
export function frame(pen, scene, machine, colour, alpha, wide = 2) {
  const { plan } = scene;
  if (!plan || machine < 0 || Number.isNaN(plan.x[machine])) return;
  const in_ = (wide * plan.scale) / 2;
  overCells(pen, plan, () =>
    faint(pen, alpha, () => {
      pen.strokeStyle = colour;
      pen.lineWidth = wide * plan.scale;
      pen.strokeRect(plan.x[machine] + in_, plan.y[machine] + in_, plan.wide - 2 * in_, plan.high - 2 * in_);
    }),
  );
}

/**
 * Paint on the map alone: cells at its edge extend beyond it.
 * @param {Pen} pen
 * @param {Pick<import("../scene.js").Plan, "machines">} plan
 * @param {() => void} paint
 */
export function overCells(pen, { machines }, paint) {
  pen.save();
  pen.beginPath();
  pen.rect(machines.x, machines.y, machines.width, machines.height);
  pen.clip();
  paint();
  pen.restore();
}

/** Draw an arrowhead at the end of a movement. @param {Point} from @param {Point} to */
export function arrow(/** @type {Pen} */ pen, /** @type {TasksScene} */ scene, from, to, /** @type {string} */ colour) {
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const size = 8 * scaleOf(scene);
  pen.fillStyle = colour;
  pen.beginPath();
  pen.moveTo(to[0], to[1]);
  for (const side of [-0.45, 0.45])
    pen.lineTo(to[0] - size * Math.cos(angle + side), to[1] - size * Math.sin(angle + side));
  pen.fill();
}
