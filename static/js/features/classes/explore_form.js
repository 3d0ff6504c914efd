/** What a student changes by themselves: the open parameters, what a preview says of them, and one's tries so far. */

import { h } from "../../kit/dom.js";
import { knob } from "../../kit/knob.js";
import { gettext } from "../../kit/words.js";
import { Previews } from "../../run/previews.js";
import { changeFork } from "./class_api.js";
import { dotsPicture, valueOn, wordsOn } from "./dots.js";

/**
 * @import { ClassMeasure } from "../../contract/contract"
 * @import { Answer } from "../../run/previews.js"
 * @import { Fork } from "./dots.js"
 */

/** @typedef {import("../../contract/contract").ClassExplore} ClassExplore */

/** A hand that rests this long has chosen. */
const REST_MS = 250;
const RESET = gettext("The teacher’s values");
const MOST_TRIES = 60;
/** Measured numbers that are told in any case. */
const USUAL = ["allocation_delay_s.p50", "allocation_delay_s.p99"];

/**
 * A parameter's declaration as the control takes it.
 * @param {import("../../contract/contract").ClassKnob} declared
 */
export function specOf(declared) {
  const { least, most, value, names, ...rest } = declared;
  const options = Object.fromEntries(
    rest.choices.map((choice, at) => [String(choice), { label: names?.[at] ?? String(choice), help: "" }]),
  );
  return { ...rest, options, min: least, max: most, default: value };
}

/** The numbers of a preview that measures name. */
export function figuresOf(/** @type {{name: string}[]} */ measures, /** @type {any} */ summary) {
  const at = (/** @type {string} */ name) => name.split(".").reduce((here, key) => here?.[key], summary);
  return Object.fromEntries(measures.map(({ name }) => [name, at(name) ?? null]));
}

export class ExploreForm {
  /** @param {string} classId */
  constructor(classId) {
    this.knobs = h("div", { class: "explore-knobs" });
    this.said = h("p", { class: "class-said", role: "status", "data-tried": "" });
    this.table = h("div", { class: "explore-table" });
    this.picture = h("div", { class: "explore-picture" });
    this.reset = h("button", { class: "button", type: "button", "data-reset": true }, RESET);
    this.reset.addEventListener("click", () => this.#set(this.#teachers(), true));
    this.element = h("div", { class: "explore" }, this.knobs, this.said, this.table, this.picture, this.reset);
    /** @type {Fork[]} */
    this.tries = [];
    /** @type {Record<string, any>} */
    this.values = {};
    /** What the class may change. @type {ClassExplore | null} */
    this.explore = null;
    /** The parameters that the controls are of. @type {string | undefined} */
    this.key = undefined;
    /** @type {ReturnType<typeof knob>[]} */
    this.controls = [];
    this.previews = new Previews({
      send: (values) => changeFork(classId, values),
      answered: (values, answer) => this.#answered(values, answer),
      refused: (_values, error) => this.#refused(error),
    });
  }

  /**
   * Show what is open; `own` is the student's fork as the server has it.
   * @param {ClassExplore} explore
   * @param {any} own
   */
  show(explore, own) {
    const key = JSON.stringify(explore.knobs);
    this.explore = explore;
    if (key !== this.key) {
      this.key = key;
      this.tries = [];
      this.#build();
    }
    if (own && !this.tries.length && this.#fits(own.values)) {
      this.#set(own.values, false);
      if (own.figures) this.tries.push({ values: own.values, figures: own.figures });
    }
    this.#draw();
  }

  #fits(/** @type {Record<string, any>} */ values) {
    return (this.explore?.knobs ?? []).every((one) => one.path in values);
  }

  #teachers() {
    return Object.fromEntries((this.explore?.knobs ?? []).map((one) => [one.path, one.value]));
  }

  #build() {
    this.values = this.#teachers();
    this.controls = (this.explore?.knobs ?? []).map((declared) =>
      knob(specOf(declared), (value) => {
        this.values = { ...this.values, [declared.path]: value };
        this.#ask();
      }),
    );
    this.knobs.replaceChildren(...this.controls.map((one) => one.element));
    for (const one of this.controls) one.set(this.values[one.path]);
  }

  /**
   * @param {Record<string, any>} values
   * @param {boolean} ask
   */
  #set(values, ask) {
    this.values = { ...values };
    for (const one of this.controls) one.set(values[one.path]);
    if (ask) this.#ask();
  }

  #ask() {
    this.#at("asked", gettext("Being computed…"));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.previews.ask(this.values), REST_MS);
  }

  /**
   * @param {Record<string, any>} values
   * @param {Answer} answer
   */
  #answered(values, answer) {
    if (answer.state === "compiling") {
      this.#at("asked", gettext("The server prepares this scheduler…"));
      return;
    }
    if (answer.state === "failed") {
      this.#refused(answer.error);
      return;
    }
    this.tries = [...this.tries, { values, figures: figuresOf(this.explore?.measures ?? [], answer.summary) }].slice(
      -MOST_TRIES,
    );
    if (!this.previews.busy) this.#at("done", "");
    this.#draw();
  }

  #refused(/** @type {any} */ error) {
    const first = error.problems?.[0];
    const told = first ? [error.message, first.message, first.allowed].filter(Boolean).join(": ") : error.message;
    this.#at("failed", told);
  }

  /**
   * @param {string} tried
   * @param {string} text
   */
  #at(tried, text) {
    this.said.textContent = text;
    this.said.dataset.tried = tried;
  }

  #draw() {
    const { explore } = this;
    if (!explore) return;
    const now = this.tries.at(-1);
    const teacher = { values: this.#teachers(), figures: explore.base };
    const rows = explore.measures.filter(({ name }) => [explore.x, explore.y, ...USUAL].includes(name));
    const cell = (/** @type {Fork | undefined} */ fork, /** @type {ClassMeasure} */ one) =>
      h("td", {}, fork ? wordsOn(one, valueOn(one.name, fork)) : "–");
    this.table.replaceChildren(
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["", gettext("Teacher"), gettext("You")].map((one) => h("th", { scope: "col" }, one)),
          ),
        ),
        h(
          "tbody",
          {},
          rows.map((one) =>
            h(
              "tr",
              { "data-measure": one.name },
              h("th", { scope: "row" }, one.label),
              cell(teacher, one),
              cell(now, one),
            ),
          ),
        ),
      ),
    );
    const dots = this.tries.map((fork) => ({ ...fork, own: fork === now }));
    this.picture.replaceChildren(dotsPicture(explore, dots));
  }
}
