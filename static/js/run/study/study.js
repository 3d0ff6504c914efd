/** The plan and the results of a study, in words and numbers. */

import { duration, factor, percent, three, whole } from "../../kit/format.js";
import { choiceWords } from "../../kit/names.js";
import { counted } from "../../kit/counts.js";
import { capital, gettext, midSentence, ngettext } from "../../kit/words.js";

/** @import { StudyProgress } from "../../contract/contract" */

/**
 * A parameter that a study varies: its path, its values, the server's names for them, and parameters that change with
 * it. `idle` are the schedulers under which the parameter changes nothing, because none of `needs` is set.
 * @typedef {{path: string, label?: string, values?: unknown[], shown?: string[], along?: Axis[], holds?: string | null,
 *   idle?: string[], needs?: string[], [more: string]: unknown}} Axis
 * @typedef {StudyProgress & {id: string, experiment_id: string, socket_url: string, mine?: boolean,
 *   plan: {axes: (Axis & {values: unknown[]})[], [more: string]: unknown},
 *   schedulers: {name: string, label: string, [more: string]: unknown}[], seeds: number[],
 *   fitted?: {parameter: string, value: number, trace: string, schedulers: string[]}[], [more: string]: unknown}}
 *   Study  a study in the API's format
 * @typedef {{value: number, low: number | null, high: number | null}} Estimate
 * @typedef {Estimate & {cell: number, scheduler: number, at: (number | null)[], n: number, coverage?: number,
 *   values: unknown[], [more: string]: unknown}} Cell
 * @typedef {{verdict: string, ratio: Estimate | null, difference: Estimate, [more: string]: unknown}} Comparison
 * @typedef {{cells: Cell[], none?: {cell: number, runs: number, [more: string]: unknown}[], comparisons: (Comparison &
 *   {scheduler: number, at: (number | null)[]})[], metric: string, unit: string, statistic?: string, against: number,
 *   cutoffs?: ({scheduler: number} & import("../cutoff.js").Counts)[], metrics: string[],
 *   labels: Record<string, string>, method: string, definition?: string, seeds_change?: string,
 *   [more: string]: unknown}} Results
 */

/** @type {Record<string, string>} */
export const STATISTICS = {
  mean: gettext("Mean (Student’s t)"),
  median: gettext("Median (order statistics)"),
  bootstrap: gettext("Mean (bootstrap)"),
};
export const FINAL = new Set(["done", "failed", "cancelled"]);

/**
 * Format a metric with its unit: "s", "1" (a fraction) or a count.
 * @param {number | null | undefined} value
 * @param {string} unit
 */
export function inUnit(value, unit) {
  if (value === null || value === undefined) return "–";
  if (unit === "s") return duration(value * 1e9);
  return unit === "1" ? percent(value) : three(value);
}

/**
 * Units by the ending of a parameter's name; an ending that contains another comes first. `duration` formats seconds.
 */
/** @type {Record<string, string>} */
const ENDS = { _gb_s: "GB/s", _s: "s", _gb: "GB", _ns: "ns", _us: "µs", _percent: "%" };

/** Return the last part of a path and its unit ending. */
function lastOf(/** @type {string} */ path) {
  const [, name] = /([^.[\]]+)(?:\[\d+\])*$/.exec(path) ?? [null, path];
  return { name, end: Object.keys(ENDS).find((end) => name.endsWith(end)) ?? "" };
}

/** Return true if a parameter's values are seconds. */
export const isInSeconds = (/** @type {string} */ path) => ENDS[lastOf(path).end] === "s";

/**
 * Return a parameter's label for the middle of a sentence; without a label, the last part of its path.
 * @param {Axis} axis
 * @returns {string}
 */
export function axisWords({ path, label, along = [], holds }) {
  const { name, end } = lastOf(path);
  const first = label ? midSentence(label) : name.slice(0, name.length - end.length).replaceAll("_", " ");
  const axis = along.length
    ? gettext("{first} with {others}", { first, others: along.map((each) => axisWords(each)).join(", ") })
    : first;
  if (holds === "work") return gettext("{axis} (same work)", { axis });
  return holds === "load" ? gettext("{axis} (same load)", { axis }) : axis;
}

/**
 * Return an axis value in words: the server's name for an option, else the number with its unit.
 * @param {Axis} options
 * @param {unknown} value
 */
export function valueWords({ path, values = [], shown = [] }, value) {
  const called = shown[values.indexOf(value)];
  if (called) return called;
  if (value === null || value === undefined) return gettext("unchanged");
  if (typeof value !== "number") return choiceWords(value);
  if (path.endsWith("offered_load")) return percent(value);
  const unit = ENDS[lastOf(path).end];
  if (unit === "s") return duration(value * 1e9);
  return unit ? `${three(value)}\u202f${unit}` : three(value);
}

/** Return why a run's number is null: no task started, or nothing completed. */
export function noneWords(/** @type {string} */ metric) {
  const waits = metric.startsWith("allocation_delay_s") || metric.startsWith("delay_components_s");
  return waits ? gettext("none started") : gettext("none completed");
}

/** Return the cells of the results as rows: cells with an estimate, then cells in which nothing completed. */
export function rowsOf(/** @type {Results} */ results) {
  const estimated = new Set(results.cells.map((cell) => cell.cell));
  const none = (results.none ?? []).filter((each) => !estimated.has(each.cell));
  return [...results.cells, ...none.map((each) => ({ ...each, value: null, low: null, high: null, n: 0 }))];
}

/**
 * Return how many of a cell's runs have the value and how many lack it: "4 (1 more: none completed)".
 * @param {Cell} cell
 * @param {Results} results
 */
export function runsWords(cell, results) {
  const without = results.none?.find((each) => each.cell === cell.cell)?.runs ?? 0;
  if (!without) return String(cell.n);
  return cell.n
    ? gettext("{n} ({without} more: {none})", { n: cell.n, without, none: noneWords(results.metric) })
    : String(without);
}

/** Describe the plan: "Heartbeat s at 4 values × Megha, Sparrow × 10 seeds". */
export function askedWords(/** @type {Study} */ { plan, schedulers, seeds }) {
  const axes = plan.axes.map((axis) =>
    gettext("{parameter} at {values}", {
      parameter: axisWords(axis),
      values:
        axis.values.length === 1 ? gettext("one value") : gettext("{values} values", { values: axis.values.length }),
    }),
  );
  const text = [...axes, schedulers.map((one) => one.label).join(", "), counted.seed(seeds.length)].join(" × ");
  return capital(text);
}

/** Describe a study's progress. */
export function stateWords(/** @type {StudyProgress} */ { state, done, failed, runs, eta_s: eta, compiling }) {
  const count = gettext("{done} of {runs} runs", { done: whole(done + failed), runs: whole(runs) });
  const bad = failed ? gettext(", {failed} failed", { failed: whole(failed) }) : "";
  if (state === "running" && compiling && !done) return gettext("Compiling, first time only…");
  if (state === "running")
    return (
      `${done + failed ? count : gettext("{runs} runs wait for a worker", { runs: whole(runs) })}${bad}` +
      (eta && eta > 0 ? gettext(" · {eta} left", { eta: duration(eta * 1e9) }) : "")
    );
  if (state === "done" && failed)
    return gettext("Done: {done} of {runs} runs; {failed} failed", {
      done: whole(done),
      runs: whole(runs),
      failed: whole(failed),
    });
  /** @type {Record<string, string>} */
  const words = {
    paused: gettext("Paused: {count} done{bad}", { count, bad }),
    done: gettext("Done: {runs} runs", { runs: whole(runs) }),
    cancelled: gettext("Cancelled: {count} were done", { count }),
    failed: gettext("Failed: no run could be simulated"),
  };
  return words[state] ?? state;
}

/**
 * Return "1.20 s (1.10 s to 1.30 s)", or the value alone without an interval.
 * @param {Estimate} options
 * @param {(value: number) => string} show
 */
export function intervalWords({ value, low, high }, show) {
  return low === null
    ? show(value)
    : gettext("{value} ({low} to {high})", {
        value: show(value),
        low: show(low),
        high: show(/** @type {number} */ (high)),
      });
}

/**
 * Return true if the ratio of means agrees with the verdict on the difference. The ratio uses logarithms, so a few long
 * waits can move the difference against most seeds.
 */
export const agreeing = (/** @type {Estimate | null} */ ratio, /** @type {string} */ verdict) =>
  ratio ? (verdict === "more" ? ratio.value > 1 : verdict === "less" && ratio.value < 1) : false;

/** A ratio nearer to 1 is told by its distance from 1: "1 times" would read as no difference. */
const HARDLY = 0.02;
export const isHardly = (/** @type {number} */ ratio) => Math.abs(ratio - 1) < HARDLY;

/** Return a ratio in words: "2.1 times", or for one near 1 how far it is from it: "0.06 % higher". */
export function ratioWords(/** @type {number} */ ratio) {
  if (!isHardly(ratio)) return gettext("{ratio} times", { ratio: factor(ratio) });
  const share = percent(Math.abs(ratio - 1));
  return ratio < 1 ? gettext("{share} lower", { share }) : gettext("{share} higher", { share });
}

/** @type {Record<string, string>} */
const VERDICTS = { more: gettext("higher"), less: gettext("lower") };

/**
 * Describe a comparison with the deciding interval: "1.2 s more than Megha (95 % CI 0.9 s to 1.5 s), 2.1 times".
 * @param {Comparison} options
 * @param {string} name
 * @param {string} unit
 */
export function verdictWords({ verdict, ratio, difference }, name, unit) {
  if (verdict === "same") return gettext("the same as {name} under every seed", { name });
  const less = difference.value < 0;
  const show = (/** @type {number | null} */ value) => inUnit(less ? -(/** @type {number} */ (value)) : value, unit);
  const ends = less ? [difference.high, difference.low] : [difference.low, difference.high];
  const interval =
    difference.low === null
      ? ""
      : gettext(" (95\u202f% CI {low} to {high})", { low: show(ends[0]), high: show(ends[1]) });
  const times = agreeing(ratio, verdict) ? `, ${ratioWords(ratio?.value ?? 1)}` : "";
  const told = VERDICTS[verdict] ? "" : `: ${gettext("not distinguishable yet")}`;
  const values = { value: show(difference.value), name, interval, times, told };
  return less
    ? gettext("{value} less than {name}{interval}{times}{told}", values)
    : gettext("{value} more than {name}{interval}{times}{told}", values);
}

/** Count the verdicts of comparisons: "3 higher, 1 lower, 8 not distinguishable yet". */
export function verdictCounts(/** @type {Comparison[]} */ comparisons) {
  /** @type {Record<string, string>} */
  const names = { ...VERDICTS, same: gettext("the same") };
  const found = new Map(Object.values(names).map((name) => [name, 0]));
  for (const { verdict } of comparisons) {
    const name = names[verdict] ?? gettext("not distinguishable yet");
    found.set(name, (found.get(name) ?? 0) + 1);
  }
  return [...found]
    .filter(([, count]) => count)
    .map(([name, count]) => `${whole(count)} ${name}`)
    .join(", ");
}

/**
 * Return {cell, comparison} of a scheduler at a position of the grid.
 * @param {Results} results
 * @param {number} scheduler
 * @param {number[]} at
 */
export function cellAt(results, scheduler, at) {
  const stands = (/** @type {Cell} */ cell) =>
    cell.scheduler === scheduler && cell.at.every((place, axis) => place === null || place === at[axis]);
  const cell = results.cells.find(stands) ?? null;
  const comparison =
    results.comparisons.find(
      (each) => each.scheduler === scheduler && each.at.every((place, axis) => place === null || place === at[axis]),
    ) ?? null;
  return { cell, comparison };
}

/**
 * Describe one cell in a sentence, for pointer and keyboard.
 * @param {Study} study
 * @param {Results} results
 * @param {number} scheduler
 * @param {number[]} at
 */
export function tellCell(study, results, scheduler, at) {
  const { cell, comparison } = cellAt(results, scheduler, at);
  const name = study.schedulers[scheduler].label;
  const where = study.plan.axes
    .map((axis, place) => `${axisWords(axis)} ${valueWords(axis, axis.values[at[place]])}`)
    .join(", ");
  const begin = `${name}${where ? `, ${where}` : ""}`;
  if (!cell) return gettext("{begin}: no run is done yet.", { begin });
  const show = (/** @type {number | null} */ value) => inUnit(value, results.unit);
  const covers =
    cell.coverage && results.statistic === "median"
      ? gettext(" (covers {coverage})", { coverage: percent(cell.coverage) })
      : "";
  const interval =
    cell.low === null
      ? ngettext("no interval from {n} run", "no interval from {n} runs", cell.n, { n: whole(cell.n) })
      : gettext("95\u202f% interval {low} to {high}{covers}, {n} runs", {
          low: show(cell.low),
          high: show(cell.high),
          covers,
          n: whole(cell.n),
        });
  const than = comparison ? `. ${verdictWords(comparison, study.schedulers[results.against].label, results.unit)}` : "";
  return `${begin}: ${show(cell.value)}, ${interval}${than}.`;
}

/**
 * Parse values that a person typed: numbers (60% is 0.6), true, false or texts, separated by commas, semicolons or
 * blanks.
 * @param {string} typed
 */
export function valuesFrom(typed, { distinct = true } = {}) {
  /** @type {(number | boolean | string)[]} */
  const found = [];
  for (const word of typed
    .replace(/\s+%/g, "%")
    .split(/[\s,;]+/)
    .filter(Boolean)) {
    const number = word.length > 1 && word.endsWith("%") ? Number(word.slice(0, -1)) / 100 : Number(word);
    const value = Number.isFinite(number) ? number : word === "true" ? true : word === "false" ? false : word;
    if (!distinct || !found.includes(value)) found.push(value);
  }
  return found;
}

/** Return initial values around the current one, a factor of two apart and within bounds. */
export function valuesAround(
  /** @type {{value?: unknown, min?: number | null, max?: number | null, kind?: string, choices?: unknown[] | null,
   *   usual?: unknown[] | null}} */
  { value, min, max, kind, choices, usual },
) {
  if (choices || usual) return /** @type {unknown[]} */ (choices ?? usual);
  if (kind === "switch") return [false, true];
  if (typeof value !== "number") return [];
  const centre = value === 0 ? Math.min(1, max ?? 1) : value;
  const scaled = [0.25, 0.5, 1, 2, 4].map((factor) => Number((centre * factor).toPrecision(3)));
  const whole = kind === "integer" ? scaled.map(Math.round) : scaled;
  const inside = whole.map((each) => Math.min(max ?? Infinity, Math.max(min ?? -Infinity, each)));
  return [...new Set(inside)];
}

/**
 * Describe a plan's size before it starts.
 * @param {number} runs
 * @param {number} seeds
 * @param {boolean} isFixed  true if all seeds have the same jobs
 */
export function planWords(runs, seeds, isFixed = false) {
  if (seeds === 1)
    return ngettext(
      "{runs} run of one seed, which cannot be played back. Without intervals, an effect cannot be told from chance.",
      "{runs} runs of one seed, which cannot be played back. Without intervals, an effect cannot be told from " +
        "chance.",
      runs,
      { runs: whole(runs) },
    );
  const told = { runs: whole(runs), seeds: whole(seeds) };
  if (isFixed)
    return gettext(
      "This makes {runs} runs, which cannot be played back. The jobs are the same under all {seeds} seeds: results " +
        "that do not vary have no confidence interval.",
      told,
    );
  return gettext(
    "This makes {runs} runs, which cannot be played back. Results have 95\u202f% confidence intervals over " +
      "{seeds} seeds.",
    told,
  );
}

/**
 * Return the number of runs of a plan. A parameter is not varied for schedulers that lack it.
 * @param {{axes: {path: string, values: unknown[]}[], schedulers: string[], repeats: number}} plan
 * @param {(name: string, path: string) => boolean} [has]
 */
export function runsOf({ axes, schedulers, repeats }, has = () => true) {
  const cells = schedulers.map((name) =>
    axes.reduce((all, axis) => all * (has(name, axis.path) ? axis.values.length : 1), 1),
  );
  return cells.reduce((sum, each) => sum + each, 0) * repeats;
}
