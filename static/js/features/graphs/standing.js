/**
 * What each job holds of the datacenter at an instant compared with its equal share: what it gives away for now, and
 * what it uses of others' gifts. Shares are dominant: the largest fraction of the datacenter that a job holds of any
 * resource.
 */

import { isAltruistic, readyOf } from "./job_graphs.js";

/** @import { Graphs } from "./job_graphs.js" */

/** Smaller fractions of the datacenter are not reported. */
export const LEAST = 0.005;

/**
 * @typedef {object} Standing
 * @property {number} job
 * @property {"coming" | "here" | "done"} state
 * @property {number} holds  the fraction of the datacenter that its tasks hold
 * @property {number} fair  its equal share
 * @property {number} gives  the part of its share that it lets others use although more of its tasks could run
 * @property {number} waits  the number of its tasks that could run and wait
 * @property {boolean} altruistic
 */

/**
 * Return the facts that do not change over a run: when stages were ready, and which jobs are altruistic.
 * @param {Graphs} graphs
 */
export function groundOf(graphs) {
  return {
    ready: Float64Array.from({ length: graphs.stages.count }, (_, stage) => readyOf(graphs, stage)),
    altruistic: Array.from({ length: graphs.jobs.count }, (_, job) => isAltruistic(graphs, job)),
  };
}

/**
 * @param {Graphs} graphs
 * @param {ReturnType<typeof groundOf>} ground
 * @param {number} t_ns
 * @param {(job: number) => number} [weight]
 * @returns {Standing[]}  by job
 */
export function standingAt(graphs, ground, t_ns, weight = () => 1) {
  const { jobs } = graphs;
  /** @param {number} job */
  const here = (job) => jobs.arrival[job] <= t_ns && (jobs.end[job] < 0 || jobs.end[job] > t_ns);
  const numbers = Array.from({ length: jobs.count }, (_, job) => job);
  const weights = numbers.filter(here).reduce((sum, job) => sum + weight(job), 0);
  return numbers.map((job) => {
    const state = here(job) ? "here" : jobs.arrival[job] > t_ns ? "coming" : "done";
    const altruistic = ground.altruistic[job];
    if (state !== "here") return { job, state, holds: 0, fair: 0, gives: 0, waits: 0, altruistic };
    const fair = weight(job) / weights;
    const { held, could, waits } = ofJob(graphs, ground, job, t_ns);
    const holds = Math.max(...held);
    const more = Math.max(...held.map((part, resource) => part + could[resource])) - holds;
    const gives = altruistic && waits ? Math.max(0, Math.min(more, fair - holds)) : 0;
    return { job, state, holds, fair, gives: gives < LEAST ? 0 : gives, waits, altruistic };
  });
}

/**
 * Return by resource what a job's tasks hold, and what its ready, waiting tasks could take.
 * @param {Graphs} options
 * @param {{ready: Float64Array}} options
 * @param {number} job
 * @param {number} t_ns
 */
function ofJob({ jobs, stages, placements, capacity }, { ready }, job, t_ns) {
  const [held, could] = [capacity.map(() => 0), capacity.map(() => 0)];
  let waits = 0;
  for (let stage = jobs.firstStage[job]; stage < jobs.firstStage[job] + jobs.stages[job]; stage += 1) {
    /** @param {number} resource */
    const part = (resource) => (capacity[resource] > 0 ? stages.demand[stage][resource] / capacity[resource] : 0);
    let [runs, waiting] = [0, 0];
    for (let at = stages.first[stage]; at < stages.first[stage] + stages.tasks[stage]; at += 1) {
      const [start, end] = [placements.start[at], placements.end[at]];
      if (start < 0 || start > t_ns) waiting += ready[stage] <= t_ns ? 1 : 0;
      else if (end < 0 || end > t_ns) runs += 1;
    }
    waits += waiting;
    capacity.forEach((_, resource) => {
      held[resource] += runs * part(resource);
      could[resource] += waiting * part(resource);
    });
  }
  return { held, could, waits };
}
