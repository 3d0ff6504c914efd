/**
 * The effect of varying one parameter: the ratio to the metric at the parameter's smallest value, and where it doubles.
 */

import { factor, percent, times, whole } from "../../kit/format.js";
import { axisWords, isHardly, valueWords } from "../../run/study/study.js";
import { measureWords } from "./finding.js";
import { gettext } from "../../kit/words.js";

/** @import { Cell, Results, Study } from "../../run/study/study.js" */

/** @typedef {{cell: Cell, at: number}} Placed */

/**
 * Return a scheduler's cells in the order of the parameter; [] without exactly one numeric parameter of several values.
 * @param {Study} study
 * @param {Results} results
 * @param {number} scheduler
 */
function ordered(study, results, scheduler) {
  const { axes } = study.plan;
  if (axes.length !== 1 || !axes[0].values.every((value) => typeof value === "number")) return [];
  const { values } = axes[0];
  const cells = results.cells
    .filter((cell) => cell.scheduler === scheduler && cell.at[0] !== null)
    .map((cell) => ({ cell, at: values[cell.at[0] ?? 0] }))
    .sort((one, other) => one.at - other.at);
  const begins = cells.length > 1 && cells[0].at === Math.min(...values) && cells[0].cell.value > 0;
  return begins ? cells : [];
}

/**
 * Return the ratio of a cell's value to that at the parameter's smallest value: {times, at}, or null.
 * @param {Study} study
 * @param {Results} results
 * @param {Cell} cell
 */
export function timesFirst(study, results, cell) {
  const cells = ordered(study, results, cell.scheduler);
  if (!cells.some((each) => each.cell === cell)) return null;
  return { times: cell.value / cells[0].cell.value, at: cells[0].at };
}

const apart = (/** @type {Cell} */ one, /** @type {Cell} */ other) =>
  one.low !== null && other.low !== null && (one.low > (other.high ?? one.low) || other.low > (one.high ?? other.low));

/**
 * Return a sentence per scheduler: where the metric is twice its first value, or how far it changes.
 * @param {Study} study
 * @param {Results} results
 */
export function changeWords(study, results) {
  const [axis] = study.plan.axes;
  const measure = measureWords(results.labels?.[results.metric] ?? results.metric);
  return study.schedulers
    .map((one, scheduler) => {
      const cells = ordered(study, results, scheduler);
      if (!cells.length) return "";
      const [first] = cells;
      const say = (/** @type {number} */ at) => `${axisWords(axis)} ${valueWords(axis, at)}`;
      const ratio = (/** @type {Placed} */ each) => each.cell.value / first.cell.value;
      const twice = cells.find((each) => ratio(each) >= 2);
      if (twice) {
        const before = cells[cells.indexOf(twice) - 1];
        const between =
          before === first
            ? ""
            : gettext("; at {value} it is less than twice that value", { value: valueWords(axis, before.at) });
        return gettext("{label}'s {measure} at {value} is {times} times its value at {first}{between}.{overlap}", {
          label: one.label,
          measure,
          first: valueWords(axis, first.at),
          value: say(twice.at),
          times: factor(ratio(twice)),
          between,
          overlap: apart(first.cell, twice.cell)
            ? ""
            : gettext(" The intervals overlap or are missing: more seeds may change this."),
        });
      }
      const by = (/** @type {(one: number, other: number) => boolean} */ pick) =>
        cells.slice(1).reduce((best, each) => (pick(ratio(each), ratio(best)) ? each : best));
      const [least, most] = [by((a, b) => a < b), by((a, b) => a > b)];
      const at = { first: valueWords(axis, first.at), value: say(least.at) };
      const own = { label: one.label, measure, times: factor(ratio(least)), ...at };
      const far = ratio(most) - 1 > 1 - ratio(least) ? most : least;
      if (ratio(far) === 1)
        return gettext("{label}'s {measure} is the same at all {n} values of {axis}.", {
          ...own,
          axis: axisWords(axis),
          n: whole(cells.length),
        });
      if (isHardly(ratio(far)))
        return gettext("{label}'s {measure} hardly changes: at {value} it is {share} {side} its value at {first}.", {
          ...own,
          value: say(far.at),
          share: percent(Math.abs(ratio(far) - 1)),
          side: ratio(far) < 1 ? gettext("below") : gettext("above"),
        });
      return least === most
        ? gettext("{label}'s {measure} does not double. At {value} it is {times} times its value at {first}.", own)
        : gettext(
            "{label}'s {measure} does not double. At {value} it is {times} times its value at {first}, and at " +
              "{other} {more} times.",
            { ...own, more: factor(ratio(most)), other: valueWords(axis, most.at) },
          );
    })
    .filter(Boolean)
    .join(" ");
}

export function timesWords(/** @type {ReturnType<typeof timesFirst>} */ found) {
  return found ? times(found.times, true) : "–";
}

/** Describe the certainty of the values, and intervals that extend below an impossible zero. */
export function sureWords(/** @type {Results} */ results) {
  const sure = results.cells.filter((cell) => cell.low !== null);
  if (!sure.length && results.cells.some((cell) => cell.n > 1))
    // Two values that differ have an interval by Student's t; the other statistics need more of them.
    return results.statistic === "mean"
      ? gettext("No confidence intervals: nothing varied between seeds")
      : gettext("No confidence intervals: nothing varied between seeds, or there are too few");
  if (!sure.length) return gettext("No confidence intervals: they need more seeds");
  const odd = results.unit === "s" && sure.some((cell) => (cell.low ?? 0) < 0);
  const remedy = gettext(". An interval below zero has too few seeds: add seeds, or use the bootstrap");
  return gettext("Intervals are 95\u202f% confidence intervals over seeds{remedy}", { remedy: odd ? remedy : "" });
}
