/** How a keeper decides: filter, score and choice for one task, or a round for all that wait. */

import { decisionAbout, decisionAt, firstMachine, lastsFor, roomFor, roundOf, takenAt } from "../decisions.js";
import { placeOn } from "../shelves.js";
import { priced, scored } from "./scored.js";
import { FLIGHT, SHELF } from "../showing.js";
import { between, dot, faint, frame, line } from "./pens.js";
import { percent } from "../../../kit/format.js";
import { FONT } from "../../../kit/type.js";

/** @typedef {import("../scene.js").TasksScene} TasksScene */
/** @typedef {{lag: number, still: boolean}} How */

/** How many lags one decision has. */
const SPAN = 9;
/** How many lags one has whose scores or prices are there to read. */
const COMPARED = 14;
const FILTERED = 0.35;
const SCORED = 0.65;
/** The machine is chosen, and the task leaves. */
const CHOSEN = 0.8;
const MOST_EDGES = 120;
/** Kinds of moments that are about a choice. */
const CHOICES = ["wait", "decision"];
/** Cells so wide, in CSS pixels, say how much room they have left. */
const LEAST_TOLD = 40;

/**
 * The decision to show: about the task that one looks at, else one of all.
 * @param {TasksScene} options
 * @param {number} now
 * @param {number} lag
 */
function shownOf({ leaving, focus, focusRow }, now, lag) {
  if (!leaving) return null;
  if (focusRow < 0) return decisionAt(leaving, now, SPAN * lag);
  if (focus?.sort !== undefined && !CHOICES.includes(focus.sort)) return null;
  return decisionAbout(leaving, focusRow, now, SPAN * lag);
}

/**
 * The instant at which a moment's choice between machines was made, while that is drawn: until it is over the others
 * stay as they were, so that machines look as full as their scores say. Null at other times.
 *
 * @param {TasksScene} scene @param {number} now @param {number} lag
 */
export function heldSince({ track, focus }, now, lag) {
  if (focus?.sort !== "decision" || !(lag > 0)) return null;
  return track?.choices?.about(focus.task, now, COMPARED * lag)?.at ?? null;
}

/**
 * A task that a moment is about stands in its queue until the drawn choice between machines is made, then flies: late,
 * as all movements.
 *
 * @param {TasksScene} scene @param {number} row @param {number} now @param {number} lag
 */
export function holdUntilChosen(scene, row, now, lag) {
  const { track, focus, shown } = scene;
  if (track?.work.decision !== "choose" || !CHOICES.includes(focus?.sort ?? "")) return;
  if (now < track.leaves[row] || shown.machine !== firstMachine(track, row)) return;
  const span = track.choices?.task.includes(focus?.task ?? -1) ? COMPARED : SPAN;
  const since = now - track.leaves[row] - CHOSEN * lastsFor(span * lag);
  if (since < 0) shown.where = SHELF;
  else if (since < lag) {
    shown.where = FLIGHT;
    shown.share = since / lag;
  }
}

/**
 * A wave greys out the machines without room; the others get warmer with the room that they have left; one is chosen.
 *
 * @param {CanvasRenderingContext2D} pen @param {TasksScene} scene @param {number} now @param {How} how
 */
export function choose(pen, scene, now, { lag, still }) {
  const { plan, track, slots, inks, focus } = scene;
  if (focus?.sort !== undefined && !CHOICES.includes(focus.sort)) return;
  if (scored(pen, scene, { now, span: COMPARED * lag, still })) return;
  const decision = shownOf(scene, now, lag);
  if (!decision || !plan || !track || !slots) return;
  const share = still ? SCORED : decision.share;
  const size = slots.size[decision.row] || 1;
  if (scene.considered?.row !== decision.row)
    scene.considered = { row: decision.row, taken: takenAt(track, slots.size, decision.at, decision.row) };
  const { taken } = scene.considered;
  const chosen = firstMachine(track, decision.row);
  const front = plan.machines.x + plan.machines.width * Math.min(1, share / FILTERED);
  const heat = Math.min(1, Math.max(0, (share - FILTERED) / (SCORED - FILTERED))) * (1 - Math.max(0, share - 0.8) * 5);
  const fade = 1 - Math.max(0, share - 0.8) * 5;
  for (let place = 0; place < plan.count; place += 1) {
    const machine = plan.ids[place];
    const [x, y] = [plan.x[machine], plan.y[machine]];
    if (x > front) continue;
    const room = roomFor(taken.get(machine), size);
    if (room < 0 && machine !== chosen) pen.fillStyle = inks.ground;
    else pen.fillStyle = inks.heat;
    faint(
      pen,
      room < 0 && machine !== chosen ? 0.72 * fade : 0.15 * heat + 0.5 * heat * (Math.max(0, room) / 255),
      () => pen.fillRect(x, y, plan.wide, plan.high),
    );
    if (plan.wide >= LEAST_TOLD * plan.scale)
      compared(pen, scene, machine, room < 0 && machine !== chosen ? -1 : room, { heat, fade });
  }
  scene.drew.add("choice");
  line(pen, scene, [front, plan.machines.y], [front, plan.machines.y + plan.machines.height], inks.muted, {
    alpha: share < FILTERED && !still ? 0.8 : 0,
  });
  if (share >= SCORED) {
    const from = placeOn(scene.shelfOf(decision.row), 0, plan.scale);
    const to = scene.middleOf(chosen);
    if (Number.isNaN(to[0])) return;
    line(pen, scene, from, to, inks.ink, { alpha: 0.8 * fade });
    frame(pen, scene, chosen, inks.ink, fade, 3);
  }
}

/**
 * In large cells each machine says why: a cross if the task does not fit, else the room that would be left.
 *
 * @param {CanvasRenderingContext2D} pen @param {TasksScene} scene @param {number} machine @param {number} room
 */
function compared(pen, scene, machine, room, /** @type {{heat: number, fade: number}} */ { heat, fade }) {
  const { plan, inks } = scene;
  if (!plan) return;
  const { scale } = plan;
  const [x, y] = scene.middleOf(machine);
  pen.textAlign = "center";
  pen.fillStyle = inks.ink;
  if (room < 0) {
    pen.font = `600 ${16 * scale}px ${FONT}`;
    faint(pen, fade, () => pen.fillText("✕", x, y + 6 * scale));
  } else if (heat > 0) {
    pen.font = `600 ${14 * scale}px ${FONT}`;
    faint(pen, heat, () => pen.fillText(percent(Math.round(room / 2.55) / 100), x, y + 5 * scale));
  }
  pen.textAlign = "left";
}

/**
 * A round of a solver: the way of one task first, then one pulse over the ways of all tasks of that round.
 *
 * @param {CanvasRenderingContext2D} pen @param {TasksScene} scene @param {number} now @param {How} how
 */
export function round(pen, scene, now, { lag, still }) {
  const { plan, track, leaving, inks } = scene;
  if (priced(pen, scene, { now, span: COMPARED * lag, still })) return;
  const decision = shownOf(scene, now, lag);
  if (!decision || !plan || !track || !leaving) return;
  const share = still ? 0.6 : decision.share;
  scene.drew.add("round");
  const rows = roundOf(leaving, decision).slice(0, MOST_EDGES);
  rows.forEach((row, place) => {
    if (place && share < FILTERED) return;
    const from = placeOn(scene.shelfOf(row), 0, plan.scale);
    const to = scene.middleOf(track.machine[row]);
    if (Number.isNaN(to[0])) return;
    const hue = inks.strong[scene.hue?.index(row) ?? 0];
    const since = place ? (share - FILTERED) / (1 - FILTERED) : share;
    const alpha = 1 - since * since;
    line(pen, scene, from, to, place ? hue : inks.ink, { alpha: (place ? 0.5 : 0.9) * alpha, wide: place ? 1.5 : 2.5 });
    faint(pen, alpha, () => dot(pen, scene, between(from, to, Math.min(1, since * 2)), hue, place ? 3 : 5));
    if (!place) frame(pen, scene, track.machine[row], inks.ink, alpha, 3);
  });
}
