/**
 * What a task takes of each resource: one amount, one that is drawn, or one of several kinds of demand; and whether
 * long tasks take more.
 */

import { setAt } from "../../experiment/experiment.js";
import { h } from "../../kit/dom.js";
import { demandKinds, severalKinds } from "./demand_kinds.js";
import { distributionFields } from "./distribution.js";
import { addKnob, choice, Fields } from "../../experiment/forms/fields.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Problem } from "../../experiment/problems.js"
 * @import { Edit, WorkloadEditor } from "./workload.js"
 */

/** @typedef {[name: string, label: string, max: number, start: number, unit: string]} Resource */
/** @typedef {ReturnType<typeof resourceRow>} DemandRow */

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
 * What a task takes of one resource: one amount, or a distribution.
 * @param {Resource} parts
 * @param {{fields: Fields, edit: Edit, readOnly: () => boolean}} options
 */
function resourceRow([name, label, max, start, unit], { fields, edit, readOnly }) {
  const how = choice(
    {
      label,
      choices: [
        ["fixed", gettext("one amount")],
        ["drawn", "drawn"],
      ],
    },
    (value) => edit("", (experiment) => drawing(experiment, name, value === "drawn", start)),
  );
  const place = h("div", { class: "fold-knobs" });
  const path = `workload.demand.${name}`;
  const spec = {
    path,
    label: gettext("{label} per task", { label }),
    unit,
    kind: "number",
    min: 0,
    max,
    default: start,
  };
  const amount = addKnob(
    fields,
    place,
    { ...spec, help: gettext("What every task takes.") },
    (/** @type {number} */ value) => edit(path, (experiment) => setAt(experiment, path, value)),
  );
  const drawn = distributionFields({
    title: gettext("{label} per task", { label }),
    range: { min: 0.05, max, unit },
    edit,
    readOnly,
  });
  const head = h("div", { class: "editor-line" }, how.element);
  return { name, how, amount, drawn, start, place, element: h("div", { class: "demand" }, head, place, drawn.element) };
}

/** @param {WorkloadEditor} editor */
export function demandFields(editor) {
  const fields = new Fields();
  /** @type {Edit} */
  const edit = (key, change) => editor.edit(key, change);
  const readOnly = () => editor.studio.readOnly;
  const which = choice(
    {
      label: gettext("Jobs take"),
      choices: [
        ["alike", gettext("the demand below")],
        ["kinds", gettext("one of several kinds of demand")],
      ],
      help: gettext("Several kinds: each job draws one by its weight."),
    },
    (value) => edit("", (experiment) => severalKinds(experiment, value === "kinds")),
  );
  const kinds = demandKinds(edit);
  const rows = RESOURCES.map((each) => resourceRow(each, { fields, edit, readOnly }));
  const knobs = h("div", { class: "fold-knobs" });
  const follows = addKnob(fields, knobs, FOLLOWS, (/** @type {number} */ value) =>
    edit(FOLLOWS.path, (experiment) => setAt(experiment, FOLLOWS.path, value || undefined)),
  );
  const element = h(
    "div",
    {},
    h("div", { class: "editor-line" }, which.element),
    kinds.element,
    rows.map((each) => each.element),
    knobs,
  );
  return {
    element,
    set(/** @type {any} */ workload, /** @type {boolean} */ off) {
      const several = workload.demands?.length ?? 0;
      which.set(several ? "kinds" : "alike");
      which.disable(off);
      kinds.set(workload, off);
      for (const row of rows) setRow(row, workload, off);
      knobs.hidden = (workload.duration_varies ?? "task") === "task" || !(several || workload.drawn_demand);
      follows.set(workload.demand_follows_duration ?? 0);
      follows.disable(off);
    },
    problems(/** @type {Problem[]} */ all, /** @type {(problem: Problem) => string} */ text) {
      const placed = [...fields.problems(all, text), ...kinds.problems(all, text)];
      for (const row of rows)
        if (!row.drawn.element.hidden)
          placed.push(
            ...row.drawn.problems(
              all.filter((each) => !placed.includes(each)),
              text,
            ),
          );
      return placed;
    },
  };
}

/**
 * @param {DemandRow} row
 * @param {any} workload
 * @param {boolean} off
 */
function setRow(row, workload, off) {
  const drawn = workload.drawn_demand?.amounts?.[row.name];
  row.element.hidden = workload.demands?.length > 0;
  row.how.set(drawn ? "drawn" : "fixed");
  row.how.disable(off);
  row.place.hidden = Boolean(drawn);
  row.drawn.element.hidden = !drawn;
  row.amount.set(workload.demand?.[row.name] ?? row.start);
  row.amount.disable(off);
  if (drawn) row.drawn.set(drawn, `${DRAWN}.${row.name}`);
}

/**
 * Let a resource be drawn, or one amount again.
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
