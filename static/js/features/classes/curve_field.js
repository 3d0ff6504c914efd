/** A curve drawn with a finger over a chart's axes. Each place is also a slider for the keyboard. */

import { part, targetOf } from "../../kit/dom.js";
import { html, live, made, signal, svgView } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { axesOf, axisName, BOX, placeWords, xOf, yOf } from "./axes.js";
import { drawn, placeOf, valueAt, valueWords } from "./scale.js";

const STEP = 0.02;
const LEAP = 0.1;
/** How far each key moves a point, as a fraction of the scale. @type {Record<string, number>} */
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
    /** From 0 to 1 of the scale; null where nothing is drawn. */
    this.heights = signal(/** @type {(number | null)[]} */ (question.at.map(() => null)));
    const axes = axesOf(question);
    this.element = made(() => this.#view(axes));
    this.picture = part("svg", this.element);
  }

  #view(/** @type {SVGElement} */ axes) {
    const { at } = this.question;
    const spots = this.heights.value.flatMap((height, i) =>
      height === null ? [] : [`${xOf(i, at.length)},${yOf(height)}`],
    );
    const stop = () => {
      this.last = null;
    };
    return html`
      <div class="curve">
        <p class="class-note">${gettext("Draw your curve on the chart, with a finger or the mouse.")}</p>
        <svg
          class="curve-field"
          viewBox=${`0 0 ${BOX.width} ${BOX.height}`}
          data-curve
          @pointerdown=${(/** @type {PointerEvent} */ event) => this.#begin(event)}
          @pointermove=${(/** @type {PointerEvent} */ event) => this.#move(event)}
          @pointerup=${stop}
          @pointercancel=${stop}
          >${axes}<path class="curve-own" d=${spots.length > 1 ? `M${spots.join("L")}` : ""}></path>${at.map((_, i) =>
            this.#pointView(i),
          )}</svg
        >
        <details class="curve-list">
          <summary>${gettext("Enter it as a list")}</summary>
          ${at.map((place, i) => this.#rowView(place, i))}
        </details>
      </div>`;
  }

  #pointView(/** @type {number} */ at) {
    const { at: places, unit } = this.question;
    const height = this.heights.value[at];
    const words = height === null ? gettext("nothing yet") : valueWords(valueAt(this.question, height), unit);
    return svgView`<circle
      class=${height === null ? "curve-point is-empty" : "curve-point"}
      r="7"
      tabindex="0"
      role="slider"
      data-place=${at}
      cx=${xOf(at, places.length)}
      cy=${yOf(height ?? 0.5)}
      aria-label=${this.#nameOf(places[at])}
      aria-valuemin="0"
      aria-valuemax="100"
      aria-valuenow=${Math.round((height ?? 0.5) * 100)}
      aria-valuetext=${words}
      @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event, at)}
    ></circle>`;
  }

  /**
   * @param {number} place
   * @param {number} at
   */
  #rowView(place, at) {
    const { low, high, unit } = this.question;
    const height = this.heights.value[at];
    const focused = /** @type {HTMLInputElement | null} */ (document.activeElement);
    // Do not overwrite a value that is being typed.
    const own = focused?.dataset.curveValue === String(at) ? focused.value : null;
    const change = (/** @type {Event} */ event) => {
      const text = targetOf(event).value;
      if (text !== "" && Number.isFinite(Number(text))) this.#put(at, placeOf(this.question, Number(text)));
    };
    return html`
      <label
        >${this.#nameOf(place)}<input
          class="field"
          type="number"
          step="any"
          min=${low}
          max=${high}
          data-curve-value=${at}
          .value=${live(own ?? (height === null ? "" : String(valueAt(this.question, height))))}
          @change=${change}
        />${unit === "s" ? "s" : ""}</label
      >`;
  }

  /** Return the name of a place on the curve: the parameter with its value. */
  #nameOf(/** @type {number} */ place) {
    return `${axisName(this.question)} ${placeWords(this.question, place)}`;
  }

  /**
   * @param {KeyboardEvent} event
   * @param {number} at
   */
  #key(event, at) {
    const by = KEYS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    this.#put(at, Math.min(1, Math.max(0, (this.heights.value[at] ?? 0.5) + by)));
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
    this.#set(drawn(this.heights.value, this.last, this.last));
  }

  #move(/** @type {PointerEvent} */ event) {
    if (!this.last) return;
    const now = this.#at(event);
    this.#set(drawn(this.heights.value, this.last, now));
    this.last = now;
  }

  /**
   * @param {number} at
   * @param {number} height
   */
  #put(at, height) {
    this.#set(this.heights.value.map((one, i) => (i === at ? height : one)));
  }

  #set(/** @type {(number | null)[]} */ heights) {
    this.heights.value = heights;
    this.changed(this.values);
  }

  /** The values at all places; null where nothing is drawn. */
  get values() {
    return this.heights.value.map((height) => (height === null ? null : valueAt(this.question, height)));
  }

  /** Show an earlier answer. */
  take(/** @type {number[]} */ values) {
    this.heights.value = values.map((value) => placeOf(this.question, value));
  }
}
