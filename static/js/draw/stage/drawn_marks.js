/**
 * Where marks are on the screen now, by the names that tours, lessons and moments give them: `mark:fault` is a mark of
 * what happens (meta.marks), `layer:service` the machines of which a layer's role tells something, `shelf` the boxes
 * with waiting tasks, `task` the task of a moment, `machine:12` a machine.
 */

import { markShape, roleLayer } from "../../run/roles.js";

/**
 * @import { MapView } from "../map/map.js"
 * @import { TasksView } from "../work/view.js"
 * @import { Meta } from "../../contract/contract"
 * @import { Picture } from "../../run/frames.js"
 */

/** @typedef {{x: number, y: number, width: number, height: number}} Box  in CSS pixels of the window */
/** @typedef {{map: MapView, tasks: TasksView | null, meta: Meta | null, picture: Picture | null}} Drawing */

/** Movements that tell a kind of mark where tasks are drawn. @type {Record<string, {role: string, wrong?: boolean}>} */
const MOVEMENTS = {
  fault: { role: "throw", wrong: true },
  preemption: { role: "throw", wrong: false },
  refusal: { role: "bounce", wrong: true },
  conflict: { role: "bounce", wrong: true },
  repartition: { role: "borrow" },
};
/** From this value of the layer of service on a machine has failed. */
const FAILED = 192;
/** The reach of the ring around the task of a moment, in CSS pixels. */
const RING = 8;

/**
 * The boxes of a mark, as far as they are on the screen.
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

/** The boxes of machines. @param {Drawing} stage @param {number[]} machines */
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

/** The ring around the task of a moment. @param {Drawing} stage */
function focused({ tasks }) {
  const { focusAt, plan } = tasks?.scene ?? {};
  if (!tasks || !plan || !focusAt || Number.isNaN(focusAt[0])) return [];
  const { left, top } = tasks.canvas.getBoundingClientRect();
  const [x, y] = focusAt.map((each) => each / plan.scale - RING);
  return [{ x: left + x, y: top + y, width: 2 * RING, height: 2 * RING }];
}

/** The boxes at the side in which tasks stand. @param {Drawing} stage */
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
