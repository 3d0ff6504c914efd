/** A sign at the top of each cluster, if something checks every request for its machines. */

import { FONT } from "../../kit/type.js";

/** @import { Meta } from "../../contract/contract" */

/** @typedef {import("./scene.js").TasksScene} TasksScene */
/** @typedef {import("./scene.js").Plan} Plan */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */

const HIGH = 20;
/** The sign's height above the cells of its cluster, where names leave room. */
const ABOVE = 48;
/** The width of the sign with its word, and the width that the cluster's name needs beside it. */
const WIDE = 110;
const NAME = 78;

/** @type {WeakMap<Plan, (Box | null)[]>} */
const known = new WeakMap();

/**
 * Return the box around a cluster's visible cells.
 * @returns {Box | null}
 * @param {Pick<TasksScene, "plan" | "meta">} options
 * @param {number} cluster
 */
export function boxOf({ plan, meta }, cluster) {
  if (!plan || !meta) return null;
  const { first, machines } = meta.clusters[cluster];
  let [left, top, right, foot] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let machine = first; machine < first + machines; machine += 1) {
    if (Number.isNaN(plan.x[machine])) continue;
    left = Math.min(left, plan.x[machine]);
    top = Math.min(top, plan.y[machine]);
    right = Math.max(right, plan.x[machine] + plan.wide);
    foot = Math.max(foot, plan.y[machine] + plan.high);
  }
  return right > left ? { x: left, y: top, width: right - left, height: foot - top } : null;
}

/** Return the positions of the signs by cluster; null if a cluster is not visible. @param {TasksScene} scene */
function signsOf(scene) {
  const { plan, meta } = scene;
  if (!plan?.drawn || !meta?.work?.gate) return [];
  const found = known.get(plan);
  if (found) return found;
  const high = HIGH * plan.scale;
  const signs = meta.clusters.map((_, cluster) => {
    const box = boxOf(scene, cluster);
    if (!box) return null;
    const y = Math.max(plan.machines.y, box.y - ABOVE * plan.scale);
    // If the word would cover the cluster's name, the sign is only a check mark, which the legend explains.
    const width = (box.width >= (WIDE + NAME) * plan.scale ? WIDE : HIGH) * plan.scale;
    const x = Math.min(box.x + box.width, plan.machines.x + plan.machines.width) - width;
    return { x, y, width, height: high };
  });
  known.set(plan, signs);
  return signs;
}

/** Return the cluster of a machine. */
const clusterOf = (/** @type {Pick<TasksScene, "meta">} */ { meta }, /** @type {number} */ machine) =>
  (meta?.clusters ?? []).findIndex(({ first, machines }) => machine >= first && machine < first + machines);

/**
 * Return the position where requests for a machine are checked; null if nothing checks them.
 *
 * @param {TasksScene} scene
 * @param {number} machine
 * @returns {[number, number] | null}
 */
export function gateOf(scene, machine) {
  const signs = signsOf(scene);
  const sign = signs.length ? signs[clusterOf(scene, machine)] : null;
  return sign ? [sign.x + sign.width / 2, sign.y + sign.height / 2] : null;
}

/** @param {CanvasRenderingContext2D} pen @param {TasksScene} scene */
export function drawGates(pen, scene) {
  const { plan, inks, meta } = scene;
  const signs = signsOf(scene);
  if (!plan || !signs.length) return;
  scene.drew.add("gate");
  const { scale } = plan;
  pen.font = `600 ${14 * scale}px ${FONT}`;
  pen.textAlign = "center";
  for (const sign of signs) {
    if (!sign) continue;
    pen.fillStyle = inks.surface;
    pen.strokeStyle = inks.muted;
    pen.lineWidth = 1.5 * scale;
    pen.beginPath();
    pen.roundRect(sign.x, sign.y, sign.width, sign.height, 4 * scale);
    pen.fill();
    pen.stroke();
    pen.fillStyle = inks.ink;
    const word = sign.width > sign.height ? (meta?.work?.gate ?? "") : "✓";
    pen.fillText(word, sign.x + sign.width / 2, sign.y + 15 * scale);
  }
  pen.textAlign = "left";
}
