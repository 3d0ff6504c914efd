/** How a keeper decides: filter, score and choice for one task, or a round for all waiting tasks. */

import { decisionAbout, decisionAt, firstMachine, lastsFor, roomFor, roundOf, takenAt } from "../decisions.js";
import { placeOn } from "../shelves.js";
import { priced, scored } from "./scored.js";
import { FLIGHT, SHELF } from "../showing.js";
import { between, dot, faint, frame, line } from "./pens.js";
import { percent } from "../../../kit/format.js";
import { gettext } from "../../../kit/words.js";
import { FONT } from "../../../kit/type.js";

/** @typedef {import("../scene.js").TasksScene} TasksScene */
/** @typedef {{lag: number, still: boolean}} How */

/** The duration of one decision in lags. */
const SPAN = 9;
/** The duration in lags of a decision with scores or prices to read. */
const COMPARED = 14;
const FILTERED = 0.35;
const SCORED = 0.65;
/** The part of the span after which the machine is chosen and the task leaves. */
const CHOSEN = 0.8;
const MOST_EDGES = 120;
/** Kinds of moments about a choice. */
const CHOICES = ["wait", "decision", "data", "near"];
/** Cells at least this wide, in CSS pixels, show their remaining room. */
const LEAST_TOLD = 40;

/**
 * Return the decision to show: about the followed task, else one of all.
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
 * Return the instant of a moment's choice between machines while the choice is drawn, else null. Until it is over,
 * other tasks stay as they were, so that machines look as full as their scores say.
 *
 * @param {TasksScene} scene
 * @param {number} now
 * @param {number} lag
 */
export function heldSince({ track, focus }, now, lag) {
  if (focus?.sort !== "decision" || !(lag > 0)) return null;
  return track?.choices?.about(focus.task, now, COMPARED * lag)?.at ?? null;
}

/**
 * Hold a moment's task in its queue until the choice between machines has been drawn. It then moves, late like all
 * movements.
 *
 * @param {TasksScene} scene
 * @param {number} row
 * @param {number} now
 * @param {number} lag
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
 * Draw a choice: a wave grays out the machines without room; the others get warmer with their remaining room; one is
 * chosen.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {TasksScene} scene
 * @param {number} now
 * @param {How} how
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
 * Explain each machine in large cells: that it is full if the task does not fit, else the remaining room.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {TasksScene} scene
 * @param {number} machine
 * @param {number} room
 */
function compared(pen, scene, machine, room, /** @type {{heat: number, fade: number}} */ { heat, fade }) {
  const { plan, inks } = scene;
  if (!plan) return;
  const { scale } = plan;
  const [x, y] = scene.middleOf(machine);
  pen.textAlign = "center";
  pen.fillStyle = inks.ink;
  pen.font = `600 ${14 * scale}px ${FONT}`;
  const share = percent(Math.round(room / 2.55) / 100);
  const texts = room < 0 ? [gettext("full"), "✕"] : [gettext("{share} left", { share }), share];
  const text = texts.find((each) => pen.measureText(each).width < plan.wide) ?? texts[1];
  faint(pen, room < 0 ? fade : heat, () => pen.fillText(text, x, y + 5 * scale));
  pen.textAlign = "left";
}

/**
 * Draw a solver's round: the path of one task first, then a pulse over the paths of all tasks of the round.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {TasksScene} scene
 * @param {number} now
 * @param {How} how
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
