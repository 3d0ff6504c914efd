/**
 * The masters' copies of clusters: their age on the shelves, where they are wrong, and the reports that refresh them.
 */

import { duration } from "../../../kit/format.js";
import { gettext } from "../../../kit/words.js";
import { eased } from "../flights.js";
import { boxOf } from "../gates.js";
import { onPlate } from "../labels.js";
import { between, dot, faint, scaleOf } from "./pens.js";
import { FONT } from "../../../kit/type.js";

/** @import { Pen } from "../../scenes/scene.js" */

/** @typedef {import("../scene.js").TasksScene} TasksScene */

/** How many lags a sweep lasts. */
const LASTS = 3;
const BAR = 6;

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {TasksScene} scene
 * @param {number} now
 * @param {{lag: number, still: boolean}} how
 */
export function refresh(pen, scene, now, { lag, still }) {
  const { copies, plan } = scene;
  if (!copies || !plan) return;
  pen.save();
  pen.beginPath();
  pen.rect(plan.machines.x, plan.machines.y, plan.machines.width, plan.machines.height);
  pen.clip();
  wrong(pen, scene, now);
  pen.restore();
  ages(pen, scene, now);
  for (let cluster = 0; cluster < copies.clusters; cluster += 1) {
    const share = (now - copies.beat(cluster, now)) / (LASTS * lag);
    if (share < 0 || share > 1) continue;
    scene.swept = cluster;
    sweep(pen, scene, cluster, still ? 0.5 : share);
  }
}

/**
 * Draw a band that crosses a cluster, and its report on the way to every master.
 * @param {Pen} pen
 * @param {TasksScene} scene
 * @param {number} cluster
 * @param {number} share
 */
function sweep(pen, scene, cluster, share) {
  const { plan, inks } = scene;
  const box = boxOf(scene, cluster);
  if (!plan) return;
  const { machines } = plan;
  // Skip clusters outside the visible part.
  if (!box || box.x >= machines.x + machines.width || box.x + box.width <= machines.x) return;
  if (box.y >= machines.y + machines.height || box.y + box.height <= machines.y) return;
  scene.drew.add("sweep");
  const wide = Math.max(24 * plan.scale, box.width * 0.15);
  const out = Math.min(1, share * 2);
  const x = box.x + (box.width + wide) * out - wide;
  pen.save();
  pen.beginPath();
  pen.rect(machines.x, machines.y, machines.width, machines.height);
  pen.clip();
  pen.beginPath();
  pen.rect(box.x, box.y, box.width, box.height);
  pen.clip();
  faint(pen, share < 0.5 ? 0.45 : 0, () => {
    pen.fillStyle = inks.muted;
    pen.fillRect(x, box.y, wide, box.height);
  });
  pen.restore();
  if (share < 0.4) return;
  const went = (share - 0.4) / 0.6;
  plan.shelves.forEach((shelf) => {
    if (!scene.follows(shelf.keeper)) return;
    const to = [shelf.box.x + shelf.box.width - 12 * plan.scale, shelf.box.y + shelf.box.height - 10 * plan.scale];
    const at = between([box.x, box.y + box.height / 2], /** @type {[number, number]} */ (to), eased(went));
    dot(pen, scene, at, inks.muted, 4);
  });
}

/**
 * Draw the age of each master's copy at the foot of its shelf, with a bar that grows with age. For a few followed
 * masters: one bar for the oldest part of the copy; else a bar per cluster.
 * @param {Pen} pen
 * @param {TasksScene} scene
 * @param {number} now
 */
function ages(pen, scene, now) {
  const { plan, copies, inks, track, followed } = scene;
  if (!plan || !copies || !track) return;
  const scale = scaleOf(scene);
  plan.shelves.forEach((shelf, keeper) => {
    if (keeper >= copies.keepers || shelf.box.height < 60 * scale || !scene.follows(keeper)) return;
    const { box } = shelf;
    const high = (followed ? 2 : 1) * BAR * scale;
    const top = box.y + box.height - 4 * scale - high;
    const of = followed
      ? [copies.age(keeper, now)]
      : Array.from({ length: copies.clusters }, (_, cluster) => now - copies.madeAt(keeper, cluster, now));
    scene.drew.add("copy-age");
    const wide = (box.width - 8 * scale) / of.length;
    of.forEach((age, place) => {
      const x = box.x + 4 * scale + place * wide;
      pen.fillStyle = inks.line;
      pen.fillRect(x, top, wide - 2 * scale, high);
      pen.fillStyle = inks.ink;
      pen.fillRect(x, top, (wide - 2 * scale) * Math.min(1, age / copies.period), high);
    });
    pen.font = `${followed ? "600 " : ""}${14 * scale}px ${FONT}`;
    pen.textAlign = "left";
    pen.fillStyle = followed ? inks.ink : inks.muted;
    const age = duration(copies.age(keeper, now) * track.unit_ns);
    const words = [gettext("view {age} old", { age }), age].find((each) => pen.measureText(each).width <= box.width);
    if (words) onPlate(pen, scene, words, box.x + 4 * scale, top - 5 * scale);
  });
}

/**
 * Draw a corner in a master's hue where its copy of a machine differs from the true state.
 * @param {Pen} pen
 * @param {TasksScene} scene
 * @param {number} now
 */
function wrong(pen, scene, now) {
  const { plan, copies, inks } = scene;
  if (!plan?.drawn || !copies) return;
  // All corners of a machine fit side by side in its cell.
  const most = plan.wide / Math.max(1, copies.keepers) - plan.scale;
  const side = Math.max(3 * plan.scale, Math.min(Math.max(4 * plan.scale, plan.wide * 0.16, plan.high * 0.16), most));
  for (let place = 0; place < plan.count; place += 1) {
    const machine = plan.ids[place];
    for (let keeper = 0; keeper < copies.keepers; keeper += 1) {
      if (!scene.follows(keeper) || Number.isNaN(plan.x[machine])) continue;
      if (!copies.differs(keeper, machine, now)) continue;
      scene.drew.add("copy-differs");
      const right = plan.x[machine] + plan.wide - keeper * (side + plan.scale);
      corner(pen, right, plan.y[machine], side, inks.strong[keeper % inks.strong.length], inks.surface);
    }
  }
}

/**
 * @param {Pen} pen
 * @param {number} right
 * @param {number} top
 * @param {number} side
 * @param {string} colour
 * @param {string} edge
 */
function corner(pen, right, top, side, colour, edge) {
  pen.beginPath();
  pen.moveTo(right - side, top);
  pen.lineTo(right, top);
  pen.lineTo(right, top + side);
  pen.closePath();
  pen.fillStyle = colour;
  pen.fill();
  pen.strokeStyle = edge;
  pen.lineWidth = 1;
  pen.stroke();
}
