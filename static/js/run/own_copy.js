/** Experiments that the server makes from the one on the page, and a viewer's own copy of another user's experiment. */

import { createExperiment, forkExperiment, getExperiment, startRun } from "../contract/api.js";
import { gettext } from "../kit/words.js";

/** @import { Studio } from "../studio/store.js" */

/** Go on with an experiment that the server made out of this one: at the same instant, with the old curve as ghost. */
export async function goOn(/** @type {Studio} */ studio, /** @type {any} */ made) {
  studio.own();
  studio.history.record(studio.experiment, "");
  studio.adopt(made);
  window.history.replaceState(null, "", `/studio/${made.id}${window.location.search}`);
  await studio.submit();
}

/** Go on with an experiment in which one small change was found to help. */
export async function tryChange(/** @type {Studio} */ studio, /** @type {any} */ help) {
  try {
    const made = await createExperiment({ ...help.experiment, name: studio.experiment?.name });
    await goOn(studio, { ...made, ...(await getExperiment(made.id)), owner_token: made.owner_token });
    studio.messages.notice(gettext("{text}. The old curve stays dashed.", { text: help.text }), "", 5000);
  } catch (error) {
    studio.refused(/** @type {Error} */ (error));
  }
}

/** The same experiment as one's own, at the same instant. */
export async function fork(/** @type {Studio} */ studio) {
  studio.own();
  try {
    const made =
      studio.saved && studio.savedFrom === studio.experiment
        ? await forkExperiment(studio.saved.id)
        : await createExperiment(studio.experiment ?? {});
    studio.running.keep(made, studio.experiment ?? {});
    startRun(made.id).catch(() => {}); // the same picture, for whoever gets a link to the copy
    studio.messages.notice(gettext("This is your own copy now. Change anything."), "", 4000);
  } catch (error) {
    studio.fail(/** @type {Error} */ (error));
  }
}
