/** Tasks as bars over time, a row per job or machine: the marks, and hit tests. */

import { AXIS_SIZE } from "../../kit/type.js";
import { area, clip, line, rect, text } from "../../draw/scenes/scene.js";
import { ganttGifts, ganttGiving } from "./gantt_gifts.js";
import { isFromLeftover } from "./job_graphs.js";
import { gettext } from "../../kit/words.js";
import { timeTicks } from "../../kit/time_axis.js";
import { GANTT_GUTTER as GUTTER, GANTT_AXIS as AXIS, ganttPlace, rowBelow, barOf } from "./gantt_place.js";

/**
 * @import { Mark } from "../../draw/scenes/scene.js"
 * @import { Frame, GanttItem, Model, Places } from "./gantt_place.js"
 * @import { Graphs } from "./job_graphs.js"
 */

const TONES = [0.95, 0.62, 0.35];
const NEAR_PX = 3;

/**
 * Return all rows, bars and axes; `selected`: a job or -1. `ganttMarks` returns the marks that change all the time.
 * @param {Graphs} graphs
 * @param {Model} model
 * @param {Frame} view
 */
export function ganttScene(graphs, model, view, { selected = -1 } = {}) {
  const place = ganttPlace(view);
  /** @type {Mark[]} */
  const inside = [];
  /** @type {Mark[]} */
  const labels = [];
  const firstRow = Math.max(0, rowBelow(view.tops, view.scroll));
  let labelEnd = -Infinity;
  const selectedY =
    model.by === "jobs" && selected >= 0 && selected < model.rows.length ? labelY(place, view, selected) : -Infinity;
  for (let row = firstRow; row < model.rows.length && place.y(row) < view.height; row += 1) {
    const top = place.y(row);
    const height = view.tops[row + 1] - view.tops[row];
    const isSelected = model.by === "jobs" && model.rows[row] === selected;
    if (isSelected) inside.push(rect(place.left, top, place.inner, height, "hover"));
    if (height >= 8)
      inside.push(
        line(
          [
            [place.left, top + height - 0.5],
            [view.width, top + height - 0.5],
          ],
          "line",
        ),
      );
    if (model.by === "jobs") {
      inside.push(...lifetime(graphs, place, model.rows[row], top, height, model.end));
      inside.push(...ganttGiving(model, place, model.rows[row], top, height));
    }
    bars(inside, graphs, model, view, place, row, selected);
    const middle = labelY(place, view, row);
    if (isSelected || (middle - labelEnd >= 14 && Math.abs(middle - selectedY) >= 14)) {
      labels.push(
        text(
          GUTTER - 8,
          middle,
          `${model.by === "jobs" ? "job" : "m."} ${model.rows[row]}`,
          isSelected ? "ink" : "muted",
          { anchor: "end", size: AXIS_SIZE, weight: isSelected ? 700 : 400 },
        ),
      );
      labelEnd = middle;
    }
  }
  const bar = scrollBar(view, place);
  return [
    ...timeAxis(view, place),
    ...bar,
    clip(0, AXIS, GUTTER, view.height - AXIS, labels),
    clip(place.left, AXIS, place.inner - (bar.length ? 8 : 0), view.height - AXIS, inside),
  ];
}

/**
 * Return the scroll bar if not all rows are visible.
 * @param {Frame} view
 * @param {Places} place
 */
function scrollBar(view, place) {
  const all = view.tops[view.tops.length - 1];
  if (all <= place.space + 1) return [];
  const [y, height] = [AXIS + (view.scroll / all) * place.space, (place.space / all) * place.space];
  return [rect(view.width - 6, y, 4, height, "ghost", { r: 2 })];
}

/**
 * Mark the current instant, the chosen task and the task under the pointer.
 * @param {Graphs} graphs
 * @param {Model} model
 * @param {Frame} view
 * @param {{t_ns: number, chosen?: number, over?: GanttItem | null}} options
 */
export function ganttMarks(graphs, model, view, { t_ns, chosen = -1, over = null }) {
  const place = ganttPlace(view);
  const marks = ganttGifts(graphs, model, view, place, t_ns);
  for (const at of [chosen, over?.kind === "task" ? over.at : -1]) {
    const found = at >= 0 ? boxOf(graphs, model, view, at) : null;
    if (found) marks.push(rect(found.x - 1, found.y - 1, found.w + 2, found.h + 2, null, { stroke: "ink", width: 2 }));
  }
  if (t_ns >= view.span[0] && t_ns <= view.span[1]) {
    const x = place.x(t_ns);
    marks.push(
      line(
        [
          [x, AXIS],
          [x, view.height],
        ],
        "ink",
        { width: 1.5 },
      ),
      area(
        [
          [x - 5, AXIS],
          [x + 5, AXIS],
          [x, AXIS + 6],
        ],
        "ink",
      ),
    );
  }
  return [clip(place.left, AXIS, place.inner, view.height - AXIS, marks)];
}

/**
 * @param {Places} place
 * @param {Frame} view
 * @param {number} row
 */
function labelY(place, view, row) {
  return place.y(row) + Math.min((view.tops[row + 1] - view.tops[row]) / 2, 18) + 4;
}

/**
 * Draw a job's presence from its arrival to its end, even while no tasks run.
 * @param {Graphs} graphs
 * @param {Places} place
 * @param {number} job
 * @param {number} top
 * @param {number} height
 * @param {number} last
 */
function lifetime(graphs, place, job, top, height, last) {
  const from = place.x(graphs.jobs.arrival[job]);
  const to = place.x(graphs.jobs.end[job] < 0 ? last : graphs.jobs.end[job]);
  const y = top + height - Math.min(2, height / 3);
  return [
    line(
      [
        [from, y],
        [Math.max(from + 1, to), y],
      ],
      "line-strong",
      { width: height > 10 ? 2 : 1 },
    ),
  ];
}

/**
 * @param {Mark[]} inside
 * @param {Graphs} graphs
 * @param {Model} model
 * @param {Frame} view
 * @param {Places} place
 * @param {number} row
 * @param {number} selected
 */
function bars(inside, graphs, model, view, place, row, selected) {
  const { placements, stages, jobs } = graphs;
  const [from, to] = view.span;
  /** @type {Map<number, number>} */
  const drawn = new Map();
  for (let at = model.first[row]; at < model.first[row + 1]; at += 1) {
    const one = model.order[at];
    if (placements.start[one] > to) break;
    if (placements.end[one] >= 0 && placements.end[one] < from) continue;
    const box = barOf(graphs, model, view, place, row, one);
    // Skip bars on pixels that are already covered, so that 10,000 tasks cost no more than the pixels they fill.
    const right = box.x + box.w;
    if (box.w <= 1 && right <= (drawn.get(model.lane[one]) ?? -Infinity)) continue;
    drawn.set(model.lane[one], Math.ceil(right));
    const stage = placements.stage[one];
    const job = stages.job[stage];
    const fill = [jobs.hue(job), TONES[(stage - jobs.firstStage[job]) % TONES.length]];
    inside.push(rect(box.x, box.y, box.w, box.h, fill, selected >= 0 && job !== selected ? { alpha: 0.32 } : {}));
    if (box.w > 6 && box.h > 3 && isFromLeftover(graphs, one)) {
      const side = Math.min(6, box.h);
      inside.push(
        area(
          [
            [box.x, box.y],
            [box.x + side, box.y],
            [box.x, box.y + side],
          ],
          "ink",
        ),
      );
    }
  }
}

/**
 * @param {Frame} view
 * @param {Places} place
 */
function timeAxis(view, place) {
  /** @type {import("../../draw/scenes/scene.js").Mark[]} */
  const parts = [
    line(
      [
        [place.left, AXIS - 0.5],
        [view.width, AXIS - 0.5],
      ],
      "line-strong",
    ),
  ];
  parts.push(text(place.left - 8, 14, gettext("time"), "muted", { anchor: "end", size: AXIS_SIZE }));
  for (const { ns, label } of timeTicks(view.span[0], view.span[1], Math.max(2, Math.floor(place.inner / 90)))) {
    const x = place.x(ns);
    parts.push(
      line(
        [
          [x, AXIS],
          [x, view.height],
        ],
        "line",
      ),
      text(x, 14, label, "muted", {
        anchor: x > view.width - 24 ? "end" : x < place.left + 12 ? "start" : "middle",
        size: AXIS_SIZE,
      }),
    );
  }
  return parts;
}

/**
 * Return the box of a placement; null if it never started.
 * @param {Graphs} graphs
 * @param {Model} model
 * @param {Frame} view
 * @param {number} at
 */
export function boxOf(graphs, model, view, at) {
  const row = rowOfPlacement(graphs, model, at);
  return row < 0 ? null : barOf(graphs, model, view, ganttPlace(view), row, at);
}

/**
 * @param {Graphs} graphs
 * @param {Model} model
 * @param {number} at
 */
export function rowOfPlacement(graphs, model, at) {
  if (graphs.placements.start[at] < 0) return -1;
  return model.by === "jobs"
    ? graphs.stages.job[graphs.placements.stage[at]]
    : model.rows.indexOf(graphs.placements.machine[at]);
}

/**
 * Return the item at a point: {kind: "task", at} or {kind: "row", row}; null beside the rows.
 * @param {Graphs} graphs
 * @param {Model} model
 * @param {Frame} view
 * @param {number} x
 * @param {number} y
 * @returns {GanttItem | null}
 */
export function ganttHit(graphs, model, view, x, y) {
  const place = ganttPlace(view);
  if (y < AXIS) return null;
  const row = place.rowAt(y);
  if (row < 0) return null;
  if (x >= place.left) {
    let best = null;
    let distance = NEAR_PX;
    const until = place.time(x + NEAR_PX);
    for (let at = model.first[row]; at < model.first[row + 1]; at += 1) {
      const one = model.order[at];
      if (graphs.placements.start[one] > until) break;
      const box = barOf(graphs, model, view, place, row, one);
      const away = Math.max(box.x - x, x - box.x - box.w, box.y - y, y - box.y - box.h, 0);
      if (away < distance) {
        best = one;
        distance = away;
      }
    }
    if (best !== null) return { kind: "task", at: best };
  }
  return { kind: "row", row };
}

/**
 * Return the next task for an arrow key: along its row, or the nearest in time in the row above or below.
 * @param {Graphs} graphs
 * @param {Model} model
 * @param {number | null} at
 * @param {number} dx
 * @param {number} dy
 */
export function ganttStep(graphs, model, at, dx, dy) {
  if (at === null || at < 0) return model.order.length ? model.order[0] : null;
  const row = rowOfPlacement(graphs, model, at);
  if (dx) {
    const next = model.order.indexOf(at) + dx;
    return next >= model.first[row] && next < model.first[row + 1] ? model.order[next] : at;
  }
  for (let other = row + dy; other >= 0 && other < model.rows.length; other += dy) {
    if (model.first[other + 1] === model.first[other]) continue;
    let best = model.order[model.first[other]];
    for (let place = model.first[other]; place < model.first[other + 1]; place += 1) {
      const one = model.order[place];
      if (
        Math.abs(graphs.placements.start[one] - graphs.placements.start[at]) <
        Math.abs(graphs.placements.start[best] - graphs.placements.start[at])
      )
        best = one;
    }
    return best;
  }
  return at;
}
