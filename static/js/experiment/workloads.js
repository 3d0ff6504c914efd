/** Synthetic workloads: kinds of arrivals with their parameters, edits of workloads, and comparison with presets. */

import { setAt } from "./experiment.js";
import { gettext } from "../kit/words.js";
import { tidy, meanOf } from "./distributions.js";

/** @import { Experiment } from "./experiment.js" */

/** @type {Record<string, {label: string, about: string, rated: boolean, start: Record<string, unknown>}>} */
export const ARRIVALS = {
  poisson: { label: gettext("Poisson"), about: gettext("Independent arrivals."), rated: true, start: {} },
  renewal: {
    label: gettext("Gaps with a set variation (CV)"),
    about: gettext(
      "Independent gaps with the coefficient of variation (CV) that you set: their standard deviation " +
        "divided by their mean. Traces have a CV of 1 to 25.",
    ),
    rated: true,
    start: { cv: 3 },
  },
  markov_modulated: {
    label: gettext("Calm and busy (Markov-modulated)"),
    about: gettext("Alternating calm and busy periods."),
    rated: true,
    start: { calm_s: 300, busy_s: 30, busy_factor: 5 },
  },
  diurnal: {
    label: gettext("By time of day"),
    about: gettext("The rate goes up and down with the day."),
    rated: true,
    start: { period_s: 86400, swing: 0.5 },
  },
  regular: { label: gettext("Regular"), about: gettext("Equal gaps."), rated: true, start: {} },
  at_once: { label: gettext("All at once"), about: gettext("Every job at time 0."), rated: false, start: {} },
  replayed: {
    label: gettext("At times that you paste"),
    about: gettext("At the given times, repeated."),
    rated: false,
    start: { times_s: [0, 1, 2, 5, 10] },
  },
};

/**
 * Return the experiment with another kind of arrivals at the same rate or load.
 * @param {Experiment} experiment
 * @param {string} kind
 */
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

/**
 * Set arrivals by the machines' load ("offered_load") or by a rate ("rate_per_s").
 * @param {Experiment} experiment
 * @param {string} by
 * @param {unknown} value
 */
export function withRate(experiment, by, value) {
  const next = structuredClone(experiment);
  delete next.workload.arrivals.offered_load;
  delete next.workload.arrivals.rate_per_s;
  if (by) next.workload.arrivals[by] = value;
  return next;
}

/**
 * Set the workload's end by one of jobs, tasks, arrive_for_s. Even sampling needs a number of jobs.
 * @param {Experiment} experiment
 * @param {string} by
 * @param {unknown} value
 */
export function withEnd(experiment, by, value) {
  const next = structuredClone(experiment);
  for (const key of ["jobs", "tasks", "arrive_for_s"]) delete next.workload[key];
  next.workload[by] = value;
  if (by !== "jobs" && next.workload.sampling === "even") delete next.workload.sampling;
  return next;
}

/**
 * Apply a preset; `scaled` converts a synthetic preset's arrival rate into a load of these machines.
 * @param {Experiment} experiment
 * @param {{workload: {kind: string, [more: string]: unknown}, cutoff_s?: number | null}} preset
 */
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

/**
 * Remove null values, so that two spellings of the same workload are equal.
 * @param {unknown} value
 * @returns {unknown}
 */
function dropEmpty(value) {
  if (Array.isArray(value)) return value.map(dropEmpty);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null && each !== undefined)
      .map(([key, each]) => [key, dropEmpty(each)]),
  );
}

/**
 * Return the preset that matches the jobs, ignoring rate and count; null for a custom workload.
 * @template {{workload: unknown}} Preset
 * @param {{kind: string} | null | undefined} workload
 * @param {Preset[]} presets
 */
export function presetOf(workload, presets) {
  const shape = (/** @type {unknown} */ each) => {
    const { jobs, tasks, arrive_for_s, arrivals, queue_assignment, queue_rules, ...rest } =
      /** @type {Record<string, unknown>} */ (dropEmpty(each));
    const { rate_per_s, offered_load, ...process } = /** @type {Record<string, unknown>} */ (arrivals ?? {});
    return JSON.stringify(sorted({ ...rest, process }));
  };
  if (workload?.kind !== "synthetic" && workload?.kind !== "dag") return null;
  const own = shape(workload);
  return presets.find((each) => shape(each.workload) === own) ?? null;
}

/**
 * @param {unknown} value
 * @returns {unknown}
 */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  const fields = /** @type {Record<string, unknown>} */ (value);
  return Object.fromEntries(
    Object.keys(fields)
      .sort()
      .map((key) => [key, sorted(fields[key])]),
  );
}

/** Return the value of a field; undefined if there is none. */
const stepInto = (/** @type {unknown} */ value, /** @type {string} */ key) =>
  /** @type {Record<string, unknown> | null | undefined} */ (value)?.[key];

/**
 * Compare a preset's targets with measured statistics: [{name, wanted, found, off}]. `off` is a relative error, or a
 * difference for shares.
 * @param {{targets: Record<string, number>}} preset
 * @param {unknown} statistics
 */
export function fitRows(preset, statistics) {
  return Object.entries(preset.targets).map(([name, wanted]) => {
    const found = name.split(".").reduce(stepInto, statistics);
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

/** @type {Record<string, string>} */
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
  max: gettext("maximum"),
};
/** Return a statistic's label: "gap_s.cv" becomes "Gap, CV". */
export function statisticWords(/** @type {string} */ name) {
  return name
    .split(".")
    .map((part) => WORDS[part] ?? part.replaceAll("_", " "))
    .join(", ");
}

/** Add a job class; the first call splits the only class into two. */
export function addClass(/** @type {Experiment} */ experiment) {
  const next = structuredClone(experiment);
  const { workload } = next;
  if (!workload.classes?.length) {
    const mean = meanOf(workload.duration_s) ?? 1;
    workload.classes = [
      { name: "short", weight: 90 },
      { name: "long", weight: 10, duration_s: { kind: "lognormal", median: tidy(mean * 10), sigma: 0.8 } },
    ];
  } else {
    const names = workload.classes.map((/** @type {{name: string}} */ each) => each.name);
    let number = names.length + 1;
    while (names.includes(`class ${number}`)) number += 1;
    workload.classes.push({
      name: `class ${number}`,
      weight: tidy(
        workload.classes.reduce(
          (/** @type {number} */ sum, /** @type {{weight: number}} */ each) => sum + each.weight,
          0,
        ) / 10,
      ),
    });
  }
  return next;
}

export function removeClass(/** @type {Experiment} */ experiment, /** @type {number} */ index) {
  const next = structuredClone(experiment);
  next.workload.classes.splice(index, 1);
  if (!next.workload.classes.length) delete next.workload.classes;
  return next;
}
