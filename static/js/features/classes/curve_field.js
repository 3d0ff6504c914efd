/** A curve drawn with a finger over the axes of a chart. Each place is a slider for the keyboard, too. */

import { h, svg } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";
import { axesOf, axisName, BOX, placeWords, xOf, yOf } from "./axes.js";
import { drawn, placeOf, valueAt, valueWords } from "./scale.js";

const STEP = 0.02;
const LEAP = 0.1;
/** By how much a key moves a point, as a part of the scale. */
/** @type {Record<string, number>} */
const KEYS = { ArrowUp: STEP, ArrowRight: STEP, ArrowDown: -STEP, ArrowLeft: -STEP, PageUp: LEAP, PageDown: -LEAP };

/** @typedef {import("../../contract/contract").AskedQuestion} AskedQuestion */

export class CurveField {
  /**
   * @param {AskedQuestion} question
   * @param {(values: (number | null)[]) => void} changed
   */
  constructor(question, changed) {
    this.question = question;
    this.changed = changed;
    /** @type {(number | null)[]} */
    this.heights = question.at.map(() => null);
    this.line = svg("path", { class: "curve-own" });
    this.points = question.at.map((_, at) => this.#point(at));
    this.picture = svg(
      "svg",
      { class: "curve-field", viewBox: `0 0 ${BOX.width} ${BOX.height}`, "data-curve": true },
      axesOf(question),
      this.line,
      this.points,
    );
    this.picture.addEventListener("pointerdown", (event) => this.#begin(event));
    this.picture.addEventListener("pointermove", (event) => this.#move(event));
    for (const kind of ["pointerup", "pointercancel"])
      this.picture.addEventListener(kind, () => {
        this.last = null;
      });
    this.list = question.at.map((place, at) => this.#row(place, at));
    this.element = h(
      "div",
      { class: "curve" },
      h("p", { class: "class-note" }, gettext("Draw your curve on the chart, with a finger or the mouse.")),
      this.picture,
      h("details", { class: "curve-list" }, h("summary", {}, gettext("Enter it as a list")), this.list),
    );
    this.#draw();
  }

  #point(/** @type {number} */ at) {
    const point = svg("circle", { class: "curve-point", r: 7, tabindex: 0, role: "slider", "data-place": at });
    point.addEventListener("keydown", (event) => {
      const by = KEYS[/** @type {KeyboardEvent} */ (event).key];
      if (by === undefined) return;
      event.preventDefault();
      const height = this.heights[at];
      this.#set(this.heights.map((one, i) => (i === at ? Math.min(1, Math.max(0, (height ?? 0.5) + by)) : one)));
    });
    return point;
  }

  /**
   * @param {number} place
   * @param {number} at
   */
  #row(place, at) {
    const { low, high, unit } = this.question;
    const field = h("input", {
      class: "field",
      type: "number",
      step: "any",
      min: low,
      max: high,
      "data-curve-value": at,
    });
    field.addEventListener("change", () => {
      const value = Number(field.value);
      if (field.value === "" || !Number.isFinite(value)) return;
      this.#set(this.heights.map((one, i) => (i === at ? placeOf(this.question, value) : one)));
    });
    return h("label", {}, this.#nameOf(place), field, unit === "s" ? "s" : "");
  }

  /** What a place of the curve is called: the parameter with its value there. */
  #nameOf(/** @type {number} */ place) {
    return `${axisName(this.question)} ${placeWords(this.question, place)}`;
  }

  #at(/** @type {PointerEvent} */ event) {
    const box = this.picture.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * BOX.width;
    const y = ((event.clientY - box.top) / box.height) * BOX.height;
    return { x: (x - BOX.left) / (BOX.right - BOX.left), y: (BOX.bottom - y) / (BOX.bottom - BOX.top) };
  }

  #begin(/** @type {PointerEvent} */ event) {
    event.preventDefault();
    this.picture.setPointerCapture(event.pointerId);
    this.last = this.#at(event);
    this.#set(drawn(this.heights, this.last, this.last));
  }

  #move(/** @type {PointerEvent} */ event) {
    if (!this.last) return;
    const now = this.#at(event);
    this.#set(drawn(this.heights, this.last, now));
    this.last = now;
  }

  #set(/** @type {(number | null)[]} */ heights) {
    this.heights = heights;
    this.#draw();
    this.changed(this.values);
  }

  /** The values at all places; null where nothing is drawn yet. */
  get values() {
    return this.heights.map((height) => (height === null ? null : valueAt(this.question, height)));
  }

  /** Take an answer that was given before. */
  take(/** @type {number[]} */ values) {
    this.heights = values.map((value) => placeOf(this.question, value));
    this.#draw();
  }

  #draw() {
    const { at, unit } = this.question;
    const spots = this.heights.flatMap((height, i) => (height === null ? [] : [`${xOf(i, at.length)},${yOf(height)}`]));
    this.line.setAttribute("d", spots.length > 1 ? `M${spots.join("L")}` : "");
    for (const [i, point] of this.points.entries()) {
      const height = this.heights[i];
      const words = height === null ? gettext("nothing yet") : valueWords(valueAt(this.question, height), unit);
      point.setAttribute("cx", String(xOf(i, at.length)));
      point.setAttribute("cy", String(yOf(height ?? 0.5)));
      point.classList.toggle("is-empty", height === null);
      point.setAttribute("aria-label", this.#nameOf(at[i]));
      point.setAttribute("aria-valuemin", "0");
      point.setAttribute("aria-valuemax", "100");
      point.setAttribute("aria-valuenow", String(Math.round((height ?? 0.5) * 100)));
      point.setAttribute("aria-valuetext", words);
      const field = this.list[i].querySelector("input");
      if (field && height !== null && field !== document.activeElement)
        field.value = String(valueAt(this.question, height));
    }
  }
}
