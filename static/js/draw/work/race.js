/**
 * The probes of one job in a moment: machines are sampled at random, a probe flies to each and waits in its queue, the
 * first machines to process a probe get the tasks, and the remaining probes get none. Timing follows the moment's own
 * lag, so that a faster film shows the same positions.
 */

import { gettext } from "../../kit/words.js";
import { whole } from "../../kit/format.js";
import { faint, line, scaleOf } from "./kinds/pens.js";
import { tagIn } from "./labels.js";
import { GONE } from "./showing.js";

/**
 * @import { Pen } from "../scenes/scene.js"
 * @import { Plan } from "./scene.js"
 * @import { Point } from "./focus.js"
 */

/** @typedef {import("./scene.js").TasksScene} TasksScene */
/** @typedef {import("../../contract/contract").MomentProbe} MomentProbe */

/** In lags: how long the sampling is shown, and when all probes have landed. */
const DRAWN = 0.9;
export const LANDED = 1.9;
/** How often the frames jump during sampling. */
const HOPS = 9;

/** @param {TasksScene} scene @param {number} now  the number of lags since the job arrived */
function since({ focus, track }, now) {
  const unit = track?.unit_ns ?? 1;
  return (now * unit - (focus?.since_ns ?? 0)) / (focus?.lag_ns || 1);
}

/**
 * Return the probes' stage: "draw", "fly" or "wait"; "" if the moment is not about probes.
 * @param {TasksScene} scene
 */
export function raceStage(scene, /** @type {number} */ now) {
  if (!scene.focus?.probes || !scene.track) return "";
  const share = since(scene, now);
  return share < DRAWN ? "draw" : share < LANDED ? "fly" : "wait";
}

/** Return true for tasks of the moment's job. @param {TasksScene} scene @param {number} row */
const ofJob = ({ track, focusRow }, row) => track !== null && focusRow >= 0 && track.job[row] === track.job[focusRow];

/**
 * Place the probes at the turn of the moment's task. Probes of the job's other tasks are not drawn separately.
 *
 * @param {TasksScene} scene
 * @param {number} row
 * @param {number} now
 */
export function putProbes(scene, row, now) {
  const { focus, shown, track, cells, plan } = scene;
  if (!focus?.probes || !track || !plan || !ofJob(scene, row)) return;
  shown.probe = GONE;
  if (row !== scene.focusRow) return;
  scene.race = [];
  const share = since(scene, now);
  if (share < DRAWN) return;
  for (const one of focus.probes) {
    if (Number.isNaN(plan.x[one.machine])) continue;
    if (share < LANDED) {
      scene.flyTo(row, one.machine, (share - DRAWN) / (LANDED - DRAWN));
      continue;
    }
    const over = one.until_ns >= 0 && now * track.unit_ns >= one.until_ns;
    if (over) continue;
    scene.race.push({ one, at: cells.queuePlace(scene, one.machine, cells.waitingAt(one.machine)) });
    cells.queue(one.machine, row, true);
  }
}

/** Return true if the last task has started, so that no probe gets one anymore. */
const isOver = (/** @type {TasksScene} */ { focus, track }, /** @type {number} */ now) =>
  now * (track?.unit_ns ?? 1) >= (focus?.t_ns ?? 0);

/**
 * Draw lines from the task to the probes, a ring around each, and frames around their machines.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {TasksScene} scene
 * @param {number} now
 * @param {(at: [number, number]) => void} ring
 */
export function drawRace(pen, scene, now, ring) {
  const { focus, focusAt, inks, track } = scene;
  if (!focus?.probes || !track) return;
  const stage = raceStage(scene, now);
  if (stage === "draw") {
    focus.probes.forEach((one, place) => drawHop(pen, scene, one, place, since(scene, now) / DRAWN));
    return;
  }
  const over = isOver(scene, now);
  for (const { one, at } of scene.race) {
    const lost = over && one.task < 0;
    if (focusAt && !over) line(pen, scene, focusAt, at, inks.ink, { alpha: 0.7, dash: [2, 4], wide: 2 });
    if (lost) cross(pen, scene, at);
    else ring(at);
  }
  for (const one of focus.probes) around(pen, scene, one, { now, over });
}

/**
 * Draw a frame that jumps between machines until it stops at the sampled one.
 * @param {Pen} pen
 * @param {TasksScene} scene
 * @param {MomentProbe} one
 * @param {number} place
 * @param {number} share
 */
function drawHop(pen, scene, one, place, share) {
  const { plan, inks, focus } = scene;
  if (!plan || !focus) return;
  const at = Math.min(HOPS, Math.floor(share * (HOPS + 1)));
  const any = plan.ids[(focus.task * 31 + place * 977 + at * 7919 + at * at * 104_729) % plan.count];
  box(pen, scene, at >= HOPS ? one.machine : any, inks.ink, { alpha: 1, dash: [4, 3] });
}

/**
 * Draw the frame around a machine with a probe, and the probe's outcome.
 * @param {Pen} pen
 * @param {TasksScene} scene
 * @param {MomentProbe} one
 * @param {{now: number, over: boolean}} options
 */
function around(pen, scene, one, { now, over }) {
  const { inks, track } = scene;
  if (!track) return;
  const won = one.task >= 0 && now * track.unit_ns >= one.until_ns;
  const number = whole(one.machine);
  box(pen, scene, one.machine, inks.ink, { alpha: over && !won ? 0.5 : 1, dash: won ? [] : [5, 4] });
  if (won) tagIn(pen, scene, one.machine, [gettext("task {task}", { task: whole(one.task) }), "✓"], inks.ink);
  else if (over) tagIn(pen, scene, one.machine, [gettext("no task"), "✕"], inks.muted);
  else tagIn(pen, scene, one.machine, [gettext("no. {number}", { number }), number], inks.ink);
}

/**
 * @param {Pen} pen
 * @param {Pick<TasksScene, "plan">} scene
 * @param {number} machine
 * @param {string} colour
 * @param {{alpha: number, dash: number[]}} options
 */
function box(pen, { plan }, machine, colour, { alpha, dash }) {
  if (!plan || Number.isNaN(plan.x[machine])) return;
  const { scale } = plan;
  const out = 3 * scale;
  faint(pen, alpha, () => {
    pen.strokeStyle = colour;
    pen.lineWidth = 3 * scale;
    pen.setLineDash(dash.map((each) => each * scale));
    pen.strokeRect(plan.x[machine] - out, plan.y[machine] - out, plan.wide + 2 * out, plan.high + 2 * out);
    pen.setLineDash([]);
  });
}

/**
 * Cross out a probe that gets no task.
 * @param {Pen} pen
 * @param {TasksScene} scene
 * @param {Point} options
 */
function cross(pen, scene, [x, y]) {
  const half = 7 * scaleOf(scene);
  for (const side of [-1, 1])
    line(pen, scene, [x - half, y - side * half], [x + half, y + side * half], scene.inks.ink, { wide: 2.5 });
}

/** Describe what happens in a sentence. @param {TasksScene} scene @param {number} now */
export function raceWords(scene, now) {
  const { focus, track, focusRow } = scene;
  if (!focus?.probes || !track || focusRow < 0) return "";
  const job = whole(track.job[focusRow]);
  const machines = focus.probes.map((one) => whole(one.machine)).join(", ");
  const values = { job, n: whole(focus.probes.length), machines, tasks: whole(tasksOf(focus.probes)) };
  const stage = raceStage(scene, now);
  if (stage === "draw") return gettext("Slow motion: job {job} draws {n} machines at random.", values);
  if (stage === "fly") return gettext("Slow motion: a probe goes to each of the machines {machines}.", values);
  const won = focus.probes.filter((one) => one.task >= 0 && now * track.unit_ns >= one.until_ns);
  if (isOver(scene, now))
    return gettext("All tasks of job {job} have a machine: its probes that still wait get no task.", values);
  const last = won.sort((a, b) => a.until_ns - b.until_ns).at(-1);
  if (last)
    return gettext("Machine {machine} came to a probe of job {job} and got task {task}. The other probes wait.", {
      ...values,
      machine: whole(last.machine),
      task: whole(last.task),
    });
  return gettext("The {n} probes of job {job} wait in {n} queues. The first free machine gets a task.", values);
}

const tasksOf = (/** @type {MomentProbe[]} */ probes) => probes.filter((one) => one.task >= 0).length;
