/** Lines over simulated time with axes, a cursor and a highlighted span. */

import { ticks } from "../../kit/scales.js";
import { AXIS_SIZE } from "../../kit/type.js";
import { area, clip, line, rect, text } from "./scene.js";
import { percent } from "../../kit/format.js";
import { timeTicks } from "../../kit/time_axis.js";

/** @import { Mark, Role } from "./scene.js" */

/**
 * @typedef {{length: number, count: number}} Bins  spans of time: their length in ns and their number
 * @typedef {{values: ArrayLike<number>, role: Role, fill?: Role | null, alpha?: number, width?: number,
 *   dash?: number[]}} LineSeries
 * @typedef {ReturnType<typeof linePlace>} LinePlace
 */

const LEFT = 52;
const BOTTOM = 24;
const TOP = 10;
const RIGHT = 14;

/**
 * Return the geometry of a chart of `bins`: {x(ns), y(value), time(x), bin(x), ...}. `most` is the top of its axis.
 * @param {Bins} bins
 * @param {number[]} span
 * @param {number} most
 * @param {number} width
 * @param {number} height
 */
export function linePlace(bins, span, most, width, height) {
  const [from, to] = span;
  const inner = Math.max(1, width - LEFT - RIGHT);
  return {
    left: LEFT,
    right: width - RIGHT,
    top: TOP,
    bottom: height - BOTTOM,
    inner,
    x: (/** @type {number} */ ns) => LEFT + ((ns - from) / (to - from)) * inner,
    y: (/** @type {number} */ value) => height - BOTTOM - (value / most) * (height - BOTTOM - TOP),
    time: (/** @type {number} */ x) => from + ((x - LEFT) / inner) * (to - from),
    bin(/** @type {number} */ x) {
      const at = Math.floor(this.time(x) / bins.length);
      return x < LEFT || x > width - RIGHT || at < 0 || at >= bins.count ? -1 : at;
    },
  };
}

/**
 * Return the chart's marks. `series`: [{values, role, width?, dash?, fill?}], painted in order; `cursor` is an instant
 * in ns or null, `over` a bin or null.
 * @param {Bins} bins
 * @param {LineSeries[]} series
 * @param {{span: number[], most: number, width: number, height: number, cursor: number, over?: number | null}} options
 */
export function lineScene(bins, series, { span, most, width, height, cursor, over = null }) {
  const place = linePlace(bins, span, most, width, height);
  /** @type {Mark[]} */
  const inside = series.flatMap((each) => seriesMarks(bins, each, span, place));
  if (over !== null)
    inside.push(
      rect(
        place.x(over * bins.length),
        place.top,
        Math.max(1, place.x(bins.length) - place.x(0)),
        place.bottom - place.top,
        "hover",
      ),
    );
  if (cursor >= span[0] && cursor <= span[1])
    inside.push(
      line(
        [
          [place.x(cursor), place.top],
          [place.x(cursor), place.bottom],
        ],
        "ink",
        { width: 1.5 },
      ),
    );
  const shown = clip(place.left, place.top - 2, place.inner, place.bottom - place.top + 2, inside);
  return [...axisMarks(span, most, place), shown];
}

/**
 * Return both axes: fractions on the left, times below.
 * @param {number[]} span
 * @param {number} most
 * @param {LinePlace} place
 */
function axisMarks(span, most, place) {
  const marks = [];
  for (const value of ticks(most, 5)) {
    const y = place.y(value);
    marks.push(
      line(
        [
          [place.left, y],
          [place.right, y],
        ],
        value ? "line" : "muted",
      ),
      text(place.left - 6, y + 4, percent(value), "muted", { anchor: "end", size: AXIS_SIZE }),
    );
  }
  for (const { ns, label } of timeTicks(span[0], span[1], Math.max(2, Math.floor(place.inner / 90)))) {
    const x = place.x(ns);
    marks.push(
      line(
        [
          [x, place.bottom],
          [x, place.bottom + 4],
        ],
        "muted",
      ),
      text(x, place.bottom + 17, label, "muted", { anchor: x > place.right - 16 ? "end" : "middle", size: AXIS_SIZE }),
    );
  }
  return marks;
}

/**
 * Return one series as steps, with a filled area below it if it has a fill.
 * @param {Bins} bins
 * @param {LineSeries} options
 * @param {number[]} span
 * @param {LinePlace} place
 */
function seriesMarks(bins, { values, role, fill, alpha = 0.3, width = 1.5, dash }, span, place) {
  const first = Math.max(0, Math.floor(span[0] / bins.length));
  const last = Math.min(bins.count - 1, Math.ceil(span[1] / bins.length));
  const points = [];
  for (let bin = first; bin <= last; bin += 1) {
    const y = place.y(values[bin]);
    points.push([place.x(bin * bins.length), y], [place.x((bin + 1) * bins.length), y]);
  }
  if (!points.length) return [];
  const below = [[points[0][0], place.bottom], ...points, [points[points.length - 1][0], place.bottom]];
  return [...(fill ? [area(below, fill, { alpha })] : []), line(points, role, { width, dash })];
}
