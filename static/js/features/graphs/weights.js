/**
 * What a job counts for where shares are by weight: that of its queue if the run says so, else the same for all.
 * @param {Meta} meta
 * @param {Graphs} graphs
 */

/**
 * @import { Meta } from "../../contract/contract"
 * @import { Graphs } from "./job_graphs.js"
 * @param {Meta} meta
 * @param {Graphs} graphs
 */

export function weightOf(meta, graphs) {
  const byQueue = meta.experiment.scheduler?.params?.weights === "queue_share";
  return byQueue ? (/** @type {number} */ job) => meta.queues[graphs.jobs.queue[job]].share : () => 1;
}
