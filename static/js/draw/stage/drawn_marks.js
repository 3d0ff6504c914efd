/**
 * The screen positions of marks, by the names that tours, lessons and moments use: `mark:fault` is a kind of mark
 * (meta.marks), `layer:service` the machines with a value in the layer of a role, `shelf` the boxes of waiting tasks,
 * `task` the task of a moment, `machine:12` a machine.
 */

import { markShape, roleLayer } from "../../run/roles.js";

/**
 * @import { MapView } from "../map/map.js"
 * @import { TasksView } from "../work/view.js"
 * @import { Meta } from "../../contract/contract"
 * @import { Picture } from "../../run/frames.js"
 */

/** @typedef {{x: number, y: number, width: number, height: number}} Box  CSS pixels of the window */
/** @typedef {{map: MapView, tasks: TasksView | null, meta: Meta | null, picture: Picture | null}} Drawing */

/**
 * The movements of tasks that represent a kind of mark when tasks are shown.
 * @type {Record<string, {role: string, wrong?: boolean}>}
 */
const MOVEMENTS = {
  fault: { role: "throw", wrong: true },
  preemption: { role: "throw", wrong: false },
  refusal: { role: "bounce", wrong: true },
  conflict: { role: "bounce", wrong: true },
  repartition: { role: "borrow" },
};
/** From this value of the service layer on, a machine has failed. */
const FAILED = 192;
/** The radius of the ring around a moment's task, in CSS pixels. */
const RING = 8;

/**
 * Return the boxes of a mark that are on the screen.
 * @param {Drawing} stage
 * @param {string} name
 * @returns {Box[]}
 */
export function boxesOf(stage, name) {
  const [sort, of = ""] = name.split(":");
  if (sort === "shelf") return shelves(stage);
  if (sort === "task") return focused(stage);
  if (sort === "machine") return cells(stage, [Number(of)]);
  if (sort === "layer") return cells(stage, machinesOfLayer(stage, of));
  return sort === "mark" ? cells(stage, machinesOfMark(stage, of)) : [];
}

/** @param {Drawing} stage @param {string} role */
function machinesOfLayer({ meta, picture }, role) {
  const layer = meta ? roleLayer(meta, /** @type {Parameters<typeof roleLayer>[1]} */ (role)) : null;
  const bytes = layer && picture?.layers[layer.name];
  const least = role === "service" ? FAILED : 1;
  return bytes ? [...bytes.keys()].filter((machine) => bytes[machine] >= least) : [];
}

/** @param {Drawing} stage @param {string} kind */
function machinesOfMark({ map, tasks, meta }, kind) {
  if (!meta) return [];
  const wanted = MOVEMENTS[kind];
  if (tasks?.drawn && wanted)
    return tasks.scene.moved
      .filter(({ role, wrong }) => role === wanted.role && (wanted.wrong ?? wrong) === wrong)
      .map(({ machine }) => machine);
  const shape = markShape(meta, kind);
  return [...map.flashes.held, ...map.flashes.alive].filter((each) => each.shape === shape).map((each) => each.machine);
}

/** Return the boxes of machines. @param {Drawing} stage @param {number[]} machines */
function cells({ map }, machines) {
  const { visible, view, scale } = map;
  if (!visible || !view) return [];
  const wanted = new Set(machines);
  const { left, top } = map.element.getBoundingClientRect();
  const [width, height] = [(view.sx - view.gap) / scale, (view.sy - view.gap) / scale];
  /** @type {Box[]} */
  const found = [];
  for (let place = 0; place < visible.count; place += 1)
    if (wanted.has(visible.ids[place]))
      found.push({ x: left + visible.x[place] / scale, y: top + visible.y[place] / scale, width, height });
  return found;
}

/** Return the box of the ring around a moment's task. @param {Drawing} stage */
function focused({ tasks }) {
  const { focusAt, plan } = tasks?.scene ?? {};
  if (!tasks || !plan || !focusAt || Number.isNaN(focusAt[0])) return [];
  const { left, top } = tasks.canvas.getBoundingClientRect();
  const [x, y] = focusAt.map((each) => each / plan.scale - RING);
  return [{ x: left + x, y: top + y, width: 2 * RING, height: 2 * RING }];
}

/** Return the boxes of waiting tasks beside the map. @param {Drawing} stage */
function shelves({ tasks }) {
  const { plan } = tasks?.scene ?? {};
  if (!tasks || !plan) return [];
  const { left, top } = tasks.canvas.getBoundingClientRect();
  return plan.shelves
    .filter(({ count }) => count > 0)
    .map(({ box: { x, y, width, height } }) => ({
      x: left + x / plan.scale,
      y: top + y / plan.scale,
      width: width / plan.scale,
      height: height / plan.scale,
    }));
}
