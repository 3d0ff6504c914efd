/**
 * Waiting time over time: the average number of tasks in each part of their wait, by queue and class, in spans of equal
 * length. Computed from a run's track if known, else from its density. Needs no page.
 */

import { whole } from "../../run/track.js";
import { PARTS } from "../../run/bottleneck.js";

/** @typedef {import("../../contract/contract").Track} Track */
/** @typedef {import("../../contract/contract").Density} Density */
/** @typedef {{kind: "all" | "queue" | "class", name: string, tasks: number, parts: Float64Array[]}} GroupOver */
/**
 * @typedef {{of: "track" | "density", span_ns: number, until_ns: number, groups: GroupOver[]}} Over  `of`: what it was
 *   computed from; `parts`: tasks by part and span
 * @typedef {{tasks: number, t_ns: number}} Peak  the largest number of waiting tasks, and when
 */

export const SPANS = 60;
const MOST_QUEUES = 12;
/** A density counts sixteenths of tasks. */
const FINE = 16;
const COLUMNS = /** @type {const} */ (["framework", "processing", "communication", "worker"]);

/** @param {Density} density @returns {Over} */
export function overOfDensity({ waits, spans, span_ns, arrived }) {
  const all = whole(arrived).reduce((sum, each) => sum + each, 0);
  const groups = waits.map(({ kind, name, parts }) => {
    const values = Float64Array.from(whole(parts), (value) => value / FINE);
    return {
      kind,
      name,
      tasks: kind === "all" ? all : 0,
      parts: PARTS.map((_, part) => values.subarray(part * spans, (part + 1) * spans)),
    };
  });
  return { of: "density", span_ns, until_ns: spans * span_ns, groups };
}

/** Return the groups of each row: all, its queue if there are several, its class if jobs are classified. */
function groupsOf(/** @type {Track} */ track, /** @type {{name: string}[]} */ queues) {
  const { queue, long } = track.tasks;
  /** @type {{kind: GroupOver["kind"], name: string, has: (row: number) => boolean}[]} */
  const groups = [{ kind: "all", name: "", has: () => true }];
  if (queues.length > 1 && queues.length <= MOST_QUEUES)
    queues.forEach(({ name }, number) => groups.push({ kind: "queue", name, has: (row) => queue[row] === number }));
  if (long)
    ["short", "long"].forEach((name, number) =>
      groups.push({ kind: "class", name, has: (row) => long[row] === number }),
    );
  return groups;
}

/**
 * Computes the mean number of tasks that are between two of their instants, by span. The time that tasks spend between
 * them up to a border is count * border - sum, over the beginnings (counted 1) and ends (counted -1) before the border.
 */
class Between {
  constructor() {
    this.count = new Float64Array(SPANS + 1);
    this.sum = new Float64Array(SPANS + 1);
  }

  /** @param {number} at @param {number} by  1 for a beginning, -1 for an end */
  add(at, by) {
    const span = Math.min(SPANS, Math.floor(at));
    this.count[span] += by;
    this.sum[span] += by * at;
  }

  mean() {
    const means = new Float64Array(SPANS);
    let [count, sum, before] = [0, 0, 0];
    for (let span = 0; span < SPANS; span += 1) {
      count += this.count[span];
      sum += this.sum[span];
      const now = count * (span + 1) - sum;
      means[span] = Math.max(0, now - before);
      before = now;
    }
    return means;
  }
}

/**
 * @param {Track} track
 * @param {{name: string}[]} queues
 * @returns {Over}
 */
export function overOfTrack(track, queues) {
  const { tasks, unit_ns } = track;
  const until = Math.max(1, track.until_ns / unit_ns);
  const arrival = whole(tasks.arrival);
  const lengths = COLUMNS.map((name) => whole(tasks[name]));
  const groups = groupsOf(track, queues).map((group) => ({
    ...group,
    tasks: 0,
    between: PARTS.map(() => new Between()),
  }));
  for (let row = 0; row < tasks.count; row += 1) {
    const mine = groups.filter((group) => group.has(row));
    for (const group of mine) group.tasks += 1;
    let now = arrival[row];
    lengths.forEach((length, part) => {
      if (!length[row]) return;
      const [from, to] = [(now / until) * SPANS, ((now + length[row]) / until) * SPANS];
      for (const group of mine) {
        group.between[part].add(from, 1);
        group.between[part].add(to, -1);
      }
      now += length[row];
    });
  }
  return {
    of: "track",
    span_ns: (until * unit_ns) / SPANS,
    until_ns: until * unit_ns,
    groups: groups.map(({ kind, name, tasks, between }) => ({
      kind,
      name,
      tasks,
      parts: between.map((each) => each.mean()),
    })),
  };
}

/**
 * Return the waits so far in a summary's format, for the chart and its sentence during a run; null before any task.
 *
 * @param {Over} over
 * @returns {Partial<import("../../contract/contract").Summary> | null}
 */
export function soFar({ groups, span_ns }) {
  const seconds = (/** @type {Float64Array} */ part) => (part.reduce((sum, each) => sum + each, 0) * span_ns) / 1e9;
  const told = groups
    .filter((group) => group.tasks)
    .map(({ kind, name, tasks, parts }) => ({
      kind,
      name,
      tasks,
      parts_s: Object.fromEntries(PARTS.map((part, place) => [part, seconds(parts[place])])),
      free: null,
      curve_s: /** @type {[number, number][]} */ ([]),
    }));
  const summary = { tasks: {}, allocation_delay_s: { mean: 0 }, waits: { groups: told } };
  return told.length
    ? /** @type {Partial<import("../../contract/contract").Summary>} */ (/** @type {unknown} */ (summary))
    : null;
}

/**
 * Return the largest number of waiting tasks and its instant, over all frames of a run; null if no task ever waits.
 * Pictures show these counts. The mean of a span is lower than the largest count within it.
 *
 * @param {{frames: {counters: Record<string, number>}[], times: number[]}} store
 * @returns {Peak | null}
 */
export function peakOf({ frames, times }) {
  let best = 0;
  const at = (/** @type {number} */ place) => frames[place]?.counters.tasks_waiting ?? 0;
  for (let place = 1; place < frames.length; place += 1) if (at(place) > at(best)) best = place;
  return at(best) > 0 ? { tasks: at(best), t_ns: times[best] } : null;
}

/** Return the span with the most waiting tasks. */
function fullestSpan(/** @type {GroupOver} */ { parts }) {
  let worst = 0;
  const at = (/** @type {number} */ span) => parts.reduce((sum, part) => sum + part[span], 0);
  for (let span = 1; span < parts[0].length; span += 1) if (at(span) > at(worst)) worst = span;
  return { span: worst, tasks: at(worst) };
}

/**
 * Return when most tasks wait, how many they are, and the span around that instant; null if hardly any task waits. A
 * run whose frames are not known, or that have no frame near its peak, has the mean over the fullest span, rounded up.
 *
 * @param {Over} over
 * @param {Peak | null} peak
 */
export function worstOf({ groups, span_ns }, peak) {
  const [all] = groups;
  const mean = fullestSpan(all);
  if (peak && peak.tasks >= mean.tasks) {
    const span = Math.min(all.parts[0].length - 1, Math.floor(peak.t_ns / span_ns));
    return { ...peak, span };
  }
  return mean.tasks < 1 ? null : { tasks: Math.ceil(mean.tasks), t_ns: (mean.span + 0.5) * span_ns, span: mean.span };
}
