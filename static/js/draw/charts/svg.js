/** Charts as SVG text, drawn from the numbers on screen. No DOM, so that tests can run it. */

import { ticks } from "../../kit/scales.js";
import { bars, cdf, decades, placeLabels } from "../../kit/histogram.js";
import { axisSeconds, measured, percent, short } from "../../kit/format.js";
import { timeTicks } from "../../kit/time_axis.js";
import { PAPER } from "../../kit/palette.js";
import { AXIS_SIZE } from "../../kit/type.js";
import { gettext } from "../../kit/words.js";

/** @import { Bar, Histogram } from "../../kit/histogram.js" */

const { ink: INK, muted: MUTED, line: LINE, data: DATA, second: SECOND, ghost: GHOST } = PAPER;
/**
 * @typedef {{left: number, right: number, top: number, bottom: number}} Box
 * @typedef {{label: string, unit: string, t: ArrayLike<number>, v: ArrayLike<number> & Iterable<number>}} Line
 */

const FLOOR_NS = 1e3;
const MOST_POINTS = 2000;
const CHARACTER = 7; // a generous width at 12 px, because the reader's font is unknown

const escaped = (/** @type {string} */ text) =>
  String(text).replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
const n = (/** @type {number} */ value) => String(Math.round(value * 100) / 100);

/**
 * @param {number} x
 * @param {number} y
 * @param {string} words
 */
function text(x, y, words, { size = AXIS_SIZE, colour = MUTED, anchor = "start", weight = 400 } = {}) {
  return (
    `<text x="${n(x)}" y="${n(y)}" font-size="${size}" fill="${colour}" text-anchor="${anchor}" font-weight="` +
    `${weight}">${escaped(words)}</text>`
  );
}

const line = (
  /** @type {number} */ x1,
  /** @type {number} */ y1,
  /** @type {number} */ x2,
  /** @type {number} */ y2,
  colour = LINE,
  more = "",
) => `<line x1="${n(x1)}" y1="${n(y1)}" x2="${n(x2)}" y2="${n(y2)}" stroke="${colour}"${more}/>`;

function path(/** @type {number[][]} */ points, /** @type {string} */ colour, more = "") {
  return (
    `<path d="${points.map(([x, y], place) => `${place ? "L" : "M"}${n(x)} ${n(y)}`).join("")}" fill="none" ` +
    `stroke="${colour}" stroke-width="2"${more}/>`
  );
}

/**
 * @param {number} width
 * @param {number} height
 * @param {string} title
 * @param {string} subtitle
 * @param {string[]} parts
 */
function page(width, height, title, subtitle, parts) {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ` +
    `${height}" font-family="system-ui, sans-serif">` +
    `<title>${escaped(title)}</title><rect width="${width}" height="${height}" fill="${PAPER.surface}"/>` +
    text(24, 36, title, { size: 20, colour: INK, weight: 600 }) +
    text(24, 56, subtitle) +
    parts.join("") +
    "</svg>\n"
  );
}

/**
 * Label powers of ten, as many as fit.
 * @param {Box} box
 * @param {number[]} span
 * @param {(ns: number) => number} x
 */
function logAxis(box, span, x) {
  const first = Math.ceil(Math.log10(span[0]) - 1e-9);
  const last = Math.floor(Math.log10(span[1]) + 1e-9);
  const skip = Math.ceil((last - first + 1) / Math.max(2, Math.floor((box.right - box.left) / 70)));
  const parts = [];
  for (let power = first; power <= last; power += skip) {
    const at = x(10 ** power);
    parts.push(
      line(at, box.bottom, at, box.bottom + 4, MUTED),
      text(at, box.bottom + 18, axisSeconds(10 ** power / 1e9), { anchor: "middle" }),
    );
  }
  return parts.join("");
}

/**
 * Return the wait charts: a histogram above, the fraction of tasks that waited at most a given time below. `ghost`: the
 * previous run, or null.
 * @param {{title: string, subtitle: string, hist: Histogram | null, ghost?: Histogram | null, percentiles?:
 *   Record<string, number | null>}} options
 */
export function waitsSvg({ title, subtitle, hist, ghost = null, percentiles = {} }) {
  const [width, height] = [720, 560];
  const spans = [hist, ghost].flatMap((each) => {
    const span = each ? decades(each, FLOOR_NS) : null;
    return span ? [span] : [];
  });
  const span = spans.length
    ? [Math.min(...spans.map((each) => each[0])), Math.max(...spans.map((each) => each[1]))]
    : [1e6, 1e10];
  const upper = { left: 72, right: width - 24, top: 96, bottom: 272 };
  const lower = { left: 72, right: width - 24, top: 336, bottom: 512 };
  const x = (/** @type {number} */ ns) =>
    upper.left +
    ((Math.log(Math.max(ns, span[0])) - Math.log(span[0])) / (Math.log(span[1]) - Math.log(span[0]))) *
      (upper.right - upper.left);
  const found = hist ? bars(hist, FLOOR_NS, groupFor(hist, span, upper)) : [];
  const most = Math.max(1, ...found.map((bar) => bar.count)) * 1.05;
  const up = (/** @type {number} */ count) => upper.bottom - (count / most) * (upper.bottom - upper.top);
  const share = (/** @type {number} */ part) => lower.bottom - part * (lower.bottom - lower.top);
  const parts = [
    text(24, 84, gettext("Tasks by wait"), { colour: INK, weight: 600 }),
    text(24, 324, gettext("Started within"), { colour: INK, weight: 600 }),
  ];
  parts.push(...histogramMarks(found, upper, most, x, up));
  for (const part of [0.25, 0.5, 0.75, 1])
    parts.push(
      line(lower.left, share(part), lower.right, share(part)),
      text(lower.left - 8, share(part) + 4, percent(part), { anchor: "end" }),
    );
  parts.push(...percentileMarks(percentiles, upper, x));
  for (const { each, colour, more } of [
    { each: ghost, colour: GHOST, more: ' stroke-dasharray="5 4"' },
    { each: hist, colour: DATA, more: "" },
  ]) {
    if (!each) continue;
    const curve = cdf(each, FLOOR_NS);
    const points = curve.x.map((ns, place) => [x(ns), share(curve.y[place])]);
    if (points.length) parts.push(path([...points, [lower.right, points[points.length - 1][1]]], colour, more));
  }
  if (ghost) parts.push(text(lower.right, 324, gettext("dashed: previous run"), { anchor: "end" }));
  parts.push(
    line(upper.left, upper.bottom, upper.right, upper.bottom, MUTED),
    line(lower.left, lower.bottom, lower.right, lower.bottom, MUTED),
    logAxis(upper, span, x),
    logAxis(lower, span, x),
  );
  return page(width, height, title, subtitle, parts);
}

/**
 * Return bars with a grid behind them; `x` and `up` map waits and counts to positions.
 * @param {Bar[]} found
 * @param {Box} upper
 * @param {number} most
 * @param {(ns: number) => number} x
 * @param {(count: number) => number} up
 */
function histogramMarks(found, upper, most, x, up) {
  const parts = [];
  for (const count of ticks(most, 3).slice(1))
    parts.push(
      line(upper.left, up(count), upper.right, up(count)),
      text(upper.left - 8, up(count) + 4, short(count), { anchor: "end" }),
    );
  for (const bar of found)
    parts.push(
      `<rect x="${n(x(bar.low))}" y="${n(up(bar.count))}" width="` +
        `${n(Math.max(1, x(bar.high) - x(bar.low) - 1))}" height="` +
        `${n(Math.max(0, upper.bottom - up(bar.count)))}" fill="${DATA}"/>`,
    );
  return parts;
}

/**
 * Return the median and p99 as labeled dashed lines.
 * @param {Record<string, number | null>} percentiles
 * @param {Box} upper
 * @param {(ns: number) => number} x
 */
function percentileMarks(percentiles, upper, x) {
  const parts = [];
  const marks = ["p50", "p99"]
    .flatMap((name) => {
      const ns = percentiles[name];
      return typeof ns === "number" ? [{ name: `${name} ${measured(ns)}`, at: x(ns) }] : [];
    })
    .map(({ name, at }) => ({ text: name, x: at, wide: name.length * CHARACTER }));
  for (const { x: at } of marks) parts.push(line(at, upper.top, at, upper.bottom, INK, ' stroke-dasharray="4 3"'));
  for (const label of placeLabels(marks, [upper.left, upper.right]))
    parts.push(text(label.x, upper.top + 10 + 14 * label.row, label.text, { colour: INK, anchor: label.anchor }));
  return parts;
}

/**
 * @param {Histogram} hist
 * @param {number[]} span
 * @param {Box} box
 */
function groupFor(hist, span, box) {
  const middle = hist.edges.length >> 1;
  const bin = Math.log(hist.edges[middle + 1] / hist.edges[middle]);
  return Math.max(1, Math.ceil(5 / Math.max(0.01, ((box.right - box.left) * bin) / Math.log(span[1] / span[0]))));
}

/**
 * Return the timeline of a run: up to two lines, times in ns; fractions have an axis of their own.
 * @param {{title: string, subtitle: string, lines: Line[], end_ns: number}} options
 */
export function timelineSvg({ title, subtitle, lines, end_ns }) {
  const [width, height] = [960, 320];
  const box = { left: 64, right: width - 64, top: 92, bottom: 272 };
  const x = (/** @type {number} */ ns) => box.left + (ns / Math.max(1, end_ns)) * (box.right - box.left);
  const parts = [];
  lines.forEach((each, place) => {
    const isShare = each.unit === "1";
    const most = isShare ? 1 : Math.max(1, maximum(each.v)) * 1.05;
    const y = (/** @type {number} */ value) => box.bottom - (value / most) * (box.bottom - box.top);
    const colour = place === 0 ? DATA : SECOND;
    for (const value of ticks(most, isShare ? 2 : 3).slice(1)) {
      if (place === 0) parts.push(line(box.left, y(value), box.right, y(value)));
      parts.push(
        text(place === 0 ? box.left - 8 : box.right + 8, y(value) + 4, isShare ? percent(value) : short(value), {
          anchor: place === 0 ? "end" : "start",
          colour,
        }),
      );
    }
    const step = Math.ceil(each.t.length / MOST_POINTS) || 1;
    const points = [];
    for (let at = 0; at < each.t.length; at += step) points.push([x(each.t[at]), y(each.v[at])]);
    if (points.length) parts.push(path(points, colour));
    parts.push(
      `<rect x="${box.left + place * 260}" y="74" width="12" height="3" fill="${colour}"/>`,
      text(box.left + 18 + place * 260, 80, each.label, { colour: INK }),
    );
  });
  for (const { ns, label } of timeTicks(0, Math.max(end_ns, 1), 6))
    parts.push(text(x(ns), box.bottom + 18, label, { anchor: "middle" }));
  parts.push(line(box.left, box.bottom, box.right, box.bottom, MUTED));
  return page(width, height, title, subtitle, parts);
}

/** @param {ArrayLike<number> & Iterable<number>} values */
function maximum(values) {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return most;
}
