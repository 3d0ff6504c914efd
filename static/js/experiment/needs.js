/** Properties of an experiment that a scheduler's design may need. */

import { getAt, listOf, queuesOf } from "./experiment.js";
import { language, gettext } from "../kit/words.js";

/** @import { Experiment, Scheduler } from "../contract/api.js" */

/** @type {Record<string, (experiment: Experiment) => boolean>} */
const HAS = {
  queues: (experiment) => queuesOf(experiment).length > 1,
  unequal_shares: (experiment) => new Set(queuesOf(experiment).map((queue) => queue.share)).size > 1,
  // The experiment does not contain a trace's jobs, so a trace counts as having stages.
  stages: ({ workload }) =>
    workload?.kind === "inline"
      ? listOf(workload.jobs).some((job) => listOf(job.stages).length > 1)
      : workload?.kind !== "synthetic",
  constraints: ({ constraints }) => Boolean(constraints?.catalogue) && constraints.catalogue !== "none",
  preferences: ({ constraints }) => listOf(constraints?.soft).length > 0,
};

/**
 * Return true if an experiment lacks a needed property.
 * @param {string | null | undefined} need
 * @param {Experiment | null | undefined} experiment
 */
export function lacks(need, experiment) {
  return Boolean(need && HAS[need] && experiment) && !HAS[String(need)](/** @type {Experiment} */ (experiment));
}

/**
 * Return why a parameter changes nothing in an experiment without what it speaks of, or "". Only work that is drawn is
 * sure to have nothing but what the experiment says; a trace or jobs by hand may name priorities of their own.
 * @param {string} speaksOf  "constraints", "queues" or ""
 * @param {Experiment} experiment
 */
function absentWords(speaksOf, experiment) {
  if (!["synthetic", "dag"].includes(experiment.workload?.kind ?? "") || !lacks(speaksOf, experiment)) return "";
  return speaksOf === "queues"
    ? gettext("Changes nothing here: there is only one queue.")
    : gettext("Changes nothing here: there are no constraints.");
}

/**
 * Return why a scheduler's parameter changes nothing in an experiment, or "": it has nothing that the parameter speaks
 * of, or none of `actsWith`, the parameters that give its tasks data, is above 0 or on.
 * @template {{path: string, label: string, name?: string, default?: unknown, actsWith?: string[], speaksOf?: string,
 *   read?: (experiment: Experiment) => unknown}} Declared
 * @param {Declared} knob
 * @param {Declared[]} all  the scheduler's parameters; if some that could give data are not among them, nothing is said
 * @param {Experiment} experiment
 */
export function idleWords({ actsWith = [], speaksOf = "" }, all, experiment) {
  const absent = absentWords(speaksOf, experiment);
  if (absent) return absent;
  const gives = all.filter(({ name }) => name && actsWith.includes(name));
  const shown = (/** @type {Declared} */ one) =>
    (one.read ? one.read(experiment) : getAt(experiment, one.path)) ?? one.default;
  if (!gives.length || gives.length < actsWith.length || gives.some(shown)) return "";
  const needs = new Intl.ListFormat(language(), { type: "disjunction" }).format(gives.map((one) => `"${one.label}"`));
  return gettext("Changes nothing here: tasks have no data. Give them data with {needs}.", { needs });
}

/** Return true if a scheduler, in the API's format, respects dependencies between stages. */
export function honoursGraphs(/** @type {Scheduler | undefined} */ scheduler) {
  return Boolean(scheduler?.supports?.includes("dag"));
}
