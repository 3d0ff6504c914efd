/** What an experiment has that a scheduler's idea may need. */

import { listOf, queuesOf } from "./experiment.js";

/** @import { Scheduler } from "../contract/api.js" */

/** @type {Record<string, (experiment: any) => boolean>} */
const HAS = {
  queues: (experiment) => queuesOf(experiment).length > 1,
  unequal_shares: (experiment) => new Set(queuesOf(experiment).map((queue) => queue.share)).size > 1,
  // What a trace holds is not in the experiment.
  stages: ({ workload }) =>
    workload?.kind === "inline"
      ? listOf(workload.jobs).some((job) => listOf(job.stages).length > 1)
      : workload?.kind !== "synthetic",
  constraints: ({ constraints }) => Boolean(constraints?.catalogue) && constraints.catalogue !== "none",
  preferences: ({ constraints }) => listOf(constraints?.soft).length > 0,
};

/**
 * Whether an experiment lacks something.
 * @param {string | null | undefined} need
 * @param {any} experiment
 */
export function lacks(need, experiment) {
  return Boolean(need && HAS[need] && experiment) && !HAS[String(need)](experiment);
}

/** Whether a scheduler, as the server lists it, has stages wait for one another. */
export function honoursGraphs(/** @type {Scheduler | undefined} */ scheduler) {
  return Boolean(scheduler?.supports?.includes("dag"));
}
