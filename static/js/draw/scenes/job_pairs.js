/** The same jobs under two schedulers: each job's completion time and its speedup. */

import { AXIS_SIZE, TEXT_SIZE } from "../../kit/type.js";
import { dot, line, text } from "./scene.js";
import { axisSeconds, factor, whole } from "../../kit/format.js";
import { gettext, ngettext } from "../../kit/words.js";

/** @import { Mark } from "./scene.js" */

/**
 * @typedef {{count: number, tasks: ArrayLike<number>, path: ArrayLike<number>, arrival: ArrayLike<number>,
 *   end: ArrayLike<number>}} JobRows  a run's jobs by columns, times in ns
 * @typedef {Pick<JobRows, "count" | "arrival" | "end">} JobTimes
 * @typedef {{jobs: number[], mine: Float64Array, other: Float64Array, factor: Float64Array}} Pairs  jobs that ended in
 *   both runs
 * @typedef {ReturnType<typeof pairsPlace>} PairsPlace
 */

const LEFT = 62;
const BOTTOM = 40;
const TOP = 12;
const RIGHT = 18;

/**
 * Return true if another run (columns of its jobs) has the same workload: equal numbers of tasks and equal critical
 * paths per job. Arrivals may differ.
 * @param {{count: number, tasks: ArrayLike<number>, path: ArrayLike<number>}} jobs
 * @param {{tasks: number[], path_us: number[]}} options
 */
export function sameJobs(jobs, { tasks, path_us: path }) {
  return tasks.every(
    (count, job) => job >= jobs.count || (count === jobs.tasks[job] && path[job] * 1000 === jobs.path[job]),
  );
}

/**
 * Return the jobs that ended in both runs: {jobs, mine, other (ns), factor: other / mine}. Jobs pair by number.
 * @param {JobTimes} mine
 * @param {JobTimes} other
 */
export function pairsOf(mine, other) {
  /** @type {number[]} */
  const jobs = [];
  for (let job = 0; job < Math.min(mine.count, other.count); job += 1) {
    const [a, b] = [mine.end[job] - mine.arrival[job], other.end[job] - other.arrival[job]];
    if (mine.end[job] >= 0 && other.end[job] >= 0 && a > 0 && b > 0) jobs.push(job);
  }
  const took = (/** @type {JobTimes} */ run) => Float64Array.from(jobs, (job) => run.end[job] - run.arrival[job]);
  const [own, others] = [took(mine), took(other)];
  return { jobs, mine: own, other: others, factor: own.map((ns, place) => others[place] / ns) };
}

/**
 * Summarize the factors: {mean, median, faster, slower}. `faster` and `slower` count jobs; equal jobs count as neither.
 */
export function improvementOf(/** @type {Pick<Pairs, "factor">} */ { factor }) {
  if (!factor.length) return { mean: 0, median: 0, faster: 0, slower: 0 };
  const sorted = Float64Array.from(factor).sort();
  return {
    mean: factor.reduce((sum, each) => sum + each, 0) / factor.length,
    median: sorted[Math.ceil(sorted.length / 2) - 1], // nearest rank, as everywhere in the product
    faster: factor.filter((each) => each > 1 + 1e-9).length,
    slower: factor.filter((each) => each < 1 - 1e-9).length,
  };
}

/**
 * Describe the outcome: "2 jobs. Carbyne is 1.26 times as fast on average, ...", or that both take the same time.
 * @param {Pairs} pairs
 * @param {string} name
 */
export function comparedInWords(pairs, name) {
  return improvementInWords({ count: pairs.jobs.length, ...improvementOf(pairs) }, name);
}

/**
 * Describe the outcome from known statistics.
 * @param {{count: number, mean: number, median: number, faster: number, slower: number}} options
 * @param {string} name
 */
export function improvementInWords({ count, mean, median, faster, slower }, name) {
  const jobs = ngettext("{count} job.", "{count} jobs.", count, { count: whole(count) });
  if (!faster && !slower)
    return ngettext("{jobs} It takes the same time under both.", "{jobs} Each takes the same time under both.", count, {
      jobs,
    });
  return gettext(
    "{jobs} With {name}, {faster} end earlier, {slower} later and {equal} at the same time. On average, " +
      "{name}'s jobs are {mean} times as fast (median {median}).",
    {
      jobs,
      name,
      mean: factor(mean),
      median: factor(median),
      faster: whole(faster),
      slower: whole(slower),
      equal: whole(count - faster - slower),
    },
  );
}

/**
 * Return the geometry. Both axes share one log time axis, so that the diagonal means equal times.
 * @param {Pairs} pairs
 * @param {number} width
 * @param {number} height
 */
export function pairsPlace(pairs, width, height) {
  let low = Infinity;
  let high = 0;
  for (const list of [pairs.mine, pairs.other])
    for (const ns of list) {
      low = Math.min(low, ns);
      high = Math.max(high, ns);
    }
  if (!(high > 0)) {
    low = 1e9;
    high = 1e10;
  }
  const middle = Math.sqrt(low * high);
  const half = Math.max(Math.sqrt(high / low), 1.5) * 1.15;
  const [from, to] = [Math.log10(middle / half), Math.log10(middle * half)];
  const side = Math.max(10, Math.min(width - LEFT - RIGHT, height - TOP - BOTTOM));
  const left = LEFT + (width - LEFT - RIGHT - side) / 2;
  const bottom = TOP + side;
  const part = (/** @type {number} */ ns) => (Math.log10(ns) - from) / (to - from);
  return {
    left,
    bottom,
    side,
    from,
    to,
    x: (/** @type {number} */ ns) => left + part(ns) * side,
    y: (/** @type {number} */ ns) => bottom - part(ns) * side,
  };
}

/**
 * Return powers of ten as ticks, with 2 and 5 between them if there are few.
 * @param {number} from
 * @param {number} to
 */
function logTicks(from, to) {
  const steps = to - from > 2.5 ? [1] : [1, 2, 5];
  const found = [];
  for (let power = Math.floor(from); power <= Math.ceil(to); power += 1) {
    for (const step of steps) {
      const at = Math.log10(step) + power;
      if (at >= from && at <= to) found.push(step * 10 ** power);
    }
  }
  return found;
}

/**
 * Return both axes with ticks and names, and the diagonal.
 * @param {PairsPlace} place
 * @param {string[]} names
 */
function pairsFrame(place, names) {
  const { left, bottom, side } = place;
  const marks = [];
  for (const ns of logTicks(place.from, place.to)) {
    marks.push(
      line(
        [
          [place.x(ns), bottom],
          [place.x(ns), bottom - side],
        ],
        "line",
      ),
      line(
        [
          [left, place.y(ns)],
          [left + side, place.y(ns)],
        ],
        "line",
      ),
    );
    marks.push(
      text(place.x(ns), bottom + 16, axisSeconds(ns / 1e9), "muted", { anchor: "middle", size: AXIS_SIZE }),
      text(left - 6, place.y(ns) + 4, axisSeconds(ns / 1e9), "muted", { anchor: "end", size: AXIS_SIZE }),
    );
  }
  marks.push(
    line(
      [
        [left, bottom],
        [left + side, bottom],
      ],
      "muted",
    ),
    line(
      [
        [left, bottom],
        [left, bottom - side],
      ],
      "muted",
    ),
    line(
      [
        [left, bottom],
        [left + side, bottom - side],
      ],
      "ghost",
      { dash: [5, 4], width: 1.5 },
    ),
  );
  marks.push(
    text(left + side / 2, bottom + 33, gettext("{name}: job completion time", { name: names[1] }), "ink", {
      anchor: "middle",
    }),
    text(left + 6, bottom - side + 14, `↑ ${names[0]}`, "ink"),
  );
  return marks;
}

/**
 * @param {Pairs} pairs
 * @param {{width: number, height: number, names: string[], chosen?: number, over?: number}} options
 */
export function pairsScene(pairs, { width, height, names, chosen = -1, over = -1 }) {
  const place = pairsPlace(pairs, width, height);
  /** @type {Mark[]} */
  const marks = pairsFrame(place, names);
  marks.push(...sideNames(names, place, width));
  pairs.jobs.forEach((job, at) => {
    const faster = pairs.factor[at] >= 1;
    const isChosen = job === chosen || job === over;
    if (!isChosen) marks.push(pairDot(place, pairs, at, faster, 3.5, 0.75));
  });
  for (const job of new Set([chosen, over])) {
    const at = pairs.jobs.indexOf(job);
    if (at >= 0) marks.push({ ...pairDot(place, pairs, at, pairs.factor[at] >= 1, 6, 1), stroke: "ink", width: 2 });
  }
  return marks;
}

/**
 * Explain both sides of the diagonal: beside the square if there is room, so that no dot covers the text.
 * @param {string[]} names
 * @param {PairsPlace} options
 * @param {number} width
 */
function sideNames(names, { left, bottom, side }, width) {
  const [below, above] = [
    gettext("below: faster with {name}", { name: names[0] }),
    gettext("above: faster with {name}", { name: names[1] }),
  ];
  const beside = left + side + 8;
  if (width - beside > Math.max(below.length, above.length) * 6.7)
    return [
      text(beside, bottom - side + 14, above, "muted", { size: TEXT_SIZE }),
      text(beside, bottom - 2, below, "muted", { size: TEXT_SIZE }),
    ];
  return [
    text(left + side - 6, bottom - 8, below, "muted", { anchor: "end", size: TEXT_SIZE }),
    text(left + 6, bottom - side + 30, above, "muted", { size: TEXT_SIZE }),
  ];
}

/**
 * Return a job's dot: filled if faster, a ring if slower, so that the difference does not depend on hue.
 * @param {PairsPlace} place
 * @param {Pairs} pairs
 * @param {number} at
 * @param {boolean} faster
 * @param {number} r
 * @param {number} alpha
 */
function pairDot(place, pairs, at, faster, r, alpha) {
  const [x, y] = [place.x(pairs.other[at]), place.y(pairs.mine[at])];
  return faster
    ? dot(x, y, r, "data", { alpha })
    : dot(x, y, r - 0.5, "surface", { stroke: "second", width: 2, alpha });
}

/**
 * Return the job whose dot is nearest to a point, -1 if none is near.
 * @param {Pairs} pairs
 * @param {number} width
 * @param {number} height
 * @param {number} x
 * @param {number} y
 */
export function pairAt(pairs, width, height, x, y) {
  const place = pairsPlace(pairs, width, height);
  let best = -1;
  let distance = 12;
  pairs.jobs.forEach((job, at) => {
    const away = Math.hypot(place.x(pairs.other[at]) - x, place.y(pairs.mine[at]) - y);
    if (away < distance) {
      best = job;
      distance = away;
    }
  });
  return best;
}
