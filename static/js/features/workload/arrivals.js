/** When jobs arrive: the kind, a rate or a load of these machines, and the kind's own parameters; and when they end. */

import { setAt } from "../../experiment/experiment.js";
import { percent, whole } from "../../kit/format.js";
import { openDialog } from "../../kit/dialogs.js";
import { h } from "../../kit/dom.js";
import { ARRIVALS, withArrivals, withEnd, withRate } from "../../experiment/workloads.js";
import { addKnob, choice, Fields } from "../../experiment/forms/fields.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Problem } from "../../experiment/problems.js"
 * @import { KnobSpec } from "../../kit/knob.js"
 * @import { WorkloadEditor } from "./workload.js"
 */

/** @type {Record<string, (Omit<KnobSpec, "path"> & {name: string})[]>} */
const OWN = {
  renewal: [
    {
      name: "cv",
      label: gettext("CV of the gaps"),
      kind: "number",
      min: 0,
      max: 50,
      default: 3,
      help: gettext("Coefficient of variation: 0 regular, 1 about Poisson, 25 as in Google's sample."),
    },
  ],
  markov_modulated: [
    {
      name: "calm_s",
      label: gettext("Calm period"),
      unit: "s",
      kind: "number",
      min: 1,
      max: 86400,
      default: 300,
      scale: "log",
      help: gettext("Mean length of a calm period."),
    },
    {
      name: "busy_s",
      label: gettext("Busy period"),
      unit: "s",
      kind: "number",
      min: 1,
      max: 86400,
      default: 30,
      scale: "log",
      help: gettext("Mean length of a busy period."),
    },
    {
      name: "busy_factor",
      label: gettext("Busy factor"),
      kind: "number",
      min: 1,
      max: 100,
      default: 5,
      scale: "log",
      help: gettext("Job rate in busy periods, as a multiple of the rate in calm periods."),
    },
  ],
  diurnal: [
    {
      name: "period_s",
      label: gettext("Length of a day"),
      unit: "s",
      kind: "number",
      min: 10,
      max: 604800,
      default: 86400,
      scale: "log",
      help: gettext("Length of a simulated day in seconds. Shorten it to see several days."),
    },
    {
      name: "swing",
      label: gettext("Swing"),
      kind: "number",
      min: 0,
      max: 1,
      default: 0.5,
      scale: "linear",
      help: gettext("How far the rate goes above and below its mean."),
      shown: (/** @type {number} */ value) => percent(value),
    },
  ],
};
const ENDS = [
  ["tasks", gettext("a number of tasks")],
  ["jobs", gettext("a number of jobs")],
  ["arrive_for_s", gettext("a time")],
];
/** @type {Record<string, number>} */
const START = { tasks: 10000, jobs: 1000, arrive_for_s: 600 };

const LOAD = {
  label: gettext("Load"),
  kind: "number",
  min: 0.05,
  max: 1.5,
  default: 0.8,
  scale: "linear",
  shown: (/** @type {number} */ value) => percent(value),
  help: gettext("Mean arriving work as a share of these machines' capacity."),
};
const RATE = {
  label: gettext("Jobs per second"),
  unit: "jobs/s",
  kind: "number",
  min: 0.001,
  max: 10000,
  default: 1,
  scale: "log",
  help: gettext("Mean over the run."),
};
/** @type {Record<string, [min: number, max: number, kind: string, label: string]>} */
const RANGES = {
  tasks: [100, 1000000, "integer", gettext("Total tasks")],
  jobs: [10, 100000, "integer", gettext("Total jobs")],
  arrive_for_s: [1, 864000, "number", gettext("Jobs arrive for")],
};

/** @param {WorkloadEditor} editor */
export function arrivalFields(editor) {
  return new ArrivalFields(editor);
}

class ArrivalFields {
  /** @param {WorkloadEditor} editor */
  constructor(editor) {
    this.editor = editor;
    this.fields = new Fields();
    this.shown = "";
    /** @type {[path: string, control: any][]} */
    this.controls = [];
    this.kind = this.fields.add(
      choice(
        {
          label: gettext("Jobs arrive"),
          path: "workload.arrivals.kind",
          choices: Object.entries(ARRIVALS).map(([name, each]) => [name, each.label]),
        },
        (value) => this.#edit("", (experiment) => withArrivals(experiment, value)),
      ),
    );
    this.by = choice({ label: gettext("given as") }, (value) => {
      const start = value === "offered_load" ? 0.8 : 1;
      this.#edit("", (experiment) => withRate(experiment, value === "none" ? "" : value, start));
    });
    this.knobs = h("div", { class: "fold-knobs" });
    this.about = h("p", { class: "editor-about" });
    this.end = choice({ label: gettext("Ends after"), choices: ENDS }, (value) =>
      this.#edit("", (experiment) => withEnd(experiment, value, START[value])),
    );
    this.endKnobs = h("div", { class: "fold-knobs" });
    this.even = h("input", { type: "checkbox", class: "knob-switch", "data-path": "workload.sampling" });
    const evenLine = this.#even();
    this.element = h(
      "div",
      {},
      h("div", { class: "editor-line" }, this.kind.element, this.by.element),
      this.about,
      this.knobs,
      h("div", { class: "editor-line" }, this.end.element, evenLine),
      this.endKnobs,
    );
  }

  /**
   * @param {string} key
   * @param {(experiment: Experiment) => Experiment} change
   */
  #edit(key, change) {
    this.editor.edit(key, change);
  }

  #even() {
    const { even } = this;
    even.addEventListener("change", () =>
      this.#edit("", (experiment) => setAt(experiment, "workload.sampling", even.checked ? "even" : undefined)),
    );
    return h(
      "label",
      {
        class: "field-choice",
        "data-tip": gettext(
          "Draw evenly from every part of the distributions, so that a few jobs also match the " +
            "statistics. Needs a number of jobs.",
        ),
      },
      even,
      h("span", { class: "knob-label" }, gettext("Spread the draws evenly")),
    );
  }

  /**
   * @param {HTMLElement} parent
   * @param {string} path
   * @param {Omit<KnobSpec, "path">} spec
   */
  #knob(parent, path, spec) {
    const control = addKnob(this.fields, parent, { beyond: true, ...spec, path }, (/** @type {unknown} */ value) =>
      this.#edit(path, (experiment) => setAt(experiment, path, value)),
    );
    this.controls.push([path, control]);
  }

  /**
   * @param {any} arrivals
   * @param {string} rate
   * @param {string} ends
   */
  #build(arrivals, rate, ends) {
    const { knobs, endKnobs } = this;
    this.fields.list = this.fields.list.slice(0, 1);
    this.controls = [];
    knobs.replaceChildren();
    endKnobs.replaceChildren();
    if (rate === "offered_load") this.#knob(knobs, "workload.arrivals.offered_load", LOAD);
    if (rate === "rate_per_s") this.#knob(knobs, "workload.arrivals.rate_per_s", RATE);
    for (const each of OWN[arrivals.kind] ?? []) this.#knob(knobs, `workload.arrivals.${each.name}`, each);
    if (arrivals.kind === "replayed") knobs.append(this.#times(arrivals));
    const [min, max, kind, label] = RANGES[ends];
    const unit = ends === "arrive_for_s" ? "s" : "";
    this.#knob(endKnobs, `workload.${ends}`, { label, kind, unit, min, max, default: START[ends], scale: "log" });
  }

  /**
   * How many times are replayed, and a button to paste others.
   * @param {any} arrivals
   */
  #times(arrivals) {
    return h(
      "div",
      { class: "editor-line" },
      h("span", { class: "section-sum" }, gettext("{times} times", { times: whole(arrivals.times_s?.length ?? 0) })),
      h(
        "button",
        {
          class: "button button-small",
          type: "button",
          disabled: this.editor.studio.readOnly,
          onclick: () => this.#timesDialog(),
        },
        gettext("Paste times…"),
      ),
    );
  }

  #timesDialog() {
    const text = h("textarea", {
      class: "json-text paste-text",
      rows: 10,
      spellcheck: "false",
      "aria-label": gettext("Times in seconds"),
    });
    text.value = (this.editor.studio.opened.workload.arrivals.times_s ?? []).slice(0, 5000).join("\n");
    const trouble = h("p", { class: "knob-problem", role: "alert", hidden: true });
    const take = h("button", { class: "button button-heavy", type: "button" }, gettext("Apply"));
    const dialog = openDialog(
      gettext("When jobs arrive"),
      h(
        "p",
        { class: "dialog-note" },
        gettext("Seconds from the start, one per line, in ascending order. With more jobs, the times repeat."),
      ),
      text,
      trouble,
      h("div", { class: "dialog-row" }, take),
    );
    take.addEventListener("click", () => {
      const times = text.value
        .split(/[\s;]+/)
        .filter(Boolean)
        .map(Number);
      trouble.hidden = times.length > 0 && times.every((each) => Number.isFinite(each) && each >= 0);
      trouble.textContent = times.length
        ? gettext("All values must be numbers of at least 0.")
        : gettext("The text contains no number.");
      if (!trouble.hidden) return;
      dialog.close();
      this.#edit("", (experiment) => setAt(experiment, "workload.arrivals.times_s", times));
    });
  }

  /**
   * @param {Experiment} options
   * @param {boolean} readOnly
   */
  set({ workload }, readOnly) {
    const { kind, by, end, even } = this;
    const arrivals = workload.arrivals ?? {};
    const rate = arrivals.offered_load != null ? "offered_load" : arrivals.rate_per_s != null ? "rate_per_s" : "";
    const ends = ["tasks", "jobs", "arrive_for_s"].find((key) => workload[key] != null) ?? "jobs";
    kind.set(arrivals.kind);
    this.about.textContent = ARRIVALS[arrivals.kind]?.about ?? "";
    by.element.hidden = arrivals.kind === "at_once";
    by.set(rate || "none", [
      ["offered_load", "a load of these machines"],
      ["rate_per_s", "jobs per second"],
      ...(arrivals.kind === "replayed" ? [["none", "the times as they are"]] : []),
    ]);
    end.set(ends);
    even.checked = workload.sampling === "even";
    even.disabled = readOnly || workload.jobs == null;
    for (const each of [kind, by, end]) each.disable(readOnly);
    const now = JSON.stringify([arrivals.kind, rate, ends, arrivals.times_s?.length, readOnly]);
    if (now !== this.shown) {
      this.shown = now;
      this.#build(arrivals, rate, ends);
    }
    for (const [path, control] of this.controls) {
      control.set(path.split(".").reduce((/** @type {any} */ value, key) => value?.[key], { workload }));
      control.disable(readOnly);
    }
  }

  /**
   * @param {Problem[]} all
   * @param {(problem: Problem) => string} text
   */
  problems(all, text) {
    return this.fields.problems(all, text);
  }
}
