/** What a job counts for where shares are by weight: that of its queue if the run says so, else the same for all. */

export function weightOf(meta, graphs) {
  const byQueue = meta.experiment.scheduler?.params?.weights === "queue_share";
  return byQueue ? (job) => meta.queues[graphs.jobs.queue[job]].share : () => 1;
}
