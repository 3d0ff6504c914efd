/** Fields of the editors. Each shows a value of the experiment and the problem with it. */

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
 * @property {unknown} value  the value that the field shows
 * @property {string} [path]  the value's path in the experiment
 * @property {string} [help]
 * @property {boolean} [off]  true if the field is disabled
 * @property {string} [wrong]  the problem with the value
 *
 * @typedef {FieldAbout & {choices: string[][], hidden?: boolean, beside?: boolean}} ChoiceAbout choices: [[value, text,
 *   group?], ...]; `beside`: another element shows the problem
 * @typedef {object} EntryKeys  further options of an entry
 * @property {string} [kind]  an additional class name
 * @property {(event: KeyboardEvent) => boolean} [keys]  returns true if the key sets the value; the typed text is then
 *   dropped
 * @property {(input: HTMLElement) => void} [next]  called after Enter instead of selecting the text
 * @property {(event: ClipboardEvent) => void} [paste]
 * @typedef {FieldAbout & EntryKeys & {wide?: boolean, numeric?: boolean, placeholder?: string}} EntryAbout
 */

/**
 * @template T
 * @typedef {import("../../../vendor/signals/signals-core.mjs").Signal<T>} Signal
 */

/**
 * The fields that one view renders. A view calls `begin()` and renders each field through this object; each field then
 * shows the problem with its path.
 */
export class Form {
  #off = false;
  /** The paths of the rendered fields. @type {Set<string>} */
  #paths = new Set();
  /** @type {Map<string, {control: Knob, act: (value: unknown) => void}>} */
  #knobs = new Map();
  #wrong = signal(/** @type {Map<string, string>} */ (new Map()));

  /** @param {boolean} off  true if the fields are disabled */
  begin(off) {
    this.#off = off;
    this.#paths.clear();
  }

  /**
   * Return the problem at a path, or "". The caller shows the problem.
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
   * Return a control. Each path has one control, which keeps what a person types across renders.
   * @template Value
   * @param {KnobSpec} spec
   * @param {unknown} value
   * @param {(value: Value) => void} act
   * @param {string} [path]  the path of its problems, if it differs from the control's path
   */
  knob(spec, value, act, path = spec.path) {
    const take = /** @type {(value: unknown) => void} */ (act);
    let made = this.#knobs.get(spec.path);
    if (!made) {
      const control = knob(spec, (next) => this.#knobs.get(spec.path)?.act(next));
      made = { control, act: take };
      this.#knobs.set(spec.path, made);
    }
    made.act = take;
    made.control.set(value);
    made.control.disable(this.#off);
    made.control.problem(this.wrong(path));
    return made.control.element;
  }

  /**
   * Show each problem at the field with the closest path, at most one per field. Return the problems that have a field.
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
 * Return a function that renders a view into an element, now and after each change of a signal that the view reads. A
 * plain effect would render only after the batch that changed the experiment, so the caller could neither set the focus
 * nor catch the error of a damaged draft. After an error the view stays unchanged until the next call.
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

/** Return true if a problem's path equals a field's path or lies inside it. */
const isAt = (/** @type {string} */ problem, /** @type {string} */ path) =>
  problem === path || problem.startsWith(`${path}.`) || problem.startsWith(`${path}[`);

/** Return the options of a select; consecutive options with the same group name share an optgroup. */
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

/** Fill a select and then set its value; a value without an option leaves the select empty. */
const offering = (/** @type {string[][]} */ choices, /** @type {unknown} */ value) =>
  ref((found) => {
    if (!found) return;
    const select = /** @type {HTMLSelectElement} */ (found);
    render(optionViews(choices), select);
    if (select.value !== String(value) || select.selectedIndex < 0) select.value = String(value);
  });

/**
 * Return a select with a label.
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

/** Return the line that shows the problem of the field before it. */
export const problemView = (/** @type {string} */ wrong) =>
  html`<p class="knob-problem" role="alert" ?hidden=${!wrong}>${wrong}</p>`;

/**
 * The text of an entry, and whether a person is typing in it.
 * @typedef {{shown: string, typing: boolean, act: (text: string) => unknown, more: EntryKeys}} Entry
 * @type {WeakMap<Element, Entry>}
 */
const entries = new WeakMap();

/** Show a text in an entry unless a person is typing there. */
const showing = (/** @type {Omit<Entry, "typing">} */ about) =>
  ref((found) => {
    if (!found) return;
    const input = /** @type {HTMLInputElement} */ (found);
    const typing = entries.get(input)?.typing ?? false;
    entries.set(input, { ...about, typing });
    if (!typing && input.value !== about.shown) input.value = about.shown;
  });

/** Return the entry of an event. */
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
  // The value is set and the focus stays, so Tab continues with the next field.
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
 * Return a field for a short text or number. It calls `act` on Enter or when it loses the focus; if `act` returns
 * false, the previous text returns.
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
 * Return a collapsible part of a form. `open` follows the user's toggling.
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
 * Return a part of a form or picture with a heading.
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
 * Return the number in a text. Any other text stays unchanged, so that the server reports the problem at its field.
 * @param {string} text
 */
export function numeric(text) {
  const value = Number(text.replace(",", "."));
  return text !== "" && Number.isFinite(value) ? value : text;
}
