/**
 * Drawn workloads: kinds of arrivals and distributions with their parameters, edits of them, and curves without a
 * server.
 */

import { setAt } from "./experiment.js";
import { gettext } from "../kit/words.js";

/** A distribution's kinds: knobs, and what a new one begins with, given the mean of the one before. */
export const DISTRIBUTIONS = {
  constant: { label: gettext("Constant"), fields: ["value"], start: (mean) => ({ value: mean }) },
  exponential: { label: gettext("Exponential"), fields: ["mean", "min", "max"], start: (mean) => ({ mean }) },
  lognormal: {
    label: gettext("Log-normal"),
    fields: ["median", "mu", "sigma", "min", "max"],
    start: (mean) => ({ median: tidy(mean / Math.exp(0.32)), sigma: 0.8 }),
  },
  bounded_pareto: {
    label: gettext("Pareto, bounded"),
    fields: ["alpha", "min", "max"],
    start: (mean) => ({ alpha: 1.5, min: tidy(Math.max(mean / 3, 1e-3)), max: tidy(mean * 100) }),
  },
  empirical: {
    label: gettext("Empirical, a column"),
    fields: ["values"],
    start: (mean) => ({ values: [tidy(mean / 2), tidy(mean), tidy(mean * 2)] }),
  },
};

export const ARRIVALS = {
  poisson: { label: gettext("Poisson"), about: gettext("Independent arrivals."), rated: true, start: {} },
  renewal: {
    label: gettext("Renewal, with a given CV"),
    about: gettext("Independent gaps that vary as asked. Traces have a CV of 1 to 25."),
    rated: true,
    start: { cv: 3 },
  },
  markov_modulated: {
    label: gettext("Markov-modulated"),
    about: gettext("Calm and busy stretches by turns."),
    rated: true,
    start: { calm_s: 300, busy_s: 30, busy_factor: 5 },
  },
  diurnal: {
    label: gettext("Diurnal"),
    about: gettext("The rate goes up and down with the day."),
    rated: true,
    start: { period_s: 86400, swing: 0.5 },
  },
  regular: { label: gettext("Regular"), about: gettext("Equal gaps."), rated: true, start: {} },
  at_once: { label: gettext("All at once"), about: gettext("Every job at time 0."), rated: false, start: {} },
  replayed: {
    label: gettext("Replayed"),
    about: gettext("At given times, again and again."),
    rated: false,
    start: { times_s: [0, 1, 2, 5, 10] },
  },
};

export function tidy(value, digits = 3) {
  return Number(Number(value).toPrecision(digits));
}

/** Mean before truncation; null where it is not known. */
export function meanOf(distribution) {
  if (!distribution) return null;
  const { kind } = distribution;
  if (kind === "constant") return distribution.value;
  if (kind === "exponential") return distribution.mean;
  if (kind === "lognormal")
    return (distribution.median ?? Math.exp(distribution.mu)) * Math.exp(distribution.sigma ** 2 / 2);
  if (kind === "bounded_pareto") return paretoMean(distribution);
  if (kind === "empirical") {
    const shares =
      distribution.shares ?? distribution.values.map((_, index) => (index + 1) / distribution.values.length);
    return distribution.values.reduce(
      (sum, value, index) => sum + value * (shares[index] - (shares[index - 1] ?? 0)),
      0,
    );
  }
  return null;
}

function paretoMean({ alpha, min, max }) {
  const whole = 1 - (min / max) ** alpha;
  if (Math.abs(alpha - 1) < 1e-9) return (min * Math.log(max / min)) / whole;
  return ((alpha * min ** alpha) / (alpha - 1)) * ((min ** (1 - alpha) - max ** (1 - alpha)) / whole);
}

/** The same distribution as another kind, of about the same mean. */
export function asKind(distribution, kind) {
  return { kind, ...DISTRIBUTIONS[kind].start(Math.max(tidy(meanOf(distribution) ?? 1), 1e-6)) };
}

/** P(X <= x). */
export function cdfOf(distribution, x) {
  if (distribution.min !== undefined && distribution.min !== null && x < distribution.min) return 0;
  if (distribution.max !== undefined && distribution.max !== null && x >= distribution.max) return 1;
  switch (distribution.kind) {
    case "constant":
      return x >= distribution.value ? 1 : 0;
    case "exponential":
      return 1 - Math.exp(-x / distribution.mean);
    case "lognormal": {
      const mu = distribution.mu ?? Math.log(distribution.median);
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

/** The normal distribution function (Abramowitz and Stegun 26.2.17, absolute error below 1e-7). */
function normalCdf(z) {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail =
    (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return z >= 0 ? 1 - tail : tail;
}

/** The lowest and highest value that matter: where the distribution function passes 0.1 % and 99.9 %. */
export function spanOf(parts) {
  const at = (share) => {
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

function mixed(parts, x) {
  return parts.reduce((sum, part) => sum + part.share * cdfOf(part.distribution, x), 0);
}

/** Parts of a field's mixture over classes: [{share, distribution}]; `field` is tasks_per_job or duration_s. */
export function mixtureOf(workload, field) {
  const own = workload[field] ?? { kind: "constant", value: 1 };
  const classes = workload.classes ?? [];
  if (!classes.length) return [{ share: 1, distribution: own }];
  // Durations are those of tasks: a class of large jobs counts as often as it has tasks.
  const weights = classes.map(
    (each) => each.weight * (field === "duration_s" ? (meanOf(each.tasks_per_job ?? workload.tasks_per_job) ?? 1) : 1),
  );
  const whole = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  return classes.map((each, index) => ({ share: weights[index] / whole, distribution: each[field] ?? own }));
}

/** Density (per unit of log10) and distribution function on points even in the logarithm: {x, density, cdf}. */
export function curve(parts, points = 120, span = null) {
  const [low, high] = span ?? spanOf(parts);
  const step = Math.log10(high / low) / points;
  const x = Array.from({ length: points + 1 }, (_, index) => low * 10 ** (index * step));
  const cdf = x.map((value) => Math.min(1, Math.max(0, mixed(parts, value))));
  const density = x.map((_, index) => (index === 0 ? 0 : (cdf[index] - cdf[index - 1]) / step));
  return { x, density, cdf };
}

/** The same process of arrivals as another kind, at the same rate or load. */
export function withArrivals(experiment, kind) {
  const before = experiment.workload.arrivals ?? {};
  const { rated, start } = ARRIVALS[kind];
  const rate =
    before.offered_load !== undefined && before.offered_load !== null
      ? { offered_load: before.offered_load }
      : before.rate_per_s
        ? { rate_per_s: before.rate_per_s }
        : { offered_load: 0.8 };
  const kept = rated ? rate : kind === "replayed" && (before.offered_load || before.rate_per_s) ? rate : {};
  const next = setAt(experiment, "workload.arrivals", { kind, ...structuredClone(start), ...kept });
  return kind === "at_once" && next.workload.arrive_for_s !== undefined ? withEnd(next, "jobs", 1000) : next;
}

/** Arrivals by load on these machines ("offered_load") or by their own number ("rate_per_s"). */
export function withRate(experiment, by, value) {
  const next = structuredClone(experiment);
  delete next.workload.arrivals.offered_load;
  delete next.workload.arrivals.rate_per_s;
  if (by) next.workload.arrivals[by] = value;
  return next;
}

/** End by one of jobs, tasks, arrive_for_s. Even sampling needs jobs. */
export function withEnd(experiment, by, value) {
  const next = structuredClone(experiment);
  for (const key of ["jobs", "tasks", "arrive_for_s"]) delete next.workload[key];
  next.workload[by] = value;
  if (by !== "jobs" && next.workload.sampling === "even") delete next.workload.sampling;
  return next;
}

/** Put a preset in; `scaled`: arrivals that a flat preset gives as a rate become a load of these machines. */
export function withPreset(experiment, preset, scaled = true) {
  const next = structuredClone(experiment);
  next.workload = dropEmpty(structuredClone(preset.workload));
  const { arrivals } = next.workload;
  if (scaled && preset.workload.kind === "synthetic" && arrivals.rate_per_s) {
    delete arrivals.rate_per_s;
    arrivals.offered_load = experiment.workload?.arrivals?.offered_load ?? 0.8;
  }
  if (preset.cutoff_s && experiment.scheduler?.params && "short_cutoff_s" in experiment.scheduler.params)
    next.scheduler.params.short_cutoff_s = preset.cutoff_s;
  return next;
}

/** Without what is null, so that two ways of saying one thing are alike. */
function dropEmpty(value) {
  if (Array.isArray(value)) return value.map(dropEmpty);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null && each !== undefined)
      .map(([key, each]) => [key, dropEmpty(each)]),
  );
}

/** The preset whose jobs these are, whatever their rate and number; null for one's own. */
export function presetOf(workload, presets) {
  const shape = (each) => {
    const { jobs, tasks, arrive_for_s, arrivals, queue_assignment, queue_rules, ...rest } = dropEmpty(each);
    const { rate_per_s, offered_load, ...process } = arrivals ?? {};
    return JSON.stringify(sorted({ ...rest, process }));
  };
  if (workload?.kind !== "synthetic" && workload?.kind !== "dag") return null;
  const own = shape(workload);
  return presets.find((each) => shape(each.workload) === own) ?? null;
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

/** How a preset's numbers came out: [{name, wanted, found, off}], `off` a share, or in points for shares. */
export function fitRows(preset, statistics) {
  return Object.entries(preset.targets).map(([name, wanted]) => {
    const found = name.split(".").reduce((value, key) => value?.[key], statistics);
    const share = name.startsWith("long_");
    return {
      name,
      wanted,
      found,
      share,
      off: typeof found !== "number" ? null : share ? found - wanted : found / wanted - 1,
    };
  });
}

const WORDS = {
  jobs: gettext("Jobs"),
  tasks: gettext("Tasks"),
  span_s: gettext("Span"),
  gap_s: gettext("Gap"),
  tasks_per_job: gettext("Job size"),
  duration_s: gettext("Duration"),
  long_jobs: gettext("Long jobs"),
  long_tasks: gettext("Tasks in long jobs"),
  long_task_seconds: gettext("Task-seconds in them"),
  mean_concurrency: gettext("Mean concurrency"),
  mean: gettext("mean"),
  cv: "CV",
  max: gettext("most"),
};
/** "gap_s.cv" -> "Gap, CV". */
export function statisticWords(name) {
  return name
    .split(".")
    .map((part) => WORDS[part] ?? part)
    .join(", ");
}

/** Add a class of jobs; the first makes two of the one that there was. */
export function addClass(experiment) {
  const next = structuredClone(experiment);
  const { workload } = next;
  if (!workload.classes?.length) {
    const mean = meanOf(workload.duration_s) ?? 1;
    workload.classes = [
      { name: "short", weight: 90 },
      { name: "long", weight: 10, duration_s: { kind: "lognormal", median: tidy(mean * 10), sigma: 0.8 } },
    ];
  } else {
    const names = workload.classes.map((each) => each.name);
    let number = names.length + 1;
    while (names.includes(`class ${number}`)) number += 1;
    workload.classes.push({
      name: `class ${number}`,
      weight: tidy(workload.classes.reduce((sum, each) => sum + each.weight, 0) / 10),
    });
  }
  return next;
}

export function removeClass(experiment, index) {
  const next = structuredClone(experiment);
  next.workload.classes.splice(index, 1);
  if (!next.workload.classes.length) delete next.workload.classes;
  return next;
}
