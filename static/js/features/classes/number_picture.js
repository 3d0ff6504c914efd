/** A run's metric over simulated time, together with the class's answers. */

import { svg } from "../../kit/dom.js";
import { timeTicks } from "../../kit/time_axis.js";
import { gettext } from "../../kit/words.js";
import { axisText, BOX, levelsOf, yOf } from "./axes.js";
import { endOf, lineUntil } from "./growth.js";
import { placeOf, valueAt } from "./scale.js";

/**
 * @import { AskedQuestion, QuestionGrowth, QuestionResult } from "../../contract/contract"
 */

/** @typedef {AskedQuestion & {result: QuestionResult & {growth: QuestionGrowth}}} Grown */

/** The width of the counts of answers to the right of the run. */
const COUNTS_WIDE = 56;
const RIGHT = BOX.right - COUNTS_WIDE - 8;

const xOf = (/** @type {number} */ t_s, /** @type {number} */ end) => BOX.left + (t_s / end) * (RIGHT - BOX.left);

/** Return ticks of simulated time, and the axis's name. */
function timeAxis(/** @type {number} */ end) {
  const ticks = timeTicks(0, end * 1e9, 4).map(({ ns, label }) => axisText(xOf(ns / 1e9, end), BOX.bottom + 18, label));
  return [...ticks, axisText((BOX.left + RIGHT) / 2, BOX.height - 6, gettext("Simulated time"))];
}

/**
 * Return the parts of the picture. `asked` has the scale on which students answered, `question` one that includes the
 * answer.
 * @param {{asked: AskedQuestion, question: Grown, own: number | null, t_s: number | null}} told
 */
export function numberParts({ asked, question, own, t_s }) {
  const { growth, band, counts } = question.result;
  const end = endOf(growth);
  const y = (/** @type {number} */ value) => yOf(placeOf(question, value));
  const across = (/** @type {number} */ value, /** @type {string} */ name) =>
    svg("line", { class: name, x1: BOX.left, x2: RIGHT, y1: y(value), y2: y(value) });
  const area = (/** @type {string} */ name, /** @type {number} */ low, /** @type {number} */ high) =>
    svg("rect", { class: name, x: BOX.left, width: RIGHT - BOX.left, y: y(high), height: y(low) - y(high) });
  const given = band.length
    ? [
        area("class-band", band[0][0], band[4][0]),
        area("class-band", band[1][0], band[3][0]),
        across(band[2][0], "class-line"),
      ]
    : [];
  const spots = lineUntil(growth, t_s ?? end).map(([time, value]) => `${xOf(time, end)},${y(value)}`);
  const run = svg("path", { class: "run-line", d: spots.length ? `M${spots.join("L")}` : "" });
  const [headX, headY] = spots.at(-1)?.split(",") ?? [];
  const head = headX && svg("circle", { class: "run-head", cx: headX, cy: headY, r: 5 });
  const mine = own === null ? null : across(own, "own-line");
  const [ends] = t_s === null ? question.result.intervals : [];
  const noise = ends && ends[0] !== ends[1] ? area("noise-band", ends[0], ends[1]) : null;
  return [levelsOf(question, BOX.right), timeAxis(end), noise, given, barsBeside(asked, counts, y), mine, run, head];
}

/**
 * Return how many students chose each equal part of the scale, as bars from the right.
 * @param {AskedQuestion} asked
 * @param {number[]} counts
 * @param {(value: number) => number} y
 */
function barsBeside(asked, counts, y) {
  const most = Math.max(1, ...counts);
  return counts.map((count, at) => {
    const [foot, top] = [at, at + 1].map((edge) => y(valueAt(asked, edge / counts.length)));
    const width = (count / most) * COUNTS_WIDE;
    const height = Math.max(1, foot - top - 1);
    return svg("rect", { class: "answer-bar", x: BOX.right - width, y: top, width, height });
  });
}
