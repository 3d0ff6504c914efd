/**
 * A bar per job for what it holds, beside its equal share; the part it gives away is dashed, the part it takes is
 * striped.
 */

import { area, clip, line, rect, text } from "../../draw/scenes/scene.js";
import { percent, whole } from "../../kit/format.js";
import { gettext, ngettext } from "../../kit/words.js";
import { LEAST } from "./standing.js";

/** @import { Mark } from "../../draw/scenes/scene.js" */

/** @typedef {import("./standing.js").Standing} Standing */

/** @typedef {ReturnType<typeof givenPlace>} Places */

const TOP = 28;
const GUTTER = 64;
const MOST_ROW = 44;
const LEAST_ROW = 18;
/** The position of the equal share within a bar's room; the rest is for what jobs use of others' shares. */
const FAIR = 0.4;
const STRIPE = 6;
const SQUARE = 8;
const MOST_SQUARES = 10;
/** The approximate width of a letter. */
const LETTER = 7.2;
/** From this width on, waiting tasks are squares and texts are not shortened. */
const WIDE = 560;

/**
 * Return the geometry of rows and bars. If not all jobs fit, show those that give or take the most.
 *
 * @param {Standing[]} standings
 * @param {number} width
 * @param {number} height
 */
export function givenPlace(standings, width, height) {
  const room = Math.max(1, Math.floor((height - TOP - 4) / LEAST_ROW));
  /** @param {Standing} options */
  const moved = ({ gives, holds, fair }) => gives + Math.max(0, holds - fair);
  const shown =
    standings.length <= room
      ? standings
      : [...standings]
          .filter((each) => each.state === "here")
          .sort((a, b) => moved(b) - moved(a))
          .slice(0, room)
          .sort((a, b) => a.job - b.job);
  const row = Math.min(MOST_ROW, (height - TOP - 4) / Math.max(1, shown.length));
  const inner = (width - GUTTER) * (width < WIDE ? 0.4 : 0.42);
  const rows = new Map(shown.map((each, place) => [each.job, place]));
  return {
    shown,
    row,
    inner,
    y: (/** @type {number} */ job) => TOP + (rows.get(job) ?? -1) * row,
    has: (/** @type {number} */ job) => rows.has(job),
    /** Return where a part of an equal share ends. */
    x: (/** @type {number} */ part, /** @type {number} */ fair) =>
      GUTTER + Math.min(inner, (part / fair) * FAIR * inner),
    said: GUTTER + inner + 12,
  };
}

/**
 * @param {Standing[]} standings
 * @param {{width: number, height: number, hue: (job: number) => number, gift?: {from: number, to: number} | null}} how
 */
export function givenScene(standings, { width, height, hue, gift = null }) {
  const place = givenPlace(standings, width, height);
  /** @type {Mark[]} */
  const marks = [];
  const line_ = place.x(1, 1);
  const high = TOP + place.shown.length * place.row;
  place.shown.forEach((each) => marks.push(...rowOf(each, place, hue(each.job), width)));
  marks.push(
    line(
      [
        [line_, TOP - 4],
        [line_, high],
      ],
      "ink",
      { width: 2 },
    ),
  );
  const fairs = standings.filter((each) => each.state === "here").map((each) => each.fair);
  if (fairs.length) {
    const same = Math.max(...fairs) - Math.min(...fairs) < 1e-9;
    const words = same
      ? gettext("equal share of each job: {part} of the datacenter", { part: percent(fairs[0]) })
      : gettext("the job's share");
    marks.push(text(Math.max(8, line_ - 60), 16, words, "ink", { weight: 600 }));
  }
  if (gift && place.has(gift.from) && place.has(gift.to)) marks.push(...arrowOf(standings, place, gift));
  return marks;
}

/**
 * @param {Standing} each
 * @param {Places} place
 * @param {number} hue
 * @param {number} width
 */
function rowOf(each, place, hue, width) {
  const top = place.y(each.job) + 2;
  const high = Math.max(4, place.row - 5);
  const middle = top + high / 2 + 5;
  const off = each.state !== "here";
  /** @type {import("../../draw/scenes/scene.js").Mark[]} */
  const marks = [
    text(GUTTER - 8, middle, gettext("job {job}", { job: whole(each.job) }), off ? "muted" : "ink", { anchor: "end" }),
  ];
  if (off) {
    marks.push(text(GUTTER + 4, middle, each.state === "done" ? gettext("done") : gettext("not here yet"), "muted"));
    return marks;
  }
  const { holds, fair, gives } = each;
  const [own, end] = [place.x(Math.min(holds, fair), fair), place.x(holds, fair)];
  marks.push(rect(GUTTER, top, place.x(fair, fair) - GUTTER, high, "hover"));
  marks.push(rect(GUTTER, top, own - GUTTER, high, [hue, 0.95]));
  if (end > own) marks.push(...striped(own, top, end - own, high, hue));
  if (gives) {
    const until = place.x(holds + gives, fair);
    marks.push(rect(own + 1, top + 1, until - own - 2, high - 2, null, { stroke: "ink", width: 2, dash: [4, 3] }));
  }
  return [...marks, ...said(each, place, hue, middle, width)];
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} wide
 * @param {number} high
 * @param {number} hue
 */
function striped(x, y, wide, high, hue) {
  const lines = [];
  for (let at = x - high; at < x + wide; at += STRIPE)
    lines.push(
      line(
        [
          [at, y + high],
          [at + high, y],
        ],
        "surface",
        { width: 2 },
      ),
    );
  return [rect(x, y, wide, high, [hue, 0.95]), clip(x, y, wide, high, lines)];
}

/**
 * Return the waiting tasks as squares, and why they wait.
 * @param {Standing} each
 * @param {Places} place
 * @param {number} hue
 * @param {number} middle
 * @param {number} width
 */
function said(each, place, hue, middle, width) {
  /** @type {Mark[]} */
  const marks = [];
  let left = place.said;
  if (width >= WIDE)
    for (let number = 0; number < Math.min(each.waits, MOST_SQUARES); number += 1, left += SQUARE + 2)
      marks.push(rect(left, middle - 5 - SQUARE / 2, SQUARE, SQUARE, [hue, 0.95]));
  const words = wordsOf(each).find((one) => one.length * LETTER <= width - left - 8);
  if (words) marks.push(text(left + (left > place.said ? 6 : 0), middle, words, "ink"));
  return marks;
}

/** Format whole percent. @param {number} part */
const rounded = (part) => percent(Math.round(100 * part) / 100);

/** Return texts, the longest first, on why a job's tasks wait and what it gives or takes. @param {Standing} each */
export function wordsOf({ holds, fair, gives, waits, altruistic }) {
  const values = { n: waits, count: whole(waits), part: rounded(gives || holds - fair) };
  if (gives)
    return [
      ngettext(
        "{n} task waits: the job gives {part} away",
        "{count} tasks wait: the job gives {part} away",
        waits,
        values,
      ),
      gettext("gives {part}, {count} wait", values),
      gettext("gives {part}", values),
    ];
  const over = holds - fair >= LEAST;
  if (over && waits)
    return [
      ngettext(
        "{n} task waits: the job uses its share and {part} more",
        "{count} tasks wait: the job uses its share and {part} more",
        waits,
        values,
      ),
      gettext("uses {part} more, {count} wait", values),
      gettext("+{part}", values),
    ];
  if (over) return [gettext("uses its share and {part} more", values), gettext("+{part}", values)];
  if (!waits) return [gettext("needs no more now"), ""];
  if (fair - holds < 0.02)
    return [
      ngettext("{n} task waits: its share is used up", "{count} tasks wait: its share is used up", waits, values),
      gettext("{count} wait", values),
    ];
  return altruistic
    ? [gettext("{count} wait", values)]
    : [
        ngettext("{n} task waits: no machine has room", "{count} tasks wait: no machine has room", waits, values),
        gettext("{count} wait", values),
      ];
}

/**
 * Return an arrow from one job's given share to another job's use of it.
 * @param {Standing[]} standings
 * @param {Places} place
 * @param {{from: number, to: number}} options
 */
function arrowOf(standings, place, { from, to }) {
  const [giver, taker] = [standings[from], standings[to]];
  if (giver.state !== "here" || taker.state !== "here") return [];
  /** @param {number} job */
  const middle = (job) => place.y(job) + place.row / 2;
  const x = place.x(giver.holds + giver.gives / 2, giver.fair);
  const end = [Math.max(GUTTER + 6, place.x(taker.holds, taker.fair) - 6), middle(to)];
  const begin = [x, middle(from)];
  const angle = Math.atan2(end[1] - begin[1], end[0] - begin[0]);
  const head = [-0.45, 0.45].map((side) => [
    end[0] - 14 * Math.cos(angle + side),
    end[1] - 14 * Math.sin(angle + side),
  ]);
  return [line([begin, end], "ink", { width: 3 }), area([end, ...head], "ink")];
}
