/** What tasks ask for besides bars: how many constraints each, by task or by job, classes that ask alike, racks. */

import { allSoft } from "../../experiment/constraint_bulk.js";
import { asksOf, namesOf, setSoft, withAsks } from "../../experiment/constraints.js";
import { setAt } from "../../experiment/experiment.js";
import { percent } from "../../kit/format.js";
import { h } from "../../kit/dom.js";
import { addKnob, choice, entry, Fields, fold, numeric } from "../editors/fields.js";

const MODES = [
  ["each", "each constraint by itself"],
  ["count", "so many constraints a task"],
];

export function tasksFold(editor) {
  const fields = new Fields();
  const own = new Fields();
  const lists = h("div", { class: "fold-table" });
  const softs = h("div", { class: "fold-table" });
  const knobs = h("div", { class: "fold-knobs" });
  const { element, body, sum } = fold("Tasks", "how many constraints, classes that ask alike, racks");
  const asks = (change) => editor.edit("", (experiment) => withAsks(experiment, editor.catalogue, change));
  const mode = choice({ label: "Tasks draw", choices: MODES }, (value) =>
    asks({ per_task: value === "count" ? [1] : [] }),
  );
  const unit = fields.add(
    choice(
      {
        label: "Drawn for",
        path: "constraints.asks.unit",
        choices: [
          ["task", "each task"],
          ["job", "a whole job"],
        ],
      },
      (value) => asks({ unit: value }),
    ),
  );
  const count = fields.add(
    entry(
      {
        label: "Relative numbers of tasks with 1, 2, 3 … constraints",
        path: "constraints.asks.per_task",
        wide: true,
        help: "Such as 60, 30, 10: relative numbers of constrained tasks with one, two and three constraints.",
      },
      (text) =>
        asks({
          per_task: text
            .split(/[\s,;]+/)
            .filter(Boolean)
            .map(Number)
            .map((each) => (Number.isFinite(each) ? each : -1)),
        }),
    ),
  );
  const countLine = h(
    "label",
    { class: "editor-line" },
    h("span", { class: "knob-label" }, "Tasks with 1, 2, 3 … constraints"),
    count.element,
  );
  body.append(h("div", { class: "editor-line" }, mode.element, unit.element), countLine, lists, softs, knobs);
  const racks = ["affinity", "spread"].map((kind) =>
    addKnob(
      fields,
      knobs,
      {
        path: `constraints.racks.${kind}`,
        label: kind === "affinity" ? "Jobs that stay in one rack" : "Jobs that spread over racks",
        kind: "number",
        min: 0,
        max: 1,
        default: 0,
        scale: "linear",
        shown: (value) => percent(value),
        help:
          kind === "affinity"
            ? "Share of the jobs of several tasks whose tasks must all run in one rack."
            : "Share of the jobs of several tasks whose tasks each want a rack of their own.",
      },
      (value) =>
        editor.edit(`racks:${kind}`, (experiment) => {
          const rest = (experiment.constraints.racks ?? []).filter((each) => each.kind !== kind);
          const next = value > 0 ? [...rest, { kind, share: value }] : rest;
          return setAt(experiment, "constraints.racks", next.length ? next : undefined);
        }),
    ),
  );

  const drawClasses = (found) => {
    const classes = found.classes ?? [];
    const write = (next) => asks({ classes: next });
    const head = classes.length
      ? [
          h(
            "div",
            { class: "editor-line fold-heads" },
            h("span", { class: "fold-name" }, "Class"),
            h("span", {}, "weight"),
            h("span", {}, "factor"),
          ),
        ]
      : [];
    const rows = classes.map((each, index) => {
      const path = `constraints.asks.classes[${index}]`;
      const cell = (key, label) => {
        const field = own.add(
          entry({ label: `${label} of class ${index + 1}`, path: `${path}.${key}`, numeric: true }, (text) =>
            write(classes.map((one, place) => (place === index ? { ...one, [key]: numeric(text) } : one))),
          ),
        );
        field.set(typeof each[key] === "number" ? Number(each[key].toPrecision(4)) : (each[key] ?? 1));
        field.disable(editor.studio.readOnly);
        return field.element;
      };
      const change = (next) => write(classes.map((one, place) => (place === index ? next : one)));
      const line = h(
        "div",
        { class: "editor-line" },
        h("span", { class: "fold-name" }, `${index + 1}${each.probabilities ? ", own table" : ""}`),
        cell("weight", "Weight"),
        cell("factor", "Factor"),
        ...(editor.studio.readOnly
          ? []
          : [
              tableButton(each, index, found, change),
              h(
                "button",
                { class: "link", type: "button", onclick: () => write(classes.filter((_, place) => place !== index)) },
                "Remove",
              ),
            ]),
      );
      return each.probabilities ? h("div", {}, line, ownTable(each, `${path}.probabilities`, index, change)) : line;
    });
    const add = h(
      "button",
      {
        class: "button button-small",
        type: "button",
        "data-add-class": true,
        onclick: () => write([...(classes.length ? classes : [{ weight: 1, factor: 1 }]), { weight: 1, factor: 1.5 }]),
      },
      "Add a class",
    );
    lists.replaceChildren(...head, ...rows, ...(editor.studio.readOnly ? [] : [add]));
  };

  /** A class asks as all do, times its factor, or by a table of its own. */
  const tableButton = (each, index, found, change) => {
    const { probabilities, ...plain } = each;
    return h(
      "button",
      {
        class: "link",
        type: "button",
        "data-own-table": index + 1,
        onclick: () => change(probabilities ? plain : { ...plain, probabilities: { ...found.probabilities } }),
      },
      probabilities ? "As all" : "Own table",
    );
  };

  const ownTable = (each, path, index, change) =>
    h(
      "div",
      { class: "own-table", role: "group", "aria-label": `What tasks of class ${index + 1} ask for` },
      namesOf(editor.studio.experiment, editor.catalogue).map((name) => {
        const label = editor.catalogue?.constraints.find((one) => one.name === name)?.label ?? name;
        const field = own.add(
          entry({ label: `${label} in class ${index + 1}, %`, path: `${path}.${name}`, numeric: true }, (text) => {
            const value = numeric(text);
            change({
              ...each,
              probabilities: {
                ...each.probabilities,
                [name]: typeof value === "number" ? Number((value / 100).toPrecision(6)) : value,
              },
            });
          }),
        );
        const given = each.probabilities[name] ?? 0;
        field.set(typeof given === "number" ? Number((given * 100).toPrecision(4)) : given);
        field.disable(editor.studio.readOnly);
        return h("label", {}, h("span", { title: label }, label), field.element, "%");
      }),
    );

  /** What a relaxed soft constraint costs: the catalogue's slowdown, or one given here. */
  const drawSofts = (experiment) => {
    const list = experiment.constraints.soft ?? [];
    const every = (soft) =>
      h(
        "button",
        {
          class: "link",
          type: "button",
          "data-all": soft ? "soft" : "hard",
          onclick: () => editor.edit("", (now) => allSoft(now, editor.catalogue, soft)),
        },
        soft ? "All soft" : "All hard",
      );
    const rows = list.map((each, index) => {
      const field = own.add(
        entry(
          { label: `Slowdown of tasks without ${each.name}`, path: `constraints.soft[${index}]`, numeric: true },
          (text) => editor.edit("", (now) => setSoft(now, each.name, true, text === "" ? null : numeric(text))),
        ),
      );
      field.set(each.slowdown ?? "");
      field.element.placeholder = "source's";
      field.disable(editor.studio.readOnly);
      return h(
        "div",
        { class: "editor-line" },
        h("span", { class: "fold-name" }, `${each.name}, soft`),
        h("span", { class: "knob-label" }, "slowdown ×"),
        field.element,
      );
    });
    softs.replaceChildren(
      ...rows,
      ...(editor.studio.readOnly ? [] : [h("div", { class: "editor-line" }, every(true), every(false))]),
    );
  };

  let drawn = "";
  return {
    element,
    experiment(experiment) {
      const found = asksOf(experiment, editor.catalogue);
      const counted = found.per_task.length > 0;
      mode.set(counted ? "count" : "each");
      unit.set(found.unit);
      count.set(found.per_task.join(", "));
      countLine.hidden = !counted;
      lists.hidden = counted;
      for (const each of [mode, unit, count, ...racks]) each.disable(editor.studio.readOnly);
      racks.forEach((each, index) =>
        each.set(
          (experiment.constraints.racks ?? []).find((rule) => rule.kind === ["affinity", "spread"][index])?.share ?? 0,
        ),
      );
      sum.textContent = counted
        ? `at most ${found.per_task.length} each`
        : found.classes.length
          ? `${found.classes.length} classes`
          : "all alike";
      const now = JSON.stringify([
        found.classes,
        experiment.constraints.soft,
        editor.catalogue?.name,
        editor.studio.readOnly,
      ]);
      if (now === drawn) return;
      drawn = now;
      own.clear();
      drawClasses(found);
      drawSofts(experiment);
    },
    problems(all, text) {
      const placed = [...fields.problems(all, text), ...own.problems(all, text)];
      const rack = all.find((each) => !placed.includes(each) && each.path.startsWith("constraints.racks"));
      if (rack) {
        racks[0].problem(text(rack));
        placed.push(rack);
      }
      if (placed.length) element.open = true;
      return placed;
    },
  };
}
