/** Properties of an experiment that a scheduler's design may need. */

import { listOf, queuesOf } from "./experiment.js";

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

/** Return true if a scheduler, in the API's format, respects dependencies between stages. */
export function honoursGraphs(/** @type {Scheduler | undefined} */ scheduler) {
  return Boolean(scheduler?.supports?.includes("dag"));
}
