/** The picture without individual tasks: shelves and bands show counts and rates. */

import { drawBands } from "./bands.js";
import { waitingBy } from "./density.js";
import { drawKey, drawShelves } from "./shelves.js";

/** @typedef {import("./scene.js").TasksScene} TasksScene */

/**
 * @param {CanvasRenderingContext2D} pen @param {TasksScene} scene @param {number} lag
 * @param {import("../../run/frames.js").Picture | null} picture
 */
export function drawSums(pen, scene, lag, picture) {
  const { shelves } = /** @type {import("./scene.js").Plan} */ (scene.plan);
  const counts = waitingBy(scene.density, picture, shelves.length);
  shelves.forEach((shelf, place) => {
    const waiting = counts?.[place] ?? 0;
    Object.assign(shelf, { stands: waiting, count: waiting, at: [], entering: [], passing: [] });
  });
  drawBands(pen, scene, picture?.t_ns ?? 0, lag);
  drawShelves(pen, scene);
  drawKey(pen, scene);
}
