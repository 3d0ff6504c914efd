/** The choice of the scheduler, and a control for each parameter in its schema. */

import { problemText } from "../../experiment/problems.js";
import { part } from "../../kit/dom.js";
import { headButton, knobSection } from "../../experiment/forms/knob_section.js";
import { cutoffWords } from "../../run/cutoff.js";
import { unseen } from "../../run/figures_told.js";
import { gettext } from "../../kit/words.js";
import { effect, html, show } from "../../kit/view.js";
import { exportConfiguration, hasConfiguration } from "../../features/traces/kube_configuration.js";
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
    const knobs = document.createElement("div");
    knobs.className = "knobs";
    const policy = new PolicyPlace(studio);
    const reset = headButton(
      body,
      "reset",
      gettext("Reset"),
      gettext("Reset every parameter of the scheduler to its default"),
      () => {
        studio.edit("scheduler.params", {});
        part(".scheduler-pick", body).focus();
      },
    );
    show(
      body,
      () => html`${pickView(studio)} ${unseenView(studio)} ${cutoffView(studio)} ${exampleView(studio)}
        ${problemView(studio)}
        ${stagesView(studio)} ${policy.element} ${configurationView(studio)} ${knobs}`,
    );
    /** @type {ReturnType<typeof knobSection> | null} */
    let section = null;
    let builtFor = "";

    const build = (/** @type {Experiment} */ experiment) => {
      const chosen = studio.chosen.value;
      const declared = policy.knobs(chosen);
      const wanted = `${Boolean(chosen)}:${experiment.scheduler?.name}:${JSON.stringify(declared)}`;
      if (wanted === builtFor) return;
      builtFor = wanted;
      knobs.replaceChildren();
      const shown = declared.length + (isPipeline(chosen) ? 2 : 3);
      section = knobSection(knobs, studio, policy.beside(declared, chosen), shown);
    };

    effect(() => {
      const experiment = studio.experiment.value;
      if (!experiment) return;
      build(experiment);
      section?.experiment(experiment);
      reset.hidden = studio.readOnly.value || !differs(experiment.scheduler, studio.chosen.value);
    });
    effect(() => {
      const problems = studio.problems.value;
      studio.experiment.value;
      studio.schedulers.value;
      section?.problems(problems);
    });
  },
};

/** Return the scheduler's name, a button that opens the scheduler cards, and its summary. */
function pickView(/** @type {Studio} */ studio) {
  const chosen = studio.chosen.value;
  const name = chosen?.label ?? studio.experiment.value?.scheduler?.name ?? "";
  const summary = chosen?.summary ?? "";
  const choose = async () => (await import("../../features/cards/choosing.js")).chooseScheduler(studio);
  return html`<button
      type="button"
      class="knob-select scheduler-pick"
      aria-haspopup="dialog"
      aria-describedby="scheduler-about"
      data-path="scheduler.name"
      data-tip=${summary}
      @click=${choose}
    >${name}</button>
    <p class="knob-help" id="scheduler-about">${summary}</p>`;
}

/** Return a note, once a run has ended, if its workload could not show the scheduler's idea. */
function unseenView(/** @type {Studio} */ studio) {
  const session = studio.session.value;
  studio.news.value;
  const words = unseen(studio.schedulers.value, session?.store.summary, session?.experiment);
  return html`<p class="signature-unseen" role="status" data-unseen ?hidden=${!words}>${words}</p>`;
}

/** Return a note, while a preview is shown and once a run has ended, if the cutoff does not separate the work. */
function cutoffView(/** @type {Studio} */ studio) {
  studio.news.value;
  studio.livePreview.told.value;
  const preview = studio.livePreview.summary();
  const words = cutoffWords(preview ?? studio.wholeRun(), preview !== null);
  return html`<p class="signature-unseen" role="status" data-cutoff data-says="run:cutoff" ?hidden=${!words}
    >${words}</p
  >`;
}

function exampleView(/** @type {Studio} */ studio) {
  const signature = studio.chosen.value?.signature;
  return html`<a class="link signature-link" href=${signature?.address ?? ""} ?hidden=${!signature}
    >${gettext("Show an example run")}</a
  >`;
}

function problemView(/** @type {Studio} */ studio) {
  const found = studio.problems.value.find((each) => each.path === "scheduler" || each.path === "scheduler.name");
  return html`<p class="knob-problem" role="alert" ?hidden=${!found}>${found ? problemText(found) : ""}</p>`;
}

/** Return the buttons for a pipeline's stages. */
function stagesView(/** @type {Studio} */ studio) {
  const opens = (/** @type {string} */ name, /** @type {string} */ title) =>
    html`<button
      type="button"
      class="button button-small"
      data-compose=${name}
      @click=${() => compose(studio, name)}
    >
      ${title}
    </button>`;
  return html`<div class="pick-row" ?hidden=${!isPipeline(studio.chosen.value)}>
    ${opens("stages", gettext("Stages"))} ${opens("matrix", gettext("Matrix…"))}
    ${opens("open_stages", gettext("Spread…"))}
  </div>`;
}

/** Return the export of a scheduler's parameters as its upstream's configuration, where it has one. */
function configurationView(/** @type {Studio} */ studio) {
  const act = () => exportConfiguration(studio);
  const tip = gettext("Drop such a file (YAML or JSON) onto this page to set the parameters.");
  return html`<div class="pick-row" ?hidden=${!hasConfiguration(studio.chosen.value)}
    ><button type="button" class="link" data-export-configuration data-tip=${tip} @click=${act}
      >${gettext("Export as KubeSchedulerConfiguration")}</button
    ></div>`;
}

/**
 * Return true if a parameter differs from its default; a stored experiment lists all parameters.
 * @param {Experiment["scheduler"]} scheduler
 * @param {Scheduler | undefined} chosen
 */
function differs(scheduler, chosen) {
  const fields = (chosen?.params_schema ?? chosen?.params)?.properties ?? {};
  return Object.entries(scheduler?.params ?? {}).some(
    ([name, value]) => !fields[name] || JSON.stringify(value) !== JSON.stringify(fields[name].default),
  );
}

/** Return true if a scheduler is composed of stages. A picture then shows them, and published ones can be loaded. */
function isPipeline(/** @type {Scheduler | undefined} */ scheduler) {
  return Boolean(scheduler?.composes);
}

/** Show the stages, or open one of their dialogs; their modules load on first use. */
async function compose(/** @type {Studio} */ studio, /** @type {string} */ name) {
  if (name === "stages") {
    studio.desk.value?.show("stages");
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
  } catch (caught) {
    const error = /** @type {Error} */ (caught);
    studio.messages.notice(error.message, "", 6000);
  }
}
