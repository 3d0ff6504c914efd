/** Distributions of a workload: kinds, means and distribution functions. */

import { gettext } from "../kit/words.js";

/**
 * @typedef {{min?: number | null, max?: number | null}} Bounds
 * @typedef {({kind: "constant", value: number} & Bounds) | ({kind: "exponential", mean: number} & Bounds) |
 *   ({kind: "lognormal", sigma: number, median?: number, mu?: number} & Bounds) |
 *   {kind: "bounded_pareto", alpha: number, min: number, max: number} |
 *   ({kind: "empirical", values: number[], shares?: number[], between?: string} & Bounds)} Distribution  an
 *   experiment's distribution: its kind and the parameters of that kind
 * @typedef {{tasks_per_job?: Distribution, duration_s?: Distribution}} Shape
 * @typedef {Shape & {classes?: (Shape & {weight: number})[]}} Shaped  a workload with distributions
 * @typedef {{share: number, distribution: Distribution}} Weighted  a component of a mixture
 */

/**
 * The kinds of distributions: their fields, and the initial parameters of a new one, given the previous mean.
 * @type {Record<string, {label: string, fields: string[], start: (mean: number) => Record<string, unknown>}>}
 */
export const DISTRIBUTIONS = {
  constant: { label: gettext("Constant"), fields: ["value"], start: (/** @type {number} */ mean) => ({ value: mean }) },
  exponential: {
    label: gettext("Exponential"),
    fields: ["mean", "min", "max"],
    start: (/** @type {number} */ mean) => ({ mean }),
  },
  lognormal: {
    label: gettext("Log-normal"),
    fields: ["median", "mu", "sigma", "min", "max"],
    start: (/** @type {number} */ mean) => ({ median: tidy(mean / Math.exp(0.32)), sigma: 0.8 }),
  },
  bounded_pareto: {
    label: gettext("Pareto, bounded"),
    fields: ["alpha", "min", "max"],
    start: (/** @type {number} */ mean) => ({ alpha: 1.5, min: tidy(Math.max(mean / 3, 1e-3)), max: tidy(mean * 100) }),
  },
  empirical: {
    label: gettext("A column of values"),
    fields: ["values"],
    start: (/** @type {number} */ mean) => ({ values: [tidy(mean / 2), tidy(mean), tidy(mean * 2)] }),
  },
};

export function tidy(/** @type {number} */ value, digits = 3) {
  return Number(Number(value).toPrecision(digits));
}

/** Return the mean before truncation; null if it is unknown. */
export function meanOf(/** @type {Distribution | null | undefined} */ distribution) {
  if (!distribution) return null;
  const { kind } = distribution;
  if (kind === "constant") return distribution.value;
  if (kind === "exponential") return distribution.mean;
  if (kind === "lognormal")
    return (
      (distribution.median ?? Math.exp(/** @type {number} */ (distribution.mu))) * Math.exp(distribution.sigma ** 2 / 2)
    );
  if (kind === "bounded_pareto") return paretoMean(distribution);
  if (kind === "empirical") {
    const shares =
      distribution.shares ??
      distribution.values.map(
        (/** @type {unknown} */ _, /** @type {number} */ index) => (index + 1) / distribution.values.length,
      );
    return distribution.values.reduce(
      (/** @type {number} */ sum, /** @type {number} */ value, /** @type {number} */ index) =>
        sum + value * (shares[index] - (shares[index - 1] ?? 0)),
      0,
    );
  }
  return null;
}

/** @param {{alpha: number, min: number, max: number}} options */
function paretoMean({ alpha, min, max }) {
  const whole = 1 - (min / max) ** alpha;
  if (Math.abs(alpha - 1) < 1e-9) return (min * Math.log(max / min)) / whole;
  return ((alpha * min ** alpha) / (alpha - 1)) * ((min ** (1 - alpha) - max ** (1 - alpha)) / whole);
}

/**
 * Convert a distribution to another kind with about the same mean.
 * @param {Distribution} distribution
 * @param {string} kind
 */
export function asKind(distribution, kind) {
  return { kind, ...DISTRIBUTIONS[kind].start(Math.max(tidy(meanOf(distribution) ?? 1), 1e-6)) };
}

/**
 * Return P(X <= x).
 * @param {Distribution} distribution
 * @param {number} x
 */
export function cdfOf(distribution, x) {
  if (distribution.min !== undefined && distribution.min !== null && x < distribution.min) return 0;
  if (distribution.max !== undefined && distribution.max !== null && x >= distribution.max) return 1;
  switch (distribution.kind) {
    case "constant":
      return x >= distribution.value ? 1 : 0;
    case "exponential":
      return 1 - Math.exp(-x / distribution.mean);
    case "lognormal": {
      const mu = distribution.mu ?? Math.log(/** @type {number} */ (distribution.median));
      if (!distribution.sigma) return x >= Math.exp(mu) ? 1 : 0;
      return normalCdf((Math.log(x) - mu) / distribution.sigma);
    }
    case "bounded_pareto":
      return (
        (1 - (distribution.min / x) ** distribution.alpha) /
        (1 - (distribution.min / distribution.max) ** distribution.alpha)
      );
    case "empirical":
      return empiricalCdf(distribution, x);
    default:
      return 0;
  }
}

/**
 * @param {{values: number[], shares?: number[], between?: string}} options
 * @param {number} x
 */
function empiricalCdf({ values, shares, between }, x) {
  if (!shares) return values.filter((value) => value <= x).length / values.length;
  let at = -1;
  while (at + 1 < values.length && values[at + 1] <= x) at += 1;
  if (at < 0) return 0;
  if (between !== "geometric" || at === values.length - 1) return shares[at];
  return (
    shares[at] + ((shares[at + 1] - shares[at]) * Math.log(x / values[at])) / Math.log(values[at + 1] / values[at])
  );
}

/** Return the normal distribution function (Abramowitz and Stegun 26.2.17, absolute error below 1e-7). */
function normalCdf(/** @type {number} */ z) {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail =
    (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return z >= 0 ? 1 - tail : tail;
}

/** Return the range that matters: from the 0.1 % quantile to the 99.9 % quantile. */
export function spanOf(/** @type {Weighted[]} */ parts) {
  const at = (/** @type {number} */ share) => {
    let [low, high] = [1e-9, 1e10];
    for (let step = 0; step < 60; step += 1) {
      const middle = Math.sqrt(low * high);
      if (mixed(parts, middle) < share) low = middle;
      else high = middle;
    }
    return high;
  };
  const [low, high] = [at(0.001), at(0.999)];
  return high / low > 1.5 ? [low, high] : [low / 3, high * 3];
}

function mixed(/** @type {Weighted[]} */ parts, /** @type {number} */ x) {
  return parts.reduce((sum, part) => sum + part.share * cdfOf(part.distribution, x), 0);
}

/**
 * Return the components of a field's mixture over job classes: [{share, distribution}]; `field` is tasks_per_job or
 * duration_s.
 * @param {Shaped} workload
 * @param {"tasks_per_job" | "duration_s"} field
 * @returns {Weighted[]}
 */
export function mixtureOf(workload, field) {
  const own = workload[field] ?? { kind: "constant", value: 1 };
  const classes = workload.classes ?? [];
  if (!classes.length) return [{ share: 1, distribution: own }];
  // Durations belong to tasks, so a class's weight is multiplied by its mean number of tasks per job.
  const weights = classes.map(
    (each) => each.weight * (field === "duration_s" ? (meanOf(each.tasks_per_job ?? workload.tasks_per_job) ?? 1) : 1),
  );
  const whole = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  return classes.map((each, index) => ({
    share: weights[index] / whole,
    distribution: each[field] ?? own,
  }));
}

/** Return density (per unit of log10) and distribution function at log-spaced points: {x, density, cdf}. */
export function curve(/** @type {Weighted[]} */ parts, points = 120, /** @type {number[] | null} */ span = null) {
  const [low, high] = span ?? spanOf(parts);
  const step = Math.log10(high / low) / points;
  const x = Array.from({ length: points + 1 }, (_, index) => low * 10 ** (index * step));
  const cdf = x.map((value) => Math.min(1, Math.max(0, mixed(parts, value))));
  const density = x.map((_, index) => (index === 0 ? 0 : (cdf[index] - cdf[index - 1]) / step));
  return { x, density, cdf };
}
