/** A distribution as fields: its kind, a knob for each parameter, a column for measured values. */

import { setAt } from "../../experiment/experiment.js";
import { whole } from "../../kit/format.js";
import { asKind, DISTRIBUTIONS } from "../../experiment/workloads.js";
import { openDialog } from "../../kit/dialogs.js";
import { h } from "../../kit/dom.js";
import { addKnob, choice, entry, Fields, numeric } from "../editors/fields.js";

const KNOBS = {
  value: { label: "Value", scale: "log" },
  mean: { label: "Mean", scale: "log" },
  median: { label: "Median", scale: "log" },
  mu: { label: "Mean of the logarithm", scale: "linear", min: -5, max: 15, unit: "" },
  sigma: {
    label: "Spread of the logarithm",
    scale: "linear",
    min: 0,
    max: 3,
    unit: "",
    default: 0.8,
    help: "0: all alike; 1: one in six is 2.7 times the median or more; above 2 a few hold nearly everything.",
  },
  alpha: {
    label: "Shape",
    scale: "log",
    min: 0.1,
    max: 10,
    unit: "",
    default: 1.5,
    help: "The smaller, the heavier the tail.",
  },
};

/** Numbers of a pasted column, and how many lines were none. */
export function readNumbers(text) {
  const cells = text
    .split(/[\s;]+/)
    .filter(Boolean)
    .map((cell) => Number(/^\d+,\d+$/.test(cell) ? cell.replace(",", ".") : cell));
  return {
    values: cells.filter((value) => Number.isFinite(value) && value > 0),
    wrong: cells.filter((value) => !(Number.isFinite(value) && value > 0)).length,
  };
}

/**
 * `range`: {min, max, unit}; `edit(key, change)` changes the experiment. set(distribution, path) shows one.
 */
export function distributionFields({ title, range, edit, readOnly }) {
  const fields = new Fields();
  let path = "";
  let shown = "";
  let given = null;
  const write = (value) => edit("", (experiment) => setAt(experiment, path, value));
  const kind = choice(
    { label: title, choices: Object.entries(DISTRIBUTIONS).map(([name, each]) => [name, each.label]) },
    (value) => write(asKind(given, value)),
  );
  const body = h("div", { class: "fold-knobs" });
  const element = h("div", { class: "distribution" }, h("div", { class: "editor-line" }, kind.element), body);
  const problem = h("p", { class: "knob-problem", role: "alert", hidden: true });
  element.append(problem);
  fields.add({
    path: () => path,
    problem: (text) => {
      problem.hidden = !text;
      problem.textContent = text;
    },
  });

  const optional = (name, parent) => {
    const label = name === "min" ? "At least" : "At most";
    const field = entry({ label: `${title}: ${label.toLowerCase()}`, numeric: true }, (text) => {
      edit("", (experiment) => setAt(experiment, `${path}.${name}`, text === "" ? undefined : numeric(text)));
    });
    parent.append(
      h(
        "label",
        { class: "field-choice" },
        h("span", { class: "knob-label" }, label),
        field.element,
        range.unit ? h("span", { class: "section-sum" }, range.unit) : null,
      ),
    );
    fields.add({ ...field, path: () => `${path}.${name}` });
    return [name, field];
  };

  let controls = [];
  const build = () => {
    fields.list = fields.list.slice(0, 1);
    const names = DISTRIBUTIONS[given.kind]?.fields ?? [];
    const limits = h("div", { class: "editor-line" });
    body.replaceChildren();
    controls = names
      .filter(
        (name) =>
          KNOBS[name] &&
          !(
            given.kind === "lognormal" &&
            (name === "mu" ? given.median != null : name === "median" && given.median == null)
          ),
      )
      .map((name) => {
        const spec = {
          min: range.min,
          max: range.max,
          unit: range.unit,
          default: 1,
          kind: "number",
          beyond: true,
          ...KNOBS[name],
          path: `${path}.${name}`,
        };
        return [
          name,
          addKnob(fields, body, spec, (value) =>
            edit(`${path}.${name}`, (experiment) => setAt(experiment, `${path}.${name}`, value)),
          ),
        ];
      });
    controls.push(...names.filter((name) => name === "min" || name === "max").map((name) => optional(name, limits)));
    if (limits.childElementCount) body.append(limits);
    if (given.kind === "empirical")
      body.append(
        h(
          "div",
          { class: "editor-line" },
          h(
            "span",
            { class: "section-sum" },
            given.shares
              ? `${whole(given.values.length)} points of a distribution function`
              : `${whole(given.values.length)} values`,
          ),
          h(
            "button",
            {
              class: "button button-small",
              type: "button",
              "data-column": true,
              disabled: readOnly(),
              onclick: columnDialog,
            },
            "Paste values…",
          ),
        ),
      );
  };

  const columnDialog = () => {
    const text = h("textarea", {
      class: "json-text paste-text",
      rows: 10,
      spellcheck: "false",
      "aria-label": "Values",
    });
    if (!given.shares) text.value = given.values.slice(0, 2000).join("\n");
    const trouble = h("p", { class: "knob-problem", role: "alert", hidden: true });
    const take = h("button", { class: "button button-heavy", type: "button" }, "Take them");
    const dialog = openDialog(
      title,
      h(
        "p",
        { class: "dialog-note" },
        "Measured values, one a line, in any order; each is as likely as the others. At most 10,000.",
      ),
      text,
      trouble,
      h("div", { class: "dialog-row" }, take),
    );
    take.addEventListener("click", () => {
      const { values, wrong } = readNumbers(text.value);
      trouble.hidden = values.length > 0 && !wrong && values.length <= 10000;
      trouble.textContent = wrong
        ? `${wrong} of them are not numbers above 0.`
        : values.length
          ? `${whole(values.length)} values; at most 10,000 are taken.`
          : "There is no number in it.";
      if (!trouble.hidden) return;
      dialog.close();
      write({ kind: "empirical", values });
    });
  };

  return {
    element,
    set(distribution, at) {
      given = distribution;
      path = at;
      kind.set(distribution.kind);
      kind.disable(readOnly());
      kind.element.querySelector("select").dataset.path = `${at}.kind`;
      const now = JSON.stringify([
        at,
        distribution.kind,
        distribution.median != null,
        distribution.kind === "empirical" ? [distribution.values.length, Boolean(distribution.shares)] : 0,
        readOnly(),
      ]);
      if (now !== shown) {
        shown = now;
        build();
      }
      for (const [name, control] of controls) {
        control.set(distribution[name] ?? (name === "min" || name === "max" ? "" : undefined));
        control.disable?.(readOnly());
      }
    },
    problems: (all, text) => fields.problems(all, text),
  };
}
