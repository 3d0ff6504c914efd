/** Classes of jobs: the class on screen, the weight of each, and how durations depend on sizes. */

import { setAt } from "../../experiment/experiment.js";
import { percent } from "../../kit/format.js";
import { addClass, removeClass } from "../../experiment/workloads.js";
import { numeric } from "../../experiment/forms/fields.js";
import { html, nothing } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { JobClass, Workload, WorkloadEditor } from "./workload.js"
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

/**
 * Return the path of a field of the class on screen, or of all jobs.
 * @param {WorkloadEditor} editor
 * @param {string} name
 */
export const pathIn = ({ shape }, name) =>
  shape.value === null ? `workload.${name}` : `workload.classes[${shape.value}].${name}`;

/**
 * Change a field of the class on screen, or of all jobs.
 * @param {WorkloadEditor} editor
 * @param {string} name
 * @param {unknown} value
 */
function write(editor, name, value) {
  const at = pathIn(editor, name);
  editor.edit(at, (experiment) => setAt(experiment, at, value));
}

/**
 * Return the choice of the class on screen, with its name and weight.
 * @param {WorkloadEditor} editor
 * @param {Workload} workload
 */
export function classesView(editor, workload) {
  const { form, shape } = editor;
  /** @type {JobClass[]} */
  const classes = workload.classes ?? [];
  const whole = classes.reduce((sum, each) => sum + each.weight, 0) || 1;
  const choices = [
    ["", classes.length ? gettext("all jobs (values that classes do not change)") : gettext("all jobs")],
    ...classes.map((each, index) => [
      String(index),
      gettext("{name}, {weight} of the jobs", { name: each.name, weight: percent(each.weight / whole) }),
    ]),
  ];
  const pick = form.choice(
    {
      label: gettext("Shape"),
      help: gettext("Which jobs the fields below describe."),
      choices,
      value: shape.value === null ? "" : String(shape.value),
      off: false,
      hidden: !classes.length,
    },
    (value) => {
      shape.value = value === "" ? null : Number(value);
    },
  );
  return html`<div>
    <div class="editor-line"
      >${pick}<button
        class="button button-small"
        type="button"
        data-add-job-class
        ?hidden=${editor.studio.readOnly.value}
        @click=${() => editor.edit("", addClass)}
      >${gettext("Add a class")}</button></div>
    ${shape.value === null ? nothing : classView(editor, classes[shape.value], whole)}
  </div>`;
}

/**
 * Return the name and the weight of a class.
 * @param {WorkloadEditor} editor
 * @param {JobClass} one
 * @param {number} whole  the sum of all weights
 */
function classView(editor, one, whole) {
  const { form, shape } = editor;
  const remove = () => {
    const index = Number(shape.value);
    shape.value = null;
    editor.edit("", (experiment) => removeClass(experiment, index));
  };
  return html`
    <div class="editor-line"
      >${form.entry(
        { label: gettext("Name of the class"), wide: true, path: pathIn(editor, "name"), value: one.name },
        (text) => {
          if (text) write(editor, "name", text);
        },
      )}<span class="knob-label">${gettext("weight")}</span
      >${form.entry(
        {
          label: gettext("Weight of the class"),
          numeric: true,
          help: gettext("How many jobs are of this class, relative to the others."),
          path: pathIn(editor, "weight"),
          value: one.weight,
        },
        (text) => write(editor, "weight", numeric(text)),
      )}<span class="section-sum">${gettext("{weight} of the jobs", { weight: percent(one.weight / whole) })}</span
      ><button class="link" type="button" ?hidden=${editor.studio.readOnly.value} @click=${remove}
        >${gettext("Remove it")}</button></div>
    <p class="editor-about"
      >${gettext("A class uses the values of all jobs until you change them for the class.")}</p>`;
}

/**
 * Return the choice if tasks of a job share a mean, and its settings.
 * @param {WorkloadEditor} editor
 * @param {Workload} workload
 */
export function variationView(editor, workload) {
  const { form, shape } = editor;
  const one = shape.value === null ? null : workload.classes?.[shape.value];
  /** @param {string} name */
  const value = (name) => one?.[name] ?? workload[name];
  const varies = value("duration_varies") ?? "task";
  return html`<div>
    <div class="editor-line"
      >${form.choice(
        { label: gettext("Durations"), choices: VARIES, path: pathIn(editor, "duration_varies"), value: varies },
        (next) => editor.edit("", (experiment) => varied(experiment, (name) => pathIn(editor, name), next)),
      )}</div>
    <div class="fold-knobs" ?hidden=${varies === "task"}
      >${Object.entries(KNOBS).map(([name, spec]) =>
        form.knob(
          { kind: "number", ...spec, path: `workload.${name}` },
          value(name) ?? 0,
          (next) => write(editor, name, next || undefined),
          pathIn(editor, name),
        ),
      )}</div>
  </div>`;
}

/**
 * Set how durations vary. Durations by task have no mean per job, so fields that refer to it are removed.
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
