/** Runs of other experiments beside the one on the page. */

import { createExperiment, startRun } from "../contract/api.js";

/**
 * @import { Experiment } from "../experiment/experiment.js"
 * @import { Studio } from "../studio/store.js"
 */

/**
 * Store and start experiments under the seed of the run on the screen, and give the address that shows all of them.
 *
 * @param {Studio} studio
 * @param {Experiment[]} experiments
 * @param {string[]} [first]  runs that come first; the one on the screen if none are given
 */
export async function besideIt(studio, experiments, first) {
  const runs = [...(first ?? [await runOnScreen(studio)])];
  // The seed of the run on the screen, which need not be the experiment's: else the work would be another.
  const seed = studio.meta?.seed ?? studio.experiment?.seed;
  const seeded = experiments.map((each) => (seed === undefined ? each : { ...each, seed }));
  return sideBySide(seeded, runs, { madeOf: studio.saved?.id });
}

/**
 * Store and start experiments, and give the address that shows their runs after the runs that are given.
 *
 * @param {Experiment[]} experiments
 * @param {string[]} [first]
 * @param {{madeOf?: string}} [options]
 */
export async function sideBySide(experiments, first = [], options = {}) {
  const runs = [...first];
  for (const each of experiments) {
    const made = await createExperiment(each, options);
    runs.push((await startRun(made.id)).id);
  }
  return `/compare?runs=${runs.join(",")}`;
}

/** The run on the screen. Without one, start one; if another user owns the experiment, start it from a copy. */
async function runOnScreen(/** @type {Studio} */ studio) {
  if (studio.session?.run.id && studio.session.experiment === studio.experiment) return studio.session.run.id;
  const own = studio.saved && studio.running.isMine && studio.savedFrom === studio.experiment;
  const made = own && studio.saved ? studio.saved : await createExperiment(studio.experiment ?? {});
  return (await startRun(made.id)).id;
}
