/**
 * "Compare": the same experiment under other schedulers, side by side or repeated over seeds and swept over parameters.
 */

import { problemText } from "../../experiment/problems.js";
import { planWords, runsOf } from "../../run/study/study.js";
import { variables } from "../../run/study/study_paths.js";
import { besideIt } from "../../run/beside.js";
import { ApiError, createExperiment } from "../../contract/api.js";
import { startStudy } from "../../run/study/study_socket.js";
import { openDialog } from "../../kit/dialogs.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";
import { kept, keep, placeWords, axisRow, isFixedTrace, resampled } from "./compare_axes.js";

/**
 * @import { Scheduler } from "../../experiment/experiment.js"
 * @import { Studio } from "../../studio/store.js"
 */

const MOST_BESIDE = 4;
const MOST_STUDIED = 8;
const RESAMPLING = gettext(
  "Each seed draws other blocks of consecutive jobs from the trace, with the gaps before them (circular block " +
    "bootstrap). Off: all seeds have the same jobs.",
);

/**
 * Boxes to tick, a column a family: {boxes: [{one, input, element}], element}.
 * @param {Scheduler[]} schedulers
 * @param {string | undefined} own
 */
function choicesOf(schedulers, own) {
  const boxes = schedulers.map((one) => {
    const input = h("input", {
      type: "checkbox",
      value: one.name,
      checked: one.name === own,
      disabled: one.name === own,
    });
    return { one, input, element: h("label", { class: "compare-choice", "data-tip": one.summary }, input, one.label) };
  });
  const families = [...new Set(schedulers.map((one) => one.family_label))];
  const element = h(
    "div",
    { class: "compare-choices", role: "group", "aria-label": gettext("Schedulers to compare") },
    h(
      "div",
      { class: "compare-columns" },
      families.map((label) =>
        h(
          "div",
          { class: "compare-family" },
          h("p", { class: "compare-head" }, label),
          boxes.filter((box) => box.one.family_label === label).map((box) => box.element),
        ),
      ),
    ),
  );
  return { boxes, element };
}

/**
 * Open the dialog; `others` names schedulers that are chosen from the start, for a study.
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
    this.experiment = studio.opened;
    this.own = this.experiment.scheduler?.name;
    this.choices = choicesOf(studio.schedulers, this.own);
    const before = studio.ghost?.session;
    this.before = before?.run.id && before.run.state === "done" ? before : null;
    this.beforeBox = h("input", { type: "checkbox" });
    this.trouble = h("p", { class: "dialog-trouble", role: "alert", hidden: true });
    this.beside = h("button", { class: "button button-heavy", type: "button" }, gettext("Run side by side"));
    this.study = h("button", { class: "button button-heavy", type: "button" }, gettext("Start the study"));
    this.count = h("p", { class: "dialog-note", role: "status" });
    this.besideNote = h("p", { class: "dialog-note" });
    this.repeats = h("input", {
      class: "field compare-number",
      type: "number",
      min: 1,
      max: 1000,
      value: "10",
      "aria-label": gettext("Seeds"),
    });
    this.resample = h("input", { type: "checkbox" });
    this.axes = [axisRow(gettext("Vary"), { first: true }), axisRow(gettext("and vary"))];
    this.#wire();
    this.dialog = this.#layout();
    this.#offer();
    this.#recall();
  }

  #wire() {
    const refresh = () => this.#refresh();
    for (const box of this.choices.boxes) box.input.addEventListener("change", () => this.#offer());
    this.beforeBox.addEventListener("change", refresh);
    this.repeats.addEventListener("input", refresh);
    for (const row of this.axes) row.onchange = refresh;
    this.beside.addEventListener("click", () => this.#act(this.beside, () => this.#runBeside()));
    this.study.addEventListener("click", () => this.#act(this.study, () => this.#startStudy()));
  }

  #layout() {
    const { before } = this;
    const dialog = openDialog(
      gettext("Compare"),
      h("h3", { class: "compare-title" }, gettext("Schedulers")),
      this.choices.element,
      before
        ? h(
            "label",
            { class: "compare-choice" },
            this.beforeBox,
            gettext("the previous run ({label}, dashed), side by side only", {
              label: before.meta?.scheduler.label ?? gettext("another setting"),
            }),
          )
        : null,
      h(
        "div",
        { class: "compare-part" },
        h("h3", { class: "compare-title" }, gettext("One run each, side by side")),
        this.besideNote,
        this.beside,
      ),
      h(
        "div",
        { class: "compare-part" },
        h("h3", { class: "compare-title" }, gettext("A study: many seeds or values")),
        ...this.axes.map((row) => row.element),
        h("label", { class: "compare-row" }, h("span", { class: "compare-label" }, gettext("Seeds")), this.repeats),
        isFixedTrace(this.experiment)
          ? h(
              "label",
              { class: "compare-choice", "data-tip": RESAMPLING },
              this.resample,
              gettext("Resample the trace under each seed. Otherwise, all seeds have the same jobs."),
            )
          : null,
        this.count,
        this.study,
      ),
      this.trouble,
    );
    dialog.classList.add("dialog-wide");
    return dialog;
  }

  /** Choose schedulers beside the experiment's own, and have the study at hand. */
  choose(/** @type {string[]} */ names) {
    for (const { input, one } of this.choices.boxes) input.checked = one.name === this.own || names.includes(one.name);
    this.#offer();
    this.study.scrollIntoView({ block: "nearest" });
    this.study.focus();
  }

  /** The schedulers that take part, the experiment's own first. */
  get chosen() {
    const names = this.choices.boxes.filter((box) => box.input.checked).map((box) => box.one);
    return [...names.filter((one) => one.name === this.own), ...names.filter((one) => one.name !== this.own)];
  }

  get plan() {
    return {
      name: this.experiment.name || "",
      repeats: Math.max(1, Math.round(Number(this.repeats.value)) || 1),
      axes: this.axes.map((row) => row.axis()).filter(Boolean),
      schedulers: this.chosen.map((one) => ({ name: one.name })),
    };
  }

  /**
   * Whether a scheduler has what a path names.
   * @param {string} name
   * @param {string} path
   */
  #has(name, path) {
    const own = "scheduler.params.";
    if (!path.startsWith(own)) return true;
    const params = this.studio.schedulers.find((one) => one.name === name)?.params;
    return Object.hasOwn(params?.properties ?? {}, path.slice(own.length));
  }

  #fail(/** @type {Error} */ error) {
    const told =
      error instanceof ApiError && error.problems.length
        ? error.problems.map((each) => `${placeWords(each.path, this.chosen)} ${problemText(each)}`.trim())
        : [error.message];
    this.trouble.replaceChildren(...told.slice(0, 6).flatMap((text, at) => (at ? [h("br"), text] : [text])));
    this.trouble.hidden = false;
    this.trouble.scrollIntoView({ block: "nearest" });
  }

  #refresh() {
    const names = this.chosen.map((one) => one.name);
    const { axes, repeats } = this.plan;
    const runs = runsOf({ axes, schedulers: names, repeats }, (name, path) => this.#has(name, path));
    this.count.textContent = planWords(runs, repeats);
    const many = names.length + (this.beforeBox.checked ? 1 : 0);
    this.beside.disabled = many < 2 || many > MOST_BESIDE || !this.studio.session?.run.id;
    this.study.disabled = names.length > MOST_STUDIED;
    this.besideNote.textContent =
      many > MOST_BESIDE
        ? gettext("At most {most} runs fit side by side: leave some out.", { most: MOST_BESIDE })
        : many < 2
          ? gettext("Select another scheduler to compare it with this one.")
          : gettext("{runs} runs of the same workload, at the same moment and the same place on the map.", {
              runs: many,
            });
  }

  #offer() {
    for (const row of this.axes) row.offer(variables(this.experiment, this.chosen), this.experiment);
    this.#refresh();
  }

  /** What the last study of this tab varied. */
  #recall() {
    const last = kept();
    if (!last) return;
    this.repeats.value = String(last.repeats);
    this.axes.forEach((row, at) => row.type(last.axes[at]));
    this.#refresh();
  }

  /**
   * @param {HTMLButtonElement} button
   * @param {() => Promise<string>} work
   */
  async #act(button, work) {
    this.trouble.hidden = true;
    const words = button.textContent;
    button.disabled = true;
    button.textContent = gettext("Starting…");
    try {
      window.location.href = await work();
    } catch (/** @type {any} */ error) {
      this.#fail(error);
      button.textContent = words;
      this.#refresh();
    }
  }

  async #runBeside() {
    const { studio, experiment } = this;
    const runs = [studio.session?.run.id ?? ""];
    if (this.before && this.beforeBox.checked) runs.push(this.before.run.id);
    const others = this.chosen.filter((each) => each.name !== this.own);
    const experiments = others.map((one) => ({
      ...experiment,
      name: `${experiment.name || gettext("Experiment")}: ${one.label}`.slice(0, 64),
      scheduler: { name: one.name },
    }));
    return besideIt(studio, experiments, runs);
  }

  async #startStudy() {
    const { studio, plan } = this;
    const experiment = this.resample.checked ? resampled(this.experiment) : this.experiment;
    const made =
      studio.readOnly || !studio.running.isMine || !studio.saved || studio.savedFrom !== experiment
        ? await createExperiment(experiment)
        : studio.saved;
    const { id } = await startStudy(made.id, plan);
    keep({ repeats: plan.repeats, axes: this.axes.map((row) => row.typed()) });
    return `/studies/${id}`;
  }
}
