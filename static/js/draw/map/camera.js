/**
 * The map's camera, and the part of a plan (draw/map/layout.js) that is visible through it. Pure geometry in device
 * pixels.
 *
 * Zooming changes cells by whole pixels, because fractions would alias into meaningless patterns. Cells grow by
 * `scaleOf`, which makes a cell a whole number of pixels wide; a cell's height is rounded down to whole pixels. The
 * space between clusters and partitions keeps its size (draw/map/stretch.js).
 */

import { countHolding } from "../../kit/search.js";
import { axesOf, shrunk, stretched } from "./stretch.js";

/**
 * @import { Axis } from "./stretch.js"
 * @import { Part, Plan } from "./layout.js"
 */

/**
 * @typedef {{zoom: number, x: number, y: number}} Camera  x, y: the center, as fractions of the plan
 * @typedef {{zoom: number, centre: number}} Kept  the cells' magnification, and the machine at the center
 * @typedef {{ids: Int32Array, x: Int32Array, y: Int32Array, count: number}} Cells  the visible cells: machines and
 *   their top left pixels
 */

/** The size of a cell at the highest zoom, in CSS pixels. */
export const LARGEST_CELL = 160;

/** @type {Readonly<Camera>} */
export const FIT = Object.freeze({ zoom: 1, x: 0.5, y: 0.5 });

export function mostZoom(/** @type {Plan} */ plan, scale = 1) {
  return Math.max(1, (LARGEST_CELL * scale) / plan.sx);
}

/**
 * Return the magnification of cells relative to "fit".
 * @param {Plan} plan
 * @param {Pick<Camera, "zoom">} camera
 */
export function scaleOf(plan, camera) {
  return Math.max(plan.sx, Math.round(plan.sx * camera.zoom)) / plan.sx;
}

/**
 * Clamp the camera: never further out than the whole plan, never past an edge. x, y: the center, as fractions of the
 * plan.
 * @param {Plan} plan
 * @param {Camera} camera
 */
export function clamped(plan, camera, scale = 1) {
  const zoom = Math.min(Math.max(1, camera.zoom), mostZoom(plan, scale));
  const factor = scaleOf(plan, { zoom });
  const axes = axesOf(plan);
  const inside = (/** @type {Axis} */ axis, /** @type {number} */ size, /** @type {number} */ share) => {
    const whole = stretched(axis, size, factor);
    const middle = Math.min(Math.max(stretched(axis, share * size, factor), size / 2), whole - size / 2);
    return factor === 1 ? 0.5 : shrunk(axis, middle, factor) / size;
  };
  return { zoom, x: inside(axes.x, plan.width, camera.x), y: inside(axes.y, plan.height, camera.y) };
}

/**
 * Return the screen's top left pixel within the whole picture at this zoom.
 * @param {Plan} plan
 * @param {Camera} camera
 */
export function originOf(plan, camera) {
  const factor = scaleOf(plan, camera);
  const { x, y } = axesOf(plan);
  return [
    Math.round(stretched(x, camera.x * plan.width, factor) - plan.width / 2),
    Math.round(stretched(y, camera.y * plan.height, factor) - plan.height / 2),
  ];
}

/**
 * Return the plan's position under a screen pixel.
 * @param {Plan} plan
 * @param {Camera} camera
 * @param {number} px
 * @param {number} py
 */
export function planAt(plan, camera, px, py) {
  const factor = scaleOf(plan, camera);
  const { x, y } = axesOf(plan);
  return [
    shrunk(x, stretched(x, camera.x * plan.width, factor) - plan.width / 2 + px, factor),
    shrunk(y, stretched(y, camera.y * plan.height, factor) - plan.height / 2 + py, factor),
  ];
}

/**
 * Zoom by `factor` and keep the position under the screen pixel (px, py) in place.
 * @param {Plan} plan
 * @param {Camera} camera
 * @param {number} factor
 * @param {number} px
 * @param {number} py
 */
export function zoomedAt(plan, camera, factor, px, py, scale = 1) {
  const before = scaleOf(plan, camera);
  let zoom = Math.min(Math.max(1, camera.zoom * factor), mostZoom(plan, scale));
  // Change the zoom by at least one step.
  if (factor > 1 && scaleOf(plan, { zoom }) === before)
    zoom = Math.min((before * plan.sx + 1) / plan.sx, mostZoom(plan, scale));
  if (factor < 1 && scaleOf(plan, { zoom }) === before) zoom = Math.max(1, (before * plan.sx - 1) / plan.sx);
  const after = scaleOf(plan, { zoom });
  const { x, y } = axesOf(plan);
  const [planX, planY] = planAt(plan, camera, px, py);
  const middle = (
    /** @type {Axis} */ axis,
    /** @type {number} */ size,
    /** @type {number} */ at,
    /** @type {number} */ pixel,
  ) => shrunk(axis, stretched(axis, at, after) - pixel + size / 2, after) / size;
  return clamped(plan, { zoom, x: middle(x, plan.width, planX, px), y: middle(y, plan.height, planY, py) }, scale);
}

/**
 * Move by screen pixels.
 * @param {Plan} plan
 * @param {Camera} camera
 * @param {number} dx
 * @param {number} dy
 */
export function panned(plan, camera, dx, dy, scale = 1) {
  const [x, y] = planAt(plan, camera, plan.width / 2 - dx, plan.height / 2 - dy);
  return clamped(plan, { zoom: camera.zoom, x: x / plan.width, y: y / plan.height }, scale);
}

/**
 * Return the camera that shows a box of the plan as large as possible.
 * @param {Plan} plan
 * @param {{x: number, y: number, width: number, height: number}} box
 */
export function cameraOn(plan, box, scale = 1) {
  const zoom = 0.92 * Math.min(plan.width / Math.max(1, box.width), plan.height / Math.max(1, box.height));
  return clamped(
    plan,
    { zoom, x: (box.x + box.width / 2) / plan.width, y: (box.y + box.height / 2) / plan.height },
    scale,
  );
}

/**
 * Return the camera around a machine with the smallest cells at which at most `most` machines are visible. Cells have a
 * largest size, so a very large screen shows more.
 * @param {Plan} plan
 * @param {number} machines
 * @param {{most: number, centre: number}} wanted
 */
export function cameraOnFew(plan, machines, { most, centre }, scale = 1) {
  const at = (/** @type {number} */ cell) => cameraAt(plan, { zoom: cell / plan.sx, centre }, scale);
  /** @type {Cells | undefined} */
  let cells;
  const isFew = (/** @type {number} */ cell) => {
    cells = visible(seen(plan, at(cell), scale), machines, cells);
    return cells.count <= most;
  };
  const largest = Math.max(plan.sx, Math.floor(LARGEST_CELL * scale));
  let cell = plan.sx;
  while (cell < largest && !isFew(cell)) cell += 1;
  return at(cell);
}

/**
 * Return a camera independent of the screen: the cells' magnification and the machine at the center; null at "fit". The
 * zoom is the rounded one on screen; otherwise a link's rounding could change cells by a pixel.
 * @param {Plan} plan
 * @param {Camera} camera
 */
export function keptOf(plan, camera) {
  const zoom = scaleOf(plan, camera);
  if (zoom <= 1) return null;
  return {
    zoom: Math.round(zoom * 1000) / 1000,
    centre: nearest(plan, camera.x * plan.width, camera.y * plan.height),
  };
}

/** Return the camera with a machine at the center. */
export function cameraAt(/** @type {Plan} */ plan, /** @type {Kept} */ { zoom, centre }, scale = 1) {
  const [x, y] = placeOf(plan, partsOf(plan), centre);
  return clamped(plan, { zoom, x: (x + plan.sx / 2) / plan.width, y: (y + plan.sy / 2) / plan.height }, scale);
}

/**
 * Return the plan as the camera sees it: the same structure, with sx, sy, gap, blocks and parts in screen pixels.
 * @param {Plan} plan
 * @param {Camera} camera
 * @returns {Plan}
 */
export function seen(plan, camera, scale = 1) {
  const factor = scaleOf(plan, camera);
  const [left, top] = originOf(plan, camera);
  const axes = axesOf(plan);
  const across = (/** @type {number} */ at) => Math.round(stretched(axes.x, at, factor)) - left;
  const down = (/** @type {number} */ at) => Math.round(stretched(axes.y, at, factor)) - top;
  const sx = Math.round(plan.sx * factor);
  const sy = Math.max(1, Math.floor(plan.sy * factor));
  const gap =
    factor === 1
      ? plan.gap
      : Math.min(sx, sy) >= 10 * scale
        ? Math.round(2 * Math.max(1, scale))
        : Math.min(sx, sy) >= 4
          ? 1
          : 0;
  const blocks = plan.blocks.map((block) => {
    const parts = block.parts.map((part) => ({
      owner: part.owner,
      first: part.first,
      machines: part.machines,
      across: part.across,
      x: across(part.x),
      y: down(part.y),
      width: part.across * sx,
      height: Math.ceil(part.machines / part.across) * sy,
    }));
    const [x, y] = [across(block.x), down(block.y)];
    return {
      name: block.name,
      x,
      y,
      width: across(block.x + block.width) - x,
      height: down(block.y + block.height) - y,
      parts,
    };
  });
  return {
    sx,
    sy,
    gap,
    blocks,
    width: plan.width,
    height: plan.height,
    label: plan.label,
    partLabel: plan.partLabel,
    factor,
  };
}

/** Return all parts of a plan in the order of their machines. */
export function partsOf(/** @type {Plan} */ plan) {
  return plan.blocks.flatMap((block) => block.parts).sort((a, b) => a.first - b.first);
}

/**
 * Return the top left pixel of a machine's cell; `parts` comes from partsOf.
 * @param {Plan} plan
 * @param {Part[]} parts
 * @param {number} machine
 */
export function placeOf(plan, parts, machine) {
  const part = parts[Math.max(0, countHolding(parts.length, (at) => parts[at].first <= machine) - 1)];
  const place = machine - part.first;
  return [part.x + (place % part.across) * plan.sx, part.y + Math.floor(place / part.across) * plan.sy];
}

/**
 * Return the cells that are at least partly visible.
 * @param {Plan} plan
 * @param {number} machines
 * @param {Cells | null | undefined} [reuse]  the result of an earlier call
 * @returns {Cells}
 */
export function visible(plan, machines, reuse) {
  const found =
    reuse?.ids.length === machines
      ? reuse
      : { ids: new Int32Array(machines), x: new Int32Array(machines), y: new Int32Array(machines), count: 0 };
  found.count = 0;
  for (const block of plan.blocks) for (const part of block.parts) addVisible(plan, part, found);
  return found;
}

/**
 * @param {Plan} plan
 * @param {Part} part
 * @param {Cells} found
 */
function addVisible(plan, part, found) {
  if (part.x >= plan.width || part.y >= plan.height || part.x + part.width <= 0 || part.y + part.height <= 0) return;
  const firstRow = Math.max(0, Math.floor(-part.y / plan.sy));
  const lastRow = Math.min(Math.ceil(part.machines / part.across), Math.ceil((plan.height - part.y) / plan.sy));
  const firstColumn = Math.max(0, Math.floor(-part.x / plan.sx));
  const lastColumn = Math.min(part.across, Math.ceil((plan.width - part.x) / plan.sx));
  for (let row = firstRow; row < lastRow; row += 1) {
    for (let column = firstColumn; column < lastColumn; column += 1) {
      const place = row * part.across + column;
      if (place >= part.machines) break;
      found.ids[found.count] = part.first + place;
      found.x[found.count] = part.x + column * plan.sx;
      found.y[found.count] = part.y + row * plan.sy;
      found.count += 1;
    }
  }
}

/**
 * Return the machine whose cell center is nearest to the pixel; -1 without machines.
 * @param {{sx: number, sy: number, blocks: {parts: Part[]}[]}} plan
 * @param {number} px
 * @param {number} py
 */
export function nearest(plan, px, py) {
  let best = -1;
  let distance = Infinity;
  for (const block of plan.blocks) {
    for (const part of block.parts) {
      const column = Math.min(Math.max(0, Math.floor((px - part.x) / plan.sx)), part.across - 1);
      const rows = Math.ceil(part.machines / part.across);
      const row = Math.min(Math.max(0, Math.floor((py - part.y) / plan.sy)), rows - 1);
      const place = Math.min(row * part.across + column, part.machines - 1);
      const dx = part.x + ((place % part.across) + 0.5) * plan.sx - px;
      const dy = part.y + (Math.floor(place / part.across) + 0.5) * plan.sy - py;
      if (dx * dx + dy * dy < distance) {
        distance = dx * dx + dy * dy;
        best = part.first + place;
      }
    }
  }
  return best;
}

/**
 * Return the next machine in a direction (dx, dy of -1, 0, 1), across gaps between partitions; the machine itself at
 * the edge.
 * @param {Plan} plan
 * @param {Part[]} parts
 * @param {number} machine
 * @param {number} dx
 * @param {number} dy
 */
export function neighbour(plan, parts, machine, dx, dy) {
  const [x, y] = placeOf(plan, parts, machine);
  const [fromX, fromY] = [x + plan.sx / 2, y + plan.sy / 2];
  let best = machine;
  let least = Infinity;
  for (const part of parts) {
    const near = nearestIn(plan, part, fromX + dx * plan.sx, fromY + dy * plan.sy);
    if (near.machine === machine) continue;
    const along = (near.x - fromX) * dx + (near.y - fromY) * dy;
    const aside = Math.abs((near.x - fromX) * dy) + Math.abs((near.y - fromY) * dx);
    if (along < 0.5 * (dx ? plan.sx : plan.sy) || aside > 2 * along) continue;
    const cost = along + 2 * aside;
    if (cost < least) {
      least = cost;
      best = near.machine;
    }
  }
  return best;
}

/**
 * @param {Plan} plan
 * @param {Part} part
 * @param {number} px
 * @param {number} py
 */
function nearestIn(plan, part, px, py) {
  const machine = nearest({ sx: plan.sx, sy: plan.sy, blocks: [{ parts: [part] }] }, px, py);
  const place = machine - part.first;
  return {
    machine,
    x: part.x + ((place % part.across) + 0.5) * plan.sx,
    y: part.y + (Math.floor(place / part.across) + 0.5) * plan.sy,
  };
}
