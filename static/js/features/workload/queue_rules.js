/**
 * The assignment of jobs to queues: by share, in turn, by a hash, and by rules on size and duration that apply first.
 */

import { queuesOf, setAt } from "../../experiment/experiment.js";
import { numeric } from "../../experiment/forms/fields.js";
import { html, nothing } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Form } from "../../experiment/forms/fields.js"
 * @import { WorkloadEditor } from "./workload.js"
 */

/**
 * @typedef {{queue: string, min_tasks?: number, max_tasks?: number, min_mean_s?: number, max_mean_s?: number,
 *   [bound: string]: unknown}} QueueRule
 */

const HOW = [
  ["round_robin", gettext("in turn")],
  ["by_share", gettext("by share")],
  ["hash", gettext("by a hash")],
];
const BOUNDS = [
  ["min_tasks", gettext("tasks from")],
  ["max_tasks", "to"],
  ["min_mean_s", gettext("seconds from")],
  ["max_mean_s", "below"],
];

/**
 * Return the rules with one bound or queue of one of them changed.
 * @param {QueueRule[]} rules
 * @param {number} index
 * @param {string} key
 * @param {unknown} value
 */
function changed(rules, index, key, value) {
  return rules.map((each, place) => {
    if (place !== index) return each;
    const next = { ...each, [key]: value };
    if (value === undefined) delete next[key];
    return next;
  });
}

/**
 * Return a rule as a row of fields.
 * @param {QueueRule[]} rules
 * @param {number} index
 * @param {string[][]} names
 * @param {{form: Form, write: (rules: QueueRule[]) => void, readOnly: boolean}} options
 */
function ruleView(rules, index, names, { form, write, readOnly }) {
  const path = `workload.queue_rules[${index}]`;
  const remove = () => write(rules.filter((_, place) => place !== index));
  return html`<div class="editor-line"
    >${BOUNDS.map(
      ([key, label]) =>
        html`<span class="knob-label">${label}</span>${form.entry(
          {
            label: gettext("Rule {index}: {label}", { index: index + 1, label }),
            path: `${path}.${key}`,
            numeric: true,
            value: rules[index][key] ?? "",
          },
          (text) => write(changed(rules, index, key, text === "" ? undefined : numeric(text))),
        )}`,
    )}${form.choice(
      { label: gettext("to"), path: `${path}.queue`, choices: names, value: rules[index].queue },
      (value) => write(changed(rules, index, "queue", value)),
    )}${
      readOnly ? nothing : html`<button class="link" type="button" @click=${remove}>${gettext("Remove")}</button>`
    }</div>`;
}

/**
 * @param {Form} form
 * @param {WorkloadEditor} editor
 * @param {Experiment} experiment
 */
export function queuesView(form, editor, experiment) {
  const readOnly = editor.studio.readOnly.value;
  /** @type {QueueRule[]} */
  const rules = experiment.workload.queue_rules ?? [];
  const names = queuesOf(experiment).map((each) => [each.name, each.name]);
  const write = (/** @type {QueueRule[]} */ next) =>
    editor.edit("", (one) => setAt(one, "workload.queue_rules", next.length ? next : undefined));
  const add = () => write([...rules, { queue: names[0][0], max_mean_s: 100 }]);
  const how = form.choice(
    {
      label: gettext("Jobs go to queues"),
      path: "workload.queue_assignment",
      choices: HOW,
      value: experiment.workload.queue_assignment ?? "round_robin",
    },
    (value) => editor.edit("", (one) => setAt(one, "workload.queue_assignment", value)),
  );
  return html`<div>
    <div class="editor-line">${how}</div>
    <div class="fold-table"
      >${rules.map((_, index) => ruleView(rules, index, names, { form, write, readOnly }))}${
        readOnly
          ? nothing
          : html`<button class="button button-small" type="button" data-add-rule @click=${add}
              >${gettext("Add a rule")}</button>`
      }</div>
  </div>`;
}
