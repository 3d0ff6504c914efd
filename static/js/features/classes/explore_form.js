/** A student's controls: the open parameters, their preview, and the student's tries so far. */

import { knob } from "../../kit/knob.js";
import { element, html, nothing, signal } from "../../kit/view.js";
import { gettext, measureName } from "../../kit/words.js";
import { Previews } from "../../run/previews.js";
import { changeFork } from "./class_api.js";
import { dotsView, valueOn, wordsOn } from "./dots.js";

/**
 * @import { ApiError } from "../../contract/api.js"
 * @import { ClassMeasure, HttpProblem } from "../../contract/contract"
 * @import { Answer } from "../../run/previews.js"
 * @import { Value } from "./class_api.js"
 * @import { Fork } from "./dots.js"
 */

/** @typedef {import("../../contract/contract").ClassExplore} ClassExplore */

/** @typedef {{[name: string]: Nested | number} | null | undefined} Nested  numbers by name, in groups */

/** A value counts as chosen after this pause. */
const REST_MS = 250;
const RESET = gettext("The teacher’s values");
const MOST_TRIES = 60;
/** Metrics that are always shown. */
const USUAL = ["allocation_delay_s.p50", "allocation_delay_s.p99"];

/**
 * Return a parameter's declaration in the control's format.
 * @param {import("../../contract/contract").ClassKnob} declared
 */
export function specOf(declared) {
  const { least, most, value, names, ...rest } = declared;
  const options = Object.fromEntries(
    rest.choices.map((choice, at) => [String(choice), { label: names?.[at] ?? String(choice), help: "" }]),
  );
  return { ...rest, options, min: least, max: most, default: value };
}

/** Return the preview's values of the metrics. */
export function figuresOf(/** @type {{name: string}[]} */ measures, /** @type {object | null | undefined} */ summary) {
  const at = (/** @type {string} */ name) =>
    /** @type {number | null | undefined} */ (
      name
        .split(".")
        .reduce((here, key) => /** @type {Nested} */ (here)?.[key], /** @type {Nested | number} */ (summary))
    );
  return Object.fromEntries(measures.map(({ name }) => [name, at(name) ?? null]));
}

/**
 * Return how a try's number differs from the teacher's: by chance, if other seeds give such numbers for the teacher's
 * values, too.
 * @param {number | null | undefined} own
 * @param {number | null | undefined} base
 * @param {number[] | undefined} band  where the teacher's values are expected under other seeds
 */
export function differenceWords(own, base, band) {
  if (typeof own !== "number" || typeof base !== "number" || !band) return "";
  if (own === base) return gettext("equal");
  if (own >= band[0] && own <= band[1]) return gettext("may be chance");
  return own > base ? gettext("more") : gettext("less");
}

export class ExploreForm {
  /** @param {string} classId */
  constructor(classId) {
    /** The parameters that the class may change. */
    this.explore = signal(/** @type {ClassExplore | null} */ (null));
    this.tries = signal(/** @type {Fork[]} */ ([]));
    /** The last try's state and its text. */
    this.tried = signal({ state: "", text: "" });
    this.controls = signal(/** @type {ReturnType<typeof knob>[]} */ ([]));
    /** @type {Record<string, Value>} */
    this.values = {};
    /** The parameters for which the controls were made. @type {string | undefined} */
    this.key = undefined;
    this.element = element("div", "explore", () => this.#view());
    this.previews = new Previews({
      send: (values) => changeFork(classId, values),
      answered: (values, answer) => this.#answered(values, answer),
      refused: (_values, error) => this.#refused(error),
    });
  }

  #view() {
    const { state, text } = this.tried.value;
    const explore = this.explore.value;
    return html`
      <div class="explore-knobs">${this.controls.value.map((one) => one.element)}</div>
      <p class="class-said" role="status" data-tried=${state}>${text}</p>
      <div class="explore-table">${explore ? this.#tableView(explore) : nothing}</div>
      <div class="explore-picture">${explore ? this.#pictureView(explore) : nothing}</div>
      <button class="button" type="button" data-reset @click=${() => this.#set(this.#teachers(), true)}
        >${RESET}</button
      >
    `;
  }

  #tableView(/** @type {ClassExplore} */ explore) {
    const teacher = { values: this.#teachers(), figures: explore.base };
    const rows = explore.measures.filter(({ name }) => [explore.x, explore.y, ...USUAL].includes(name));
    const cell = (/** @type {Fork | undefined} */ fork, /** @type {ClassMeasure} */ one, of = "own") =>
      html`<td data-says=${`${of}:${one.name}`}>${fork ? wordsOn(one, valueOn(one.name, fork)) : "–"}</td>`;
    const own = this.tries.value.at(-1);
    const difference = (/** @type {string} */ name) => {
      const words = differenceWords(own?.figures?.[name], explore.base?.[name], explore.noise?.[name]);
      return html`<td data-difference>${words}</td>`;
    };
    const heads = ["", gettext("Teacher"), gettext("You"), gettext("Difference")];
    return html`<table>
      <thead>
        <tr>
          ${heads.map((one) => html`<th scope="col">${one}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (one) => html`<tr data-measure=${one.name}>
            <th scope="row">${measureName(one.label)}</th>
            ${cell(teacher, one, "teacher")}${cell(own, one)}${difference(one.name)}
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  #pictureView(/** @type {ClassExplore} */ explore) {
    const tries = this.tries.value;
    return dotsView(
      explore,
      tries.map((fork) => ({ ...fork, own: fork === tries.at(-1) })),
    );
  }

  /**
   * Show the open parameters; `own` is the server's copy of the student's fork.
   * @param {ClassExplore} explore
   * @param {Fork | null | undefined} own
   */
  show(explore, own) {
    const key = JSON.stringify(explore.knobs);
    this.explore.value = explore;
    if (key !== this.key) {
      this.key = key;
      this.tries.value = [];
      this.#build(explore);
    }
    if (own && !this.tries.value.length && explore.knobs.every((one) => one.path in own.values)) {
      this.#set(own.values, false);
      if (own.figures) this.tries.value = [{ values: own.values, figures: own.figures }];
    }
  }

  #teachers() {
    return Object.fromEntries((this.explore.value?.knobs ?? []).map((one) => [one.path, one.value]));
  }

  #build(/** @type {ClassExplore} */ explore) {
    this.values = this.#teachers();
    this.controls.value = explore.knobs.map((declared) =>
      knob(specOf(declared), (value) => {
        this.values = { ...this.values, [declared.path]: value };
        this.#ask();
      }),
    );
    for (const one of this.controls.value) one.set(this.values[one.path]);
  }

  /**
   * @param {Record<string, Value>} values
   * @param {boolean} ask
   */
  #set(values, ask) {
    this.values = { ...values };
    for (const one of this.controls.value) one.set(values[one.path]);
    if (ask) this.#ask();
  }

  #ask() {
    this.#at("asked", gettext("Being computed…"));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.previews.ask(this.values), REST_MS);
  }

  /**
   * @param {Record<string, Value>} values
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
    const figures = figuresOf(this.explore.value?.measures ?? [], answer.summary);
    this.tries.value = [...this.tries.value, { values, figures }].slice(-MOST_TRIES);
    if (!this.previews.busy) this.#at("done", "");
  }

  /** @param {ApiError | HttpProblem} error  why a try was refused, or what a preview that failed says */
  #refused(error) {
    const head = "title" in error ? error.title : error.message;
    const [first] = error.problems ?? [];
    this.#at("failed", [head, first?.message, first?.allowed].filter(Boolean).join(": "));
  }

  /**
   * @param {string} state
   * @param {string} text
   */
  #at(state, text) {
    this.tried.value = { state, text };
  }
}
