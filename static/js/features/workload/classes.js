/** Classes of jobs: which one the fields show, how many jobs are of it, and how durations go with sizes. */

import { setAt } from "../../experiment/experiment.js";
import { percent } from "../../kit/format.js";
import { addClass, removeClass } from "../../experiment/workloads.js";
import { h } from "../../kit/dom.js";
import { addKnob, choice, entry, Fields, numeric } from "../editors/fields.js";

const VARIES = [
  ["task", "each task draws its own"],
  ["job", "a job draws one mean"],
];

export function classFields(editor) {
  const fields = new Fields();
  const own = { index: null };
  const edit = (key, change) => editor.edit(key, change);
  const at = (name) => (own.index === null ? `workload.${name}` : `workload.classes[${own.index}].${name}`);
  const set = (name, value) => edit(at(name), (experiment) => setAt(experiment, at(name), value));
  const pick = choice({ label: "Shape", help: "Which jobs the fields below describe." }, (value) => {
    own.index = value === "" ? null : Number(value);
    editor.experiment(editor.studio.experiment);
  });
  const add = h(
    "button",
    {
      class: "button button-small",
      type: "button",
      "data-add-job-class": true,
      onclick: () => {
        edit("", addClass);
      },
    },
    "Add a class",
  );
  const remove = h(
    "button",
    {
      class: "link",
      type: "button",
      onclick: () => {
        const index = own.index;
        own.index = null;
        edit("", (experiment) => removeClass(experiment, index));
      },
    },
    "Remove it",
  );
  const name = fields.add({
    ...entry({ label: "Name of the class", wide: true }, (text) => {
      if (text) set("name", text);
    }),
    path: () => at("name"),
  });
  const weight = fields.add({
    ...entry(
      { label: "Weight of the class", numeric: true, help: "How many jobs are of this class, relative to the others." },
      (text) => set("weight", numeric(text)),
    ),
    path: () => at("weight"),
  });
  const share = h("span", { class: "section-sum" });
  const inherits = h(
    "p",
    { class: "editor-about" },
    "What a class leaves out is as for all jobs; changing it gives the class its own.",
  );
  const line = h(
    "div",
    { class: "editor-line" },
    name.element,
    h("span", { class: "knob-label" }, "weight"),
    weight.element,
    share,
    remove,
  );
  const element = h("div", {}, h("div", { class: "editor-line" }, pick.element, add), line, inherits);

  const varies = fields.add({
    ...choice({ label: "Durations", choices: VARIES }, (value) =>
      edit("", (experiment) => varied(experiment, at, value)),
    ),
    path: () => at("duration_varies"),
  });
  const knobs = h("div", { class: "fold-knobs" });
  const more = h("div", {}, h("div", { class: "editor-line" }, varies.element), knobs);
  const knob = (key, spec) => {
    const control = addKnob(fields, knobs, { kind: "number", ...spec, path: `workload.${key}` }, (value) =>
      set(key, value || undefined),
    );
    fields.list[fields.list.length - 1] = { path: () => at(key), problem: control.problem };
    return [key, control];
  };
  const controls = [
    knob("in_job_cv", {
      label: "CV within a job",
      min: 0,
      max: 3,
      default: 0,
      scale: "linear",
      help: "How much the tasks of one job differ around the job's mean.",
    }),
    knob("duration_follows_size", {
      label: "Duration follows size",
      min: -1,
      max: 1,
      default: 0,
      scale: "linear",
      help: "Correlation: above 0 large jobs have long tasks, below 0 short ones.",
    }),
  ];

  return {
    element,
    more,
    get index() {
      return own.index;
    },
    set(workload, readOnly) {
      const classes = workload.classes ?? [];
      if (own.index !== null && !classes[own.index]) own.index = null;
      const whole = classes.reduce((sum, each) => sum + each.weight, 0) || 1;
      pick.set(own.index === null ? "" : String(own.index), [
        ["", classes.length ? "all jobs (what classes leave out)" : "all jobs"],
        ...classes.map((each, index) => [String(index), `${each.name}, ${percent(each.weight / whole)} of the jobs`]),
      ]);
      pick.element.hidden = !classes.length;
      add.hidden = readOnly;
      const one = own.index === null ? null : classes[own.index];
      line.hidden = !one;
      inherits.hidden = !one;
      remove.hidden = readOnly;
      if (one) {
        name.set(one.name);
        weight.set(one.weight);
        share.textContent = `${percent(one.weight / whole)} of the jobs`;
      }
      const value = (key) => one?.[key] ?? workload[key];
      varies.set(value("duration_varies") ?? "task");
      knobs.hidden = (value("duration_varies") ?? "task") === "task";
      for (const each of [name, weight, varies]) each.disable(readOnly);
      for (const [key, control] of controls) {
        control.set(value(key) ?? 0);
        control.disable(readOnly);
      }
    },
    problems: (all, text) => fields.problems(all, text),
  };
}

/** Durations by task know no mean of a job: what refers to it goes. */
function varied(experiment, at, value) {
  let next = setAt(experiment, at("duration_varies"), value);
  if (value === "task")
    for (const key of ["in_job_cv", "duration_follows_size", "demand_follows_duration"])
      if (key !== "demand_follows_duration" || at(key) === `workload.${key}`) next = setAt(next, at(key), undefined);
  return next;
}
