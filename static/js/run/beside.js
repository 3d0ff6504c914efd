/** Runs of other experiments beside the one on the page. */

import { ApiError, createExperiment, startRun } from "../contract/api.js";

/**
 * @import { Experiment } from "../experiment/experiment.js"
 * @import { Studio } from "../studio/store.js"
 */

/**
 * Store and start experiments under the seed of the run on screen; return the address that shows all of them.
 *
 * @param {Studio} studio
 * @param {Experiment[]} experiments
 * @param {string[]} [first]  runs that come first; the run on screen if none are given
 */
export async function besideIt(studio, experiments, first) {
  const runs = [...(first ?? [await runOnScreen(studio)])];
  // The run on screen may have another seed than the experiment. A different seed would draw a different workload.
  const seed = studio.meta.value?.seed ?? studio.experiment.value?.seed;
  const seeded = experiments.map((each) => (seed === undefined ? each : { ...each, seed }));
  return sideBySide(seeded, runs, { madeOf: studio.saved.value?.id });
}

/**
 * Store and start experiments; return the address that shows their runs after the given runs. Where the limit of runs
 * at once leaves no place, the page at this address starts the rest.
 *
 * @param {Experiment[]} experiments
 * @param {string[]} [first]
 * @param {{madeOf?: string}} [options]
 */
export async function sideBySide(experiments, first = [], options = {}) {
  const runs = [...first];
  const next = [];
  for (const each of experiments) {
    const made = await createExperiment(each, options);
    const run = next.length ? null : await startRun(made.id).catch(noPlace);
    if (run) runs.push(run.id);
    else next.push(made.id);
  }
  return `/compare?runs=${runs.join(",")}${next.length ? `&next=${next.join(",")}` : ""}`;
}

/** Return null for a run that has to wait for others of its owner; throw any other error. */
function noPlace(/** @type {unknown} */ error) {
  if (error instanceof ApiError && error.status === 429) return null;
  throw error;
}

/**
 * Return the id of the run on screen. Without one, start it; if another user owns the experiment, start it from a copy.
 */
async function runOnScreen(/** @type {Studio} */ studio) {
  if (studio.session.value?.run.id && studio.session.value.experiment === studio.experiment.value)
    return studio.session.value.run.id;
  const own = studio.saved.value && studio.running.isMine && studio.savedFrom.value === studio.experiment.value;
  const made = own && studio.saved.value ? studio.saved.value : await createExperiment(studio.experiment.value ?? {});
  return (await startRun(made.id)).id;
}
