/** A job's stages as boxes with their progress, in layers from left to right. */

import { layered } from "../../draw/scenes/layered.js";
import { progressOf, stageName } from "./job_graphs.js";
import { area, line, rect, text } from "../../draw/scenes/scene.js";
import { short } from "../../kit/format.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Mark } from "../../draw/scenes/scene.js"
 * @import { Graphs } from "./job_graphs.js"
 */

/**
 * @typedef {ReturnType<typeof graphPlan>} GraphPlan
 * @typedef {{scale: number, x: number, y: number}} Camera
 */

export const BOX = { w: 148, h: 44, across: 64, down: 16 };
const MARGIN = 16;
const READABLE = 0.55;

/**
 * Return the layout of a job's stages, in pixels before any zoom: {first, count, x, y, width, height, edges, parents}.
 * @param {Graphs} graphs
 * @param {number} job
 */
export function graphPlan(graphs, job) {
  const first = graphs.jobs.firstStage[job];
  const count = graphs.jobs.stages[job];
  const parents = Array.from({ length: count }, (_, local) => graphs.stages.parents[first + local]);
  const { layer, y, layers, height } = layered(parents);
  return {
    first,
    count,
    parents,
    layer,
    x: Float64Array.from(layer, (each) => MARGIN + each * (BOX.w + BOX.across)),
    y: Float64Array.from(y, (each) => MARGIN + each * (BOX.h + BOX.down)),
    width: 2 * MARGIN + layers * (BOX.w + BOX.across) - BOX.across,
    height: 2 * MARGIN + height * (BOX.h + BOX.down) - BOX.down,
    edges: parents.flatMap((own, child) => own.map((parent) => [parent, child])),
  };
}

/**
 * Return the camera that shows a whole plan, enlarged at most 1.5 times.
 * @param {GraphPlan} plan
 * @param {number} width
 * @param {number} height
 */
export function fitting(plan, width, height) {
  const scale = Math.min(1.5, width / plan.width, height / plan.height);
  return { scale, x: (width - plan.width * scale) / 2, y: (height - plan.height * scale) / 2 };
}

/**
 * Return true if both ends of an edge are on the critical path.
 * @param {Graphs} graphs
 * @param {GraphPlan} plan
 * @param {number[]} parts
 */
function isCritical(graphs, plan, [parent, child]) {
  const { critical } = graphs.stages;
  return Boolean(critical[plan.first + parent] && critical[plan.first + child]);
}

/**
 * @param {Graphs} graphs
 * @param {GraphPlan} plan
 * @param {Camera} camera
 * @param {{t_ns: number, width: number, height: number, chosen?: number, over?: number}} options
 */
export function graphScene(graphs, plan, camera, { t_ns, width, height, chosen = -1, over = -1 }) {
  /**
   * @param {number} x
   * @param {number} y
   */
  const at = (x, y) => [x * camera.scale + camera.x, y * camera.scale + camera.y];
  const readable = camera.scale >= READABLE;
  /** @type {Mark[]} */
  const marks = [];
  for (const edge of plan.edges) {
    const [parent, child] = edge;
    const bold = isCritical(graphs, plan, edge);
    const near = over >= 0 && (plan.first + parent === over || plan.first + child === over);
    marks.push(
      line(
        [at(plan.x[parent] + BOX.w, plan.y[parent] + BOX.h / 2), at(plan.x[child], plan.y[child] + BOX.h / 2)],
        near || bold ? "ink" : "ghost",
        { curve: true, width: bold ? 2.5 : near ? 2 : 1, alpha: near || bold ? 1 : 0.8 },
      ),
    );
  }
  for (let local = 0; local < plan.count; local += 1) {
    const [x, y] = at(plan.x[local], plan.y[local]);
    const [w, high] = [BOX.w * camera.scale, BOX.h * camera.scale];
    if (x > width || y > height || x + w < 0 || y + high < 0) continue;
    const stage = plan.first + local;
    box(marks, graphs, stage, {
      x,
      y,
      w,
      h: high,
      scale: camera.scale,
      readable,
      t_ns,
      isChosen: stage === chosen,
      isOver: stage === over,
    });
  }
  return marks;
}

/**
 * @param {Mark[]} marks
 * @param {Graphs} graphs
 * @param {number} stage
 * @param {{x: number, y: number, w: number, h: number, scale: number, readable: boolean, t_ns: number, isChosen:
 *   boolean, isOver: boolean}} options
 */
function box(marks, graphs, stage, { x, y, w, h, scale, readable, t_ns, isChosen, isOver }) {
  const { stages, jobs } = graphs;
  const { waiting, running, done, held } = progressOf(graphs, stage, t_ns);
  const all = stages.tasks[stage];
  const hue = jobs.hue(stages.job[stage]);
  const critical = stages.critical[stage];
  marks.push(
    rect(x, y, w, h, "surface", {
      r: 5 * scale,
      stroke: isOver || isChosen ? "accent" : critical ? "ink" : "line-strong",
      width: isChosen ? 3 : critical ? 2.5 : 1.25,
      dash: held.length && !critical ? [4, 3] : undefined,
    }),
  );
  // A barrier: the stage begins only after all tasks of its parents have ended.
  if (stages.parents[stage].length)
    for (const gap of [6, 10])
      marks.push(
        line(
          [
            [x - gap * scale + 1, y + 4 * scale],
            [x - gap * scale + 1, y + h - 4 * scale],
          ],
          held.length ? "ink" : "ghost",
          { width: Math.max(1, 2 * scale) },
        ),
      );
  const inner = w - 16 * scale;
  const barY = y + h - 13 * scale;
  const bar = Math.max(2, 7 * scale);
  marks.push(rect(x + 8 * scale, barY, inner, bar, "line"));
  const doneW = (inner * done) / all;
  const runningW = (inner * running) / all;
  if (done) marks.push(rect(x + 8 * scale, barY, doneW, bar, [hue, 0.95]));
  if (running) {
    marks.push(rect(x + 8 * scale + doneW, barY, runningW, bar, [hue, 0.4]));
    // Running tasks are striped, so that they differ from completed ones without color.
    for (let at = 3; at < runningW; at += 5)
      marks.push(
        line(
          [
            [x + 8 * scale + doneW + at, barY],
            [x + 8 * scale + doneW + at, barY + bar],
          ],
          "surface",
          { width: 1.5 },
        ),
      );
  }
  if (readable) lettering(marks, graphs, stage, { x, y, w, scale }, { waiting, running, done, held });
}

/**
 * Draw a stage's name, its state, and a corner if it is done.
 * @param {Mark[]} marks
 * @param {Graphs} graphs
 * @param {number} stage
 * @param {{x: number, y: number, w: number, scale: number}} options
 * @param {{waiting: number, running: number, done: number, held: number[]}} options
 */
function lettering(marks, graphs, stage, { x, y, w, scale }, { waiting, running, done, held }) {
  const all = graphs.stages.tasks[stage];
  const hue = graphs.jobs.hue(graphs.stages.job[stage]);
  const size = Math.max(9, 12 * scale);
  const name = stageName(graphs, stage);
  marks.push(
    text(x + 8 * scale, y + 17 * scale, name.length > 12 ? `${name.slice(0, 11)}…` : name, "ink", {
      size,
      weight: 600,
    }),
  );
  marks.push(
    text(x + w - 8 * scale, y + 17 * scale, stateOf(all, waiting, running, done, held), "muted", {
      size: size - 1,
      anchor: "end",
    }),
  );
  if (done === all)
    marks.push(
      area(
        [
          [x + w - 7 * scale, y],
          [x + w, y],
          [x + w, y + 7 * scale],
        ],
        [hue, 0.95],
      ),
    );
}

/**
 * @param {number} all
 * @param {number} waiting
 * @param {number} running
 * @param {number} done
 * @param {number[]} held
 */
function stateOf(all, waiting, running, done, held) {
  if (done === all) return gettext("{count} done", { count: short(all) });
  if (running) return gettext("{running} of {all} run", { running: short(running), all: short(all) });
  return held.length
    ? gettext("{count} held up", { count: short(all) })
    : gettext("{waiting} of {all} wait", { waiting: short(waiting), all: short(all) });
}

/**
 * Return the stage at a point, or -1.
 * @param {GraphPlan} plan
 * @param {Camera} camera
 * @param {number} x
 * @param {number} y
 */
export function stageAt(plan, camera, x, y) {
  const px = (x - camera.x) / camera.scale;
  const py = (y - camera.y) / camera.scale;
  for (let local = 0; local < plan.count; local += 1) {
    if (px >= plan.x[local] && px <= plan.x[local] + BOX.w && py >= plan.y[local] && py <= plan.y[local] + BOX.h)
      return plan.first + local;
  }
  return -1;
}

/**
 * Return the next stage for an arrow key: a parent on the left, a child on the right, or the nearest in the same layer.
 * @param {GraphPlan} plan
 * @param {number} stage
 * @param {number} dx
 * @param {number} dy
 */
export function graphStep(plan, stage, dx, dy) {
  if (stage < 0) return plan.first;
  const local = stage - plan.first;
  /** @param {number[]} list */
  const near = (list) =>
    list.sort((a, b) => Math.abs(plan.y[a] - plan.y[local]) - Math.abs(plan.y[b] - plan.y[local]))[0];
  if (dx < 0) return plan.first + (near([...plan.parents[local]]) ?? local);
  if (dx > 0)
    return plan.first + (near(plan.edges.filter(([parent]) => parent === local).map(([, child]) => child)) ?? local);
  const same = Array.from(plan.layer.keys()).filter(
    (other) => plan.layer[other] === plan.layer[local] && Math.sign(plan.y[other] - plan.y[local]) === dy,
  );
  return plan.first + (near(same) ?? local);
}
