/** The axes of a drawn curve and of the class's answers, in the picture's units. */

import { svg } from "../../kit/dom.js";
import { withUnit } from "../../kit/format.js";
import { measureName } from "../../kit/words.js";
import { placeOf, scaleWords, ticksOf } from "./scale.js";

/** @import { AskedQuestion } from "../../contract/contract" */

export const BOX = { width: 360, height: 260, left: 58, right: 348, top: 28, bottom: 216 };
/** The server ends the name of a parameter in seconds with its unit. */
const SECONDS = / \(s\)$/;

/**
 * Return the x of a place on the axis; places are evenly spaced.
 * @param {number} at
 * @param {number} count
 */
export function xOf(at, count) {
  return BOX.left + (count > 1 ? (at / (count - 1)) * (BOX.right - BOX.left) : 0);
}

/** Return the y of a height from 0 to 1. */
export function yOf(/** @type {number} */ height) {
  return BOX.bottom - height * (BOX.bottom - BOX.top);
}

/**
 * Return a text at a position of the picture.
 * @param {number} x
 * @param {number} y
 * @param {string} words
 */
export function axisText(x, y, words, anchor = "middle") {
  return svg("text", { x, y, "text-anchor": anchor, class: "axis-text" }, words);
}

/** Return the name of a curve's parameter, without its unit. */
export function axisName(/** @type {{axis: string}} */ { axis }) {
  return axis.replace(SECONDS, "");
}

/** Return a value of a curve's parameter, with its unit. */
export function placeWords(/** @type {{axis: string}} */ { axis }, /** @type {number} */ place) {
  return withUnit(place, SECONDS.test(axis) ? "s" : "");
}

/** Return horizontal lines with their values, and the name of the metric above them. */
export function levelsOf(/** @type {AskedQuestion} */ question, right = BOX.right) {
  const lines = ticksOf(question, (value) => scaleWords(question, value)).map(({ place, words }) => {
    const y = yOf(place);
    return [
      svg("line", { x1: BOX.left, x2: right, y1: y, y2: y, class: "axis-line" }),
      axisText(BOX.left - 6, y + 4, words, "end"),
    ];
  });
  return svg("g", { "aria-hidden": "true" }, axisText(4, 14, measureName(question.measure), "start"), lines);
}

/**
 * Return lines and ticks of a curve question.
 * @param {import("../../contract/contract").AskedQuestion} question
 */
export function axesOf(question) {
  const { at } = question;
  const places = at.map((place, i) => axisText(xOf(i, at.length), BOX.bottom + 18, placeWords(question, place)));
  const name = axisText((BOX.left + BOX.right) / 2, BOX.height - 6, axisName(question));
  return svg("g", { "aria-hidden": "true" }, levelsOf(question), places, name);
}

/** Return the axis of a histogram: ticks along the scale of numbers. */
export function scaleAxis(/** @type {AskedQuestion} */ question) {
  const along = (/** @type {number} */ value) => BOX.left + placeOf(question, value) * (BOX.right - BOX.left);
  const ticks = ticksOf(question, (value) => scaleWords(question, value)).map(({ value, words }) =>
    axisText(along(value), BOX.bottom + 18, words),
  );
  const line = svg("line", { x1: BOX.left, x2: BOX.right, y1: BOX.bottom, y2: BOX.bottom, class: "axis-line" });
  return { along, element: svg("g", { "aria-hidden": "true" }, line, ticks) };
}
