/** A study's results in sentences that begin with the finding: "Sparrow's p99 wait is 1.6 times Megha's". */

import { factor, isBeyond, percent, three, whole } from "../../kit/format.js";
import {
  agreeing,
  axisWords,
  inUnit,
  intervalWords,
  isHardly,
  noneWords,
  rowsOf,
  valueWords,
} from "../../run/study/study.js";
import { astrayWords } from "../../run/cutoff.js";
import { gettext, language, midSentence, ngettext } from "../../kit/words.js";

/**
 * @import { Scheduler } from "../../experiment/experiment.js"
 * @import { Cell, Comparison, Estimate, Results, Study } from "../../run/study/study.js"
 */

/** @typedef {Comparison & {scheduler: number, at: (number | null)[]}} Compared */

/**
 * Return a metric's name for use within a sentence: "Queueing delay, p99" becomes "p99 queueing delay", and "Short
 * jobs: job delay, p99" becomes "p99 job delay (short jobs)".
 */
export function measureWords(/** @type {string} */ label) {
  const ends = ["mean", "max", gettext("mean"), gettext("max")];
  const at = label.lastIndexOf(", ");
  const end = at < 0 ? "" : label.slice(at + 2);
  const isPart = /^p[\d.]+$/.test(end) || ends.includes(end);
  const [named, which] = isPart ? [label.slice(0, at), end] : [label, ""];
  const [, whose, what] = /^([^:]+): (.+)$/.exec(named) ?? [null, "", named];
  const measure = which ? gettext("{which} {measure}", { which, measure: midSentence(what) }) : midSentence(what);
  return `${measure}${whose ? ` (${midSentence(whose)})` : ""}`;
}

/**
 * Format an estimate's interval; "" without one.
 * @param {Pick<Estimate, "low" | "high">} estimate
 * @param {(value: number) => string} show
 */
function interval(estimate, show) {
  return estimate.low === null || estimate.low === undefined
    ? ""
    : gettext(" (95\u202f% CI {low} to {high})", {
        low: show(estimate.low),
        high: show(estimate.high ?? estimate.low),
      });
}

/** Compare one scheduler with another in a sentence. */
export function comparedWords(
  /** @type {Comparison} */ { verdict, ratio, difference },
  /** @type {{own: string, other: string, measure: string, unit: string}} */ { own, other, measure, unit },
) {
  const names = { own, other, measure };
  if (verdict === "same") return gettext("{own}'s {measure} equals {other}'s under every seed.", names);
  const show = (/** @type {number} */ value) => inUnit(value, unit);
  if (verdict !== "more" && verdict !== "less")
    return gettext("{own}'s {measure} cannot be told from {other}'s yet{interval}. Add seeds.", {
      ...names,
      interval:
        difference.low === null
          ? ""
          : gettext(" (95\u202f% CI of the difference {low} to {high})", {
              low: show(difference.low),
              high: show(difference.high ?? difference.low),
            }),
    });
  if (ratio && agreeing(ratio, verdict) && !isHardly(ratio.value))
    return gettext("{own}'s {measure} is {ratio} times {other}'s{interval}.", {
      ...names,
      ratio: factor(ratio.value),
      interval: isBeyond(ratio.value) ? "" : interval(ratio, three),
    });
  const less = difference.value < 0;
  const size = (/** @type {number} */ value) => show(Math.abs(value));
  const ends = less ? { low: difference.high, high: difference.low } : difference;
  const values = { ...names, value: size(difference.value), interval: interval(ends, size) };
  if (ratio && agreeing(ratio, verdict)) {
    const near = { ...values, share: percent(Math.abs(ratio.value - 1)) };
    return less
      ? gettext("{own}'s {measure} hardly differs from {other}'s: {value}, or {share}, lower{interval}.", near)
      : gettext("{own}'s {measure} hardly differs from {other}'s: {value}, or {share}, higher{interval}.", near);
  }
  return less
    ? gettext("{own}'s {measure} is {value} lower than {other}'s{interval}.", values)
    : gettext("{own}'s {measure} is {value} higher than {other}'s{interval}.", values);
}

/**
 * Describe at how many values a scheduler's metric is higher or lower. A bare 0 would look like a value of the
 * parameter.
 * @param {Record<string, unknown>} told
 * @param {number} more
 * @param {number} less
 * @param {number} all
 */
function sideWords(told, more, less, all) {
  if (all > 1 && more === all) return gettext("{own}'s {measure} is higher than {other}'s at all {all} values.", told);
  if (all > 1 && less === all) return gettext("{own}'s {measure} is lower than {other}'s at all {all} values.", told);
  if (!more && !less)
    return gettext("{own}'s {measure} is neither higher nor lower than {other}'s at any value.", told);
  if (!less) return gettext("{own}'s {measure} is higher than {other}'s at {more} and lower at none.", told);
  if (!more) return gettext("{own}'s {measure} is lower than {other}'s at {less} and higher at none.", told);
  return gettext("{own}'s {measure} is higher than {other}'s at {more} and lower at {less}.", told);
}

/**
 * Say where a scheduler's ratio to another is farthest from 1, among the values at which a difference can be told.
 * @param {Compared[]} comparisons
 * @param {(each: Compared) => string} at
 * @param {{other: string, unit: string}} names
 */
function largestWords(comparisons, at, { other, unit }) {
  const most = comparisons
    .flatMap((each) => (each.ratio && agreeing(each.ratio, each.verdict) ? [{ each, ratio: each.ratio.value }] : []))
    .sort((one, two) => Math.abs(Math.log(two.ratio)) - Math.abs(Math.log(one.ratio)))[0];
  if (!most) return "";
  const told = { other, ratio: factor(most.ratio), at: at(most.each) };
  const first = comparisons[0].difference.value;
  const isAlike = comparisons.length > 1 && comparisons.every((each) => each.difference.value === first);
  const isAll = comparisons.every((each) => each.verdict === "more" || each.verdict === "less");
  if (isHardly(most.ratio)) {
    const size = inUnit(Math.abs(most.each.difference.value), unit);
    const near = { ...told, value: size, share: percent(Math.abs(most.ratio - 1)) };
    if (isAlike) return gettext(" It hardly differs: by {value}, or {share}, at every value.", near);
    return isAll
      ? gettext(" It hardly differs: the ratio is farthest from 1 at {at}, by {value}, or {share}.", near)
      : gettext(
          " Among distinguishable differences, it hardly differs: the ratio is farthest from 1 at {at}, by {value}, " +
            "or {share}.",
          near,
        );
  }
  if (isAlike) return gettext(" It is {ratio} times {other}'s at every value.", told);
  return isAll
    ? gettext(" The ratio is farthest from 1 at {at}: {ratio} times {other}'s.", told)
    : gettext(
        " Among distinguishable differences, the ratio is farthest from 1 at {at}: {ratio} times {other}'s.",
        told,
      );
}

/**
 * Compare a scheduler with another over all values of the parameters.
 * @param {Compared[]} comparisons
 * @param {Study} study
 * @param {{own: string, other: string, measure: string, unit: string}} names
 */
function overValues(comparisons, study, names) {
  const of = (/** @type {string} */ verdict) => comparisons.filter((each) => each.verdict === verdict);
  const [more, less] = [of("more"), of("less")];
  const at = (/** @type {Compared} */ each) =>
    study.plan.axes.map((axis, place) => `${axisWords(axis)} ${valueWords(axis, axis.values[each.at[place] ?? 0])}`);
  const largest = largestWords(comparisons, (each) => at(each).join(", "), names);
  const all = comparisons.length;
  // Name a single place; of several, give only the number.
  const where = (/** @type {Compared[]} */ found) =>
    found.length === 1
      ? at(found[0]).join(", ")
      : ngettext("{n} of {all} values", "{n} of {all} values", found.length, {
          n: whole(found.length),
          all: whole(all),
        });
  const unsure = comparisons.filter((each) => !["more", "less", "same"].includes(each.verdict));
  const open = unsure.length ? gettext(" At {at} no difference can be told yet.", { at: where(unsure) }) : "";
  const told = { ...names, more: where(more), less: where(less), all: whole(all) };
  return `${sideWords(told, more.length, less.length, comparisons.length)}${open}${largest}`;
}

/**
 * Name the defaults in use that suit one trace: on other work, a scheduler may lose by its default alone.
 * @param {Study} study
 */
export function fittedWords(study) {
  return (study.fitted ?? [])
    .map(({ parameter, value, trace, schedulers }) =>
      gettext(
        'For {schedulers}, "{parameter}" is at its default, {value}, which suits the {trace} and perhaps not ' +
          "this work.",
        {
          schedulers: new Intl.ListFormat(language()).format(schedulers),
          trace,
          parameter,
          value: three(value),
        },
      ),
    )
    .join(" ");
}

/**
 * Name the varied parameters that change nothing in a study, and what the experiment lacks for them.
 * @param {Study} study
 */
export function idleWords(study) {
  const list = new Intl.ListFormat(language(), { type: "disjunction" });
  return study.plan.axes
    .flatMap((axis) => [axis, ...(axis.along ?? [])])
    .filter((axis) => axis.idle?.length)
    .map((axis) =>
      gettext(
        '"{parameter}" changes nothing under {schedulers}: its tasks have no data. Give them data with {needs}.',
        {
          parameter: axis.label ?? axisWords(axis),
          schedulers: new Intl.ListFormat(language()).format(axis.idle ?? []),
          needs: list.format((axis.needs ?? []).map((label) => `"${label}"`)),
        },
      ),
    )
    .join(" ");
}

/**
 * Name the schedulers whose cutoff does not separate the work's short jobs from its long ones, and say what it does.
 * @param {Study} study
 * @param {Results} results
 */
export function cutoffsWords(study, results) {
  const labels = new Map(/** @type {[string, string[]][]} */ ([]));
  for (const { scheduler, ...counts } of results.cutoffs ?? []) {
    const words = astrayWords(counts);
    if (words) labels.set(words, [...(labels.get(words) ?? []), study.schedulers[scheduler].label]);
  }
  const list = new Intl.ListFormat(language());
  return [...labels].map(([words, of]) => `${list.format(of)}: ${words}`).join(" ");
}

/**
 * Return a sentence about each of a study's schedulers.
 * @param {Study} study
 * @param {Results} results
 */
export function findingWords(study, results) {
  const measure = measureWords(results.labels?.[results.metric] ?? results.metric);
  const label = (/** @type {number} */ scheduler) => study.schedulers[scheduler].label;
  const names = (/** @type {number} */ scheduler) => ({
    own: label(scheduler),
    other: label(results.against),
    measure,
    unit: results.unit,
  });
  const of = (/** @type {number} */ scheduler) => results.comparisons.filter((each) => each.scheduler === scheduler);
  if (study.plan.axes.length)
    return study.schedulers
      .map((_one, scheduler) => (of(scheduler).length ? overValues(of(scheduler), study, names(scheduler)) : ""))
      .filter(Boolean)
      .join(" ");
  const show = (/** @type {number} */ value) => inUnit(value, results.unit);
  return /** @type {Cell[]} */ (rowsOf(results))
    .sort((one, two) => Number(one.scheduler === results.against) - Number(two.scheduler === results.against))
    .map((cell) => {
      if (cell.value === null) return `${label(cell.scheduler)}: ${noneWords(results.metric)}.`;
      const [comparison] = of(cell.scheduler);
      if (comparison) return comparedWords(comparison, names(cell.scheduler));
      return gettext("{own}'s {measure} is {value}.", {
        own: label(cell.scheduler),
        measure,
        value: intervalWords(cell, show),
      });
    })
    .join(" ");
}
