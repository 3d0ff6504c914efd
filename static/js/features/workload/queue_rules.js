/** Which queue a job goes to: by share, in turn, by a hash, and by rules on its size and duration that come first. */

import { queuesOf, setAt } from "../../experiment/experiment.js";
import { h } from "../../kit/dom.js";
import { choice, entry, Fields, numeric } from "../../experiment/forms/fields.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Problem } from "../../experiment/problems.js"
 * @import { WorkloadEditor } from "./workload.js"
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
 * The rules with one bound or queue of one of them changed.
 * @param {any[]} rules
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
 * A rule as a line of fields.
 * @param {any[]} rules
 * @param {number} index
 * @param {string[][]} names
 * @param {{fields: Fields, write: (rules: any[]) => void, readOnly: boolean}} options
 */
function ruleRow(rules, index, names, { fields, write, readOnly }) {
  const path = `workload.queue_rules[${index}]`;
  const queue = fields.add(
    choice({ label: gettext("to"), path: `${path}.queue`, choices: names }, (value) =>
      write(changed(rules, index, "queue", value)),
    ),
  );
  queue.set(rules[index].queue);
  const bounds = BOUNDS.flatMap(([key, label]) => {
    const field = fields.add(
      entry(
        { label: gettext("Rule {index}: {label}", { index: index + 1, label }), path: `${path}.${key}`, numeric: true },
        (/** @type {string} */ text) => write(changed(rules, index, key, text === "" ? undefined : numeric(text))),
      ),
    );
    field.set(rules[index][key] ?? "");
    field.disable(readOnly);
    return [h("span", { class: "knob-label" }, label), field.element];
  });
  const remove = () => write(rules.filter((_, place) => place !== index));
  return h(
    "div",
    { class: "editor-line" },
    bounds,
    queue.element,
    readOnly ? null : h("button", { class: "link", type: "button", onclick: remove }, gettext("Remove")),
  );
}

/** @param {WorkloadEditor} editor */
export function queueFields(editor) {
  const fields = new Fields();
  const how = choice(
    { label: gettext("Jobs go to queues"), path: "workload.queue_assignment", choices: HOW },
    (value) => editor.edit("", (experiment) => setAt(experiment, "workload.queue_assignment", value)),
  );
  const list = h("div", { class: "fold-table" });
  const element = h("div", {}, h("div", { class: "editor-line" }, how.element), list);
  const write = (/** @type {any[]} */ rules) =>
    editor.edit("", (experiment) => setAt(experiment, "workload.queue_rules", rules.length ? rules : undefined));
  let drawn = "";

  const draw = (/** @type {Experiment} */ experiment, /** @type {boolean} */ readOnly) => {
    /** @type {any[]} */
    const rules = experiment.workload.queue_rules ?? [];
    const names = queuesOf(experiment).map((each) => [each.name, each.name]);
    fields.clear();
    fields.add(how);
    const rows = rules.map((_, index) => ruleRow(rules, index, names, { fields, write, readOnly }));
    const add = h(
      "button",
      {
        class: "button button-small",
        type: "button",
        "data-add-rule": true,
        onclick: () => write([...rules, { queue: names[0][0], max_mean_s: 100 }]),
      },
      gettext("Add a rule"),
    );
    list.replaceChildren(...rows, ...(readOnly ? [] : [add]));
  };

  return {
    element,
    /**
     * @param {Experiment} experiment
     * @param {boolean} readOnly
     */
    set(experiment, readOnly) {
      how.set(experiment.workload.queue_assignment ?? "round_robin");
      how.disable(readOnly);
      const now = JSON.stringify([
        experiment.workload.queue_rules,
        queuesOf(experiment).map((each) => each.name),
        readOnly,
      ]);
      if (now === drawn) return;
      drawn = now;
      draw(experiment, readOnly);
    },
    /**
     * @param {Problem[]} all
     * @param {(problem: Problem) => string} text
     */
    problems: (all, text) => fields.problems(all, text),
  };
}
