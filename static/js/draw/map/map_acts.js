/** The map's reactions to pointers and keys. */

import { nearest, neighbour } from "./camera.js";

/** @import { MapView } from "./map.js" */

/** The fraction of the map that Shift and an arrow key move by. */
const SHIFT = 0.2;
/** The height of a cluster's name above its box, in CSS pixels. */
const NAME = 20;

/**
 * Return the actions that map_gestures.js calls.
 *
 * @param {import("./map.js").MapView} map
 */
export function actsOf(map) {
  const { eye } = map;
  /** @type {import("./map_gestures.js").Acts} */
  const acts = {
    zoomed: () => map.factor > 1,
    hasMenu: () => Boolean(map.on.menu),
    zoom: (factor, x, y, smooth) => eye.zoom(factor, x, y, smooth),
    zoomKey: (factor) => eye.zoomBy(factor),
    pan: (dx, dy) => {
      if (map.plan && map.factor > 1) eye.pan(dx, dy);
    },
    shift: (dx, dy) => {
      if (map.plan) eye.pan(-dx * map.plan.width * SHIFT, -dy * map.plan.height * SHIFT, true);
    },
    point: (x, y, event) => map.point(event ? map.machineAt(x, y) : -1, event),
    pick: (x, y) => map.pick(map.machineAt(x, y)),
    menu: (x, y, event) => {
      const target = targetAt(map, x, y);
      if (target) map.on.menu?.(target, event.clientX, event.clientY);
    },
    step: (dx, dy) => step(map, dx, dy),
    fit: () => map.fit(),
    enter: () => {
      if (map.cursor >= 0) map.pick(map.cursor);
    },
    keyMenu: () => {
      if (map.cursor < 0 && map.plan) map.cursor = middleOf(map);
      const box = map.cells.getBoundingClientRect();
      const [x, y] = map.cssPlace(map.cursor);
      map.on.menu?.({ kind: "machine", machine: map.cursor }, box.left + x, box.top + y);
    },
    describe: () => map.on.describe?.(),
  };
  return acts;
}

const middleOf = (/** @type {MapView} */ { view }) => nearest(view, view.width / 2, view.height / 2);

/**
 * Return the machine at a position, or the cluster whose name is there.
 * @param {MapView} map
 * @param {number} x
 * @param {number} y
 */
function targetAt(map, x, y) {
  const machine = map.machineAt(x, y);
  if (machine >= 0) return { kind: "machine", machine };
  const room = NAME * map.scale;
  const block = map.view?.blocks.find(
    (each) => x >= each.x && x < each.x + each.width && y >= each.y - room && y < each.y + each.height,
  );
  return block ? { kind: "cluster", name: block.name } : null;
}

/**
 * Move the keyboard cursor to the next machine; the map follows it.
 * @param {MapView} map
 * @param {number} dx
 * @param {number} dy
 */
function step(map, dx, dy) {
  if (!map.plan) return;
  if (map.cursor < 0) map.cursor = map.pinned >= 0 ? map.pinned : middleOf(map);
  else map.cursor = neighbour(map.view, map.parts, map.cursor, dx, dy);
  map.eye.reveal(map.cursor);
  map.overDrawn = false;
  map.on.focus?.(map.cursor);
}
