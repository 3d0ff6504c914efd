/** A bar per job or queue for what it holds, beside its fair share; the next in line is framed and has a pointer. */

import { area, dot, line, rect, text } from "../../draw/scenes/scene.js";
import { duration, percent, whole } from "../../kit/format.js";
import { gettext, ngettext } from "../../kit/words.js";

/** @typedef {import("./turns_now.js").Turn} Turn */
/** @typedef {import("../../draw/scenes/scene.js").Mark} Mark */
/** @typedef {ReturnType<typeof turnsPlace>} Places */

const TOP = 28;
const GUTTER = 104;
const MOST_ROW = 52;
const LEAST_ROW = 20;
const SIDE = 10;
const SQUARE = 8;
const MOST_SQUARES = 8;
/** Below this width fewer squares are drawn, to leave room for the texts. */
const ROOMY = 800;
const FEW_SQUARES = 2;
/** The approximate width of a letter. */
const LETTER = 7.2;
/** From this width on, waiting tasks are squares and texts are not shortened. */
const WIDE = 560;
/** A resource that is not counted is paler. */
const PALE = 0.4;

/**
 * @typedef {object} How
 * @property {number} width
 * @property {number} height
 * @property {number} lanes  the maximum number of rows
 * @property {(number: number) => number} hue
 * @property {(number: number) => string} name
 * @property {import("./measures.js").Measure} measure
 * @property {"tasks" | "dominant" | number} counts
 * @property {number[]} shown  the resources with a bar
 * @property {number} most  the maximum number of concurrently running tasks
 * @property {number} [wait_ns]  the maximum time for which a job lets others go first
 * @property {boolean} [weighed]  true if jobs have different weights
 * @property {boolean} [room]  true if machines are free although tasks wait
 */

/**
 * Return the geometry of rows. Each job keeps its row; only if there are too many rows, they are compacted, with
 * waiting ones first.
 *
 * @param {Turn[]} turns
 * @param {Pick<How, "width" | "height" | "lanes">} how
 */
export function turnsPlace(turns, { width, height, lanes }) {
  const room = Math.max(1, Math.floor((height - TOP - 4) / LEAST_ROW));
  const close = lanes > room;
  const kept = !close
    ? turns
    : [...turns]
        .sort((a, b) => Number(b.next) - Number(a.next) || Number(b.waits > 0) - Number(a.waits > 0) || a.lane - b.lane)
        .slice(0, room)
        .sort((a, b) => a.lane - b.lane);
  const row = Math.min(MOST_ROW, (height - TOP - 4) / Math.max(1, close ? room : lanes));
  const inner = (width - GUTTER) * (width < WIDE ? 0.45 : 0.5);
  return {
    kept,
    row,
    inner,
    said: GUTTER + inner + 12,
    y: (/** @type {Turn} */ turn) => TOP + (close ? kept.indexOf(turn) : turn.lane) * row,
    x: (/** @type {number} */ part) => GUTTER + Math.min(1, part) * inner,
  };
}

/** @param {Turn[]} turns @param {How} how @returns {Mark[]} */
export function turnsScene(turns, how) {
  const place = turnsPlace(turns, how);
  const { kept } = place;
  const first = turns.find((turn) => turn.next);
  const marks = kept.flatMap((turn) => rowOf(turn, place, how, first));
  if (!kept.length) return [text(GUTTER, TOP + 16, gettext("Nobody is here now."))];
  for (const turn of kept) {
    const x = place.x(turn.fair);
    const y = place.y(turn);
    marks.push(
      line(
        [
          [x, y - 1],
          [x, y + place.row - 1],
        ],
        "ink",
        { width: 2 },
      ),
    );
  }
  return [...marks, ...heads(kept, place, how)];
}

/**
 * Return the label of the fair-share line above it, and the end of the scale.
 * @param {Turn[]} kept
 * @param {Places} place
 * @param {How} options
 */
function heads(kept, place, { counts, most, measure }) {
  const fairs = kept.map(({ fair }) => fair);
  const same = Math.max(...fairs) - Math.min(...fairs) < 1e-9;
  const part = counts === "tasks" ? tasksWords(fairs[0] * most) : percent(Math.round(100 * fairs[0]) / 100);
  const words =
    measure.of === "queues"
      ? gettext("line: the queue's own share")
      : same
        ? gettext("line: equal share, {part}", { part })
        : gettext("line: the job's own share");
  const all = counts === "tasks" ? tasksWords(most) : gettext("100 %");
  const left = Math.max(8, (same ? place.x(fairs[0]) : GUTTER) - 40);
  const marks = [text(left, 16, words, "ink", { weight: 600 })];
  const end = GUTTER + place.inner;
  if (left + (words.length + all.length + 2) * LETTER < end) marks.push(text(end, 16, all, "muted", { anchor: "end" }));
  return marks;
}

function tasksWords(/** @type {number} */ count) {
  const n = Math.round(10 * count) / 10;
  return ngettext("{n} task", "{count} tasks", n, { n, count: n < 10 ? String(n) : whole(Math.round(n)) });
}

/** @param {Turn} turn @param {Places} place @param {How} how @param {Turn | undefined} first @returns {Mark[]} */
function rowOf(turn, place, how, first) {
  const { row } = place;
  const hue = how.hue(turn.number);
  const y = place.y(turn) + 2;
  const high = Math.max(4, row - 5);
  const middle = y + high / 2;
  /** @type {Mark[]} */
  const marks = [rect(GUTTER, y, place.inner, high, "hover")];
  if (turn.next) {
    marks.push(rect(1, y - 1, place.said - 6, high + 2, null, { stroke: "ink", width: 2, r: 3 }));
    marks.push(
      area(
        [
          [6, middle - 6],
          [15, middle],
          [6, middle + 6],
        ],
        "ink",
      ),
    );
  }
  const weight = turn.next ? 600 : 400;
  marks.push(...swatch(hue, 20, middle - SIDE / 2), text(35, middle + 5, how.name(turn.number), "ink", { weight }));
  return [...marks, ...bars(turn, place, how, hue, y, high), ...said(turn, place, how, hue, middle, first)];
}

/**
 * Return a bar per resource, the counted one strong and the other pale; one bar if tasks are counted.
 * @param {Turn} turn
 * @param {Places} place
 * @param {How} options
 * @param {number} hue
 * @param {number} y
 * @param {number} high
 */
function bars(turn, place, { counts, shown }, hue, y, high) {
  /**
   * @param {number} part
   * @param {number} top
   * @param {number} tall
   * @param {boolean} strong
   */
  const bar = (part, top, tall, strong) => rect(GUTTER, top, place.x(part) - GUTTER, tall, [hue, strong ? 0.95 : PALE]);
  if (counts === "tasks" || shown.length < 2 || high < 14) return [bar(turn.holds, y, high, true)];
  const strongest = counts === "dominant" ? turn.parts.indexOf(Math.max(...turn.parts)) : counts;
  const tall = (high - 2) / shown.length;
  return shown.map((resource, number) =>
    bar(turn.parts[resource], y + number * (tall + 2), tall, resource === strongest),
  );
}

/**
 * Return a square of the job's color with its tasks' pattern on the map.
 * @param {number} hue
 * @param {number} x
 * @param {number} y
 */
function swatch(hue, x, y) {
  const third = SIDE / 3;
  const marks = [rect(x, y, SIDE, SIDE, [hue, 0.95])];
  if (hue % 4 === 1) marks.push(rect(x + third, y + third, third, third, "surface"));
  if (hue % 4 === 2) marks.push(rect(x, y + third, SIDE, third, "surface"));
  if (hue % 4 === 3) marks.push(rect(x + third, y, third, SIDE, "surface"));
  if (hue >= 4) marks.push(rect(x, y, third, third, "surface"));
  return marks;
}

/**
 * Return the waiting tasks as squares, and why they wait.
 * @param {Turn} turn
 * @param {Places} place
 * @param {How} how
 * @param {number} hue
 * @param {number} middle
 * @param {Turn | undefined} first
 */
function said(turn, place, how, hue, middle, first) {
  const marks = [];
  let left = place.said;
  const most = how.width >= ROOMY ? MOST_SQUARES : FEW_SQUARES;
  if (how.width >= WIDE)
    for (let number = 0; number < Math.min(turn.waits, most); number += 1, left += SQUARE + 2)
      marks.push(rect(left, middle - SQUARE / 2, SQUARE, SQUARE, [hue, 0.95]));
  if (left > place.said) left += 6;
  if (turn.skipped >= 0 && how.wait_ns) {
    marks.push(...clock(turn.skipped / how.wait_ns, left + 8, middle));
    left += 24;
  }
  const words = turnWords(turn, how, first).find((one) => one.length * LETTER <= how.width - left - 4);
  if (words) marks.push(text(left, middle + 5, words, turn.waits ? "ink" : "muted", turn.next ? { weight: 600 } : {}));
  return marks;
}

/**
 * Return a clock whose dark part has passed.
 * @returns {Mark[]}
 * @param {number} share
 * @param {number} x
 * @param {number} y
 */
function clock(share, x, y) {
  const [radius, steps] = [8, 24];
  const last = Math.max(1, Math.round(steps * Math.min(1, share)));
  const rim = Array.from({ length: last + 1 }, (_, step) => {
    const angle = (2 * Math.PI * step) / steps - Math.PI / 2;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
  return [dot(x, y, radius, "surface", { stroke: "ink", width: 2 }), area([[x, y], ...rim], "ink")];
}

/** Shares of the datacenter that differ by less are equal. */
const EQUAL = 1e-9;

/**
 * Return texts, the longest first, on why a job's tasks wait.
 *
 * @param {Turn} turn
 * @param {Pick<How, "measure" | "name" | "room" | "wait_ns" | "weighed">} how
 * @param {Turn | undefined} first
 */
export function turnWords(turn, { measure, name, room, wait_ns, weighed }, first) {
  const order = (weighed && measure.weighed) || measure;
  if (turn.skipped >= 0 && wait_ns) {
    const values = { time: duration(turn.skipped), most: duration(wait_ns) };
    return [
      gettext("next, but lets others go first: waits for its data, {time} of {most}", values),
      gettext("next: waits for its data, {time} of {most}", values),
      gettext("waits for its data", values),
    ];
  }
  if (turn.waits && measure.picky && room)
    return [
      ngettext(
        "{n} task waits: no free machine suits it",
        "{count} tasks wait: no free machine suits them",
        turn.waits,
        { n: turn.waits, count: whole(turn.waits) },
      ),
      ngettext("{n} waits", "{count} wait", turn.waits, { n: turn.waits, count: whole(turn.waits) }),
    ];
  if (turn.next)
    return [turn.alone ? gettext("next: only its tasks wait") : order.first, gettext("next in line"), gettext("next")];
  if (!turn.waits)
    return turn.runs ? [gettext("all its tasks run"), gettext("runs"), ""] : [gettext("has no task now"), ""];
  const count = whole(turn.waits);
  const isEqual = first && Math.abs(first.holds / first.fair - turn.holds / turn.fair) < EQUAL;
  const after = (isEqual && measure.equal) || order.after;
  const why = first ? after(name(first.number)) : "";
  const values = { n: turn.waits, count, why };
  return [
    ngettext("{n} task waits: {why}", "{count} tasks wait: {why}", turn.waits, values),
    ngettext("{n} waits", "{count} wait", turn.waits, values),
    count,
  ];
}
