/** The axes under a drawn curve and under the class's answers, in units of the picture. */

import { svg } from "../../kit/dom.js";
import { three } from "../../kit/format.js";
import { tickValues, placeOf, valueWords } from "./scale.js";

export const BOX = { width: 360, height: 260, left: 58, right: 348, top: 14, bottom: 216 };

/** Where a place of the axis stands: all are equally far apart. */
export function xOf(at, count) {
  return BOX.left + (count > 1 ? (at / (count - 1)) * (BOX.right - BOX.left) : 0);
}

/** Where a height from 0 to 1 stands. */
export function yOf(height) {
  return BOX.bottom - height * (BOX.bottom - BOX.top);
}

function text(x, y, words, anchor = "middle") {
  return svg("text", { x, y, "text-anchor": anchor, class: "axis-text" }, words);
}

/**
 * Lines and ticks of a question about a curve.
 * @param {import("../../types/contract").AskedQuestion} question
 */
export function axesOf(question) {
  const { at, axis, unit } = question;
  const parts = tickValues(question).flatMap((value) => {
    const y = yOf(placeOf(question, value));
    return [
      svg("line", { x1: BOX.left, x2: BOX.right, y1: y, y2: y, class: "axis-line" }),
      text(BOX.left - 6, y + 4, valueWords(value, unit), "end"),
    ];
  });
  for (const [i, place] of at.entries()) parts.push(text(xOf(i, at.length), BOX.bottom + 18, three(place)));
  parts.push(text((BOX.left + BOX.right) / 2, BOX.height - 6, axis));
  return svg("g", { "aria-hidden": "true" }, parts);
}

/** The axis under a histogram: ticks along the scale of numbers. */
export function scaleAxis(question) {
  const along = (value) => BOX.left + placeOf(question, value) * (BOX.right - BOX.left);
  const ticks = tickValues(question).map((value) =>
    text(along(value), BOX.bottom + 18, valueWords(value, question.unit)),
  );
  const line = svg("line", { x1: BOX.left, x2: BOX.right, y1: BOX.bottom, y2: BOX.bottom, class: "axis-line" });
  return { along, element: svg("g", { "aria-hidden": "true" }, line, ticks) };
}
