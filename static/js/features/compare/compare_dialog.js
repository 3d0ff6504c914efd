/**
 * The dialog "Compare": the same experiment under other schedulers, side by side, or repeated over seeds and swept over
 * parameters.
 */

import { problemText } from "../../experiment/problems.js";
import { planWords, runsOf } from "../../run/study/study.js";
import { variables } from "../../run/study/study_paths.js";
import { besideIt } from "../../run/beside.js";
import { ApiError, createExperiment } from "../../contract/api.js";
import { startStudy } from "../../run/study/study_socket.js";
import { openDialog } from "../../kit/dialogs.js";
import { part, targetOf } from "../../kit/dom.js";
import { computed, element, html, ifDefined, live, nothing, signal, untracked } from "../../kit/view.js";
import { duration } from "../../kit/format.js";
import { gettext, language } from "../../kit/words.js";
import { AxisRow } from "./compare_axes.js";
import { isFixedTrace, keep, kept, placeWords, resampled } from "./compare_plan.js";
import { ComparedParams, trialsOf } from "./compared_params.js";

/**
 * @import { Scheduler } from "../../experiment/experiment.js"
 * @import { Studio } from "../../studio/store.js"
 */

const MOST_BESIDE = 8;
const MOST_STUDIED = 8;
const RESAMPLING = gettext(
  "Each seed draws other blocks of consecutive jobs from the trace, with the gaps before them (circular block " +
    "bootstrap). Off: all seeds have the same jobs.",
);

/**
 * Open the dialog; `others` are schedulers selected initially for a study.
 * @param {Studio} studio
 * @param {string[]} others
 */
export function compareDialog(studio, others = []) {
  const made = new CompareDialog(studio);
  if (others.length) made.choose(others);
  return made.dialog;
}

class CompareDialog {
  constructor(/** @type {Studio} */ studio) {
    this.studio = studio;
    this.experiment = studio.opened.value;
    this.own = this.experiment.scheduler?.name;
    const before = studio.ghost.value?.session;
    this.before = before?.run.id && before.run.state === "done" ? before : null;
    const first = studio.first.value;
    this.first = first && first.id !== this.before?.run.id && first.id !== studio.session.value?.run.id ? first : null;
    this.names = signal(new Set([this.own]));
    this.withBefore = signal(false);
    this.withFirst = signal(false);
    this.repeats = signal("10");
    this.resample = signal(false);
    this.trouble = signal(/** @type {string[]} */ ([]));
    /** The name of the button that was pressed. */
    this.starting = signal("");
    const work = studio.session.value?.store.summary?.by_work_class;
    const cutoff = work?.cutoff_s ?? null;
    this.cutoff = work && work.rule !== "yahoo" ? work.cutoff_s : null;
    this.params = new ComparedParams(this.experiment, studio.schedulers.value, cutoff, trialsOf(studio.boot.gallery));
    const groups = computed(() => variables(this.experiment, this.chosen));
    this.axes = [
      new AxisRow(gettext("Vary"), this.experiment, groups, { first: true }),
      new AxisRow(gettext("and vary"), this.experiment, groups),
    ];
    this.#recall();
    this.dialog = openDialog(
      gettext("Compare"),
      element("div", "compare-form", () => this.#view()),
    );
    this.dialog.classList.add("dialog-wide");
  }

  /** Return the boundary of the work in words if a scheduler's cutoff is less than half of it, or more than twice. */
  #cutoffView() {
    const work = this.cutoff;
    if (work === null) return nothing;
    const others = this.chosen.filter((one) => {
      const value = /** @type {number} */ (this.params.of(one).short_cutoff_s ?? work);
      return value < work / 2 || value > 2 * work;
    });
    if (!others.length) return nothing;
    const told = {
      schedulers: new Intl.ListFormat(language()).format(others.map((one) => one.label ?? one.name)),
      cutoff: duration(work * 1e9),
    };
    return html`<p class="dialog-note" role="status" data-cutoff
      >${gettext("{schedulers}: the cutoff is far from that of the work, {cutoff}.", told)}</p
    >`;
  }

  #view() {
    return html`
      <h3 class="compare-title">${gettext("Schedulers")}</h3>
      ${this.#choicesView()} ${this.before ? this.#beforeView(this.before) : nothing}
      ${this.first ? this.#firstView(this.first) : nothing} ${this.params.view(this.chosen)}
      ${this.#cutoffView()}
      <div class="compare-part">
        <h3 class="compare-title">${gettext("One run each, side by side")}</h3>
        ${this.#besideView()}
      </div>
      <div class="compare-part">
        <h3 class="compare-title">${gettext("A study: many seeds or values")}</h3>
        ${this.#studyView()}
      </div>
      <p class="dialog-trouble" role="alert" ?hidden=${!this.trouble.value.length}>
        ${this.trouble.value.map((line, at) => html`${at ? html`<br />` : nothing}${line}`)}
      </p>`;
  }

  /** Return check boxes, a column for each family. */
  #choicesView() {
    const schedulers = this.studio.schedulers.value;
    const families = [...new Set(schedulers.map((one) => one.family_label))];
    return html`<div class="compare-choices" role="group" aria-label=${gettext("Schedulers to compare")}>
      <div class="compare-columns">
        ${families.map(
          (label) =>
            html`<div class="compare-family">
              <p class="compare-head">${label}</p>
              ${schedulers.filter((one) => one.family_label === label).map((one) => this.#choiceView(one))}
            </div>`,
        )}
      </div>
    </div>`;
  }

  #choiceView(/** @type {Scheduler} */ one) {
    const choose = (/** @type {Event} */ event) => {
      const names = new Set(this.names.value);
      if (targetOf(event).checked) names.add(one.name);
      else names.delete(one.name);
      this.names.value = names;
    };
    return html`<label class="compare-choice" data-tip=${ifDefined(one.summary)}>
      <input
        type="checkbox"
        value=${one.name}
        .checked=${live(this.names.value.has(one.name))}
        ?disabled=${one.name === this.own}
        @change=${choose}
      />${one.label}
    </label>`;
  }

  #beforeView(/** @type {NonNullable<CompareDialog["before"]>} */ before) {
    const words = gettext("the previous run ({label}, dashed), side by side only", {
      label: before.meta?.scheduler.label ?? gettext("another setting"),
    });
    return html`<label class="compare-choice">${boxView(this.withBefore)}${words}</label>`;
  }

  #firstView(/** @type {NonNullable<CompareDialog["first"]>} */ { label }) {
    const words = gettext("the run that this page began with ({label}), side by side only", {
      label: label || gettext("another setting"),
    });
    return html`<label class="compare-choice" data-first-run>${boxView(this.withFirst)}${words}</label>`;
  }

  #besideView() {
    const many = this.chosen.length + (this.withBefore.value ? 1 : 0) + (this.withFirst.value ? 1 : 0);
    const hasRun = untracked(() => this.studio.session.value?.run.id);
    const note =
      many > MOST_BESIDE
        ? gettext("At most {most} runs fit side by side: leave some out.", { most: MOST_BESIDE })
        : many < 2
          ? gettext("Select another scheduler to compare it with this one.")
          : gettext("{runs} runs of the same workload, at the same moment and the same place on the map.", {
              runs: many,
            });
    return html`<p class="dialog-note">${note}</p>
      ${this.#buttonView("beside", gettext("Run side by side"), many < 2 || many > MOST_BESIDE || !hasRun, () =>
        this.#runBeside(),
      )}`;
  }

  #studyView() {
    const { axes, repeats } = this.plan;
    const names = this.chosen.map((one) => one.name);
    const runs = runsOf({ axes, schedulers: names, repeats }, (name, path) => this.#has(name, path));
    const type = (/** @type {Event} */ event) => {
      this.repeats.value = targetOf(event).value;
    };
    const isFixed = isFixedTrace(this.experiment);
    return html`${this.axes.map((row) => row.view())}
      <label class="compare-row">
        <span class="compare-label">${gettext("Seeds")}</span>
        <input
          class="field compare-number"
          type="number"
          min="1"
          max="1000"
          data-repeats
          aria-label=${gettext("Seeds")}
          .value=${live(this.repeats.value)}
          @input=${type}
        />
      </label>
      ${
        isFixed
          ? html`<label class="compare-choice" data-tip=${RESAMPLING}
              >${boxView(this.resample)}${gettext(
                "Resample the trace under each seed. Otherwise, all seeds have the same jobs.",
              )}</label
            >`
          : nothing
      }
      <p class="dialog-note" role="status" data-plan>${planWords(runs, repeats, isFixed && !this.resample.value)}</p>
      ${this.#buttonView("study", gettext("Start the study"), names.length > MOST_STUDIED, () => this.#startStudy())}`;
  }

  /**
   * @param {string} name
   * @param {string} words
   * @param {boolean} off
   * @param {() => Promise<string>} work
   */
  #buttonView(name, words, off, work) {
    const isStarting = this.starting.value === name;
    return html`<button
      class="button button-heavy"
      type="button"
      data-compares=${name}
      data-start=${name}
      ?disabled=${off || isStarting}
      @click=${() => this.#act(name, work)}
    >
      ${isStarting ? gettext("Starting…") : words}
    </button>`;
  }

  /** Select schedulers beside the experiment's own, and focus the study's button. */
  choose(/** @type {string[]} */ names) {
    this.names.value = new Set([this.own, ...names]);
    const start = part("[data-start=study]", this.dialog);
    start.scrollIntoView({ block: "nearest" });
    start.focus();
  }

  /** The selected schedulers, the experiment's own first. */
  get chosen() {
    const names = this.studio.schedulers.value.filter((one) => this.names.value.has(one.name));
    return [...names.filter((one) => one.name === this.own), ...names.filter((one) => one.name !== this.own)];
  }

  get plan() {
    return {
      name: this.experiment.name || "",
      repeats: Math.max(1, Math.round(Number(this.repeats.value)) || 1),
      axes: this.axes.map((row) => row.axis()).filter((axis) => axis !== null),
      // Without parameters the server uses the experiment's, which are the initial ones here.
      schedulers: this.chosen.map((one) =>
        this.params.isChanged(one) ? { name: one.name, params: this.params.of(one) } : { name: one.name },
      ),
    };
  }

  /**
   * Return true if a scheduler has the parameter at a path.
   * @param {string} name
   * @param {string} path
   */
  #has(name, path) {
    const own = "scheduler.params.";
    if (!path.startsWith(own)) return true;
    const params = this.studio.schedulers.value.find((one) => one.name === name)?.params;
    return Object.hasOwn(params?.properties ?? {}, path.slice(own.length));
  }

  #fail(/** @type {unknown} */ error) {
    const told =
      error instanceof ApiError && error.problems.length
        ? error.problems.map((each) => `${placeWords(each.path, this.chosen)} ${problemText(each)}`.trim())
        : [/** @type {Error} */ (error).message];
    this.trouble.value = told.slice(0, 6);
    part(".dialog-trouble", this.dialog).scrollIntoView({ block: "nearest" });
  }

  /** Restore the axes of this tab's last study. */
  #recall() {
    const last = kept();
    if (!last) return;
    this.repeats.value = String(last.repeats);
    this.axes.forEach((row, at) => row.type(last.axes[at]));
  }

  /**
   * @param {string} name
   * @param {() => Promise<string>} work
   */
  async #act(name, work) {
    this.trouble.value = [];
    this.starting.value = name;
    try {
      window.location.href = await work();
    } catch (error) {
      this.#fail(error);
      this.starting.value = "";
    }
  }

  /**
   * Run the selected schedulers beside the run on screen, which takes part unless its scheduler's parameters were
   * changed here.
   */
  async #runBeside() {
    const { studio, experiment } = this;
    const isOnScreen = (/** @type {Scheduler} */ one) => one.name === this.own && !this.params.isChanged(one);
    const runs = this.chosen.some(isOnScreen) ? [studio.session.value?.run.id ?? ""] : [];
    if (this.before && this.withBefore.value) runs.push(this.before.run.id);
    if (this.first && this.withFirst.value) runs.push(this.first.id);
    const others = this.chosen.filter((each) => !isOnScreen(each));
    const experiments = others.map((one) => ({
      ...experiment,
      name: `${experiment.name || gettext("Experiment")}: ${one.label}`.slice(0, 64),
      scheduler: { name: one.name, params: this.params.of(one) },
    }));
    return besideIt(studio, experiments, runs);
  }

  async #startStudy() {
    const { studio, plan } = this;
    const experiment = this.resample.value ? resampled(this.experiment) : this.experiment;
    const made =
      studio.readOnly.value || !studio.running.isMine || !studio.saved.value || studio.savedFrom.value !== experiment
        ? await createExperiment(experiment)
        : studio.saved.value;
    const { id } = await startStudy(made.id, plan);
    keep({ repeats: plan.repeats, axes: this.axes.map((row) => row.typed.value) });
    return `/studies/${id}`;
  }
}

/** Return a check box bound to a signal. */
function boxView(/** @type {import("../../../vendor/signals/signals-core.mjs").Signal<boolean>} */ ticked) {
  const tick = (/** @type {Event} */ event) => {
    ticked.value = targetOf(event).checked;
  };
  return html`<input type="checkbox" .checked=${live(ticked.value)} @change=${tick} />`;
}
