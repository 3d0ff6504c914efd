/** A study as a picture: lines with bands over one parameter, a heat map over two, bars with whiskers without any. */

import { inUnit, pathWords, valueWords, cellAt } from "./study.js";
import { area, clip, dot, line, rect, text } from "../../kit/scene.js";
import { ticks } from "../../kit/svg.js";

const LEFT = 72;
const RIGHT = 20;
const TOP = 30;
const BOTTOM = 48;
const LOG_FROM = 20;
export const DASHES = [undefined, [8, 4], [2, 3], [10, 3, 2, 3], [5, 2], [1, 4], [12, 4], [6, 2, 1, 2]];

/** A scheduler's colour: the hues of queues and masters, strong enough for lines. */
export function roleOf(scheduler) {
  return [scheduler % 8, 0.95];
}

/**
 * Where the values of an axis stand, 0 to 1: by their size (logarithmic when they span much), else one after the other.
 */
export function axisPlaces(values) {
  const numbers = values.every((value) => typeof value === "number");
  if (values.length === 1) return { places: [0.5], kind: "order" };
  if (!numbers) return { places: values.map((_, at) => (at + 0.5) / values.length), kind: "order" };
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const log = low > 0 && high / low >= LOG_FROM;
  const scaled = (value) => (log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low));
  return { places: values.map((value) => 0.03 + 0.94 * scaled(value)), kind: log ? "log" : "linear" };
}

/** The span of the values' axis over every interval: {low, high, log}; zero belongs to a linear one. */
export function valueSpan(cells) {
  const ends = cells.flatMap((cell) => [cell.value, cell.low, cell.high]).filter((value) => value !== null);
  if (!ends.length) return { low: 0, high: 1, log: false };
  const values = cells.map((cell) => cell.value);
  const log = Math.min(...values) > 0 && Math.max(...values) / Math.min(...values) >= LOG_FROM;
  if (log) {
    const least = Math.min(...values);
    const low = Math.max(Math.min(...ends.filter((end) => end > 0)), least / 10);
    return { low: low / 1.15, high: Math.max(...ends) * 1.15, log };
  }
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  return { low, high: high > low ? high + (high - low) * 0.06 : low + 1, log: false };
}

/** Where an axis has its numbers; its lower end only where that is clear of zero. */
export function valueTicks({ low, high, log }) {
  if (!log && low >= 0) return ticks(high, 5);
  if (!log) return [...new Set([...(-low > 0.06 * (high - low) ? [low] : []), 0, ...ticks(high, 4)])];
  const found = [];
  const steps = high / low > 300 ? [1] : high / low > 30 ? [1, 3] : [1, 2, 5];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power += 1)
    for (const step of steps) {
      const value = step * 10 ** power;
      if (value >= low && value <= high) found.push(value);
    }
  return found;
}

/** Where things lie in a chart over one parameter, or none. */
export function linePlaces(study, results, width, height) {
  const axis = study.plan.axes[0];
  const span = valueSpan(results.cells);
  const inner = Math.max(10, width - LEFT - RIGHT);
  const tall = Math.max(10, height - TOP - BOTTOM);
  const part = (value) =>
    span.log
      ? Math.log(Math.max(value, span.low) / span.low) / Math.log(span.high / span.low)
      : (value - span.low) / (span.high - span.low);
  const across = axis
    ? axisPlaces(axis.values)
    : { places: study.schedulers.map((_, at) => (at + 0.5) / study.schedulers.length), kind: "order" };
  return {
    span,
    kind: across.kind,
    left: LEFT,
    right: width - RIGHT,
    top: TOP,
    bottom: height - BOTTOM,
    x: (at) => LEFT + across.places[at] * inner,
    y: (value) => TOP + (1 - Math.min(1, Math.max(0, part(value)))) * tall,
  };
}

/** Every point that can be pointed at: {scheduler, at, x, y}. */
export function pointsOf(study, results, width, height) {
  if (study.plan.axes.length === 2) return [];
  const place = linePlaces(study, results, width, height);
  const [axis] = study.plan.axes;
  const found = [];
  study.schedulers.forEach((_, scheduler) => {
    if (!axis) {
      const { cell } = cellAt(results, scheduler, []);
      if (cell) found.push({ scheduler, at: [], cell, x: place.x(scheduler), y: place.y(cell.value) });
      return;
    }
    axis.values.forEach((_value, at) => {
      const { cell } = cellAt(results, scheduler, [at]);
      if (cell) found.push({ scheduler, at: [at], cell, x: place.x(at), y: place.y(cell.value) });
    });
  });
  return found;
}

export function lineStudyScene(study, results, { width, height, over = null }) {
  const place = linePlaces(study, results, width, height);
  const [axis] = study.plan.axes;
  const show = (value) => inUnit(value, results.unit);
  const marks = valueTicks(place.span).flatMap((value) => [
    line(
      [
        [place.left, place.y(value)],
        [place.right, place.y(value)],
      ],
      value === 0 ? "muted" : "line",
    ),
    text(place.left - 8, place.y(value) + 4, show(value), "muted", { anchor: "end", size: 11 }),
  ]);
  const names = axis
    ? axis.values.map((value) => valueWords(axis.path, value))
    : study.schedulers.map((one) => one.label);
  marks.push(...namesBelow(names, place, axis ? 11 : 12));
  if (axis)
    marks.push(
      text(
        (place.left + place.right) / 2,
        place.bottom + 38,
        pathWords(axis.path) + (place.kind === "log" ? ", logarithmic" : ""),
        "muted",
        { anchor: "middle" },
      ),
    );
  if (place.span.log) marks.push(text(4, 18, "logarithmic", "muted", { size: 11 }));
  const points = pointsOf(study, results, width, height);
  const inside = [];
  study.schedulers.forEach((_, scheduler) =>
    inside.push(
      ...(axis ? band : whiskers)(
        points.filter((point) => point.scheduler === scheduler),
        place,
        scheduler,
      ),
    ),
  );
  const shown =
    over && points.find((point) => point.scheduler === over.scheduler && point.at.join() === over.at.join());
  if (shown) inside.push(dot(shown.x, shown.y, 7, null, { stroke: "ink", width: 2 }));
  return [
    ...marks,
    clip(place.left - 8, place.top - 8, place.right - place.left + 16, place.bottom - place.top + 16, inside),
  ];
}

/** Names of values, leaving out those that would lie over the one before. */
function namesBelow(names, place, size) {
  const marks = [];
  let end = -Infinity;
  names.forEach((name, at) => {
    const x = place.x(at);
    const half = name.length * size * 0.29;
    if (x - half < end + 6) return;
    end = x + half;
    marks.push(
      line(
        [
          [x, place.bottom],
          [x, place.bottom + 4],
        ],
        "muted",
      ),
      text(x, place.bottom + 18, name, size === 12 ? "ink" : "muted", { anchor: "middle", size }),
    );
  });
  return marks;
}

function band(found, place, scheduler) {
  const role = roleOf(scheduler);
  // Values may be asked for in any order; a line goes from left to right.
  const points = [...found].sort((one, other) => one.x - other.x);
  const sure = points.filter((point) => point.cell.low !== null);
  const marks = [];
  if (sure.length > 1)
    marks.push(
      area(
        [
          ...sure.map((point) => [point.x, place.y(point.cell.high)]),
          ...[...sure].reverse().map((point) => [point.x, place.y(point.cell.low)]),
        ],
        role,
        { alpha: 0.16 },
      ),
    );
  if (points.length > 1)
    marks.push(
      line(
        points.map((point) => [point.x, point.y]),
        role,
        { width: 2, dash: DASHES[scheduler] },
      ),
    );
  for (const point of points) marks.push(...whisker(point, place, role, 1), mark(point, scheduler, 3.5));
  return marks;
}

function whiskers(points, place, scheduler) {
  return points.flatMap((point) => [...whisker(point, place, roleOf(scheduler), 2.5, 9), mark(point, scheduler, 5.5)]);
}

function whisker({ x, cell }, place, role, width, cap = 4) {
  if (cell.low === null) return [];
  const [low, high] = [place.y(cell.low), place.y(cell.high)];
  return [
    line(
      [
        [x, low],
        [x, high],
      ],
      role,
      { width },
    ),
    line(
      [
        [x - cap, low],
        [x + cap, low],
      ],
      role,
      { width },
    ),
    line(
      [
        [x - cap, high],
        [x + cap, high],
      ],
      role,
      { width },
    ),
  ];
}

/** Full dots and rings by turns, so that no hue is needed to tell them apart. */
function mark({ x, y }, scheduler, r) {
  return scheduler % 2
    ? dot(x, y, r, "surface", { stroke: roleOf(scheduler), width: 2 })
    : dot(x, y, r, roleOf(scheduler));
}

/** The point nearest to a place, null when none is near. */
export function pointAt(study, results, width, height, x, y) {
  let best = null;
  let distance = 18;
  for (const point of pointsOf(study, results, width, height)) {
    const away = Math.hypot(point.x - x, point.y - y);
    if (away < distance) {
      best = point;
      distance = away;
    }
  }
  return best && { scheduler: best.scheduler, at: best.at };
}

/** Where the cells of a heat map lie: {x, y, w, h} of a place [across, up]. */
export function heatPlace(study, width, height) {
  const [first, second] = study.plan.axes;
  const left = LEFT + 24;
  const w = (width - left - RIGHT) / first.values.length;
  const h = (height - TOP - BOTTOM) / second.values.length;
  return {
    left,
    top: TOP,
    bottom: height - BOTTOM,
    w,
    h,
    cell: ([across, up]) => ({ x: left + across * w, y: TOP + (second.values.length - 1 - up) * h, w, h }),
    at(x, y) {
      const [across, down] = [Math.floor((x - left) / w), Math.floor((y - TOP) / h)];
      return across < 0 || across >= first.values.length || down < 0 || down >= second.values.length
        ? null
        : [across, second.values.length - 1 - down];
    },
  };
}

export function heatScene(study, results, scheduler, { width, height, over = null }) {
  const [first, second] = study.plan.axes;
  const place = heatPlace(study, width, height);
  const own = results.cells.filter((cell) => cell.scheduler === scheduler);
  const span = valueSpan(own.map((cell) => ({ value: cell.value, low: null, high: null })));
  // A linear scale of a heat map need not hold zero: what differs is to be seen.
  if (!span.log && own.length) {
    span.low = Math.min(...own.map((cell) => cell.value));
    span.high = Math.max(...own.map((cell) => cell.value));
  }
  const strength = (value) =>
    span.high > span.low
      ? span.log
        ? Math.log(value / span.low) / Math.log(span.high / span.low)
        : (value - span.low) / (span.high - span.low)
      : 0.5;
  const marks = [];
  for (const across of first.values.keys())
    for (const up of second.values.keys()) {
      const box = place.cell([across, up]);
      const { cell, comparison } = cellAt(results, scheduler, [across, up]);
      if (!cell) {
        marks.push(rect(box.x + 1, box.y + 1, box.w - 2, box.h - 2, null, { stroke: "line", dash: [3, 3] }));
        continue;
      }
      const level = strength(cell.value);
      marks.push(rect(box.x + 0.5, box.y + 0.5, box.w - 1, box.h - 1, ["level", level]));
      const words = inUnit(cell.value, results.unit);
      if (box.w >= words.length * 7 + 6 && box.h >= 18)
        marks.push(
          text(box.x + box.w / 2, box.y + box.h / 2 + 4, words, level > 0.45 ? "surface" : "ink", {
            anchor: "middle",
            size: 12,
          }),
        );
      // A corner marks what is not told apart from the other scheduler.
      if (comparison?.verdict === "not distinguishable yet" && box.w >= 14 && box.h >= 14)
        marks.push(
          dot(box.x + box.w - 8, box.y + 8, 3, null, { stroke: level > 0.45 ? "surface" : "ink", width: 1.5 }),
        );
    }
  if (over) {
    const box = place.cell(over.at);
    marks.push(rect(box.x + 1, box.y + 1, box.w - 2, box.h - 2, null, { stroke: "ink", width: 2.5 }));
  }
  const across = { x: (at) => place.left + (at + 0.5) * place.w, bottom: place.bottom };
  marks.push(
    ...namesBelow(
      first.values.map((value) => valueWords(first.path, value)),
      across,
      11,
    ),
    text((place.left + width - RIGHT) / 2, place.bottom + 38, pathWords(first.path), "muted", { anchor: "middle" }),
  );
  second.values.forEach((value, up) => {
    const box = place.cell([0, up]);
    if (box.h >= 12 || up % 2 === 0)
      marks.push(
        text(place.left - 8, box.y + box.h / 2 + 4, valueWords(second.path, value), "muted", {
          anchor: "end",
          size: 11,
        }),
      );
  });
  marks.push(text(8, 18, `${pathWords(second.path)} ↑`, "muted"));
  return marks;
}
