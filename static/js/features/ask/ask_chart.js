/** A chart of all values that a search tried, with their intervals and the promise's bound. */

import { ticks } from "../../kit/scales.js";
import { timeTicks } from "../../kit/time_axis.js";
import { svgView } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { lowOf, measureOf, measuredWords, valueWords } from "./ask_plan.js";

/** @import { Found } from "./ask_plan.js" */

const [WIDTH, HEIGHT] = [640, 240];
const ANCHORS = ["start", "middle", "end"];
const BOX = { left: 104, right: 628, top: 12, bottom: 204 };

/** Return the bound of a promise in its canonical form. */
export const boundOf = (/** @type {string} */ promise) => Number(promise.split(" ").pop());

/**
 * Return the values of the vertical axis from 0 to `most`: of times, round numbers of the unit that is shown.
 * @param {string} measure
 * @param {number} most
 */
function levelsOf(measure, most) {
  if (measureOf(measure).unit !== "s")
    return ticks(most, 4).map((value) => ({ value, text: measuredWords(measure, value) }));
  return timeTicks(0, most * 1e9, 4).map(({ ns, label }) => ({
    value: ns / 1e9,
    text: ns ? label : measuredWords(measure, 0),
  }));
}

/**
 * Return the chart's geometry; pure, for tests. Null if fewer than two values have a number.
 * @param {Found} found
 */
export function chartOf(found) {
  const points = found.tried.filter((one) => typeof one.value === "number" && one.measured !== null);
  if (points.length < 2 || found.question === "knob") return null;
  const bound = boundOf(found.promise);
  const values = points.map((one) => /** @type {number} */ (one.value));
  const [first, last] = [Math.min(...values), Math.max(...values)];
  const most = Math.max(bound, ...points.map((one) => Number(one.measured))) * 1.08 || 1;
  const x = (/** @type {number} */ value) =>
    BOX.left + ((value - first) / (last - first || 1)) * (BOX.right - BOX.left);
  const y = (/** @type {number} */ value) =>
    BOX.bottom - (Math.min(Math.max(value, 0), most) / most) * (BOX.bottom - BOX.top);
  return {
    bound: y(bound),
    levels: levelsOf(found.measure, most).map(({ value, text }) => ({ y: y(value), text })),
    places: [first, (first + last) / 2, last].map((value) => ({
      x: x(value),
      text: valueWords(found, found.question === "load" || found.question === "failure" ? value : Math.round(value)),
    })),
    answer: typeof found.answer === "number" ? x(found.answer) : null,
    points: points.map((one) => ({
      x: x(/** @type {number} */ (one.value)),
      y: y(Number(one.measured)),
      low: y(lowOf(one) ?? Number(one.measured)),
      high: y(one.high ?? Number(one.measured)),
      kept: one.kept,
    })),
  };
}

/** @param {Found} found */
export function chartView(found) {
  const chart = chartOf(found);
  if (!chart) return null;
  const label = gettext("Every value that was tried, with its 95 % interval, and the bound of the promise");
  const { left, right, top, bottom } = BOX;
  const middle = chart.answer;
  return svgView`<svg class="ask-chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${label}>
    ${chart.levels.map(
      (one) => svgView`<line class="ask-grid" x1=${left} x2=${right} y1=${one.y} y2=${one.y}></line>
        <text class="ask-text" x=${left - 8} y=${one.y + 4} text-anchor="end">${one.text}</text>`,
    )}
    ${chart.places.map(
      ({ x, text }, place) =>
        svgView`<text class="ask-text" x=${x} y=${bottom + 20} text-anchor=${ANCHORS[place]}>${text}</text>`,
    )}
    ${middle && svgView`<line class="ask-answer" x1=${middle} x2=${middle} y1=${top} y2=${bottom}></line>`}
    <line class="ask-bound" x1=${left} x2=${right} y1=${chart.bound} y2=${chart.bound}></line>
    ${chart.points.map(
      (one) => svgView`<line class="ask-interval" x1=${one.x} x2=${one.x} y1=${one.low} y2=${one.high}></line>
        <circle class=${one.kept ? "ask-kept" : "ask-broken"} cx=${one.x} cy=${one.y} r="4"></circle>`,
    )}
  </svg>`;
}
