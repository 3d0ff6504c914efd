/** Further settings of tasks: the number of constraints, by task or by job, classes with equal requests, racks. */

import { allSoft } from "../../experiment/constraint_bulk.js";
import { asksOf, namesOf } from "../../experiment/constraints.js";
import { setSoft, withAsks } from "../../experiment/constraint_edits.js";
import { setAt } from "../../experiment/experiment.js";
import { percent } from "../../kit/format.js";
import { foldView, numeric } from "../../experiment/forms/fields.js";
import { html, nothing } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { ConstraintEditor } from "./constraints.js"
 */

/**
 * @typedef {Record<string, number | string>} Probabilities  by constraint; a text that is no number stays a text
 * @typedef {{weight?: number | string, factor?: number | string, probabilities?: Probabilities}} TaskClass  tasks with
 *   equal requests
 * @typedef {{probabilities: Probabilities, classes: TaskClass[], per_task: number[], unit: string}} Asks
 * @typedef {import("../../experiment/constraints.js").Asks} SentAsks  as the server accepts them
 * @typedef {{kind: string, share: number}} RackRule
 * @typedef {{name: string, slowdown?: number | null}} Soft
 */

const MODES = [
  ["each", gettext("each constraint by itself")],
  ["count", gettext("a number of constraints per task")],
];

const UNITS = [
  ["task", gettext("each task")],
  ["job", gettext("a whole job")],
];
const IMPOSSIBLE = [
  ["", gettext("as the profile says")],
  ["keep", gettext("block their job")],
  ["drop", gettext("are dropped")],
];

const SHARE = {
  kind: "number",
  min: 0,
  max: 1,
  default: 0,
  scale: "linear",
  shown: (/** @type {number} */ value) => percent(value),
};
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

/**
 * Return the further settings of tasks.
 * @param {ConstraintEditor} editor
 * @param {Experiment} experiment
 */
export function tasksView(editor, experiment) {
  const { form, open } = editor.tasks;
  const found = asksOf(experiment, editor.catalogue);
  const counted = found.per_task.length > 0;
  const sum = counted
    ? gettext("at most {most} each", { most: found.per_task.length })
    : found.classes.length
      ? gettext("{classes} classes", { classes: found.classes.length })
      : gettext("all alike");
  const rules = experiment.constraints.racks ?? [];
  return foldView(
    { title: gettext("Tasks"), about: gettext("number of constraints, classes of similar tasks, racks"), sum, open },
    html`
      ${headView(editor, experiment, found)}
      <div class="fold-table" ?hidden=${counted}>${classesView(editor, experiment, found)}</div>
      <div class="fold-table">${softsView(editor, experiment)}</div>
      <div class="fold-knobs"
        >${KINDS.map((kind, index) =>
          form.knob(
            { ...RACKS[kind], ...SHARE, path: `constraints.racks.${kind}` },
            rules.find((/** @type {RackRule} */ rule) => rule.kind === kind)?.share ?? 0,
            (value) => editor.edit(`racks:${kind}`, (now) => withRack(now, kind, value)),
            index ? undefined : "constraints.racks", // a problem with any of these rules
          ),
        )}</div>`,
  );
}

/**
 * Return the experiment with another fraction of jobs under a rack rule.
 * @param {Experiment} experiment
 * @param {keyof typeof RACKS} kind
 * @param {number} share
 */
function withRack(experiment, kind, share) {
  const rest = (experiment.constraints.racks ?? []).filter((/** @type {RackRule} */ each) => each.kind !== kind);
  const next = share > 0 ? [...rest, { kind, share }] : rest;
  return setAt(experiment, "constraints.racks", next.length ? next : undefined);
}

/**
 * @param {ConstraintEditor} editor
 * @param {Partial<Asks>} change
 */
const writeAsks = (editor, change) =>
  editor.edit("", (now) => withAsks(now, editor.catalogue, /** @type {Partial<SentAsks>} */ (change)));

/**
 * Return the settings of how constraints are drawn, and of tasks that no machine can run.
 * @param {ConstraintEditor} editor
 * @param {Experiment} experiment
 * @param {Asks} found
 */
function headView(editor, experiment, found) {
  const { form } = editor.tasks;
  const counted = found.per_task.length > 0;
  const impossible = "constraints.impossible_tasks";
  const mode = form.choice({ label: gettext("Draw"), choices: MODES, value: counted ? "count" : "each" }, (value) =>
    writeAsks(editor, { per_task: value === "count" ? [1] : [] }),
  );
  const unit = form.choice(
    { label: gettext("Draw for"), path: "constraints.asks.unit", choices: UNITS, value: found.unit },
    (value) => writeAsks(editor, { unit: value }),
  );
  const never = form.choice(
    {
      label: gettext("Tasks that no machine can run"),
      path: impossible,
      choices: IMPOSSIBLE,
      value: experiment.constraints.impossible_tasks ?? "",
    },
    (value) => editor.edit("", (now) => setAt(now, impossible, value || undefined)),
  );
  const counts = form.entry(
    {
      label: gettext("Relative numbers of tasks with 1, 2, 3 … constraints"),
      path: "constraints.asks.per_task",
      wide: true,
      help: gettext("Such as 60, 30, 10: relative numbers of constrained tasks with one, two and three constraints."),
      value: found.per_task.join(", "),
    },
    (text) => {
      const numbers = text.split(/[\s,;]+/).filter(Boolean);
      writeAsks(editor, { per_task: numbers.map((each) => (Number.isFinite(Number(each)) ? Number(each) : -1)) });
    },
  );
  return html`
    <div class="editor-line">${mode}${unit}${never}</div>
    <label class="editor-line" ?hidden=${!counted}
      ><span class="knob-label">${gettext("Tasks with 1, 2, 3 … constraints")}</span>${counts}</label>`;
}

/**
 * @param {ConstraintEditor} editor
 * @param {Experiment} experiment
 * @param {Asks} found
 */
function classesView(editor, experiment, found) {
  const classes = found.classes ?? [];
  const more = [...(classes.length ? classes : [{ weight: 1, factor: 1 }]), { weight: 1, factor: 1.5 }];
  const heads = html`<div class="editor-line fold-heads"
    ><span class="fold-name">${gettext("Class")}</span><span>${gettext("weight")}</span
    ><span>${gettext("factor")}</span></div>`;
  return [
    classes.length ? heads : nothing,
    classes.map((_, index) => classView(editor, experiment, found, index)),
    editor.studio.readOnly.value
      ? nothing
      : html`<button
          class="button button-small"
          type="button"
          data-add-class
          @click=${() => writeAsks(editor, { classes: more })}
        >${gettext("Add a class")}</button>`,
  ];
}

/**
 * Return a class of tasks as a row of fields. Its requests are all tasks' requests times its factor, or come from a
 * table of its own.
 * @param {ConstraintEditor} editor
 * @param {Experiment} experiment
 * @param {Asks} found
 * @param {number} index
 */
function classView(editor, experiment, found, index) {
  const { classes } = found;
  const { probabilities, ...plain } = classes[index];
  /** @param {TaskClass} next */
  const change = (next) => writeAsks(editor, { classes: classes.map((one, place) => (place === index ? next : one)) });
  const remove = () => writeAsks(editor, { classes: classes.filter((_, place) => place !== index) });
  const table = () => change(probabilities ? plain : { ...plain, probabilities: { ...found.probabilities } });
  /** @param {"weight" | "factor"} key @param {string} label */
  const cell = (key, label) =>
    editor.tasks.form.entry(
      {
        label: gettext("{label} of class {index}", { label, index: index + 1 }),
        path: `constraints.asks.classes[${index}].${key}`,
        numeric: true,
        value: typeof plain[key] === "number" ? Number(plain[key].toPrecision(4)) : (plain[key] ?? 1),
      },
      (text) => change({ ...classes[index], [key]: numeric(text) }),
    );
  const buttons = html`<button class="link" type="button" data-own-table=${index + 1} @click=${table}
      >${probabilities ? gettext("Use the common table") : gettext("Own table")}</button
    ><button class="link" type="button" @click=${remove}>${gettext("Remove")}</button>`;
  return html`<div
    ><div class="editor-line"
      ><span class="fold-name">${`${index + 1}${probabilities ? gettext(", own table") : ""}`}</span
      >${cell("weight", gettext("Weight"))}${cell("factor", gettext("Factor"))}${
        editor.studio.readOnly.value ? nothing : buttons
      }</div
    >${probabilities ? ownTableView(editor, experiment, classes[index], index, change) : nothing}</div>`;
}

/**
 * Return the requests of a class with a table of its own.
 * @param {ConstraintEditor} editor
 * @param {Experiment} experiment
 * @param {TaskClass} each
 * @param {number} index
 * @param {(next: TaskClass) => void} change
 */
function ownTableView(editor, experiment, each, index, change) {
  const { catalogue } = editor;
  /** @param {string} name */
  const row = (name) => {
    const label = catalogue?.constraints.find((one) => one.name === name)?.label ?? name;
    const given = each.probabilities?.[name] ?? 0;
    const field = editor.tasks.form.entry(
      {
        label: gettext("{label} in class {index}, %", { label, index: index + 1 }),
        path: `constraints.asks.classes[${index}].probabilities.${name}`,
        numeric: true,
        value: typeof given === "number" ? Number((given * 100).toPrecision(4)) : given,
      },
      (text) => {
        const value = numeric(text);
        const share = typeof value === "number" ? Number((value / 100).toPrecision(6)) : value;
        change({ ...each, probabilities: { ...each.probabilities, [name]: share } });
      },
    );
    return html`<label><span title=${label}>${label}</span>${field}%</label>`;
  };
  return html`<div
    class="own-table"
    role="group"
    data-asks-of=${index + 1}
    aria-label=${gettext("What tasks of class {index} ask for", { index: index + 1 })}
    >${namesOf(experiment, catalogue).map(row)}</div>`;
}

/**
 * Return a field for the slowdown of each soft constraint (empty: the catalogue's), and buttons that make all
 * constraints soft or hard.
 * @param {ConstraintEditor} editor
 * @param {Experiment} experiment
 */
function softsView(editor, experiment) {
  /** @param {boolean} soft */
  const every = (soft) =>
    html`<button
      class="link"
      type="button"
      data-all=${soft ? "soft" : "hard"}
      @click=${() => editor.edit("", (now) => allSoft(now, editor.catalogue, soft))}
    >${soft ? gettext("All soft") : gettext("All hard")}</button>`;
  const rows = (experiment.constraints.soft ?? []).map((/** @type {Soft} */ each, /** @type {number} */ index) => {
    const field = editor.tasks.form.entry(
      {
        label: gettext("Slowdown of tasks without {name}", { name: each.name }),
        path: `constraints.soft[${index}]`,
        numeric: true,
        placeholder: gettext("source's"),
        value: each.slowdown ?? "",
      },
      (text) => editor.edit("", (now) => setSoft(now, each.name, true, text === "" ? null : numeric(text))),
    );
    return html`<div class="editor-line"
      ><span class="fold-name">${gettext("{name}, soft", { name: each.name })}</span
      ><span class="knob-label">${gettext("slowdown ×")}</span>${field}</div>`;
  });
  return [
    rows,
    editor.studio.readOnly.value ? nothing : html`<div class="editor-line">${every(true)}${every(false)}</div>`,
  ];
}
