/** Move the map's camera to some machines. */

import { cameraOn, partsOf, placeOf } from "./camera.js";

/** The margin around the machines, as a factor of their box. */
const AROUND = 1.6;
/**
 * With cells of at least this many CSS pixels, events are visible without zooming, so the camera shows the whole map.
 */
const LARGE = 24;

/**
 * Show some machines with their neighbors as large as possible.
 *
 * @param {import("./map.js").MapView} map
 * @param {number[]} machines
 */
export function lookAtMachines(map, machines) {
  const { plan } = map;
  if (!plan || !machines.length) return;
  if (Math.min(plan.sx, plan.sy) >= LARGE * map.scale) {
    map.fit();
    return;
  }
  const parts = partsOf(plan);
  const places = machines.map((machine) => placeOf(plan, parts, machine));
  const [left, right] = [Math.min(...places.map(([x]) => x)), Math.max(...places.map(([x]) => x)) + plan.sx];
  const [top, bottom] = [Math.min(...places.map(([, y]) => y)), Math.max(...places.map(([, y]) => y)) + plan.sy];
  const [wide, high] = [AROUND * plan.sx, AROUND * plan.sy];
  const box = { x: left - wide, y: top - high, width: right - left + 2 * wide, height: bottom - top + 2 * high };
  map.moveTo(cameraOn(plan, box, map.scale), true);
}
