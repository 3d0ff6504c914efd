/** The experiment as text, with problems listed by field; a click on one selects its place in the text. */

import { parsePath } from "./experiment.js";
import { locate } from "../kit/json_place.js";
import { firstWrong } from "../kit/json_wrong.js";
import { h } from "../kit/dom.js";
import { html, render } from "../kit/view.js";
import { gettext } from "../kit/words.js";

/** @import { Experiment } from "./experiment.js" */

/**
 * @typedef {{path: string, text: string, name?: string, place?: number[]}} Wrong  a problem, and its place in the
 *   text
 */

export class JsonEditor {
  /**
   * @param {HTMLElement} element
   * @param {{apply: (experiment: Experiment) => void, undo?: () => void, readOnly: boolean}} options
   */
  constructor(element, { apply, undo, readOnly }) {
    this.text = h("textarea", {
      class: "json-text",
      spellcheck: "false",
      autocomplete: "off",
      "aria-label": gettext("The experiment as JSON"),
      wrap: "off",
    });
    this.list = h("ul", { class: "json-problems", "aria-live": "polite" });
    this.button = h("button", { class: "button button-heavy", type: "button", "data-apply": true }, gettext("Apply"));
    this.undo = h("button", { class: "button", type: "button", "data-undo": true }, gettext("Undo changes"));
    element.append(this.text, this.list, h("div", { class: "json-end" }, this.button, this.undo));
    this.dirty = false;
    this.readOnly = readOnly;
    this.apply = apply;
    this.button.addEventListener("click", () => this.#apply());
    this.undo.addEventListener("click", () => {
      this.dirty = false;
      this.problems([]);
      this.#fill();
      undo?.();
    });
    this.text.addEventListener("input", () => {
      this.dirty = true;
      this.#buttons();
    });
    this.text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.#apply();
    });
    this.setReadOnly(readOnly);
  }

  setReadOnly(/** @type {boolean} */ readOnly) {
    this.readOnly = readOnly;
    this.text.readOnly = readOnly;
    this.#buttons();
  }

  /** Show an experiment, unless unapplied changes would be lost. */
  set(/** @type {Experiment} */ experiment) {
    this.experiment = experiment;
    if (!this.dirty) this.#fill();
  }

  /** Text that was typed and not applied, or null. */
  get unapplied() {
    return this.dirty && !this.readOnly ? this.text.value : null;
  }

  restore(/** @type {string} */ text) {
    this.text.value = text;
    this.dirty = true;
    this.#buttons();
  }

  #fill() {
    this.text.value = JSON.stringify(this.experiment, null, 2);
    this.#buttons();
  }

  #buttons() {
    this.button.hidden = this.readOnly;
    this.undo.hidden = this.readOnly || !(this.dirty || this.list.childElementCount);
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
    this.dirty = false;
    this.apply(parsed);
  }

  problems(/** @type {Wrong[]} */ problems) {
    this.list.hidden = !problems.length;
    render(
      problems.map((problem) => this.#problemView(problem)),
      this.list,
    );
    this.#buttons();
  }

  #problemView(/** @type {Wrong} */ problem) {
    const go = () => this.#mark(problem.place ?? locate(this.text.value, parsePath(problem.path)));
    return html`<li
      ><button class="json-problem" type="button" data-path=${problem.path} @click=${go}
        ><code>${problem.path || problem.name || gettext("text")}</code> ${problem.text}</button
      ></li
    >`;
  }

  /** Select a place in the text: [from, to]. */
  #mark(/** @type {number[] | null} */ place) {
    if (!place) return;
    this.text.focus();
    this.text.setSelectionRange(place[0], place[1]);
    const line = this.text.value.slice(0, place[0]).split("\n").length;
    this.text.scrollTop = Math.max(0, (line - 4) * 18);
  }
}
