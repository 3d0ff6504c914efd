/**
 * The roles of layers and marks in the combined picture, as the scheduler declares them, and the scheduler's groups of
 * machines.
 */

import { countUpTo } from "../kit/search.js";

/**
 * @typedef {import("../contract/contract").Meta} Meta
 * @typedef {import("../contract/contract").LayerMeta} LayerMeta
 * @typedef {import("./sentences.js").Picture} Picture
 */

/**
 * Return the layer with a role, or null.
 *
 * @param {Pick<Meta, "layers">} meta
 * @param {LayerMeta["role"]} role
 */
export function roleLayer(meta, role) {
  return meta.layers.find((layer) => layer.role === role) ?? null;
}

/**
 * Return the bytes of the layer with a role, or null.
 *
 * @param {Meta} meta
 * @param {Picture | null} picture
 * @param {LayerMeta["role"]} role
 */
export function roleBytes(meta, picture, role) {
  const layer = roleLayer(meta, role);
  return (layer && picture?.layers[layer.name]) || null;
}

/**
 * Return the layer of tasks that wait at a machine, or at the master of its group.
 *
 * @param {Meta} meta
 */
export function backlogLayer(meta) {
  return roleLayer(meta, "backlog") ?? roleLayer(meta, "group_backlog");
}

const BUSY = 0.4;

/**
 * Return how deep a machine's shade is, 0 to 255: `filled` by its load, `deepened` by its queue. With a queue layer, a
 * full machine without a queue is less than half as deep as one with the longest queue, and every doubling of the queue
 * is visible.
 *
 * @param {LayerMeta | null} layer
 */
export function depths(layer) {
  const filled = Uint8Array.from({ length: 256 }, (_, load) => (layer ? Math.ceil(load * BUSY) : load));
  const most = layer?.full || 32;
  const deepened = Uint8Array.from({ length: 256 }, (_, byte) =>
    Math.round(255 * (BUSY + ((1 - BUSY) * Math.log2(1 + countOf(layer, byte))) / Math.log2(1 + most))),
  );
  return { filled, deepened };
}

/**
 * Return the count that a byte of a layer with a unit represents.
 *
 * @param {LayerMeta | null} layer
 * @param {number} byte
 */
export function countOf(layer, byte) {
  return Math.round((byte / 255) * (layer?.full || 32));
}

/**
 * Return the number to write on a cell: from the layer shown alone if it counts something, else from the backlog layer;
 * "" for none.
 *
 * @param {Meta} meta
 * @param {Picture | null} picture
 * @param {string | null} layerName
 * @param {number} machine
 */
export function numberOn(meta, picture, layerName, machine) {
  const alone = layerName ? meta.layers.find((layer) => layer.name === layerName) : null;
  const layer = layerName ? (alone?.unit ? alone : null) : backlogLayer(meta);
  const byte = layer && picture?.layers[layer.name] ? picture.layers[layer.name][machine] : 0;
  if (!layer || !byte || (layer.role === "group_backlog" && !isLast(meta, machine))) return "";
  return `${countOf(layer, byte)}${byte === 255 ? "+" : ""}`;
}

/** @type {WeakMap<object, Int32Array>} */
const known = new WeakMap();
/** @type {WeakMap<object, {first: number[]}>} */
const firsts = new WeakMap();

/**
 * Return the group of every machine; null without groups.
 *
 * @param {Meta} meta
 */
export function groupsOf(meta) {
  const { groups } = meta;
  if (!groups?.first.length) return null;
  const kept = known.get(groups);
  if (kept) return kept;
  const found = new Int32Array(meta.machines);
  groups.first.forEach((from, group) => found.fill(group, from, groups.first[group + 1] ?? meta.machines));
  known.set(groups, found);
  return found;
}

/**
 * Return the number of a machine's group, -1 without groups.
 *
 * @param {{groups: {first: number[]} | null}} meta
 * @param {number} machine
 */
export function groupOf(meta, machine) {
  const first = meta.groups?.first;
  if (!first?.length) return -1;
  return Math.max(0, countUpTo(first, machine) - 1);
}

/**
 * Return true if a machine is the last of its group, or of its cluster without groups. The first machine may carry a
 * name.
 *
 * @param {Meta} meta
 * @param {number} machine
 */
function isLast(meta, machine) {
  let groups = meta.groups ?? firsts.get(meta.clusters);
  if (!groups) {
    groups = { first: meta.clusters.map((cluster) => cluster.first) };
    firsts.set(meta.clusters, groups);
  }
  return (groups.first[groupOf({ groups }, machine) + 1] ?? meta.machines) === machine + 1;
}

/** Shapes of marks by role. @type {Record<string, string>} */
const SHAPES = { refusal: "dot", fault: "cross", repartition: "diamond" };
const OTHERS = ["ring", "triangle", "square", "plus", "star"];
/** All shapes of marks; the legend has a symbol for each (css/map.css). */
export const MARK_SHAPES = ["point", ...Object.values(SHAPES), ...OTHERS];

/**
 * Return the shape of a kind of mark: some roles have a fixed shape, all other marks cycle through the rest.
 *
 * @param {Pick<Meta, "marks">} meta
 * @param {string} kind
 */
export function markShape(meta, kind) {
  const mark = meta.marks.find((each) => each.kind === kind);
  if (mark?.quiet) return "point";
  const own = mark && SHAPES[mark.role];
  if (own) return own;
  const place = meta.marks
    .filter((each) => !SHAPES[each.role] && !each.quiet && !each.whole)
    .findIndex((each) => each.kind === kind);
  return OTHERS[Math.max(0, place) % OTHERS.length];
}

/**
 * Call side(machine, "left" | "right" | "top" | "bottom") for each cell side on the edge of a set of machines.
 * `inside(machine)` returns the set that a machine belongs to, 0 or "" for none. Machines lie in rows of `part.across`;
 * only rows from `row` up to `rowEnd` are checked.
 *
 * @param {{first: number, machines: number, across: number}} part
 * @param {(machine: number) => number | string} inside
 * @param {(machine: number, which: "left" | "right" | "top" | "bottom") => void} side
 */
export function edgesOf(part, inside, side, row = 0, rowEnd = Infinity) {
  const end = part.first + part.machines;
  const last = Math.min(end, part.first + rowEnd * part.across);
  for (let machine = part.first + row * part.across; machine < last; machine += 1) {
    const own = inside(machine);
    if (!own) continue;
    const column = (machine - part.first) % part.across;
    if (column === 0 || inside(machine - 1) !== own) side(machine, "left");
    if (column === part.across - 1 || machine + 1 === end || inside(machine + 1) !== own) side(machine, "right");
    if (machine - part.across < part.first || inside(machine - part.across) !== own) side(machine, "top");
    if (machine + part.across >= end || inside(machine + part.across) !== own) side(machine, "bottom");
  }
}
