/** A decision about one task: machines without room drop out, the others show a score or price, the best is framed. */

import { decimals, whole } from "../../../kit/format.js";
import { gettext } from "../../../kit/words.js";
import { FONT } from "../../../kit/type.js";
import { placeOn } from "../shelves.js";
import { faint, frame, line, scaleOf } from "./pens.js";
import { pricesAt } from "../prices.js";
import { tellChoice, tellParts } from "../../../run/choices.js";

/** @import { Pen } from "../../scenes/scene.js" */

/** @typedef {import("../scene.js").TasksScene} TasksScene */
/**
 * @typedef {{task: number, machine: number, share: number, words: string, of: (machine: number) => {texts: string[],
 *   warm: number, full?: boolean} | null}} Compared  `of` returns null for a machine that the task cannot have; `texts`
 *   says the same in fewer and fewer characters; `warm` is 1 for the best
 */

const FILTERED = 0.25;
const SCORED = 0.5;
const FADES = 0.85;
/** Cells at least this large, in CSS pixels, contain a number. */
const LEAST_WIDE = 26;
const LEAST_HIGH = 18;

/**
 * Draw the recorded scores of the decision at the instant; return false if the caller should draw another picture.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {TasksScene} scene
 * @param {{now: number, span: number, still: boolean}} how
 */
export function scored(pen, scene, { now, span, still }) {
  const choices = scene.track?.choices;
  if (!choices) return false;
  const shown = scene.focus ? choices.about(scene.focus.task, now, span) : choices.shownAt(now, span);
  if (!shown) return !scene.focus;
  const { best, least } = choices.summary(shown.place);
  const of = (/** @type {number} */ machine) => {
    const score = choices.score(shown.place, machine);
    return score === null
      ? null
      : { texts: [decimals(score), whole(Math.round(score))], warm: (score - least) / Math.max(1, best - least) };
  };
  // The tooltip of a machine explains its score from this choice.
  scene.choice.place = shown.place;
  const parts = tellParts(choices, shown.place, shown.machine);
  // A moment's card already describes the choice, so only the parts of the score appear below the map.
  const words = scene.focus ? parts : `${tellChoice(choices, shown.place)} ${parts}`;
  compared(pen, scene, { ...shown, words, of }, still);
  return true;
}

/**
 * Draw a solver's round about one task with known prices; return true if it is drawn.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {TasksScene} scene
 * @param {{now: number, span: number, still: boolean}} how
 */
export function priced(pen, scene, { now, span, still }) {
  const { track } = scene;
  if (!scene.prices.length || !track) return false;
  const prices = pricesAt(scene.prices, now * track.unit_ns, scene.focus?.task);
  if (!prices) return false;
  const share = (now - prices.t_ns / track.unit_ns) / span;
  if (share < 0 || share > 1) return false;
  compared(pen, scene, { ...prices, share }, still);
  return true;
}

/**
 * Draw the comparison: a wave grays out the machines without room, the others get warmer the better they are, and the
 * best gets the task.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {TasksScene} scene
 * @param {Compared} one
 * @param {boolean} still
 */
function compared(pen, scene, one, still) {
  const { plan, inks } = scene;
  if (!plan) return;
  scene.drew.add("choice");
  const share = still ? SCORED : one.share;
  const fade = Math.min(1, (1 - share) / (1 - FADES));
  const front = plan.machines.x + plan.machines.width * Math.min(1, share / FILTERED);
  const heat = Math.min(1, Math.max(0, (share - FILTERED) / (SCORED - FILTERED)));
  for (let place = 0; place < plan.count; place += 1) {
    const machine = plan.ids[place];
    const [x, y] = [plan.x[machine], plan.y[machine]];
    if (x > front) continue;
    const worth = one.of(machine);
    const free = worth && !worth.full;
    pen.fillStyle = free ? inks.heat : inks.ground;
    faint(pen, free ? (0.15 + 0.5 * worth.warm) * heat * fade : 0.78 * fade, () =>
      pen.fillRect(x, y, plan.wide, plan.high),
    );
    if (heat > 0.5) number(pen, scene, machine, worth?.texts ?? [gettext("full")], fade);
  }
  line(pen, scene, [front, plan.machines.y], [front, plan.machines.y + plan.machines.height], inks.muted, {
    alpha: share < FILTERED && !still ? 0.8 : 0,
  });
  chosen(pen, scene, one, share, fade);
  scene.choice.said = one.words;
}

/**
 * Write the first text that fits in the middle of a cell if the cell is large enough.
 * @param {Pen} pen
 * @param {TasksScene} scene
 * @param {number} machine
 * @param {string[]} texts
 * @param {number} fade
 */
function number(pen, scene, machine, texts, fade) {
  const { plan, inks } = scene;
  const scale = scaleOf(scene);
  if (!plan || plan.wide < LEAST_WIDE * scale || plan.high < LEAST_HIGH * scale) return;
  const [x, middle] = scene.middleOf(machine);
  const y = besideRing(scene, machine, middle);
  faint(pen, fade, () => {
    pen.fillStyle = inks.surface;
    pen.font = `600 ${14 * scale}px ${FONT}`;
    const text = texts.find((each) => pen.measureText(each).width < plan.wide) ?? texts[texts.length - 1];
    const wide = pen.measureText(text).width + 4 * scale;
    pen.fillRect(x - wide / 2, y - 9 * scale, wide, 18 * scale);
    pen.fillStyle = inks.ink;
    pen.textAlign = "center";
    pen.fillText(text, x, y + 5 * scale);
    pen.textAlign = "left";
  });
}

/**
 * Return where a cell's number stands: in its middle, or above or below the ring around the moment's task there.
 * @param {TasksScene} scene
 * @param {number} machine
 * @param {number} middle
 */
function besideRing(scene, machine, middle) {
  const { focusAt, focusMachine, focusWaits } = scene;
  const away = 22 * scaleOf(scene);
  if (focusMachine !== machine || focusWaits || !focusAt || Math.abs(focusAt[1] - middle) >= away) return middle;
  return focusAt[1] <= middle ? focusAt[1] + away : focusAt[1] - away;
}

/**
 * @param {Pen} pen
 * @param {TasksScene} scene
 * @param {{task: number, machine: number}} options
 * @param {number} share
 * @param {number} fade
 */
function chosen(pen, scene, { task, machine }, share, fade) {
  const { plan, track, inks } = scene;
  if (!plan || !track) return;
  const to = scene.middleOf(machine);
  const row = track.rowOf(task);
  if (share < SCORED || Number.isNaN(to[0]) || row < 0) return;
  const from = placeOn(scene.shelfOf(row), 0, plan.scale);
  line(pen, scene, from, [plan.x[machine], to[1]], inks.ink, { alpha: 0.8 * fade, wide: 2 });
  frame(pen, scene, machine, inks.ink, fade, 3);
}
