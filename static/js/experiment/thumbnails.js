/** Small pictures of constraints (offers and requests) and of workload shapes. The editors show them large. */

import { svg } from "../kit/dom.js";
import { curve, mixtureOf } from "./distributions.js";

/** @import { ConstraintRow } from "./constraints.js" */

const frame = (/** @type {Node[]} */ ...children) =>
  svg("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" }, ...children);

/** Return two bars per constraint on one scale: the machines that offer it and the tasks that request it. */
export function offerThumbnail(/** @type {ConstraintRow[]} */ rows) {
  const wide = 100 / Math.max(rows.length, 4);
  return frame(
    svg("path", { class: "thumb-ground", d: "M0 100H100" }),
    ...rows.flatMap((row, index) => [
      svg("rect", {
        class: "thumb-offer",
        x: index * wide,
        width: wide * 0.44,
        y: 100 - Math.max(row.offer * 100, 2),
        height: Math.max(row.offer * 100, 2),
      }),
      svg("rect", {
        class: "thumb-ask",
        x: index * wide + wide * 0.44,
        width: wide * 0.36,
        y: 100 - Math.max(row.ask * 100, 2),
        height: Math.max(row.ask * 100, 2),
      }),
    ]),
  );
}

/** Return the densities of tasks per job and task durations on log axes, side by side. */
export function shapeThumbnail(/** @type {import("./distributions.js").Shaped} */ workload) {
  return frame(
    svg("path", { class: "thumb-ground", d: "M0 100H48M52 100H100" }),
    .../** @type {const} */ (["tasks_per_job", "duration_s"]).map((field, index) =>
      svg("path", {
        class: index ? "thumb-shape thumb-shape-second" : "thumb-shape",
        d: area(curve(mixtureOf(workload, field), 60).density, index * 52),
      }),
    ),
  );
}

function area(/** @type {number[]} */ density, /** @type {number} */ from) {
  const smooth = density.map(
    (value, index) => (value + (density[index - 1] ?? value) + (density[index + 1] ?? value)) / 3,
  );
  const most = Math.max(...smooth, 1e-9);
  const points = smooth.map(
    (value, index) =>
      `${(from + (48 * index) / (smooth.length - 1)).toFixed(2)} ${(100 - (92 * value) / most).toFixed(2)}`,
  );
  return `M${from} 100L${points.join("L")}L${from + 48} 100Z`;
}
