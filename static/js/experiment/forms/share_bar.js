/** The queues' shares as one bar of 100 %. Drag a border, or focus it and use the arrow keys. */

import { moveShare } from "../experiment.js";
import { percent } from "../../kit/format.js";
import { ownerColour } from "../../kit/palette.js";
import { isDark, onTheme } from "../../kit/dom.js";
import { element, html, nothing, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { bareName, queueName } from "../../kit/names.js";

/** @import { Queue } from "../experiment.js" */

/** @type {Record<string, number>} */
const STEPS = {
  ArrowLeft: -0.01,
  ArrowRight: 0.01,
  ArrowDown: -0.01,
  ArrowUp: 0.01,
  PageDown: -0.1,
  PageUp: 0.1,
  Home: -1,
  End: 1,
};

/** A part of the bar at least this wide, in pixels, has room for “Queue 0”. */
const LONG_NAME = 72;

/**
 * The bar's state. `masters`: Global Masters serve the queues; `off`: the borders cannot move.
 * @typedef {{queues: Queue[], masters: boolean, off: boolean}} Shown
 */

/**
 * Return one queue's part of the bar. `whole`: sum of all shares; `width`: the bar's width in pixels.
 * @param {Queue} queue
 * @param {number} index
 * @param {{whole: number, width: number, masters: boolean}} bar
 */
function partView(queue, index, { whole, width, masters }) {
  const nobody = !masters || queue.global_master === undefined || queue.global_master === null;
  const served = nobody ? "" : gettext(", served by Master {master}", { master: queue.global_master });
  const room = (width * queue.share) / whole;
  const hue = ownerColour(queue.global_master ?? index, isDark());
  return html`
    <div
      class="share"
      data-queue=${queue.name}
      tabindex="0"
      role="button"
      aria-haspopup="menu"
      data-tip=${`${queueName(queue.name)}: ${percent(queue.share)}${served}`}
      data-room=${room < 24 ? "none" : room < 44 ? "name" : "all"}
      .style=${`width: ${(100 * queue.share) / whole}%; --hue: ${hue}`}
      ><span class="share-name">${room < LONG_NAME ? bareName(queue.name) : queueName(queue.name)}</span
      ><span class="share-value">${percent(queue.share)}</span></div
    >`;
}

/**
 * Create the bar; it calls `act(queues)` after every change of the shares.
 * @param {(queues: Queue[]) => void} act
 */
export function shareBar(act) {
  const bar = new ShareBar(act);
  return {
    element: bar.element,
    /**
     * Set the queues. `masters`: true if the scheduler has Global Masters, which then serve the queues.
     * @param {Queue[]} queues
     * @param {boolean} masters
     */
    set: (queues, masters) => bar.show({ queues, masters }),
    disable: (/** @type {boolean} */ off) => bar.show({ off }),
  };
}

class ShareBar {
  #shown = signal(/** @type {Shown} */ ({ queues: [], masters: true, off: false }));

  /** @param {(queues: Queue[]) => void} act */
  constructor(act) {
    this.act = act;
    /** @type {HTMLElement} */
    this.element = element("div", "shares", () => this.#view());
    this.element.role = "group";
    this.element.ariaLabel = gettext("Shares of the queues");
    onTheme(() => this.show({}));
  }

  /**
   * Render with some changes. A call without changes also renders, because the bar's width or the theme may have
   * changed.
   */
  show(/** @type {Partial<Shown>} */ change) {
    this.#shown.value = { ...this.#shown.peek(), ...change };
  }

  #view() {
    const { queues, masters, off } = this.#shown.value;
    const whole = sumOf(queues);
    const bar = { whole, width: this.element?.clientWidth || 224, masters };
    const hasBorders = queues.length <= 12;
    return queues.map((queue, index) => [
      partView(queue, index, bar),
      hasBorders && index < queues.length - 1
        ? this.#borderView(index, sumOf(queues.slice(0, index + 1), 0) / whole, off)
        : nothing,
    ]);
  }

  #change(/** @type {Queue[]} */ queues) {
    this.show({ queues });
    this.act(queues);
  }

  /**
   * @param {number} index
   * @param {number} at
   * @param {boolean} off
   */
  #borderView(index, at, off) {
    const { queues } = this.#shown.value;
    const [first, second] = [queues[index], queues[index + 1]].map(({ name }) => queueName(name));
    const press = (/** @type {KeyboardEvent} */ event) => {
      const step = STEPS[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      this.#change(moveShare(this.#shown.peek().queues, index, step));
    };
    return html`
      <button
        class="share-border"
        type="button"
        role="slider"
        data-border=${index}
        ?disabled=${off}
        aria-label=${gettext("Border between {first} and {second}", { first, second })}
        aria-valuemin="0"
        aria-valuemax="100"
        aria-valuenow=${Math.round(at * 100)}
        aria-valuetext=${`${first} ${percent(queues[index].share)}`}
        .style=${`left: ${at * 100}%`}
        @keydown=${press}
        @pointerdown=${(/** @type {PointerEvent} */ event) => this.#drag(event, index)}
      ></button>`;
  }

  #drag(/** @type {PointerEvent} */ event, /** @type {number} */ index) {
    event.preventDefault();
    const from = this.#shown.peek().queues.map((queue) => ({ ...queue }));
    const width = this.element.getBoundingClientRect().width;
    const whole = sumOf(from);
    const move = (/** @type {PointerEvent} */ next) =>
      this.#change(moveShare(from, index, ((next.clientX - event.clientX) / width) * whole));
    const end = () => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      this.element.querySelector(`[data-border="${index}"]`)?.focus(); // the arrow keys continue from this border
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end);
  }
}

/** Return the sum of all shares, or `none` if it is 0. */
function sumOf(/** @type {Queue[]} */ queues, none = 1) {
  return queues.reduce((sum, queue) => sum + queue.share, 0) || none;
}
