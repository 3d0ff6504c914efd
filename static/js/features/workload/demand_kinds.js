/** Kinds of demands: jobs draw one of them by its weight, and its tasks take what the row says. */

import { listOf, setAt } from "../../experiment/experiment.js";
import { percent } from "../../kit/format.js";
import { h } from "../../kit/dom.js";
import { entry, Fields, numeric } from "../../experiment/forms/fields.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Problem } from "../../experiment/problems.js"
 * @import { Edit } from "./workload.js"
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
 * A kind as a row of fields: its weight, and what it takes of each resource.
 * @param {any[]} kinds
 * @param {number} index
 * @param {{fields: Fields, edit: Edit, off: boolean}} options
 */
function kindRow(kinds, index, { fields, edit, off }) {
  const kind = kinds[index];
  const whole = kinds.reduce((sum, each) => sum + (Number(each.weight ?? 1) || 0), 0) || 1;
  /**
   * @param {string} path
   * @param {string} label
   * @param {string | number} given
   */
  const cell = (path, label, given) => {
    const place = `${LIST}[${index}].${path}`;
    const field = fields.add(
      entry(
        { label: gettext("{label} of kind {index}", { label, index: index + 1 }), path: place, numeric: true },
        (/** @type {string} */ text) => edit("", (experiment) => setAt(experiment, place, numeric(text))),
      ),
    );
    field.set(given);
    field.disable(off);
    return h("span", { role: "cell" }, field.element);
  };
  const others = kinds.filter((_, place) => place !== index);
  const remove = () => edit("", (experiment) => setAt(experiment, LIST, others));
  const label = gettext("Remove kind {index}", { index: index + 1 });
  return h(
    "div",
    { class: "editor-line", role: "row" },
    h(
      "span",
      { class: "kind-name", role: "rowheader" },
      gettext("{index}, {weight} of the jobs", {
        index: index + 1,
        weight: percent((Number(kind.weight ?? 1) || 0) / whole),
      }),
    ),
    COLUMNS.map(([path, label, start]) =>
      cell(path, label, (path === "weight" ? kind.weight : kind.demand?.[path.slice(7)]) ?? start),
    ),
    off || kinds.length < 2
      ? null
      : h(
          "span",
          { role: "cell" },
          h("button", { class: "link", type: "button", "aria-label": label, onclick: remove }, gettext("Remove")),
        ),
  );
}

/**
 * {element, set(workload, off), problems(all, text)}; a row a kind.
 * @param {Edit} edit
 */
export function demandKinds(edit) {
  const fields = new Fields();
  const table = h("div", { class: "fold-table", role: "table", "aria-label": gettext("Kinds of demands") });
  const more = h("div");
  const element = h("div", {}, table, more);
  let drawn = "";

  /**
   * @param {any[]} kinds
   * @param {boolean} off
   */
  const draw = (kinds, off) => {
    const rows = kinds.map((_, index) => kindRow(kinds, index, { fields, edit, off }));
    const heads = h(
      "div",
      { class: "editor-line fold-heads", role: "row" },
      h("span", { class: "kind-name", role: "columnheader" }, gettext("Kind")),
      COLUMNS.map(([, label]) =>
        h("span", { role: "columnheader", "aria-label": label }, label.replace("Memory,", "Mem.")),
      ),
    );
    const add = h(
      "button",
      {
        class: "button button-small",
        type: "button",
        "data-add-kind": true,
        onclick: () => edit("", (experiment) => setAt(experiment, LIST, [...kinds, structuredClone(kinds.at(-1))])),
      },
      gettext("Add a kind"),
    );
    table.replaceChildren(heads, ...rows);
    more.replaceChildren(...(off ? [] : [add]));
  };

  return {
    element,
    /**
     * @param {any} workload
     * @param {boolean} off
     */
    set(workload, off) {
      const kinds = listOf(workload.demands);
      element.hidden = !kinds.length;
      const now = JSON.stringify([kinds, off]);
      if (now === drawn) return;
      drawn = now;
      fields.clear();
      draw(kinds, off);
    },
    /**
     * @param {Problem[]} all
     * @param {(problem: Problem) => string} text
     */
    problems: (all, text) => fields.problems(all, text),
  };
}

/**
 * Let jobs draw one of several kinds of demand, the first one as all were; or let all take the first one's again.
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
