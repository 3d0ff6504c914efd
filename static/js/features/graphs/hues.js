/** The colors of jobs in pictures: those of their tasks on the map. */

import { hueKind, hueOfJob, longJobs } from "../../draw/work/colours.js";

/**
 * @import { Meta } from "../../contract/contract"
 * @import { RunSession } from "../../run/run_session.js"
 * @import { Graphs } from "./job_graphs.js"
 */

/**
 * Give jobs the colors of their tasks on the map.
 * @param {Graphs} graphs
 * @param {Meta} meta
 * @param {() => RunSession | null} session  the session whose run is drawn; its track may still grow
 */
export function giveHues({ jobs }, meta, session) {
  /** @type {unknown} */
  let of = null;
  /** @type {ReturnType<typeof longJobs>} */
  let long = null;
  const longNow = () => {
    const track = session()?.store.track ?? null;
    if (track !== of) [of, long] = [track, longJobs(track)];
    return long;
  };
  jobs.hue = (job) => hueOfJob(meta, job, jobs.queue[job], longNow());
  jobs.by = () => hueKind(meta, Boolean(longNow()));
}
