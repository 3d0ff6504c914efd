/**
 * A heat map of a group of series: rows over time, darker for larger values, with a band while a switch is on. Pure;
 * see SeriesMap in the core.
 */

import { roundTop } from "../../kit/scales.js";
import { AXIS_SIZE } from "../../kit/type.js";
import { countUpTo } from "../../kit/search.js";
import { line, rect, text } from "./scene.js";

/** @import { Meta, SeriesMapMeta } from "../../contract/contract" */

/** @typedef {{t: number[], v: number[]}} Series  instants in ns, and values */
/** @typedef {{name: string, label: string}} HeatRow  a row and its series */

export const NAME_WIDTH = 84;
const BAND = 8;
const COLUMN = 3;
const LETTERS = 12; // the maximum length of a row's name

/**
 * Return the series of a map as [{name, label}], with the common prefix of labels removed.
 * @param {Meta} meta
 * @param {SeriesMapMeta} map
 */
export function heatRows(meta, map) {
  const common = `${map.label}: `;
  return meta.series
    .filter((each) => each.name.startsWith(map.prefix) && each.name !== map.switch)
    .map((each) => ({
      name: each.name,
      label: each.label.startsWith(common) ? each.label.slice(common.length) : each.label,
    }));
}

/**
 * Return the largest value so far, rounded up, and at least the threshold.
 * @param {HeatRow[]} rows
 * @param {Record<string, Series>} series
 * @param {SeriesMapMeta} map
 */
export function heatTop(rows, series, map) {
  let most = map.threshold;
  for (const row of rows) for (const value of series[row.name]?.v ?? []) if (value > most) most = value;
  return roundTop(most || 1);
}

/**
 * Return a series' value at an instant: its last point by then; null before the first point.
 * @param {Series | undefined} series
 * @param {number} t_ns
 */
export function valueAt(series, t_ns) {
  const place = series ? countUpTo(series.t, t_ns) - 1 : -1;
  return series && place >= 0 ? series.v[place] : null;
}

/**
 * Return the largest value of a series in an interval, including its value at the beginning.
 * @param {Series} series
 * @param {number} from_ns
 * @param {number} to_ns
 */
function mostIn(series, from_ns, to_ns) {
  let place = Math.max(0, countUpTo(series.t, from_ns) - 1);
  if (series.t.length === 0 || series.t[place] > to_ns) return null;
  let most = series.v[place];
  for (place += 1; place < series.t.length && series.t[place] <= to_ns; place += 1)
    if (series.v[place] > most) most = series.v[place];
  return most;
}

/** Return the intervals [from_ns, to_ns] in which a series is nonzero; the last one ends where the known data ends. */
export function onTimes(/** @type {Series | null | undefined} */ series) {
  /** @type {number[][]} */
  const found = [];
  if (!series) return found;
  for (let place = 0; place < series.t.length; place += 1) {
    if (!(series.v[place] > 0)) continue;
    const to = series.t[place + 1] ?? series.t[place];
    const before = found.at(-1);
    if (before && before[1] === series.t[place]) before[1] = to;
    else found.push([series.t[place], to]);
  }
  return found;
}

/**
 * Return the geometry: x of a time, the row at y (-1: none), the time at x.
 * @param {HeatRow[]} rows
 * @param {number} end_ns
 * @param {number} width
 * @param {number} height
 * @param {boolean} banded
 */
export function heatPlace(rows, end_ns, width, height, banded) {
  const left = Math.min(NAME_WIDTH, width / 3);
  const top = banded ? BAND + 3 : 0;
  const high = (height - top) / Math.max(1, rows.length);
  return {
    left,
    top,
    high,
    x: (/** @type {number} */ t_ns) => left + (t_ns / Math.max(1, end_ns)) * (width - left),
    time: (/** @type {number} */ x) => Math.min(1, Math.max(0, (x - left) / (width - left))) * end_ns,
    row: (/** @type {number} */ y) => (y < top ? -1 : Math.min(rows.length - 1, Math.floor((y - top) / high))),
  };
}

/**
 * Return the picture's marks. `known_ns`: the computed part of the run, `end_ns`: its expected end.
 * @param {HeatRow[]} rows
 * @param {Record<string, Series>} series
 * @param {SeriesMapMeta} map
 * @param {{width: number, height: number, end_ns: number, known_ns: number, cursor_ns: number, most: number}} options
 */
export function heatScene(rows, series, map, { width, height, end_ns, known_ns, cursor_ns, most }) {
  const band = map.switch ? series[map.switch] : null;
  const place = heatPlace(rows, end_ns, width, height, Boolean(map.switch));
  const marks = [];
  const right = place.x(Math.min(known_ns, end_ns));
  if (map.switch) marks.push(rect(place.left, 0, width - place.left, BAND, "hover"));
  for (const [from, to] of onTimes(band))
    marks.push(rect(place.x(from), 0, Math.max(1, place.x(to) - place.x(from)), BAND, "second"));
  rows.forEach((row, number) => {
    const y = place.top + number * place.high;
    marks.push(
      text(
        place.left - 6,
        y + place.high / 2 + 4,
        row.label.length > LETTERS ? `${row.label.slice(0, LETTERS - 1)}…` : row.label,
        "muted",
        { size: AXIS_SIZE, anchor: "end" },
      ),
    );
    marks.push(rect(place.left, y, width - place.left, place.high - 1, "hover"));
    const points = series[row.name];
    if (!points) return;
    for (let x = place.left; x < right; x += COLUMN) {
      const value = mostIn(points, place.time(x), place.time(x + COLUMN));
      if (!value) continue;
      marks.push(
        rect(x, y, Math.min(COLUMN, right - x), place.high - 1, [
          "level",
          Math.round(Math.min(1, value / most) * 32) / 32,
        ]),
      );
      if (map.threshold > 0 && value >= map.threshold)
        marks.push(rect(x, y + place.high - 3, Math.min(COLUMN, right - x), 2, "alarm"));
    }
  });
  marks.push(
    line(
      [
        [place.x(cursor_ns), 0],
        [place.x(cursor_ns), height],
      ],
      "ink",
      { width: 1.5 },
    ),
  );
  return marks;
}
