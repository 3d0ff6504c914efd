/** Charts of runs side by side: distribution functions and lines over time, with a color and a dash per run. */

import { ticks } from "../../kit/scales.js";
import { AXIS_SIZE } from "../../kit/type.js";
import { axisSeconds, clock, measured, percent, three } from "../../kit/format.js";
import { countUpTo } from "../../kit/search.js";
import { cdf, decades } from "../../kit/histogram.js";
import { clip, line, text } from "../../draw/scenes/scene.js";
import { DASHES, roleOf } from "./run_marks.js";
import { timeTicks } from "../../kit/time_axis.js";
import { gettext, midSentence } from "../../kit/words.js";

/** @import { Histogram } from "../../run/frames.js" */

/**
 * @typedef {[number, number]} Span
 * @typedef {{t: number[], v: number[]}} Line  the points of a series
 */

const FLOOR_NS = 1e3;
const BOX = { left: 56, right: 16, top: 10, bottom: 26 };
const MOST_POINTS = 600;

/**
 * Return the geometry of a distribution function, on a log axis that contains every histogram.
 * @param {(Histogram | null)[]} hists
 * @param {number} width
 * @param {number} height
 */
export function cdfPlace(hists, width, height) {
  const spans = hists
    .filter((each) => each !== null)
    .map((hist) => decades(hist, FLOOR_NS))
    .filter((each) => each !== null);
  const [low, high] = spans.length
    ? [Math.min(...spans.map((span) => span[0])), Math.max(...spans.map((span) => span[1]))]
    : [1e6, 1e10];
  const inner = Math.max(10, width - BOX.left - BOX.right);
  const bottom = height - BOX.bottom;
  return {
    low,
    high,
    left: BOX.left,
    right: width - BOX.right,
    top: BOX.top,
    bottom,
    inner,
    x: (/** @type {number} */ ns) => BOX.left + (Math.log(Math.max(ns, low) / low) / Math.log(high / low)) * inner,
    y: (/** @type {number} */ share) => bottom - share * (bottom - BOX.top),
    ns: (/** @type {number} */ x) => low * (high / low) ** ((x - BOX.left) / inner),
  };
}

export function cdfScene(
  /** @type {(Histogram | null)[]} */ hists,
  /** @type {{width: number, height: number, over?: number | null}} */ { width, height, over = null },
) {
  const place = cdfPlace(hists, width, height);
  const marks = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
    line(
      [
        [place.left, place.y(share)],
        [place.right, place.y(share)],
      ],
      share ? "line" : "muted",
    ),
    text(place.left - 6, place.y(share) + 4, percent(share), "muted", { anchor: "end", size: AXIS_SIZE }),
  ]);
  const powers = [];
  for (let power = Math.round(Math.log10(place.low)); power <= Math.round(Math.log10(place.high)); power += 1)
    powers.push(power);
  const step = Math.ceil(powers.length / Math.max(2, Math.floor(place.inner / 60)));
  powers
    .filter((_, at) => at % step === 0)
    .forEach((power) =>
      marks.push(
        text(place.x(10 ** power), place.bottom + 17, axisSeconds(10 ** power / 1e9), "muted", {
          anchor: "middle",
          size: AXIS_SIZE,
        }),
      ),
    );
  const inside = [];
  hists.forEach((hist, at) => {
    if (!hist) return;
    const curve = cdf(hist, FLOOR_NS);
    if (curve.x.length)
      inside.push(
        line(
          [...curve.x.map((ns, point) => [place.x(ns), place.y(curve.y[point])]), [place.right, place.y(1)]],
          roleOf(at),
          { width: 2, dash: DASHES[at] },
        ),
      );
  });
  if (over !== null)
    inside.push(
      line(
        [
          [place.x(over), place.top],
          [place.x(over), place.bottom],
        ],
        "ink",
        { dash: [2, 3] },
      ),
    );
  return [...marks, clip(place.left, place.top - 2, place.inner, place.bottom - place.top + 4, inside)];
}

/**
 * Describe the fraction of each run's tasks that started within a time.
 * @param {(Histogram | null)[]} hists
 * @param {string[]} names
 * @param {number} ns
 */
export function tellCdf(hists, names, ns) {
  const said = hists
    .map((hist, at) => {
      if (!hist) return null;
      const curve = cdf(hist, FLOOR_NS);
      const place = countUpTo(curve.x, ns) - 1;
      return curve.x.length
        ? gettext("{share} under {name}", { share: percent(place < 0 ? 0 : curve.y[place]), name: names[at] })
        : null;
    })
    .filter(Boolean);
  return said.length
    ? gettext("Started within {time}: {shares}.", { time: measured(ns), shares: said.join(", ") })
    : "";
}

/**
 * @param {Span} span
 * @param {number} most
 * @param {number} width
 * @param {number} height
 */
export function timePlace(span, most, width, height) {
  const inner = Math.max(10, width - BOX.left - BOX.right);
  const bottom = height - BOX.bottom;
  const [from, to] = span;
  return {
    left: BOX.left,
    right: width - BOX.right,
    top: BOX.top,
    bottom,
    inner,
    x: (/** @type {number} */ ns) => BOX.left + ((ns - from) / (to - from)) * inner,
    y: (/** @type {number} */ value) => bottom - (value / most) * (bottom - BOX.top),
    ns: (/** @type {number} */ x) => from + ((x - BOX.left) / inner) * (to - from),
  };
}

/** Return the chart's marks. `lines`: {t, v} or null per run; the unit "1" is a fraction. */
export function timeScene(
  /** @type {(Line | null)[]} */ lines,
  /** @type {{span: Span, unit: string, width: number, height: number}} */ { span, unit, width, height },
) {
  const most = topOf(lines, unit);
  const place = timePlace(span, most, width, height);
  const show = (/** @type {number} */ value) => (unit === "1" ? percent(value) : three(value));
  const marks = ticks(most, 3).flatMap((value) => [
    line(
      [
        [place.left, place.y(value)],
        [place.right, place.y(value)],
      ],
      value ? "line" : "muted",
    ),
    text(place.left - 6, place.y(value) + 4, show(value), "muted", { anchor: "end", size: AXIS_SIZE }),
  ]);
  for (const { ns, label } of timeTicks(span[0], span[1], Math.max(2, Math.floor(place.inner / 90))))
    marks.push(
      text(place.x(ns), place.bottom + 17, label, "muted", {
        anchor: place.x(ns) > place.right - 16 ? "end" : "middle",
        size: AXIS_SIZE,
      }),
    );
  const inside = lines.flatMap((each, at) => {
    if (!each?.t.length) return [];
    const [first, last] = [
      Math.max(0, countUpTo(each.t, span[0]) - 1),
      Math.min(each.t.length, countUpTo(each.t, span[1]) + 1),
    ];
    const step = Math.max(1, Math.ceil((last - first) / MOST_POINTS));
    const points = [];
    for (let point = first; point < last; point += step) points.push([place.x(each.t[point]), place.y(each.v[point])]);
    return points.length ? [line(points, roleOf(at), { width: 1.5, dash: DASHES[at] })] : [];
  });
  return [...marks, clip(place.left, place.top - 2, place.inner, place.bottom - place.top + 4, inside)];
}

/**
 * Return only the playhead, because it moves with every frame.
 * @param {number} t_ns
 * @param {Span} span
 * @param {number} width
 * @param {number} height
 */
export function playheadScene(t_ns, span, width, height) {
  const place = timePlace(span, 1, width, height);
  return t_ns < span[0] || t_ns > span[1]
    ? []
    : [
        line(
          [
            [place.x(t_ns), place.top],
            [place.x(t_ns), place.bottom],
          ],
          "ink",
          { width: 1.5 },
        ),
      ];
}

/**
 * @param {(Line | null)[]} lines
 * @param {string} unit
 */
export function topOf(lines, unit) {
  if (unit === "1") return 1;
  return (
    Math.max(
      5,
      ...lines.filter((each) => each !== null).map((each) => each.v.reduce((most, value) => Math.max(most, value), 0)),
    ) * 1.05
  );
}

/**
 * Describe every run's value at an instant.
 * @param {(Line | null)[]} lines
 * @param {string[]} names
 * @param {string} label
 * @param {string} unit
 * @param {number} ns
 * @param {number} end_ns
 */
export function tellTime(lines, names, label, unit, ns, end_ns) {
  const said = lines
    .map((each, at) => {
      const place = each ? countUpTo(each.t, ns) - 1 : -1;
      return !each || place < 0
        ? null
        : gettext("{value} under {name}", {
            value: unit === "1" ? percent(each.v[place]) : three(each.v[place]),
            name: names[at],
          });
    })
    .filter(Boolean);
  return `${clock(ns, end_ns)}${said.length ? `, ${midSentence(label)}: ${said.join(", ")}` : ""}.`;
}
