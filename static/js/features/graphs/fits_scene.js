/** A machine's room once for each candidate, with the candidate's task in it as a piece, and its score below. */

import { rect, text } from "../../draw/scenes/scene.js";
import { decimals, percent, whole } from "../../kit/format.js";
import { gettext } from "../../kit/words.js";

/** @typedef {import("./fits_now.js").Choice} Choice */
/** @typedef {import("./fits_now.js").Candidate} Candidate */
/** @typedef {import("../../draw/scenes/scene.js").Mark} Mark */
/**
 * @typedef {object} FitsHow
 * @property {number} width
 * @property {number} height
 * @property {number[]} shown  the resources that are drawn: across and up
 * @property {number[][]} demand  by stage
 * @property {(job: number) => number} hue
 * @property {(job: number) => string} name
 */

const TOP = 26;
const GAP = 14;
const WORDS = 75;
const LEAST_SIDE = 72;
const MOST_SIDE = 150;
const FOOT = 22;

/** Where the candidates' squares lie. @param {Pick<FitsHow, "width" | "height">} how @param {number} count */
export function fitsPlace({ width, height }, count) {
  const high = Math.max(40, height - TOP - WORDS - FOOT);
  const side = Math.min(MOST_SIDE, high, Math.max(LEAST_SIDE, (width - GAP) / Math.max(1, count) - GAP));
  const wide = Math.max(side, 104);
  const shown = Math.max(1, Math.min(count, Math.floor((width - GAP) / (wide + GAP))));
  return { side, shown, x: (/** @type {number} */ place) => GAP + place * (wide + GAP), y: TOP };
}

/** @param {Choice | null} choice @param {FitsHow} how @returns {Mark[]} */
export function fitsScene(choice, how) {
  if (!choice)
    return [text(GAP, TOP + 16, gettext("The recording does not tell how a task was chosen at this instant."))];
  const { candidates } = choice;
  const place = fitsPlace(how, candidates.length);
  /** @type {Mark[]} */
  const marks = [
    text(GAP, 16, gettext("Machine {machine} had this room:", { machine: whole(choice.machine) }), "ink", {
      weight: 600,
    }),
  ];
  candidates.slice(0, place.shown).forEach((each, at) => marks.push(...tile(choice, each, at, place, how)));
  const words = others(choice, candidates.length - place.shown, how);
  if (words) marks.push(text(GAP, how.height - 6, words, "muted"));
  return marks;
}

/**
 * One candidate: the machine, gray where it is taken, and the task in its free corner.
 * @param {Choice} choice
 * @param {Candidate} candidate
 * @param {number} at
 * @param {ReturnType<typeof fitsPlace>} place
 * @param {FitsHow} how
 * @returns {Mark[]}
 */
function tile({ free, has, candidates }, candidate, at, place, { shown, demand, hue, name }) {
  const isAlone = candidates.length === 1;
  const { side, y } = place;
  const x = place.x(at);
  const part = (/** @type {number[]} */ amounts, /** @type {number} */ which) => {
    const each = shown[Math.min(which, shown.length - 1)];
    return has[each] > 0 ? side * Math.min(1, Math.max(0, amounts[each] / has[each])) : 0;
  };
  const [roomWide, roomHigh] = [part(free, 0), part(free, 1)];
  const taken = demand[candidate.stage];
  const [wide, high] = [part(taken, 0), part(taken, 1)];
  const foot = y + side;
  const best = at === 0;
  return [
    rect(x, y, side, side, "muted", { alpha: 0.35 }),
    rect(x, foot - roomHigh, roomWide, roomHigh, "surface"),
    rect(x, foot - high, wide, high, [hue(candidate.job), 0.95]),
    rect(x, y, side, side, null, { stroke: "ink", width: best ? 3 : 1 }),
    text(x, foot + 17, name(candidate.job), "ink", { weight: best ? 600 : 400 }),
    ...(isAlone ? [text(x, foot + 34, gettext("no other fits"), "muted")] : sum(candidate, x, foot + 34, best)),
  ];
}

/**
 * The sum of a candidate's score: its alignment among that of all candidates, the fit less the work, the score.
 * @param {Candidate} candidate
 * @param {number} x
 * @param {number} y
 * @param {boolean} best
 * @returns {Mark[]}
 */
function sum(candidate, x, y, best) {
  const parts = partsOf(candidate);
  const all = candidate.fit > 0 ? candidate.aligned / candidate.fit : 0;
  const [own, of] = [candidate.aligned, all].map((each) => percent(Math.round(1000 * each) / 1000));
  return [
    text(x, y, gettext("{own} of {all}", { own, all: of }), "muted"),
    text(x, y + 17, gettext("{fit} − {work}", parts), "muted"),
    text(x, y + 34, best ? gettext("= {score}: best", parts) : gettext("= {score}", parts), "ink", {
      weight: best ? 600 : 400,
    }),
  ];
}

/**
 * Return the parts of a candidate's score as they are written, so that what is written adds up.
 * @param {Candidate} candidate
 */
export function partsOf({ fit, score }) {
  const [fitThousandths, scoreThousandths] = [fit, score].map((each) => Math.round(1000 * each));
  return {
    fit: decimals(fitThousandths / 1000),
    work: decimals((fitThousandths - scoreThousandths) / 1000),
    score: decimals(scoreThousandths / 1000),
  };
}

/**
 * Who is not among the pieces that are drawn.
 * @param {Choice} choice
 * @param {number} more
 * @param {Pick<FitsHow, "name">} how
 */
function others({ yielding, large }, more, { name }) {
  const parts = [];
  if (more > 0) parts.push(gettext("{count} more candidates.", { count: whole(more) }));
  if (yielding.length) {
    const jobs = yielding
      .slice(0, 3)
      .map(({ job, share }) =>
        gettext("{job} ({share})", { job: name(job), share: percent(Math.round(1000 * share) / 1000) }),
      );
    parts.push(gettext("Not asked, since it holds most: {jobs}.", { jobs: jobs.join(", ") }));
  }
  if (large.length)
    parts.push(gettext("Too large for this room: {jobs}.", { jobs: large.slice(0, 3).map(name).join(", ") }));
  return parts.join(" ");
}
