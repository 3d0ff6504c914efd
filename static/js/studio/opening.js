/** What the studio opens with: a stored experiment and its run, the link's own experiment, a draft, or the default. */

import { DEFAULT_EXPERIMENT, FIRST_MOMENT } from "../experiment/default_experiment.js";
import { pickRun } from "../run/runs.js";
import { hasTodaysRules, withoutStatement, withRulesWritten } from "./former_rules.js";
import { linkedExperiment, NOT_SHOWN } from "./linked.js";
import { gettext } from "../kit/words.js";
import { watch } from "../kit/view.js";

/**
 * @import { Experiment } from "../experiment/experiment.js"
 * @import { Studio } from "./store.js"
 */

export function openStudio(/** @type {Studio} */ studio) {
  const given = studio.boot.experiment;
  if (!given && openLink(studio)) return;
  // A link, a gallery's recorded run and a scheduler's own experiment open unchanged; drafts are ignored.
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
      studio.running.watch(studio.opened.value, run);
      return;
    }
  }
  const begins = studio.boot.gallery?.experiment ?? signature?.experiment ?? DEFAULT_EXPERIMENT;
  // An experiment of one's own that has no run yet is there already.
  const first = !studio.experiment.value && begins === DEFAULT_EXPERIMENT;
  if (!studio.experiment.value) studio.show(structuredClone(begins));
  if (left) takeUp(studio, left, steps);
  else {
    if (first) openOnMoment(studio);
    studio.submit();
  }
}

/** Open the first experiment on a moment, unless the address names an instant or a setting is changed before. */
function openOnMoment(/** @type {Studio} */ studio) {
  const { view } = studio;
  if (view.moment || view.t_s !== null || view.show || view.picture || view.paused) return;
  view.moment = FIRST_MOMENT;
  const begun = studio.experiment.value;
  watch(
    () => studio.experiment.value,
    (now) => {
      if (now !== begun && view.moment === FIRST_MOMENT) view.moment = null;
    },
  );
}

/**
 * Continue with a change that had not reached the server; undo returns to the server's version.
 * @param {Experiment} left
 * @param {boolean} steps
 */
async function takeUp(/** @type {Studio} */ studio, left, steps) {
  if (left.rules !== undefined) left = await withRulesWritten(studio, left);
  // The restored history already ends with the step that made this change.
  if (steps) studio.change(left, true);
  else studio.replace(left, true);
  studio.messages.notice(gettext("A change that had not reached the server was restored. Ctrl+Z undoes it."), "", 8000);
}

/** Open the link's experiment without storing anything; return true if there was one. */
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
    // Unpacked data may not be an experiment that the controls can show.
    studio.status({ state: "badlink", error: NOT_SHOWN });
  }
}
