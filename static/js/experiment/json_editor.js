/**
 * The experiment as JSON text, with problems listed by field. A click on a problem selects its position in the text.
 */

import { parsePath } from "./experiment.js";
import { locate } from "../kit/json_place.js";
import { firstWrong } from "../kit/json_wrong.js";
import { part } from "../kit/dom.js";
import { html, show, signal } from "../kit/view.js";
import { gettext } from "../kit/words.js";

/** @import { Experiment } from "./experiment.js" */

/**
 * @typedef {{path: string, text: string, name?: string, place?: number[]}} Wrong  a problem and its position in the
 *   text
 */

export class JsonEditor {
  /** True if the text differs from the experiment. */
  #dirty = signal(false);
  #readOnly;
  #problems = signal(/** @type {Wrong[]} */ ([]));

  /**
   * @param {HTMLElement} element
   * @param {{apply: (experiment: Experiment) => void, undo?: () => void, readOnly: boolean}} options
   */
  constructor(element, { apply, undo, readOnly }) {
    this.#readOnly = signal(readOnly);
    this.apply = apply;
    this.undo = undo;
    show(element, () => this.#view());
    /** @type {HTMLTextAreaElement} */
    this.text = part("textarea", element);
  }

  #view() {
    const readOnly = this.#readOnly.value;
    const problems = this.#problems.value;
    const press = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.#apply();
    };
    const type = () => {
      this.#dirty.value = true;
    };
    return html`
      <textarea
        class="json-text"
        spellcheck="false"
        autocomplete="off"
        aria-label=${gettext("The experiment as JSON")}
        wrap="off"
        ?readonly=${readOnly}
        @input=${type}
        @keydown=${press}
      ></textarea>
      <ul class="json-problems" aria-live="polite" ?hidden=${!problems.length}
        >${problems.map((problem) => this.#problemView(problem))}</ul
      >
      <div class="json-end">
        <button class="button button-heavy" type="button" data-apply ?hidden=${readOnly} @click=${() => this.#apply()}
          >${gettext("Apply")}</button
        ><button
          class="button"
          type="button"
          data-undo
          ?hidden=${readOnly || !(this.#dirty.value || problems.length)}
          @click=${() => this.#undo()}
          >${gettext("Undo changes")}</button
        >
      </div>`;
  }

  setReadOnly(/** @type {boolean} */ readOnly) {
    this.#readOnly.value = readOnly;
  }

  /** Show an experiment, unless this would discard unapplied changes. */
  set(/** @type {Experiment} */ experiment) {
    this.experiment = experiment;
    if (!this.#dirty.peek()) this.#fill();
  }

  /** The typed text that is not applied, or null. */
  get unapplied() {
    return this.#dirty.peek() && !this.#readOnly.peek() ? this.text.value : null;
  }

  restore(/** @type {string} */ text) {
    this.text.value = text;
    this.#dirty.value = true;
  }

  #fill() {
    this.text.value = JSON.stringify(this.experiment, null, 2);
  }

  #undo() {
    this.#dirty.value = false;
    this.problems([]);
    this.#fill();
    this.undo?.();
  }

  #apply() {
    let parsed;
    try {
      parsed = JSON.parse(this.text.value);
    } catch (error) {
      const wrong = firstWrong(this.text.value);
      this.problems([
        wrong
          ? {
              path: "",
              name: `line ${wrong.line}`,
              place: [wrong.from, wrong.to],
              text: gettext("This is not JSON yet: {words}.", { words: wrong.words }),
            }
          : {
              path: "",
              text: gettext("This is not JSON yet: {message}.", { message: /** @type {Error} */ (error).message }),
            },
      ]);
      if (wrong) this.#mark([wrong.from, wrong.to]);
      return;
    }
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
      this.problems([{ path: "", text: gettext("An experiment is one JSON object, in { }.") }]);
      return;
    }
    this.problems([]);
    this.#dirty.value = false;
    this.apply(parsed);
  }

  problems(/** @type {Wrong[]} */ problems) {
    this.#problems.value = problems;
  }

  #problemView(/** @type {Wrong} */ problem) {
    const go = () => this.#mark(problem.place ?? locate(this.text.value, parsePath(problem.path)));
    return html`<li
      ><button class="json-problem" type="button" data-path=${problem.path} @click=${go}
        ><code>${problem.path || problem.name || gettext("text")}</code> ${problem.text}</button
      ></li
    >`;
  }

  /** Select a range of the text: [from, to]. */
  #mark(/** @type {number[] | null} */ place) {
    if (!place) return;
    this.text.focus();
    this.text.setSelectionRange(place[0], place[1]);
    const line = this.text.value.slice(0, place[0]).split("\n").length;
    this.text.scrollTop = Math.max(0, (line - 4) * 18);
  }
}
