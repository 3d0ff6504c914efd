/**
 * Experiments that the server derives from the one on the page, and a viewer's own copy of another user's experiment.
 */

import { createExperiment, forkExperiment, getExperiment, startRun } from "../contract/api.js";
import { gettext } from "../kit/words.js";

/**
 * @import { Experiment, Stored } from "../contract/api.js"
 * @import { Studio } from "../studio/store.js"
 */

/** Continue with an experiment derived from this one, at the same instant. The previous curve stays dashed. */
export async function goOn(/** @type {Studio} */ studio, /** @type {Stored} */ made) {
  studio.own();
  studio.history.record(studio.experiment.value, "");
  studio.adopt(made);
  window.history.replaceState(null, "", `/studio/${made.id}${window.location.search}`);
  await studio.submit();
}

/** Continue with an experiment that contains one small helpful change. */
export async function tryChange(
  /** @type {Studio} */ studio,
  /** @type {{text: string, experiment?: Experiment}} */ help,
) {
  try {
    const made = await createExperiment({ ...help.experiment, name: studio.experiment.value?.name });
    await goOn(studio, { ...made, ...(await getExperiment(made.id)), owner_token: made.owner_token });
    studio.messages.notice(gettext("{text}. The old curve stays dashed.", { text: help.text }), "", 5000);
  } catch (error) {
    studio.refused(/** @type {Error} */ (error));
  }
}

/** Copy the experiment for this user, at the same instant. */
export async function fork(/** @type {Studio} */ studio) {
  studio.own();
  try {
    const made =
      studio.saved.value && studio.savedFrom.value === studio.experiment.value
        ? await forkExperiment(studio.saved.value.id)
        : await createExperiment(studio.experiment.value ?? {});
    studio.running.keep(made, studio.experiment.value ?? {});
    startRun(made.id).catch(() => {}); // the same picture for people who open a link to the copy
    studio.messages.notice(gettext("This is your own copy now. Change anything."), "", 4000);
  } catch (error) {
    studio.fail(/** @type {Error} */ (error));
  }
}
