/** Kinds of demands: each job draws one by its weight, and its tasks use that row's amounts. */

import { listOf, setAt } from "../../experiment/experiment.js";
import { percent } from "../../kit/format.js";
import { numeric } from "../../experiment/forms/fields.js";
import { html, nothing } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Form } from "../../experiment/forms/fields.js"
 * @import { DemandKind, Workload, WorkloadEditor } from "./workload.js"
 */

/** @type {[path: string, label: string, start: number][]} */
const COLUMNS = [
  ["weight", gettext("Weight"), 1],
  ["demand.cpus", "CPUs", 1],
  ["demand.memory_gb", gettext("Memory, GB"), 0],
  ["demand.gpus", "GPUs", 0],
];
const LIST = "workload.demands";

/**
 * Return a kind as a row of fields: its weight, and its amount of each resource.
 * @param {DemandKind[]} kinds
 * @param {number} index
 * @param {Form} form
 * @param {WorkloadEditor} editor
 */
function kindView(kinds, index, form, editor) {
  const kind = kinds[index];
  const whole = kinds.reduce((sum, each) => sum + (Number(each.weight ?? 1) || 0), 0) || 1;
  /** @param {string} path @param {string} label @param {string | number} value */
  const cell = (path, label, value) => {
    const place = `${LIST}[${index}].${path}`;
    return html`<span role="cell">${form.entry(
      { label: gettext("{label} of kind {index}", { label, index: index + 1 }), path: place, numeric: true, value },
      (text) => editor.edit("", (experiment) => setAt(experiment, place, numeric(text))),
    )}</span>`;
  };
  const others = kinds.filter((_, place) => place !== index);
  const remove = () => editor.edit("", (experiment) => setAt(experiment, LIST, others));
  const label = gettext("Remove kind {index}", { index: index + 1 });
  return html`<div class="editor-line" role="row"
    ><span class="kind-name" role="rowheader">${gettext("{index}, {weight} of the jobs", {
      index: index + 1,
      weight: percent((Number(kind.weight ?? 1) || 0) / whole),
    })}</span
    >${COLUMNS.map(([path, name, start]) =>
      cell(path, name, (path === "weight" ? kind.weight : kind.demand?.[path.slice(7)]) ?? start),
    )}${
      editor.studio.readOnly.value || kinds.length < 2
        ? nothing
        : html`<span role="cell"
            ><button class="link" type="button" data-remove-kind=${index} aria-label=${label} @click=${remove}
              >${gettext("Remove")}</button></span
          >`
    }</div>`;
}

/**
 * Return a table with a row for each kind.
 * @param {Form} form
 * @param {WorkloadEditor} editor
 * @param {Workload} workload
 */
export function kindsView(form, editor, workload) {
  const kinds = listOf(workload.demands);
  if (!kinds.length) return nothing;
  const add = () => editor.edit("", (experiment) => setAt(experiment, LIST, [...kinds, structuredClone(kinds.at(-1))]));
  return html`<div>
    <div class="fold-table" role="table" aria-label=${gettext("Kinds of demands")}
      ><div class="editor-line fold-heads" role="row"
        ><span class="kind-name" role="columnheader">${gettext("Kind")}</span
        >${COLUMNS.map(
          ([, label]) => html`<span role="columnheader" aria-label=${label}>${label.replace("Memory,", "Mem.")}</span>`,
        )}</div
      >${kinds.map((_, index) => kindView(kinds, index, form, editor))}</div
    ><div
      >${
        editor.studio.readOnly.value
          ? nothing
          : html`<button class="button button-small" type="button" data-add-kind @click=${add}
              >${gettext("Add a kind")}</button>`
      }</div>
  </div>`;
}

/**
 * Switch to several kinds of demand, the first equal to the common one; or back to the first one for all jobs.
 * @param {Experiment} experiment
 * @param {boolean} on
 */
export function severalKinds(experiment, on) {
  const { demands, drawn_demand: _, demand_follows_duration: follows, ...rest } = experiment.workload;
  if (!on) return { ...experiment, workload: { ...rest, demand: listOf(demands)[0]?.demand ?? { cpus: 1 } } };
  const one = rest.demand ?? { cpus: 1 };
  const kept = follows === undefined ? {} : { demand_follows_duration: follows };
  return {
    ...experiment,
    workload: {
      ...rest,
      ...kept,
      demands: [
        { weight: 3, demand: one },
        { weight: 1, demand: { ...one, cpus: (one.cpus ?? 1) / 2 } },
      ],
    },
  };
}
