/**
 * The demand of a task: one amount per resource, a distribution, or one of several kinds; and the dependence on
 * durations.
 */

import { setAt } from "../../experiment/experiment.js";
import { kindsView, severalKinds } from "./demand_kinds.js";
import { distributionView } from "./distribution.js";
import { html, nothing } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Form } from "../../experiment/forms/fields.js"
 * @import { Workload, WorkloadEditor } from "./workload.js"
 */

/** @typedef {[name: string, label: string, max: number, start: number, unit: string]} Resource */

/** @type {Resource[]} */
const RESOURCES = [
  ["cpus", "CPUs", 64, 1, ""],
  ["memory_gb", gettext("Memory"), 512, 0, "GB"],
  ["gpus", "GPUs", 16, 0, ""],
];
const DRAWN = "workload.drawn_demand.amounts";

const FOLLOWS = {
  path: "workload.demand_follows_duration",
  label: gettext("Demand follows duration"),
  kind: "number",
  min: -1,
  max: 1,
  default: 0,
  scale: "linear",
  help: gettext("Correlation: above 0, longer jobs ask for more. Needs durations by job."),
};

/**
 * Return the demand for one resource: one amount, or a distribution.
 * @param {Resource} resource
 * @param {Form} form
 * @param {WorkloadEditor} editor
 * @param {Workload} workload
 */
function resourceView([name, label, max, start, unit], form, editor, workload) {
  const drawn = workload.drawn_demand?.amounts?.[name];
  const path = `workload.demand.${name}`;
  const title = gettext("{label} per task", { label });
  const choices = [
    ["fixed", gettext("one amount")],
    ["drawn", "drawn"],
  ];
  /** @param {number} value */
  const take = (value) => editor.edit(path, (experiment) => setAt(experiment, path, value));
  const spec = { path, label: title, unit, kind: "number", min: 0, max, default: start };
  const help = gettext("What every task takes.");
  return html`<div class="demand"
    ><div class="editor-line"
      >${form.choice({ label, choices, value: drawn ? "drawn" : "fixed" }, (value) =>
        editor.edit("", (experiment) => drawing(experiment, name, value === "drawn", start)),
      )}</div
    >${
      drawn
        ? distributionView(form, editor, drawn, {
            path: `${DRAWN}.${name}`,
            title,
            range: { min: 0.05, max, unit },
          })
        : html`<div class="fold-knobs">${form.knob({ ...spec, help }, workload.demand?.[name] ?? start, take)}</div>`
    }</div>`;
}

/**
 * @param {Form} form
 * @param {WorkloadEditor} editor
 * @param {Workload} workload
 */
export function demandsView(form, editor, workload) {
  const several = (workload.demands?.length ?? 0) > 0;
  const follows = (workload.duration_varies ?? "task") !== "task" && (several || workload.drawn_demand);
  const which = form.choice(
    {
      label: gettext("Jobs take"),
      choices: [
        ["alike", gettext("the demand below")],
        ["kinds", gettext("one of several kinds of demand")],
      ],
      help: gettext("Several kinds: each job draws one by its weight."),
      value: several ? "kinds" : "alike",
    },
    (value) => editor.edit("", (experiment) => severalKinds(experiment, value === "kinds")),
  );
  /** @param {number} value */
  const follow = (value) =>
    editor.edit(FOLLOWS.path, (experiment) => setAt(experiment, FOLLOWS.path, value || undefined));
  return html`
    <div class="editor-line" data-demands>${which}</div>
    ${several ? kindsView(form, editor, workload) : RESOURCES.map((each) => resourceView(each, form, editor, workload))}
    ${
      follows
        ? html`<div class="fold-knobs"
            >${form.knob(FOLLOWS, workload.demand_follows_duration ?? 0, follow)}</div>`
        : nothing
    }`;
}

/**
 * Switch a resource between a distribution and one amount.
 * @param {Experiment} experiment
 * @param {string} name
 * @param {boolean} on
 * @param {number} start
 */
function drawing(experiment, name, on, start) {
  if (on)
    return setAt(experiment, `${DRAWN}.${name}`, {
      kind: "lognormal",
      median: experiment.workload.demand?.[name] || start || 1,
      sigma: 0.5,
    });
  const next = setAt(experiment, `${DRAWN}.${name}`, undefined);
  if (Object.keys(next.workload.drawn_demand.amounts).length) return next;
  delete next.workload.drawn_demand;
  delete next.workload.demand_follows_duration;
  return next;
}
