/** Which scheduler, and its knobs as its own schema declares them. */

import { problemText } from "../../experiment/problems.js";
import { h } from "../../kit/dom.js";
import { headButton, knobSection } from "../../experiment/forms/knob_section.js";
import { unseen } from "../../run/figures_told.js";
import { gettext } from "../../kit/words.js";
import { effect } from "../../kit/view.js";
import { PolicyPlace } from "./policy_place.js";

/**
 * @import { Experiment, Scheduler } from "../../experiment/experiment.js"
 * @import { Studio } from "../store.js"
 */

export default {
  id: "scheduler",
  place: "left",
  title: gettext("Scheduler"),
  question: gettext("Who decides?"),
  mount(/** @type {HTMLElement} */ body, /** @type {Studio} */ studio) {
    const pick = schedulerButton(studio);
    const problem = h("p", { class: "knob-problem", role: "alert", hidden: true });
    const reset = headButton(
      body,
      "reset",
      gettext("Reset"),
      gettext("Reset every parameter of the scheduler to its default"),
      () => {
        studio.edit("scheduler.params", {});
        pick.focus();
      },
    );
    const knobs = h("div", { class: "knobs" });
    const stages = stageButtons(studio);
    const policy = new PolicyPlace(studio);
    const about = h("p", { class: "knob-help", id: "scheduler-about" });
    const where = h("a", { class: "link signature-link", hidden: true }, gettext("Show an example run"));
    const unseen = unseenNote(studio);
    body.append(pick, about, unseen.element, where, problem, stages, policy.element, knobs);
    /** @type {ReturnType<typeof knobSection> | null} */
    let section = null;
    let builtFor = "";

    const build = (/** @type {Experiment} */ experiment) => {
      const chosen = studio.schedulers.find((each) => each.name === experiment.scheduler?.name);
      const declared = policy.knobs(chosen);
      const wanted = `${Boolean(chosen)}:${experiment.scheduler?.name}:${JSON.stringify(declared)}`;
      if (wanted === builtFor) return;
      builtFor = wanted;
      pick.textContent = chosen?.label ?? experiment.scheduler?.name ?? "";
      where.href = chosen?.signature?.address ?? "";
      where.hidden = !chosen?.signature;
      knobs.replaceChildren();
      pick.dataset.tip = about.textContent = chosen?.summary ?? "";
      section = knobSection(
        knobs,
        studio,
        policy.beside(declared, chosen),
        declared.length + (isPipeline(chosen) ? 2 : 3),
      );
      stages.hidden = !isPipeline(chosen);
    };

    effect(() => {
      const { experiment } = studio;
      if (!experiment) return;
      build(experiment);
      section?.experiment(experiment);
      reset.hidden = studio.readOnly || !differs(experiment.scheduler, studio.chosen);
    });
    effect(unseen.update);
    effect(() => {
      const { experiment: _drawn, schedulers: _known, problems } = studio;
      section?.problems(problems);
      const found = problems.find((each) => each.path === "scheduler" || each.path === "scheduler.name");
      problem.hidden = !found;
      problem.textContent = found ? problemText(found) : "";
    });
  },
};

/** Names the scheduler, and opens the cards of all of them; their module is fetched when it is wanted. */
function schedulerButton(/** @type {Studio} */ studio) {
  return h("button", {
    type: "button",
    class: "knob-select scheduler-pick",
    "aria-haspopup": "dialog",
    "aria-describedby": "scheduler-about",
    "data-path": "scheduler.name",
    onclick: async () => (await import("../../features/cards/choosing.js")).chooseScheduler(studio),
  });
}

/** Says, once a run has ended, that its workload could not show the scheduler's idea. */
function unseenNote(/** @type {Studio} */ studio) {
  const element = h("p", { class: "signature-unseen", role: "status", "data-unseen": true, hidden: true });
  const update = () => {
    const { session, news: _changed } = studio;
    const said = unseen(studio.schedulers, session?.store.summary, session?.experiment);
    element.hidden = !said;
    element.textContent = said;
  };
  return { element, update };
}

/** What a pipeline has besides its knobs. */
function stageButtons(/** @type {Studio} */ studio) {
  const opens = (/** @type {string} */ name, /** @type {string} */ title) =>
    h(
      "button",
      { type: "button", class: "button button-small", "data-compose": name, onclick: () => compose(studio, name) },
      title,
    );
  return h(
    "div",
    { class: "pick-row", hidden: true },
    opens("stages", gettext("Stages")),
    opens("matrix", gettext("Matrix…")),
    opens("open_stages", gettext("Spread…")),
  );
}

/**
 * Whether a parameter stands off its default; a stored experiment has all of them written down.
 * @param {Experiment["scheduler"]} scheduler
 * @param {Scheduler | undefined} chosen
 */
function differs(scheduler, chosen) {
  const fields = (chosen?.params_schema ?? chosen?.params)?.properties ?? {};
  return Object.entries(scheduler?.params ?? {}).some(
    ([name, value]) => !fields[name] || JSON.stringify(value) !== JSON.stringify(fields[name].default),
  );
}

/**
 * Whether it is composed of stages: then a picture of them lies beside the map, and fourteen published ones can be
 * loaded.
 */
function isPipeline(/** @type {Scheduler | undefined} */ scheduler) {
  return Boolean(scheduler?.composes);
}

/** Show the stages, or open one of the dialogs about them; their modules are fetched when they are wanted. */
async function compose(/** @type {Studio} */ studio, /** @type {string} */ name) {
  if (name === "stages") {
    studio.desk?.show("stages");
    return;
  }
  try {
    const [{ fetchReference }, module] = await Promise.all([
      import("../../features/composer/reference.js"),
      name === "matrix"
        ? import("../../features/composer/matrix.js")
        : import("../../features/composer/open_stages.js"),
    ]);
    module.open(studio, await fetchReference());
  } catch (/** @type {any} */ error) {
    studio.messages.notice(error.message, "", 6000);
  }
}
