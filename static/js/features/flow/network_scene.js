/** A network as marks: layers from left to right, arcs with their flow as width and their cost as color. */

import { TEXT_SIZE } from "../../kit/type.js";
import { FORBIDDEN } from "../../draw/work/prices.js";
import { decimals } from "../../kit/format.js";
import { costKey, costRole, middle, signOf } from "./network.js";
import { clip, dot, line, rect, text } from "../../draw/scenes/scene.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Mark } from "../../draw/scenes/scene.js"
 * @import { Arc, Network, Way } from "./network.js"
 */

/**
 * @typedef {ReturnType<typeof networkPlan>} NetworkPlan
 * @typedef {ReturnType<typeof networkPlace>} NetworkPlaces
 * @typedef {{scale: number, y: number}} RowCamera
 * @typedef {{kind: "node", node: number} | {kind: "arc", arc: number}} NetworkItem  the item under the pointer
 */

const HEAD = 22;
const FOOT = 22;
const MARGIN = 8;
const MOST_SIGNS = 60;
const FEW = 25; // units: with so few, one unit is a thin line
/** @type {Record<string, (n: number | string) => string>} */
const SHORTER = {
  unscheduled: (n) => gettext("job {job}", { job: n }),
  rack: (n) => gettext("rack {rack}", { rack: n }),
  task: (n) => gettext("task {task}", { task: n }),
};
/** @type {Record<string, (n: number | string) => string>} */
const SHORT = { unscheduled: (n) => `j${n}`, cluster: () => "all", set: (n) => `s${n}`, sink: () => "sink" };
const NARROW = [gettext("Tasks"), gettext("Jobs"), gettext("Racks"), gettext("Machines"), gettext("Sink")];

/**
 * Return the positions of nodes in a box of 1 by 1: {columns: [{layer, nodes}], x, y, beside (by node: the size of its
 * column)}.
 * @param {Network} network
 */
export function networkPlan(network) {
  const columns = network.layers
    .map((name, layer) => ({
      layer,
      name,
      nodes: network.nodes.flatMap((node, at) => (node.layer === layer ? [at] : [])),
    }))
    .filter((column) => column.nodes.length);
  const x = new Float64Array(network.nodes.length);
  const y = new Float64Array(network.nodes.length);
  const beside = new Float64Array(network.nodes.length);
  columns.forEach(({ nodes }, place) =>
    nodes.forEach((node, row) => {
      x[node] = columns.length > 1 ? place / (columns.length - 1) : 0.5;
      y[node] = (row + 0.5) / nodes.length;
      beside[node] = nodes.length;
    }),
  );
  return { columns, x, y, beside };
}

/** A camera stretches rows and leaves the layers in place: {scale, y}. */
export const WHOLE = { scale: 1, y: 0 };

/**
 * Return the pixels of a plan under a camera: {at(node), w and h(node) of a box}. A column with few nodes has boxes
 * large enough for words.
 * @param {NetworkPlan} plan
 * @param {RowCamera} camera
 * @param {number} width
 * @param {number} height
 */
export function networkPlace(plan, camera, width, height) {
  const wide = Math.min(128, Math.max(14, (width / plan.columns.length) * (width < 560 ? 0.56 : 0.5)));
  const inner = { w: Math.max(1, width - 2 * MARGIN - wide), h: Math.max(1, height - HEAD - FOOT) };
  /** @param {number} node */
  const high = (node) => Math.min(22, Math.max(1.5, (inner.h / plan.beside[node]) * camera.scale * 0.78));
  /** @param {number} node */
  const at = (node) => [
    MARGIN + wide / 2 + plan.x[node] * inner.w,
    HEAD + plan.y[node] * inner.h * camera.scale + camera.y,
  ];
  return { at, w: wide, h: high, width, height, columns: plan.columns.map((column) => at(column.nodes[0])[0]) };
}

/**
 * Clamp the camera so that rows stay visible.
 * @param {RowCamera} camera
 * @param {number} height
 */
export function keepIn(camera, height) {
  const scale = Math.min(40, Math.max(1, camera.scale));
  return { scale, y: Math.min(0, Math.max((height - HEAD - FOOT) * (1 - scale), camera.y)) };
}

/**
 * Return the camera after a zoom at a height of the picture.
 * @param {RowCamera} camera
 * @param {number} factor
 * @param {number} at
 * @param {number} height
 */
export function zoomAt(camera, factor, at, height) {
  const scale = Math.min(40, Math.max(1, camera.scale * factor));
  return keepIn({ scale, y: at - HEAD - (at - HEAD - camera.y) * (scale / camera.scale) }, height);
}

/**
 * Return the ends of an arc's curve, from the right of one box to the left of the next.
 * @param {NetworkPlaces} place
 * @param {{tail: number, head: number}} arc
 */
function ends(place, arc) {
  const [x1, y1] = place.at(arc.tail);
  const [x2, y2] = place.at(arc.head);
  return [
    [x1 + place.w / 2, y1],
    [x2 - place.w / 2, y2],
  ];
}

/**
 * @param {Arc} arc
 * @param {number} most
 */
function widthOf(arc, most) {
  return arc.flow > 0 ? 1.5 + 7.5 * Math.sqrt(arc.flow / Math.max(most, FEW)) : 1;
}

/**
 * Return the arcs to draw: all, or only those with flow or a change.
 * @param {Network} network
 */
export function drawnArcs(network, { idle = true } = {}) {
  return idle ? network.arcs : network.arcs.filter((arc) => arc.flow > 0 || (network.round > 1 && arc.marks.length));
}

/**
 * @param {Network} network
 * @param {NetworkPlan} plan
 * @param {RowCamera} camera
 * @param {{width: number, height: number, over?: NetworkItem | null, idle?: boolean, way?: Way | null}} options
 */
export function networkScene(network, plan, camera, { width, height, over = null, idle = true, way = null }) {
  const place = networkPlace(plan, camera, width, height);
  const most = network.arcs.reduce((top, arc) => Math.max(top, arc.flow), 1);
  const arcs = [...drawnArcs(network, { idle })].sort((a, b) => a.flow - b.flow);
  // In a run's first round everything is new, so no marks are needed.
  /** @param {Arc} arc */
  const isMarked = (arc) => arc.marks.length > 0 && (network.round > 1 || Boolean(network.before));
  /** @type {Mark[]} */
  const marks = [];
  for (const arc of arcs) marks.push(arcLine(place, arc, most, isMarked(arc)));
  const near =
    over?.kind === "arc"
      ? arcs.filter((arc) => arc.at === over.arc)
      : over?.kind === "node"
        ? arcs.filter((arc) => arc.tail === over.node || arc.head === over.node)
        : [];
  for (const arc of near)
    marks.push({ ...arcLine(place, arc, most, isMarked(arc)), stroke: "ink", alpha: over?.kind === "arc" ? 1 : 0.75 });
  for (const step of wayLines(network, place, way)) marks.push(step);
  const signed = arcs.filter(isMarked);
  const signs = signed.length <= MOST_SIGNS ? signed : signed.filter((arc) => arc.flow > 0).slice(-MOST_SIGNS);
  for (const arc of new Set([...signs, ...near.filter(isMarked)])) sign(marks, place, arc);
  network.nodes.forEach((_node, at) =>
    box(marks, place, network, at, { isOver: over?.kind === "node" && over.node === at, way }),
  );
  if (network.chosen !== undefined) marks.push(...costLabels(network, place));
  return [
    clip(0, HEAD, width, Math.max(1, height - HEAD - FOOT), marks),
    ...heads(plan, place, width),
    ...key(arcs, width, height),
  ];
}

/**
 * @param {NetworkPlaces} place
 * @param {Arc} arc
 * @param {number} most
 * @param {boolean} marked
 */
function arcLine(place, arc, most, marked) {
  const gone = !arc.members;
  return line(ends(place, arc), costRole(middle(arc.cost)), {
    curve: true,
    width: widthOf(arc, most),
    alpha: arc.flow > 0 ? 0.9 : gone ? 0.9 : marked ? 0.8 : 0.4,
    dash: gone ? [2, 4] : marked && !arc.flow ? [7, 3] : undefined,
  });
}

/**
 * @param {Mark[]} marks
 * @param {NetworkPlaces} place
 * @param {Arc} arc
 */
function sign(marks, place, arc) {
  const [[x1, y1], [x2, y2]] = ends(place, arc);
  // Spread the signs: arcs between the same two layers would have them on one line. Keep them off the boxes.
  let at = [0, 0];
  for (let turn = 0; turn < 6; turn += 1) {
    at = along(x1, y1, x2, y2, 0.2 + 0.6 * ((arc.at * 0.618 + turn * 0.17) % 1));
    if (!place.columns.some((x) => Math.abs(at[0] - x) < place.w / 2 + 7)) break;
  }
  const [x, y] = at;
  marks.push(
    dot(x, y, 7.5, "surface", { stroke: "ink", width: 1 }),
    text(x, y + 4, signOf(arc.marks), "ink", { size: TEXT_SIZE, anchor: "middle", weight: 700 }),
  );
}

/**
 * Return a point of the Bézier curve of an arc, with both control points at the middle.
 * @param {number} x1
 * @param {number} y1
 * @param {number} x2
 * @param {number} y2
 * @param {number} t
 */
function along(x1, y1, x2, y2, t) {
  const u = 1 - t;
  const middleX = (x1 + x2) / 2;
  return [
    u ** 3 * x1 + 3 * u * u * t * middleX + 3 * u * t * t * middleX + t ** 3 * x2,
    u ** 3 * y1 + 3 * u * u * t * y1 + 3 * u * t * t * y2 + t ** 3 * y2,
  ];
}

/**
 * Return the path of a unit, solid, and its next-best path, dashed; none if its nodes are merged.
 * @param {Network} network
 * @param {NetworkPlaces} place
 * @param {Way | null} way
 */
function wayLines(network, place, way) {
  if (!way) return [];
  const known = new Map(network.nodes.map((node, at) => [node.id, at]));
  /**
   * @param {{from: string, to: string}[]} steps
   * @param {{width: number, dash?: number[]}} more
   */
  const drawn = (steps, more) =>
    steps.flatMap((step) => {
      const [tail, head] = [known.get(step.from), known.get(step.to)];
      if (tail === undefined || head === undefined) return [];
      const points = ends(place, { tail, head });
      // Ink on a background of its own, because no cost has that color.
      return [
        line(points, "surface", { curve: true, width: more.width + 4 }),
        line(points, "ink", { curve: true, ...more }),
      ];
    });
  return [...drawn(way.next?.path ?? [], { width: 2.5, dash: [6, 5] }), ...drawn(way.path, { width: 3.5 })];
}

/**
 * Return the costs of a chosen task's arcs as text: before the node that an arc leads to. Costs up to the sink, and a
 * machine's room, stand behind the node.
 * @param {Network} network
 * @param {NetworkPlaces} place
 * @returns {Mark[]}
 */
function costLabels(network, place) {
  const task = network.nodes.findIndex((node) => node.id === `task:${network.chosen}`);
  const said = new Set();
  return [...network.arcs]
    .sort((a, b) => Number(b.tail === task) - Number(a.tail === task))
    .flatMap((arc) => {
      const toSink = network.nodes[arc.head].kind === "sink";
      const cost = middle(arc.cost) || arc.tail === task ? costText(arc.cost) : "";
      const words = [toSink ? network.nodes[arc.tail].note : "", cost].filter(Boolean).join(" · ");
      if (!words || (!toSink && said.has(arc.head))) return [];
      said.add(arc.head);
      const [[x1, y1], [x2, y2]] = ends(place, arc);
      const wide = words.length * 6.6 + 6;
      if (wide > x2 - x1) return [];
      const [x, y] = toSink ? [x1 + 4 + wide / 2, y1] : [x2 - 4 - wide / 2, y2];
      return [
        rect(x - wide / 2, y - 8, wide, 16, "surface", { r: 3 }),
        text(x, y + 4, words, "ink", { size: TEXT_SIZE, anchor: "middle", weight: arc.tail === task ? 700 : 400 }),
      ];
    });
}

/** @param {number[]} cost */
function costText([least, most]) {
  if (least >= FORBIDDEN) return gettext("very high");
  return least === most
    ? decimals(least)
    : gettext("{least} to {most}", { least: decimals(least), most: decimals(most) });
}

/**
 * @param {Mark[]} marks
 * @param {NetworkPlaces} place
 * @param {Network} network
 * @param {number} at
 * @param {{isOver: boolean, way: Way | null}} options
 */
function box(marks, place, network, at, { isOver, way }) {
  const node = network.nodes[at];
  const [x, y] = place.at(at);
  if (y < -30 || y > place.height + 30 || x < -place.w || x > place.width + place.w) return;
  const tall = place.h(at);
  const chosen = way && node.id === `task:${way.task}`;
  marks.push(
    rect(x - place.w / 2, y - tall / 2, place.w, tall, "surface", {
      r: Math.min(4, tall / 3),
      stroke: isOver || chosen ? "accent" : node.members > 1 && tall > 6 ? "ink" : "line-strong",
      width: isOver || chosen ? 2.5 : node.members > 1 && tall > 6 ? 1.5 : 0.75,
    }),
  );
  if (tall < 13) return;
  const room = Math.floor((place.w - 6) / 7.2);
  const number = node.number < 0 ? "…" : node.number;
  const tries = node.brief
    ? [node.label, node.brief, `+${node.members}`]
    : [node.label, SHORTER[node.kind]?.(number) ?? node.label, (SHORT[node.kind] ?? String)(number)];
  const words = String(tries.find((each) => each.length <= room) ?? tries[2]);
  marks.push(text(x, y + 4, words.slice(0, Math.max(2, room)), "ink", { size: TEXT_SIZE, anchor: "middle" }));
}

/**
 * @param {NetworkPlan} plan
 * @param {NetworkPlaces} place
 * @param {number} width
 */
function heads(plan, place, width) {
  return plan.columns.map((column, at) => {
    const [x] = place.at(column.nodes[0]);
    const last = at === plan.columns.length - 1;
    const anchor = at === 0 ? "start" : last ? "end" : "middle";
    return text(
      at === 0 ? Math.max(MARGIN, x - place.w / 2) : last ? Math.min(width - MARGIN, x + place.w / 2) : x,
      15,
      width < 560 ? NARROW[column.layer] : column.name,
      "muted",
      { anchor, weight: 600 },
    );
  });
}

/**
 * @param {Arc[]} arcs
 * @param {number} width
 * @param {number} height
 */
function key(arcs, width, height) {
  /** @type {import("../../draw/scenes/scene.js").Mark[]} */
  const found = [text(MARGIN, height - 7, gettext("Cost"), "muted", { size: TEXT_SIZE })];
  let x = MARGIN + 36;
  for (const { role, words } of costKey(arcs)) {
    found.push(rect(x, height - 15, 14, 8, role), text(x + 18, height - 7, words, "muted", { size: TEXT_SIZE }));
    x += 26 + words.length * 6.8;
  }
  return x < width + 20 ? found : found.slice(0, -2);
}

/**
 * Return the item at a point: a node, else the nearest arc within a few pixels; null for none.
 * @param {Network} network
 * @param {NetworkPlan} plan
 * @param {RowCamera} camera
 * @param {{width: number, height: number, idle?: boolean}} options
 * @param {number} px
 * @param {number} py
 * @returns {NetworkItem | null}
 */
export function networkHit(network, plan, camera, { width, height, idle = true }, px, py) {
  const place = networkPlace(plan, camera, width, height);
  if (py < HEAD || py > height - FOOT) return null;
  for (let at = 0; at < network.nodes.length; at += 1) {
    const [x, y] = place.at(at);
    if (Math.abs(px - x) <= place.w / 2 && Math.abs(py - y) <= Math.max(2, place.h(at) / 2))
      return { kind: "node", node: at };
  }
  /** @type {NetworkItem | null} */
  let best = null;
  let least = 7;
  for (const arc of drawnArcs(network, { idle })) {
    const [[x1, y1], [x2, y2]] = ends(place, arc);
    if (px < Math.min(x1, x2) - 2 || px > Math.max(x1, x2) + 2) continue;
    for (let step = 0; step <= 24; step += 1) {
      const [x, y] = along(x1, y1, x2, y2, step / 24);
      // Arcs with flow lie above arcs without.
      const far = Math.hypot(px - x, (py - y) * 0.9) - (arc.flow > 0 ? 2 : 0);
      if (far < least) {
        least = far;
        best = { kind: "arc", arc: arc.at };
      }
    }
  }
  return best;
}

/**
 * Return the next item for an arrow key: right or left along an arc; up and down in a layer or among a node's arcs.
 * @param {Network} network
 * @param {NetworkPlan} plan
 * @param {NetworkItem | null} item
 * @param {number} dx
 * @param {number} dy
 * @returns {NetworkItem | null}
 */
export function networkStep(network, plan, item, dx, dy, { idle = true } = {}) {
  if (!network.nodes.length) return null;
  if (!item) return { kind: "node", node: 0 };
  const arcs = drawnArcs(network, { idle });
  /** @param {Arc[]} list */
  const byFlow = (list) => [...list].sort((a, b) => b.flow - a.flow || a.at - b.at);
  if (item.kind === "arc") {
    const arc = network.arcs[item.arc];
    if (dx) return { kind: "node", node: dx > 0 ? arc.head : arc.tail };
    const beside = byFlow(arcs.filter((each) => each.tail === arc.tail));
    return {
      kind: "arc",
      arc: beside[(beside.findIndex((each) => each.at === arc.at) + dy + beside.length) % beside.length].at,
    };
  }
  if (dx) {
    const [best] = byFlow(arcs.filter((arc) => (dx > 0 ? arc.tail : arc.head) === item.node));
    return best ? { kind: "arc", arc: best.at } : item;
  }
  const nodes = plan.columns.find((column) => column.nodes.includes(item.node))?.nodes ?? [item.node];
  return { kind: "node", node: nodes[Math.min(nodes.length - 1, Math.max(0, nodes.indexOf(item.node) + dy))] };
}

/**
 * Return an item's position, for its tooltip.
 * @param {Network} network
 * @param {NetworkPlan} plan
 * @param {RowCamera} camera
 * @param {{width: number, height: number}} options
 * @param {NetworkItem} item
 */
export function networkAt(network, plan, camera, { width, height }, item) {
  const place = networkPlace(plan, camera, width, height);
  if (item.kind === "node") {
    const [x, y] = place.at(item.node);
    return [x, y + place.h(item.node) / 2];
  }
  const [[x1, y1], [x2, y2]] = ends(place, network.arcs[item.arc]);
  return [(x1 + x2) / 2, (y1 + y2) / 2];
}
