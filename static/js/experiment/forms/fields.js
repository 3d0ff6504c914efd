/** Fields of the editors: each shows a path of the experiment, and the problem with it. */

import { h, targetOf } from "../../kit/dom.js";
import { knob } from "../../kit/knob.js";
import { html, ifDefined, ref, render, signal } from "../../kit/view.js";

/**
 * @import { Knob, KnobSpec } from "../../kit/knob.js"
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

/**
 * @typedef {object} FieldAbout
 * @property {string} label
 * @property {any} value  what it shows
 * @property {string} [path]  of the experiment
 * @property {string} [help]
 * @property {boolean} [off]  whether it cannot be changed
 * @property {string} [wrong]  what is wrong with the value
 *
 * @typedef {FieldAbout & {choices: string[][], hidden?: boolean}} ChoiceAbout  choices: [[value, text, group?], ...]
 * @typedef {object} EntryKeys  what an entry does besides
 * @property {string} [kind]  a further class name
 * @property {(event: KeyboardEvent) => boolean} [keys]  true: the key sets the value, and the typed text goes
 * @property {(input: HTMLElement) => void} [next]  after Enter, in place of selecting the text
 * @property {(event: ClipboardEvent) => void} [paste]
 * @typedef {FieldAbout & EntryKeys & {wide?: boolean, numeric?: boolean, placeholder?: string}} EntryAbout
 */

/**
 * @template T
 * @typedef {import("../../../vendor/signals/signals-core.mjs").Signal<T>} Signal
 */

/**
 * The fields that one view draws. A view begins with `begin()` and draws each field through this; each field then shows
 * the problem with its path.
 */
export class Form {
  #off = false;
  /** Of the fields that are drawn. @type {Set<string>} */
  #paths = new Set();
  /** @type {Map<string, {control: Knob, act: (value: any) => void}>} */
  #knobs = new Map();
  #wrong = signal(/** @type {Map<string, string>} */ (new Map()));

  /** @param {boolean} off  whether the fields cannot be changed */
  begin(off) {
    this.#off = off;
    this.#paths.clear();
  }

  /**
   * What is wrong at a path; "" for nothing. The problem has its place where this was asked.
   * @param {string} path
   */
  wrong(path) {
    this.#paths.add(path);
    return this.#wrong.value.get(path) ?? "";
  }

  /**
   * @param {ChoiceAbout} about
   * @param {(value: string) => void} act
   */
  choice(about, act) {
    return choiceView({ off: this.#off, wrong: about.path ? this.wrong(about.path) : "", ...about }, act);
  }

  /**
   * @param {EntryAbout} about
   * @param {(text: string) => unknown} act
   */
  entry(about, act) {
    return entryView({ off: this.#off, wrong: about.path ? this.wrong(about.path) : "", ...about }, act);
  }

  /**
   * A knob. It is made once for its path and keeps what a person types.
   * @param {KnobSpec} spec
   * @param {any} value
   * @param {(value: any) => void} act
   * @param {string} [path]  of its problems, if it is not that of the knob
   */
  knob(spec, value, act, path = spec.path) {
    let made = this.#knobs.get(spec.path);
    if (!made) {
      const control = knob(spec, (next) => this.#knobs.get(spec.path)?.act(next));
      made = { control, act };
      this.#knobs.set(spec.path, made);
    }
    made.act = act;
    made.control.set(value);
    made.control.disable(this.#off);
    made.control.problem(this.wrong(path));
    return made.control.element;
  }

  /**
   * Show each problem at the field with the closest path, at most one at each field. Returns those that have a field.
   * @param {Problem[]} all
   * @param {(problem: Problem) => string} text
   */
  problems(all, text) {
    /** @type {Map<string, Problem>} */
    const placed = new Map();
    for (const each of all) {
      let closest = "";
      for (const path of this.#paths) if (path.length > closest.length && isAt(each.path, path)) closest = path;
      if (closest && !placed.has(closest)) placed.set(closest, each);
    }
    if (placed.size || this.#wrong.peek().size)
      this.#wrong.value = new Map([...placed].map(([path, each]) => [path, text(each)]));
    return [...placed.values()];
  }
}

/**
 * Give a signal a value. If a view cannot draw it, as with a damaged draft, the former value stays and the error is
 * raised again.
 * @template T
 * @param {Signal<T>} into
 * @param {T} value
 */
export function putDrawable(into, value) {
  const former = into.peek();
  try {
    into.value = value;
  } catch (error) {
    into.value = former;
    throw error;
  }
}

/** Whether a problem's path is a field's, or is inside it. */
const isAt = (/** @type {string} */ problem, /** @type {string} */ path) =>
  problem === path || problem.startsWith(`${path}.`) || problem.startsWith(`${path}[`);

/** Options of a select; those that follow one another with one group's name stand under it. */
function optionViews(/** @type {string[][]} */ list) {
  /** @type {{group: string, options: unknown[]}[]} */
  const parts = [];
  for (const [value, words, group = ""] of list) {
    const option = html`<option value=${value}>${words}</option>`;
    if (parts.at(-1)?.group === group) parts.at(-1)?.options.push(option);
    else parts.push({ group, options: [option] });
  }
  return parts.map(({ group, options }) => (group ? html`<optgroup label=${group}>${options}</optgroup>` : options));
}

/** Fill a select: a value is chosen after its options are there, and one without an option leaves the select empty. */
const offering = (/** @type {string[][]} */ choices, /** @type {any} */ value) =>
  ref((found) => {
    if (!found) return;
    const select = /** @type {HTMLSelectElement} */ (found);
    render(optionViews(choices), select);
    if (select.value !== String(value) || select.selectedIndex < 0) select.value = value;
  });

/**
 * A select with a label.
 * @param {ChoiceAbout} about
 * @param {(value: string) => void} act
 */
export function choiceView({ label, value, path, choices, help, off = false, wrong = "", hidden = false }, act) {
  return html`<label
    class=${wrong ? "field-choice has-problem" : "field-choice"}
    data-tip=${ifDefined(help)}
    ?hidden=${hidden}
    ><span class="knob-label">${label}</span
    ><select
      class="knob-select"
      aria-label=${label}
      data-path=${ifDefined(path)}
      ?disabled=${off}
      @change=${(/** @type {Event} */ event) => act(targetOf(event).value)}
      ${offering(choices, value)}
    ></select
    >${problemView(wrong)}</label>`;
}

/** What is wrong with the field before it. */
export const problemView = (/** @type {string} */ wrong) =>
  html`<p class="knob-problem" role="alert" ?hidden=${!wrong}>${wrong}</p>`;

/**
 * What an entry shows, and whether a person types into it.
 * @typedef {{shown: string, typing: boolean, act: (text: string) => unknown, more: EntryKeys}} Entry
 * @type {WeakMap<Element, Entry>}
 */
const entries = new WeakMap();

/** Show a text in an entry, unless a person types there. */
const showing = (/** @type {Omit<Entry, "typing">} */ about) =>
  ref((found) => {
    if (!found) return;
    const input = /** @type {HTMLInputElement} */ (found);
    const typing = entries.get(input)?.typing ?? false;
    entries.set(input, { ...about, typing });
    if (!typing && input.value !== about.shown) input.value = about.shown;
  });

/** The entry that an event is about. */
function entryOf(/** @type {Event} */ event) {
  const input = targetOf(event);
  const entry = entries.get(input);
  if (!entry) throw new Error("This element is no entry.");
  return { input, entry };
}

function commit(/** @type {Event} */ event) {
  const { input, entry } = entryOf(event);
  const former = entry.shown;
  entry.typing = false;
  const text = input.value.trim();
  if (text === former) return;
  entry.shown = text;
  if (entry.act(text) !== false) return;
  entry.shown = former;
  input.value = former;
}

function typed(/** @type {Event} */ event) {
  entryOf(event).entry.typing = true;
}

function left(/** @type {Event} */ event) {
  entryOf(event).entry.typing = false;
}

function pressed(/** @type {KeyboardEvent} */ event) {
  const { input, entry } = entryOf(event);
  // Taken, and still in hand: Tab goes on to the next field.
  if (event.key === "Enter") {
    commit(event);
    if (entry.more.next) entry.more.next(input);
    else input.select();
  }
  if (event.key === "Escape") {
    event.stopPropagation();
    entry.typing = false;
    input.value = entry.shown;
    input.blur();
  }
  if (entry.more.keys?.(event)) {
    entry.typing = false;
    input.value = entries.get(input)?.shown ?? "";
  }
}

/**
 * A short text or number. `act` gets it on Enter, or when the field is left; if it returns false, the former text
 * comes back.
 * @param {EntryAbout} about
 * @param {(text: string) => unknown} act
 */
export function entryView(about, act) {
  const { label, value, path, help, placeholder, wide = false, numeric = false, off = false, wrong = "" } = about;
  const kinds = ["entry", wide && "entry-wide", about.kind, wrong && "has-problem"];
  return html`<input
    type="text"
    class=${kinds.filter(Boolean).join(" ")}
    aria-label=${label}
    data-path=${ifDefined(path)}
    data-tip=${ifDefined(help)}
    title=${wrong}
    aria-invalid=${String(Boolean(wrong))}
    autocomplete="off"
    spellcheck="false"
    inputmode=${ifDefined(numeric ? "decimal" : undefined)}
    placeholder=${ifDefined(placeholder)}
    ?disabled=${off}
    @input=${typed}
    @change=${commit}
    @blur=${left}
    @keydown=${pressed}
    @paste=${about.paste}
    ${showing({ shown: String(value), act, more: about })}
  />`;
}

/**
 * A folded part of a form. `open` follows what a person opens.
 * @param {{title: string, about: string, sum?: string, open: Signal<boolean>}} about
 * @param {unknown} content
 */
export function foldView({ title, about, sum = "", open }, content) {
  const toggled = (/** @type {Event} */ event) => {
    open.value = /** @type {HTMLDetailsElement} */ (event.currentTarget).open;
  };
  return html`<details class="fold" ?open=${open.value} @toggle=${toggled}
    ><summary
      ><span class="fold-title">${title}</span> <span class="panel-question">${about}</span
      ><span class="section-sum">${sum}</span></summary
    ><div class="fold-body">${content}</div></details>`;
}

/**
 * A part of a form or a picture with its head.
 * @param {string} title
 * @param {string} about
 * @param {unknown} content
 */
export const partView = (title, about, content, hidden = false) => html`
  <section class="picture-part" ?hidden=${hidden}>
    <h2><span class="panel-title">${title}</span> <span class="panel-question">${about}</span></h2>
    ${content}
  </section>`;

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
