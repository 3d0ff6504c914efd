/** Shares that are given away in a Gantt chart: dashed stretches of givers, and arrows to tasks that start on them. */

import { area, line, rect } from "../../draw/scenes/scene.js";
import { barOf } from "./gantt_place.js";
import { giftsAt, givingSpans } from "./gifts.js";
import { isFromLeftover } from "./job_graphs.js";

/**
 * @import { Mark } from "../../draw/scenes/scene.js"
 * @import { Frame, Model, Places } from "./gantt_place.js"
 * @import { Graphs } from "./job_graphs.js"
 */

/** An arrow is visible for this fraction of the chart's span after its task started. */
const LASTS = 0.02;
const MOST_ARROWS = 6;

/**
 * Return the stretches of a job's row in which it gives a part of its share away.
 * @param {Model} model
 * @param {Places} place
 * @param {number} job
 * @param {number} top
 * @param {number} height
 */
export function ganttGiving(model, place, job, top, height) {
  if (!model.gifts) return [];
  return givingSpans(model.gifts, job).map(([from, to]) =>
    rect(place.x(from), top + 1, Math.max(2, place.x(to) - place.x(from)), Math.max(2, height - 2), null, {
      stroke: "ink",
      dash: [3, 3],
    }),
  );
}

/**
 * Return arrows from the largest giver to the tasks that have just started on leftover shares.
 * @param {Graphs} graphs
 * @param {Model} model
 * @param {Frame} view
 * @param {Places} place
 * @param {number} t_ns
 */
export function ganttGifts(graphs, model, view, place, t_ns) {
  /** @type {Mark[]} */
  const marks = [];
  if (!model.gifts || model.by !== "jobs") return marks;
  const [from, to] = view.span;
  const since = t_ns - LASTS * (to - from);
  const { placements, stages } = graphs;
  for (let at = 0; at < placements.count && marks.length < 2 * MOST_ARROWS; at += 1) {
    const start = placements.start[at];
    if (start < since || start > t_ns || start < 0 || !isFromLeftover(graphs, at)) continue;
    const taker = stages.job[placements.stage[at]];
    const giver = giftsAt(model.gifts, start).givers.find(([job]) => job !== taker)?.[0];
    if (giver === undefined) continue;
    const bar = barOf(graphs, model, view, place, taker, at);
    const x = place.x(start);
    const y = place.y(giver) + (view.tops[giver + 1] - view.tops[giver]) / 2;
    marks.push(...arrow([x, y], [x, bar.y + (bar.y > y ? 0 : bar.h)]));
  }
  return marks;
}

/**
 * @param {[number, number]} from
 * @param {[number, number]} to
 */
function arrow(from, to) {
  const down = to[1] > from[1] ? 1 : -1;
  const head = [
    [to[0], to[1]],
    [to[0] - 4, to[1] - 7 * down],
    [to[0] + 4, to[1] - 7 * down],
  ];
  return [line([from, to], "ink", { width: 2 }), area(head, "ink")];
}
