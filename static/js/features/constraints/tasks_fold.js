/** What tasks ask for besides bars: how many constraints each, by task or by job, classes that ask alike, racks. */

import { allSoft } from "../../experiment/constraint_bulk.js";
import { asksOf, namesOf } from "../../experiment/constraints.js";
import { setSoft, withAsks } from "../../experiment/constraint_edits.js";
import { setAt } from "../../experiment/experiment.js";
import { percent } from "../../kit/format.js";
import { h } from "../../kit/dom.js";
import { addKnob, choice, entry, Fields, fold, numeric } from "../../experiment/forms/fields.js";
import { gettext } from "../../kit/words.js";
import { impossibleChoice } from "./impossible_choice.js";
import { tableButton } from "./table_button.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Problem } from "../../experiment/problems.js"
 * @import { ConstraintEditor } from "./constraints.js"
 */

/**
 * @typedef {{weight?: any, factor?: any, probabilities?: Record<string, any>}} TaskClass  tasks that ask alike
 * @typedef {{probabilities: Record<string, any>, classes: TaskClass[], per_task: number[], unit: string}} Asks
 */

const MODES = [
  ["each", gettext("each constraint by itself")],
  ["count", gettext("a number of constraints per task")],
];

const RACKS = {
  affinity: {
    label: gettext("Jobs that stay in one rack"),
    help: gettext("Share of the jobs with several tasks whose tasks must all run in one rack."),
  },
  spread: {
    label: gettext("Jobs spread over racks"),
    help: gettext("Share of the jobs with several tasks whose tasks must all run in different racks."),
  },
};

/** @type {(keyof typeof RACKS)[]} */
const KINDS = ["affinity", "spread"];

/** @param {ConstraintEditor} editor */
export function tasksFold(editor) {
  return new TasksFold(editor);
}

class TasksFold {
  /** @param {ConstraintEditor} editor */
  constructor(editor) {
    this.editor = editor;
    this.fields = new Fields();
    this.own = new Fields();
    this.drawn = "";
    this.lists = h("div", { class: "fold-table" });
    this.softs = h("div", { class: "fold-table" });
    const knobs = h("div", { class: "fold-knobs" });
    const { element, body, sum } = fold(
      gettext("Tasks"),
      gettext("number of constraints, classes of similar tasks, racks"),
    );
    this.element = element;
    this.sum = sum;
    this.mode = choice({ label: gettext("Draw"), choices: MODES }, (value) =>
      this.#asks({ per_task: value === "count" ? [1] : [] }),
    );
    const units = [
      ["task", gettext("each task")],
      ["job", gettext("a whole job")],
    ];
    this.unit = this.fields.add(
      choice({ label: gettext("Draw for"), path: "constraints.asks.unit", choices: units }, (value) =>
        this.#asks({ unit: value }),
      ),
    );
    this.impossible = this.fields.add(impossibleChoice(editor));
    this.count = this.#count();
    this.countLine = h(
      "label",
      { class: "editor-line" },
      h("span", { class: "knob-label" }, gettext("Tasks with 1, 2, 3 … constraints")),
      this.count.element,
    );
    const head = h("div", { class: "editor-line" }, this.mode.element, this.unit.element, this.impossible.element);
    body?.append(head, this.countLine, this.lists, this.softs, knobs);
    this.racks = KINDS.map((kind) => this.#rack(kind, knobs));
  }

  /** @param {Partial<Asks>} change */
  #asks(change) {
    this.editor.edit("", (experiment) => withAsks(experiment, this.editor.catalogue, change));
  }

  #count() {
    return this.fields.add(
      entry(
        {
          label: gettext("Relative numbers of tasks with 1, 2, 3 … constraints"),
          path: "constraints.asks.per_task",
          wide: true,
          help: gettext(
            "Such as 60, 30, 10: relative numbers of constrained tasks with one, two and three constraints.",
          ),
        },
        (/** @type {string} */ text) => {
          const numbers = text
            .split(/[\s,;]+/)
            .filter(Boolean)
            .map(Number);
          this.#asks({ per_task: numbers.map((/** @type {number} */ each) => (Number.isFinite(each) ? each : -1)) });
        },
      ),
    );
  }

  /**
   * @param {keyof typeof RACKS} kind
   * @param {HTMLElement} knobs
   */
  #rack(kind, knobs) {
    const spec = {
      path: `constraints.racks.${kind}`,
      ...RACKS[kind],
      kind: "number",
      min: 0,
      max: 1,
      default: 0,
      scale: "linear",
      shown: (/** @type {number} */ value) => percent(value),
    };
    return addKnob(this.fields, knobs, spec, (/** @type {number} */ value) =>
      this.editor.edit(`racks:${kind}`, (experiment) => {
        const rest = (experiment.constraints.racks ?? []).filter((/** @type {any} */ each) => each.kind !== kind);
        const next = value > 0 ? [...rest, { kind, share: value }] : rest;
        return setAt(experiment, "constraints.racks", next.length ? next : undefined);
      }),
    );
  }

  /**
   * A class of tasks as a line of fields, with a table of its own where it has one.
   * @param {Asks} found
   * @param {number} index
   */
  #class(found, index) {
    const { readOnly } = this.editor.studio;
    const classes = found.classes ?? [];
    const each = classes[index];
    const path = `constraints.asks.classes[${index}]`;
    /** @param {TaskClass} next */
    const change = (next) => this.#asks({ classes: classes.map((one, place) => (place === index ? next : one)) });
    /**
     * @param {"weight" | "factor"} key
     * @param {string} label
     */
    const cell = (key, label) => {
      const field = this.own.add(
        entry(
          {
            label: gettext("{label} of class {index}", { label, index: index + 1 }),
            path: `${path}.${key}`,
            numeric: true,
          },
          (/** @type {string} */ text) => change({ ...each, [key]: numeric(text) }),
        ),
      );
      field.set(typeof each[key] === "number" ? Number(each[key].toPrecision(4)) : (each[key] ?? 1));
      field.disable(readOnly);
      return field.element;
    };
    const remove = () => this.#asks({ classes: classes.filter((_, place) => place !== index) });
    const line = h(
      "div",
      { class: "editor-line" },
      h("span", { class: "fold-name" }, `${index + 1}${each.probabilities ? gettext(", own table") : ""}`),
      cell("weight", gettext("Weight")),
      cell("factor", gettext("Factor")),
      ...(readOnly
        ? []
        : [
            tableButton(each, index, found, change),
            h("button", { class: "link", type: "button", onclick: remove }, gettext("Remove")),
          ]),
    );
    return each.probabilities ? h("div", {}, line, this.#ownTable(each, path, index, change)) : line;
  }

  /** @param {Asks} found */
  #drawClasses(found) {
    const classes = found.classes ?? [];
    const head = h(
      "div",
      { class: "editor-line fold-heads" },
      h("span", { class: "fold-name" }, gettext("Class")),
      h("span", {}, gettext("weight")),
      h("span", {}, gettext("factor")),
    );
    const more = [...(classes.length ? classes : [{ weight: 1, factor: 1 }]), { weight: 1, factor: 1.5 }];
    const add = h(
      "button",
      {
        class: "button button-small",
        type: "button",
        "data-add-class": true,
        onclick: () => this.#asks({ classes: more }),
      },
      gettext("Add a class"),
    );
    this.lists.replaceChildren(
      ...(classes.length ? [head] : []),
      ...classes.map((_, index) => this.#class(found, index)),
      ...(this.editor.studio.readOnly ? [] : [add]),
    );
  }

  /**
   * @param {TaskClass} each
   * @param {string} path
   * @param {number} index
   * @param {(next: TaskClass) => void} change
   */
  #ownTable(each, path, index, change) {
    const { catalogue, studio } = this.editor;
    /** @param {string} name */
    const row = (name) => {
      const label = catalogue?.constraints.find((one) => one.name === name)?.label ?? name;
      const place = `${path}.probabilities.${name}`;
      const field = this.own.add(
        entry(
          { label: gettext("{label} in class {index}, %", { label, index: index + 1 }), path: place, numeric: true },
          (/** @type {string} */ text) => {
            const value = numeric(text);
            const share = typeof value === "number" ? Number((value / 100).toPrecision(6)) : value;
            change({ ...each, probabilities: { ...each.probabilities, [name]: share } });
          },
        ),
      );
      const given = each.probabilities?.[name] ?? 0;
      field.set(typeof given === "number" ? Number((given * 100).toPrecision(4)) : given);
      field.disable(studio.readOnly);
      return h("label", {}, h("span", { title: label }, label), field.element, "%");
    };
    return h(
      "div",
      {
        class: "own-table",
        role: "group",
        "aria-label": gettext("What tasks of class {index} ask for", { index: index + 1 }),
      },
      namesOf(studio.opened, catalogue).map(row),
    );
  }

  /**
   * What a relaxed soft constraint costs: the catalogue's slowdown, or one given here.
   * @param {Experiment} experiment
   */
  #drawSofts(experiment) {
    const { editor } = this;
    /** @param {boolean} soft */
    const every = (soft) =>
      h(
        "button",
        {
          class: "link",
          type: "button",
          "data-all": soft ? "soft" : "hard",
          onclick: () => editor.edit("", (now) => allSoft(now, editor.catalogue, soft)),
        },
        soft ? gettext("All soft") : gettext("All hard"),
      );
    const rows = (experiment.constraints.soft ?? []).map((/** @type {any} */ each, /** @type {number} */ index) => {
      const field = this.own.add(
        entry(
          {
            label: gettext("Slowdown of tasks without {name}", { name: each.name }),
            path: `constraints.soft[${index}]`,
            numeric: true,
          },
          (/** @type {string} */ text) =>
            editor.edit("", (now) => setSoft(now, each.name, true, text === "" ? null : numeric(text))),
        ),
      );
      field.set(each.slowdown ?? "");
      field.element.placeholder = gettext("source's");
      field.disable(editor.studio.readOnly);
      return h(
        "div",
        { class: "editor-line" },
        h("span", { class: "fold-name" }, gettext("{name}, soft", { name: each.name })),
        h("span", { class: "knob-label" }, gettext("slowdown ×")),
        field.element,
      );
    });
    this.softs.replaceChildren(
      ...rows,
      ...(editor.studio.readOnly ? [] : [h("div", { class: "editor-line" }, every(true), every(false))]),
    );
  }

  /** @param {Experiment} experiment */
  experiment(experiment) {
    const { editor } = this;
    const { readOnly } = editor.studio;
    const found = asksOf(experiment, editor.catalogue);
    const counted = found.per_task.length > 0;
    this.mode.set(counted ? "count" : "each");
    this.unit.set(found.unit);
    this.impossible.set(experiment.constraints.impossible_tasks ?? "");
    this.count.set(found.per_task.join(", "));
    this.countLine.hidden = !counted;
    this.lists.hidden = counted;
    for (const each of [this.mode, this.unit, this.impossible, this.count, ...this.racks]) each.disable(readOnly);
    const rules = experiment.constraints.racks ?? [];
    KINDS.forEach((kind, index) => {
      this.racks[index].set(rules.find((/** @type {any} */ rule) => rule.kind === kind)?.share ?? 0);
    });
    this.sum.textContent = counted
      ? gettext("at most {most} each", { most: found.per_task.length })
      : found.classes.length
        ? gettext("{classes} classes", { classes: found.classes.length })
        : gettext("all alike");
    const now = JSON.stringify([found.classes, experiment.constraints.soft, editor.catalogue?.name, readOnly]);
    if (now === this.drawn) return;
    this.drawn = now;
    this.own.clear();
    this.#drawClasses(found);
    this.#drawSofts(experiment);
  }

  /**
   * @param {Problem[]} all
   * @param {(problem: Problem) => string} text
   */
  problems(all, text) {
    const placed = [...this.fields.problems(all, text), ...this.own.problems(all, text)];
    const rack = all.find((each) => !placed.includes(each) && each.path.startsWith("constraints.racks"));
    if (rack) {
      this.racks[0].problem(text(rack));
      placed.push(rack);
    }
    if (placed.length) this.element.open = true;
    return placed;
  }
}
