/**
 * What layers and marks do in the picture of everything, as the scheduler declares it, and the groups that it makes of
 * machines.
 */

import { countUpTo } from "../kit/search.js";

/**
 * @typedef {import("../contract/contract").Meta} Meta
 * @typedef {import("../contract/contract").LayerMeta} LayerMeta
 * @typedef {import("./sentences.js").Picture} Picture
 */

/**
 * The layer with a role, or null.
 *
 * @param {Pick<Meta, "layers">} meta
 * @param {LayerMeta["role"]} role
 */
export function roleLayer(meta, role) {
  return meta.layers.find((layer) => layer.role === role) ?? null;
}

/**
 * The bytes of the layer with a role, or null.
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
 * What waits at a machine, or at the master of its group.
 *
 * @param {Meta} meta
 */
export function backlogLayer(meta) {
  return roleLayer(meta, "backlog") ?? roleLayer(meta, "group_backlog");
}

const BUSY = 0.4;

/**
 * How deep the shade of a machine is, 0 to 255: {filled, deepened}, by its load and by what waits for it. Where queues
 * are told, a full machine without one is less than half as deep as one with the longest: there every doubling shows.
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
 * How many things a byte of a layer with a unit stands for.
 *
 * @param {LayerMeta | null} layer
 * @param {number} byte
 */
export function countOf(layer, byte) {
  return Math.round((byte / 255) * (layer?.full || 32));
}

/**
 * The number to write on a cell: of the layer that is shown alone if it counts, else of what waits; "" for none.
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
 * The group of every machine; null without groups.
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
 * The number of a machine's group, -1 without groups.
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
 * Whether a machine is the last of its group, or without groups of its cluster: on the first one a name may stand.
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

/** The shapes of marks with a role. @type {Record<string, string>} */
const SHAPES = { refusal: "dot", fault: "cross", repartition: "diamond" };
const OTHERS = ["ring", "triangle", "square", "plus", "star"];
/** All shapes of marks; the legend has a sign for each (css/map.css). */
export const MARK_SHAPES = ["point", ...Object.values(SHAPES), ...OTHERS];

/**
 * The shape in which a kind of mark flashes: some roles have one under every scheduler, all other marks take turns.
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
 * Sides of cells that lie at the edge of a set of machines: calls side(machine, "left" | "right" | "top" | "bottom").
 * `inside(machine)` says what it belongs to, 0 or "" for nothing; machines lie in rows of `part.across`, of which those
 * from `row` up to `rowEnd` are looked at.
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
