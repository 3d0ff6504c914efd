/** What the studio opens with: a stored experiment and its run, what the link itself holds, a draft, or the default. */

import { DEFAULT_EXPERIMENT } from "../experiment/default_experiment.js";
import { pickRun } from "../run/runs.js";
import { hasTodaysRules, withoutStatement, withRulesWritten } from "./former_rules.js";
import { linkedExperiment, NOT_SHOWN } from "./linked.js";
import { gettext } from "../kit/words.js";

/**
 * @import { Experiment } from "../experiment/experiment.js"
 * @import { Studio } from "./store.js"
 */

export function openStudio(/** @type {Studio} */ studio) {
  const given = studio.boot.experiment;
  if (!given && openLink(studio)) return;
  // A link, a recorded run of the gallery and a scheduler's own experiment open as they are: nothing is taken up.
  const signature = given ? null : studio.boot.signature;
  const fresh = studio.boot.mode === "shared" || given?.mine === false || Boolean(signature);
  const left = fresh ? null : studio.drafts.left();
  const steps = !fresh && studio.drafts.restoreSteps();
  if (given) {
    studio.adopt(given);
    if (left) {
      takeUp(studio, left, steps);
      return;
    }
    const run = pickRun(given.runs, new URLSearchParams(window.location.search).get("run"));
    if (run?.recording === "removed") {
      studio.status({ ...run, state: "removed" });
      return;
    }
    if (run) {
      studio.running.watch(studio.opened, run);
      return;
    }
  }
  const begins = studio.boot.gallery?.experiment ?? signature?.experiment ?? DEFAULT_EXPERIMENT;
  if (!studio.experiment) studio.show(structuredClone(begins));
  if (left) takeUp(studio, left, steps);
  else studio.submit();
}

/**
 * Go on with what did not get to the server before the page was left; a step back leads to what the server has.
 * @param {Experiment} left
 * @param {boolean} steps
 */
async function takeUp(/** @type {Studio} */ studio, left, steps) {
  if (left.rules !== undefined) left = await withRulesWritten(studio, left);
  // The steps of the last visit end with the one that made it.
  if (steps) studio.change(left, true);
  else studio.replace(left, true);
  studio.messages.notice(gettext("A change that had not reached the server was restored. Ctrl+Z undoes it."), "", 8000);
}

/** Open the experiment that is in the link itself, without storing anything; say whether there was one. */
function openLink(/** @type {Studio} */ studio) {
  const { experiment, error } = linkedExperiment();
  if (error) studio.status({ state: "badlink", error });
  else if (experiment && hasTodaysRules(studio, experiment)) showLinked(studio, withoutStatement(experiment));
  else if (experiment) withRulesWritten(studio, experiment).then((written) => showLinked(studio, written));
  return Boolean(experiment || error);
}

function showLinked(/** @type {Studio} */ studio, /** @type {Experiment} */ experiment) {
  try {
    studio.show(experiment);
    studio.status({ state: "linked" });
  } catch {
    // What unpacks need not be an experiment that knobs can show.
    studio.status({ state: "badlink", error: NOT_SHOWN });
  }
}
