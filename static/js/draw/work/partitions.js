/** Borders around the machines of each owner, in its color. */

import { faint, overCells } from "./kinds/pens.js";

/** @typedef {import("./scene.js").TasksScene} TasksScene */

/** The opacity of the borders of owners that are not followed. */
const OTHERS = 0.35;

/** @param {CanvasRenderingContext2D} pen @param {TasksScene} scene */
export function drawPartitions(pen, scene) {
  const { plan, meta, inks } = scene;
  if (!plan || !meta?.owners.length) return;
  const { parts, scale } = plan;
  overCells(pen, plan, () => {
    for (const { owner, x, y, width, height } of parts) {
      if (owner >= meta.owners.length) continue;
      scene.drew.add("owner");
      faint(pen, scene.follows(owner) ? 1 : OTHERS, () => {
        pen.strokeStyle = inks.strong[owner % inks.strong.length];
        pen.lineWidth = (scene.followed?.has(owner) ? 3 : 2) * scale;
        pen.strokeRect(x - 1.5 * scale, y - 1.5 * scale, width + 3 * scale, height + 3 * scale);
      });
    }
  });
}
