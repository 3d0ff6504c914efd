/**
 * Movements for decisions in the log: refused, stolen, preempted, sent elsewhere, reordered. Red means that something
 * went wrong.
 */

import { eased } from "../flights.js";
import { arrow, between, burst, dot, faint, frame, line, scaleOf, slice, trail } from "./pens.js";

/** @typedef {import("../scene.js").TasksScene} TasksScene */
/** @typedef {import("../moves.js").Moved} Moved */

/** The part of a bounce that is spent on the way to the machine. */
export const THERE = 0.4;
/** How many lags a movement stays visible. */
export const LASTS = 2.2;
/**
 * In a moment's film, a request reaches its machine at the moment's instant. The refusal returns this many lags later.
 */
export const BACK = LASTS * (1 - THERE);

/** Return a dot's radius, doubled if a moment concerns it. */
const sized = (/** @type {TasksScene} */ scene, /** @type {number} */ radius) =>
  scene.focusMoved ? 2 * radius : radius;

/**
 * Draw a request that finds its place taken and returns. If the log names the task that has the place, two dots start
 * and one stays.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {TasksScene} scene
 * @param {Moved} one
 */
export function bounce(pen, scene, one) {
  const { inks } = scene;
  const colour = one.wrong ? inks.alarm : inks.ink;
  const there = one.share < THERE;
  const out = Math.min(1, one.share / THERE);
  const back = Math.max(0, (one.share - THERE) / (1 - THERE));
  if (one.rival) {
    const at = between(one.rival.from, one.to, eased(out));
    if (there) trail(pen, scene, one.rival.from, one.to, out, inks.strong[one.rival.hue]);
    faint(pen, 1 - back, () => dot(pen, scene, at, inks.strong[one.rival?.hue ?? 0], 4.5));
  }
  if (there) trail(pen, scene, one.from, one.to, out, inks.strong[one.hue]);
  else {
    trail(pen, scene, one.to, one.from, back, colour);
    burst(pen, scene, one.to, back, colour);
    if (one.wrong) frame(pen, scene, one.machine, colour, 1 - back);
  }
  const at = between(one.from, one.to, there ? eased(out) : 1 - eased(back));
  dot(pen, scene, at, there ? inks.strong[one.hue] : colour, sized(scene, 4));
}

/**
 * Draw a task's slice that leaves its cell.
 * @param {CanvasRenderingContext2D} pen
 * @param {TasksScene} scene
 * @param {Moved} one
 */
export function thrown(pen, scene, one) {
  const { inks } = scene;
  const colour = one.wrong ? inks.alarm : inks.ink;
  trail(pen, scene, one.from, one.to, one.share, colour);
  frame(pen, scene, one.machine, colour, 1 - one.share);
  slice(pen, scene, between(one.from, one.to, eased(one.share)), inks.strong[one.hue], colour);
}

/**
 * Draw an entry that moves from one queue to another.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {TasksScene} scene
 * @param {Moved} one
 */
export function steal(pen, scene, one) {
  const { ink, strong } = scene.inks;
  line(pen, scene, one.from, one.to, ink, { alpha: 0.8 * (1 - one.share * one.share) });
  dot(pen, scene, between(one.from, one.to, eased(one.share)), strong[one.hue], sized(scene, 5));
  faint(pen, 1 - one.share, () => arrow(pen, scene, one.from, one.to, ink));
  frame(pen, scene, one.machine, ink, 1 - one.share);
}

/**
 * Draw an entry that a worker sends elsewhere.
 * @param {CanvasRenderingContext2D} pen
 * @param {TasksScene} scene
 * @param {Moved} one
 */
export function shed(pen, scene, one) {
  trail(pen, scene, one.from, one.to, one.share, one.wrong ? scene.inks.alarm : scene.inks.ink);
  dot(pen, scene, between(one.from, one.to, eased(one.share)), scene.inks.strong[one.hue], sized(scene, 4));
}

/**
 * Draw an entry that moves ahead of earlier ones: a short arrow over the cell's queue.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {TasksScene} scene
 * @param {Moved} one
 */
export function overtake(pen, scene, one) {
  const { plan, inks } = scene;
  if (!plan) return;
  const scale = scaleOf(scene);
  const x = plan.x[one.machine] + 5 * scale;
  const [top, foot] = [plan.y[one.machine] + 4 * scale, plan.y[one.machine] + plan.high - 4 * scale];
  const at = eased(one.share);
  faint(pen, 1 - one.share, () => {
    line(pen, scene, [x, top], [x, foot], inks.ink, { alpha: 1 - one.share, wide: 2 });
    arrow(pen, scene, [x, top], [x, foot], inks.ink);
  });
  dot(pen, scene, [x, top + (foot - top) * at], inks.strong[one.hue], 3.5);
}
