/** Fields of the editors: each shows a path of the experiment, and the problem with it. */

import { targetOf } from "../../kit/dom.js";
import { knob } from "../../kit/knob.js";
import { html, ifDefined, ref, render, show, signal } from "../../kit/view.js";

/**
 * @import { Knob, KnobSpec } from "../../kit/knob.js"
 * @import { Problem } from "../../contract/api.js"
 */

/**
 * @typedef {object} FieldAbout
 * @property {string} label
 * @property {any} value  what it shows
 * @property {string} [path]  of the experiment
 * @property {string} [help]
 * @property {boolean} [off]  whether it cannot be changed
 * @property {string} [wrong]  what is wrong with the value
 *
 * @typedef {FieldAbout & {choices: string[][], hidden?: boolean, beside?: boolean}} ChoiceAbout
 *   choices: [[value, text, group?], ...]; `beside`: what is wrong is said somewhere else
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
 * What draws a view into an element, now and after each change of a signal that it reads. An effect alone would draw
 * only after the batch in which the experiment changed, and its caller could neither set the focus nor catch the error
 * of a damaged draft. After an error the view stands still until it is drawn again.
 * @param {HTMLElement} place
 * @param {() => unknown} view
 * @returns {() => void}
 */
export function drawing(place, view) {
  let stop = () => {};
  return () => {
    stop();
    stop = () => {};
    stop = show(place, view);
  };
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
export function choiceView(about, act) {
  const { label, value, path, choices, help, off = false, wrong = "", hidden = false, beside = false } = about;
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
    >${problemView(beside ? "" : wrong)}</label>`;
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

/**
 * What was typed as a number; what is none stays as it is, so that the server's answer stands at its field.
 * @param {string} text
 */
export function numeric(text) {
  const value = Number(text.replace(",", "."));
  return text !== "" && Number.isFinite(value) ? value : text;
}
