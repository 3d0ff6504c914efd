/** A decision about one task with recorded scores: machines drop out, the others show their score, the best is framed. */

import { whole } from "../../kit/format.js";
import { FONT } from "../../kit/type.js";
import { placeOn } from "../shelves.js";
import { faint, frame, line, scaleOf } from "./pens.js";
import { tellChoice } from "../choices.js";

/** @typedef {import("../scene.js").TasksScene} TasksScene */
/** @typedef {import("../choices.js").Shown} Shown */

const FILTERED = 0.25;
const SCORED = 0.5;
const FADES = 0.85;
/** Cells from this many CSS pixels on hold a number. */
const LEAST_WIDE = 26;
const LEAST_HIGH = 18;

/**
 * Draw the decision of the instant whose scores are recorded; return whether there is one, or will be another.
 *
 * @param {CanvasRenderingContext2D} pen @param {TasksScene} scene
 * @param {{now: number, span: number, still: boolean}} how
 */
export function scored(pen, scene, { now, span, still }) {
  const choices = scene.track?.choices;
  if (!choices) return false;
  const shown = scene.focus ? choices.about(scene.focus.task, now, span) : choices.shownAt(now, span);
  if (shown) draw(pen, scene, shown, still);
  return Boolean(shown) || !scene.focus;
}

/**
 * A wave greys out the machines without room, the others get warmer with their score, the best gets the task.
 *
 * @param {CanvasRenderingContext2D} pen @param {TasksScene} scene @param {Shown} shown @param {boolean} still
 */
function draw(pen, scene, shown, still) {
  const { plan, track, inks } = scene;
  const choices = track?.choices;
  if (!plan || !choices) return;
  const share = still ? SCORED : shown.share;
  const fade = Math.min(1, (1 - share) / (1 - FADES));
  const front = plan.machines.x + plan.machines.width * Math.min(1, share / FILTERED);
  const heat = Math.min(1, Math.max(0, (share - FILTERED) / (SCORED - FILTERED)));
  const { best, least } = choices.summary(shown.place);
  for (let place = 0; place < plan.count; place += 1) {
    const machine = plan.ids[place];
    const [x, y] = [plan.x[machine], plan.y[machine]];
    if (x > front) continue;
    const score = choices.score(shown.place, machine);
    const warm = score === null ? 0 : (score - least) / Math.max(1, best - least);
    pen.fillStyle = score === null ? inks.ground : inks.heat;
    faint(pen, score === null ? 0.78 * fade : (0.15 + 0.5 * warm) * heat * fade, () =>
      pen.fillRect(x, y, plan.wide, plan.high),
    );
    if (score !== null && heat > 0.5) number(pen, scene, machine, score, fade);
  }
  line(pen, scene, [front, plan.machines.y], [front, plan.machines.y + plan.machines.height], inks.muted, {
    alpha: share < FILTERED && !still ? 0.8 : 0,
  });
  chosen(pen, scene, shown, share, fade);
  caption(pen, scene, tellChoice(choices, shown.place), fade);
}

/** The score in the middle of a cell, where it is large enough. */
function number(pen, scene, machine, score, fade) {
  const { plan, inks } = scene;
  const scale = scaleOf(scene);
  if (plan.wide < LEAST_WIDE * scale || plan.high < LEAST_HIGH * scale) return;
  const [x, y] = scene.middleOf(machine);
  faint(pen, fade, () => {
    pen.fillStyle = inks.surface;
    pen.fillRect(x - 12 * scale, y - 9 * scale, 24 * scale, 18 * scale);
    pen.fillStyle = inks.ink;
    pen.font = `600 ${14 * scale}px ${FONT}`;
    pen.textAlign = "center";
    pen.fillText(whole(Math.round(score)), x, y + 5 * scale);
    pen.textAlign = "left";
  });
}

function chosen(pen, scene, { task, machine }, share, fade) {
  const { plan, track, inks } = scene;
  const to = scene.middleOf(machine);
  const row = track.rowOf(task);
  if (share < SCORED || Number.isNaN(to[0]) || row < 0) return;
  const from = placeOn(scene.shelfOf(row), 0, plan.scale);
  line(pen, scene, from, [plan.x[machine], to[1]], inks.ink, { alpha: 0.8 * fade, wide: 2 });
  frame(pen, scene, machine, inks.ink, fade, 3);
}

/** The decision in words at the foot of the map, broken to its width. */
function caption(pen, scene, words, fade) {
  const { plan, inks } = scene;
  const scale = scaleOf(scene);
  const { x, y, width, height } = plan.machines;
  pen.font = `${14 * scale}px ${FONT}`;
  const rows = [""];
  for (const word of words.split(" ")) {
    const longer = rows[rows.length - 1] ? `${rows[rows.length - 1]} ${word}` : word;
    if (pen.measureText(longer).width < width - 24 * scale) rows[rows.length - 1] = longer;
    else rows.push(word);
  }
  const high = (rows.length * 20 + 8) * scale;
  faint(pen, fade, () => {
    pen.fillStyle = inks.surface;
    pen.fillRect(x, y + height - high, width, high);
    pen.fillStyle = inks.ink;
    rows.forEach((row, at) => pen.fillText(row, x + 8 * scale, y + height - high + (at * 20 + 18) * scale));
  });
}
