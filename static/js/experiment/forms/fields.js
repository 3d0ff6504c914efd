/** Fields of the editors: each shows a path of the experiment, and the problem with it. */

import { h } from "../../kit/dom.js";
import { knob } from "../../kit/knob.js";

/**
 * @import { KnobSpec } from "../../kit/knob.js"
 * @import { Problem } from "../../contract/api.js"
 */

/** @typedef {{path?: string | (() => string | null), problem: (text: string) => void, [more: string]: any}} Field */

/** A set of fields that take problems by path; problems(all) returns those that found their field. */
export class Fields {
  constructor() {
    /** @type {Field[]} */
    this.list = [];
  }

  /**
   * @template {Field} T
   * @param {T} field
   */
  add(field) {
    this.list.push(field);
    return field;
  }

  clear() {
    this.list = [];
  }

  /**
   * Each problem stands at the field that shows its path most closely, one a field.
   * @param {Problem[]} all
   * @param {(problem: Problem) => string} text
   */
  problems(all, text) {
    const paths = this.list.map((field) => (typeof field.path === "function" ? field.path() : field.path) || "");
    const placed = new Map();
    for (const each of all) {
      const shows = (/** @type {string} */ path) =>
        path && (each.path === path || each.path.startsWith(`${path}.`) || each.path.startsWith(`${path}[`));
      const closest = paths.reduce(
        (best, path, at) => (shows(path) && !(best >= 0 && paths[best].length >= path.length) ? at : best),
        -1,
      );
      if (closest >= 0 && !placed.has(this.list[closest])) placed.set(this.list[closest], each);
    }
    for (const field of this.list) field.problem(placed.has(field) ? text(placed.get(field)) : "");
    return [...placed.values()];
  }
}

/** Options of a select; those that follow one another with one group's name stand under it. */
function optionsOf(/** @type {string[][]} */ list) {
  /** @type {(HTMLOptionElement | HTMLOptGroupElement)[]} */
  const made = [];
  for (const [value, words, group = ""] of list) {
    const option = h("option", { value }, words);
    if (!group) made.push(option);
    else if (made.at(-1)?.label === group) made.at(-1)?.append(option);
    else made.push(h("optgroup", { label: group }, option));
  }
  return made;
}

/**
 * A select with a label: {element, set(value, choices?), problem(text), disable(off)}; choices: [[value, text, group?],
 * ...].
 */
/**
 * @param {{label: string, path?: string, choices?: string[][], help?: string}} about
 * @param {(value: string) => void} act
 */
export function choice({ label, path, choices = [], help = "" }, act) {
  const select = h("select", { class: "knob-select", "aria-label": label, "data-path": path });
  const problem = h("p", { class: "knob-problem", role: "alert", hidden: true });
  const element = h(
    "label",
    { class: "field-choice", "data-tip": help || null },
    h("span", { class: "knob-label" }, label),
    select,
    problem,
  );
  let shown = "";
  const offer = (/** @type {string[][]} */ list) => {
    const text = JSON.stringify(list);
    if (text === shown) return;
    shown = text;
    select.replaceChildren(...optionsOf(list));
  };
  offer(choices);
  select.addEventListener("change", () => act(select.value));
  return {
    element,
    path,
    set(/** @type {any} */ value, /** @type {string[][] | null} */ list = null) {
      if (list) offer(list);
      select.value = value;
    },
    problem(/** @type {string} */ text) {
      problem.hidden = !text;
      problem.textContent = text;
      element.classList.toggle("has-problem", Boolean(text));
    },
    disable(/** @type {boolean} */ off) {
      select.disabled = off;
    },
  };
}

/**
 * A short text or number that is taken on Enter or when it is left: {element, set(text), problem(text)}.
 * @param {{label: string, path?: string, wide?: boolean, help?: string, numeric?: boolean}} options
 * @param {(text: string) => void} act
 */
export function entry({ label, path = "", wide = false, help = "", numeric = false }, act) {
  const input = h("input", {
    type: "text",
    class: wide ? "entry entry-wide" : "entry",
    "aria-label": label,
    "data-path": path,
    "data-tip": help || null,
    autocomplete: "off",
    spellcheck: "false",
    inputmode: numeric ? "decimal" : null,
  });
  let shown = "";
  let typing = false;
  const commit = () => {
    typing = false;
    const text = input.value.trim();
    if (text === shown) return;
    shown = text;
    act(text);
  };
  input.addEventListener("input", () => {
    typing = true;
  });
  input.addEventListener("change", commit);
  input.addEventListener("keydown", (event) => {
    // Taken, and still in hand: Tab goes on to the next field.
    if (event.key === "Enter") {
      commit();
      input.select();
    }
    if (event.key === "Escape") {
      event.stopPropagation();
      typing = false;
      input.value = shown;
      input.blur();
    }
  });
  return {
    element: input,
    path,
    /** @param {string | number} text */
    set(text) {
      shown = String(text);
      if (!typing) input.value = shown;
    },
    problem(/** @type {string} */ text) {
      input.classList.toggle("has-problem", Boolean(text));
      input.setAttribute("aria-invalid", String(Boolean(text)));
      input.title = text;
    },
    disable(/** @type {boolean} */ off) {
      input.disabled = off;
    },
  };
}

/**
 * What was typed as a number; what is none stays as it is, so that the server's answer stands at its field.
 * @param {string} text
 */
export function numeric(text) {
  const value = Number(text.replace(",", "."));
  return text !== "" && Number.isFinite(value) ? value : text;
}

export { knob };

/**
 * A knob that belongs to a set of fields.
 * @param {Fields} fields
 * @param {HTMLElement} parent
 * @param {KnobSpec} spec
 * @param {(value: any) => void} act
 */
export function addKnob(fields, parent, spec, act) {
  const control = knob(spec, act);
  parent.append(control.element);
  return fields.add(control);
}

/**
 * A folded part of a form.
 * @param {string} title
 * @param {string} about
 * @param {...import("../../kit/dom.js").Child} content
 */
export function fold(title, about, ...content) {
  const sum = h("span", { class: "section-sum" });
  const element = h(
    "details",
    { class: "fold" },
    h(
      "summary",
      {},
      h("span", { class: "fold-title" }, title),
      " ",
      h("span", { class: "panel-question" }, about),
      sum,
    ),
    h("div", { class: "fold-body" }, ...content),
  );
  return { element, sum, body: /** @type {HTMLElement} */ (element.lastElementChild) };
}
