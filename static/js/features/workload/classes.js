/** Classes of jobs: which one the fields show, how many jobs are of it, and how durations go with sizes. */

import { setAt } from "../../experiment/experiment.js";
import { percent } from "../../kit/format.js";
import { addClass, removeClass } from "../../experiment/workloads.js";
import { h } from "../../kit/dom.js";
import { addKnob, choice, entry, Fields, numeric } from "../../experiment/forms/fields.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Problem } from "../../experiment/problems.js"
 * @import { WorkloadEditor } from "./workload.js"
 */

const VARIES = [
  ["task", gettext("each task draws its own")],
  ["job", gettext("a job draws one mean")],
];

const KNOBS = {
  in_job_cv: {
    label: gettext("CV within a job"),
    min: 0,
    max: 3,
    default: 0,
    scale: "linear",
    help: gettext("How much the tasks of one job differ around the job's mean."),
  },
  duration_follows_size: {
    label: gettext("Duration follows size"),
    min: -1,
    max: 1,
    default: 0,
    scale: "linear",
    help: gettext("Correlation: above 0, large jobs have long tasks; below 0, short ones."),
  },
};

/** @param {WorkloadEditor} editor */
export function classFields(editor) {
  return new ClassFields(editor);
}

class ClassFields {
  /** @param {WorkloadEditor} editor */
  constructor(editor) {
    this.editor = editor;
    this.fields = new Fields();
    /** @type {number | null} */
    this.index = null;
    this.pick = choice({ label: gettext("Shape"), help: gettext("Which jobs the fields below describe.") }, (value) => {
      this.index = value === "" ? null : Number(value);
      editor.experiment(editor.studio.opened);
    });
    this.add = h(
      "button",
      {
        class: "button button-small",
        type: "button",
        "data-add-job-class": true,
        onclick: () => editor.edit("", addClass),
      },
      gettext("Add a class"),
    );
    this.remove = h("button", { class: "link", type: "button", onclick: () => this.#remove() }, gettext("Remove it"));
    this.share = h("span", { class: "section-sum" });
    this.inherits = h(
      "p",
      { class: "editor-about" },
      gettext("A class uses the values of all jobs until you change them for the class."),
    );
    this.name = this.fields.add({
      ...entry({ label: gettext("Name of the class"), wide: true }, (/** @type {string} */ text) => {
        if (text) this.#set("name", text);
      }),
      path: () => this.#at("name"),
    });
    const weight = {
      label: gettext("Weight of the class"),
      numeric: true,
      help: gettext("How many jobs are of this class, relative to the others."),
    };
    this.weight = this.fields.add({
      ...entry(weight, (/** @type {string} */ text) => this.#set("weight", numeric(text))),
      path: () => this.#at("weight"),
    });
    this.line = this.#line();
    const head = h("div", { class: "editor-line" }, this.pick.element, this.add);
    this.element = h("div", {}, head, this.line, this.inherits);
    this.durations = this.#durations();
    this.more = this.durations.more;
  }

  /** @param {string} name */
  #at(name) {
    return this.index === null ? `workload.${name}` : `workload.classes[${this.index}].${name}`;
  }

  /**
   * @param {string} name
   * @param {unknown} value
   */
  #set(name, value) {
    const at = this.#at(name);
    this.editor.edit(at, (experiment) => setAt(experiment, at, value));
  }

  #remove() {
    const { index } = this;
    if (index === null) return;
    this.index = null;
    this.editor.edit("", (experiment) => removeClass(experiment, index));
  }

  /** The name and the weight of a class. */
  #line() {
    return h(
      "div",
      { class: "editor-line" },
      this.name.element,
      h("span", { class: "knob-label" }, gettext("weight")),
      this.weight.element,
      this.share,
      this.remove,
    );
  }

  /** Whether tasks of a job have a mean in common, and the knobs where they have. */
  #durations() {
    const { fields } = this;
    /** @param {string} name */
    const at = (name) => this.#at(name);
    const varies = fields.add({
      ...choice({ label: gettext("Durations"), choices: VARIES }, (value) =>
        this.editor.edit("", (experiment) => varied(experiment, at, value)),
      ),
      path: () => at("duration_varies"),
    });
    const knobs = h("div", { class: "fold-knobs" });
    const more = h("div", {}, h("div", { class: "editor-line" }, varies.element), knobs);
    /** @type {[key: string, control: any][]} */
    const controls = Object.entries(KNOBS).map(([key, spec]) => {
      const control = addKnob(
        fields,
        knobs,
        { kind: "number", ...spec, path: `workload.${key}` },
        (/** @type {number} */ value) => this.#set(key, value || undefined),
      );
      fields.list[fields.list.length - 1] = { path: () => at(key), problem: control.problem };
      return [key, control];
    });
    return { varies, knobs, more, controls };
  }

  /**
   * @param {any} workload
   * @param {boolean} readOnly
   */
  set(workload, readOnly) {
    /** @type {any[]} */
    const classes = workload.classes ?? [];
    if (this.index !== null && !classes[this.index]) this.index = null;
    const whole = classes.reduce((sum, each) => sum + each.weight, 0) || 1;
    this.pick.set(this.index === null ? "" : String(this.index), [
      ["", classes.length ? gettext("all jobs (values that classes do not change)") : gettext("all jobs")],
      ...classes.map((each, index) => [
        String(index),
        gettext("{name}, {weight} of the jobs", { name: each.name, weight: percent(each.weight / whole) }),
      ]),
    ]);
    this.pick.element.hidden = !classes.length;
    this.add.hidden = readOnly;
    const one = this.index === null ? null : classes[this.index];
    this.line.hidden = !one;
    this.inherits.hidden = !one;
    this.remove.hidden = readOnly;
    if (one) {
      this.name.set(one.name);
      this.weight.set(one.weight);
      this.share.textContent = gettext("{weight} of the jobs", { weight: percent(one.weight / whole) });
    }
    /** @param {string} key */
    const value = (key) => one?.[key] ?? workload[key];
    this.durations.varies.set(value("duration_varies") ?? "task");
    this.durations.knobs.hidden = (value("duration_varies") ?? "task") === "task";
    for (const each of [this.name, this.weight, this.durations.varies]) each.disable(readOnly);
    for (const [key, control] of this.durations.controls) {
      control.set(value(key) ?? 0);
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

/**
 * Durations by task know no mean of a job: what refers to it goes.
 * @param {Experiment} experiment
 * @param {(name: string) => string} at
 * @param {unknown} value
 */
function varied(experiment, at, value) {
  let next = setAt(experiment, at("duration_varies"), value);
  if (value === "task")
    for (const key of ["in_job_cv", "duration_follows_size", "demand_follows_duration"])
      if (key !== "demand_follows_duration" || at(key) === `workload.${key}`) next = setAt(next, at(key), undefined);
  return next;
}
