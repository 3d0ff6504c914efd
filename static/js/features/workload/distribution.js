/** A distribution as fields: its kind, a knob for each parameter, a column for measured values. */

import { setAt } from "../../experiment/experiment.js";
import { whole } from "../../kit/format.js";
import { asKind, DISTRIBUTIONS } from "../../experiment/distributions.js";
import { openDialog } from "../../kit/dialogs.js";
import { h } from "../../kit/dom.js";
import { addKnob, choice, entry, Fields, numeric } from "../../experiment/forms/fields.js";
import { gettext, midSentence } from "../../kit/words.js";

/**
 * @import { Problem } from "../../experiment/problems.js"
 * @import { KnobSpec } from "../../kit/knob.js"
 * @import { Edit } from "./workload.js"
 */

/**
 * @typedef {{title: string, range: {min: number, max: number, unit: string}, edit: Edit,
 *   readOnly: () => boolean}} About
 */

/** @type {Record<string, Omit<KnobSpec, "path">>} */
const KNOBS = {
  value: { label: gettext("Value"), scale: "log" },
  mean: { label: gettext("Mean"), scale: "log" },
  median: { label: gettext("Median"), scale: "log" },
  mu: { label: gettext("Mean of the logarithm"), scale: "linear", min: -5, max: 15, unit: "" },
  sigma: {
    label: gettext("Spread (of the logarithm)"),
    scale: "linear",
    min: 0,
    max: 3,
    unit: "",
    default: 0.8,
    help: gettext(
      "0: all values are equal. 1: one value in six is at least 2.7 times the median. Above 2: a few values make " +
        "up nearly the whole sum.",
    ),
  },
  alpha: {
    label: gettext("Shape"),
    scale: "log",
    min: 0.1,
    max: 10,
    unit: "",
    default: 1.5,
    help: gettext("A smaller value makes the tail heavier."),
  },
};

/**
 * Numbers of a pasted column, and how many lines were none.
 * @param {string} text
 */
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
 * @param {About} about
 */
export function distributionFields(about) {
  return new DistributionFields(about);
}

class DistributionFields {
  /** @param {About} options */
  constructor({ title, range, edit, readOnly }) {
    this.title = title;
    this.range = range;
    this.edit = edit;
    this.readOnly = readOnly;
    this.fields = new Fields();
    this.path = "";
    this.shown = "";
    /** @type {any} */
    this.given = null;
    /** @type {[name: string, control: any][]} */
    this.controls = [];
    this.kind = choice(
      { label: title, choices: Object.entries(DISTRIBUTIONS).map(([name, each]) => [name, each.label]) },
      (value) => this.#write(asKind(this.given, value)),
    );
    this.body = h("div", { class: "fold-knobs" });
    const problem = h("p", { class: "knob-problem", role: "alert", hidden: true });
    const head = h("div", { class: "editor-line" }, this.kind.element);
    this.element = h("div", { class: "distribution" }, head, this.body, problem);
    this.fields.add({
      path: () => this.path,
      /** @param {string} text */
      problem: (/** @type {string} */ text) => {
        problem.hidden = !text;
        problem.textContent = text;
      },
    });
  }

  /** @param {any} value */
  #write(value) {
    this.edit("", (experiment) => setAt(experiment, this.path, value));
  }

  /**
   * A limit that a distribution may have.
   * @param {string} name
   * @param {HTMLElement} parent
   */
  #limit(name, parent) {
    const { edit, range } = this;
    const label = name === "min" ? gettext("At least") : gettext("At most");
    const field = entry(
      { label: `${this.title}: ${midSentence(label)}`, numeric: true },
      (/** @type {string} */ text) => {
        const value = text === "" ? undefined : numeric(text);
        edit("", (experiment) => setAt(experiment, `${this.path}.${name}`, value));
      },
    );
    parent.append(
      h(
        "label",
        { class: "field-choice" },
        h("span", { class: "knob-label" }, label),
        field.element,
        range.unit ? h("span", { class: "section-sum" }, range.unit) : null,
      ),
    );
    this.fields.add({ ...field, path: () => `${this.path}.${name}` });
    return /** @type {[string, any]} */ ([name, field]);
  }

  /** @param {string} name */
  #knob(name) {
    const { edit } = this;
    const path = `${this.path}.${name}`;
    const spec = { ...this.range, default: 1, kind: "number", beyond: true, ...KNOBS[name], path };
    /** @param {any} value */
    const change = (value) => edit(path, (experiment) => setAt(experiment, path, value));
    return /** @type {[string, any]} */ ([name, addKnob(this.fields, this.body, spec, change)]);
  }

  #build() {
    const { given, body } = this;
    this.fields.list = this.fields.list.slice(0, 1);
    /** @type {string[]} */
    const names = DISTRIBUTIONS[given.kind]?.fields ?? [];
    const limits = h("div", { class: "editor-line" });
    body.replaceChildren();
    // A lognormal distribution is given by its median, or by the mean of the logarithm.
    const unused = given.kind === "lognormal" ? (given.median != null ? "mu" : "median") : "";
    this.controls = names.filter((name) => KNOBS[name] && name !== unused).map((name) => this.#knob(name));
    this.controls.push(
      ...names.filter((name) => name === "min" || name === "max").map((name) => this.#limit(name, limits)),
    );
    if (limits.childElementCount) body.append(limits);
    if (given.kind === "empirical") body.append(this.#column());
  }

  /** How many values were measured, and a button to paste others. */
  #column() {
    const { given } = this;
    const count = whole(given.values.length);
    return h(
      "div",
      { class: "editor-line" },
      h(
        "span",
        { class: "section-sum" },
        given.shares
          ? gettext("{count} points of a distribution function", { count })
          : gettext("{count} values", { count }),
      ),
      h(
        "button",
        {
          class: "button button-small",
          type: "button",
          "data-column": true,
          disabled: this.readOnly(),
          onclick: () => this.#columnDialog(),
        },
        gettext("Paste values…"),
      ),
    );
  }

  #columnDialog() {
    const { given } = this;
    const text = h("textarea", {
      class: "json-text paste-text",
      rows: 10,
      spellcheck: "false",
      "aria-label": gettext("Values"),
    });
    if (!given.shares) text.value = given.values.slice(0, 2000).join("\n");
    const trouble = h("p", { class: "knob-problem", role: "alert", hidden: true });
    const take = h("button", { class: "button button-heavy", type: "button" }, gettext("Apply"));
    const dialog = openDialog(
      this.title,
      h(
        "p",
        { class: "dialog-note" },
        gettext("Measured values, one per line, in any order. Each is equally likely. At most 10,000."),
      ),
      text,
      trouble,
      h("div", { class: "dialog-row" }, take),
    );
    take.addEventListener("click", () => {
      const { values, wrong } = readNumbers(text.value);
      trouble.hidden = values.length > 0 && !wrong && values.length <= 10000;
      trouble.textContent = wrong
        ? gettext("{wrong} of them are not numbers above 0.", { wrong })
        : values.length
          ? gettext("{values} values; at most 10,000 are taken.", { values: whole(values.length) })
          : gettext("The text contains no number.");
      if (!trouble.hidden) return;
      dialog.close();
      this.#write({ kind: "empirical", values });
    });
  }

  /**
   * @param {any} distribution
   * @param {string} at
   */
  set(distribution, at) {
    this.given = distribution;
    this.path = at;
    this.kind.set(distribution.kind);
    this.kind.disable(this.readOnly());
    const select = this.kind.element.querySelector("select");
    if (select) select.dataset.path = `${at}.kind`;
    const now = JSON.stringify([
      at,
      distribution.kind,
      distribution.median != null,
      distribution.kind === "empirical" ? [distribution.values.length, Boolean(distribution.shares)] : 0,
      this.readOnly(),
    ]);
    if (now !== this.shown) {
      this.shown = now;
      this.#build();
    }
    for (const [name, control] of this.controls) {
      control.set(distribution[name] ?? (name === "min" || name === "max" ? "" : undefined));
      control.disable?.(this.readOnly());
    }
  }

  /**
   * @param {Problem[]} all
   * @param {(problem: Problem) => string} text
   */
  problems(all, text) {
    return this.fields.problems(all, text);
  }
}
