/** The queues as one bar to 100 %: drag a border, or focus it and use the arrow keys. */

import { moveShare } from "../experiment.js";
import { percent } from "../../kit/format.js";
import { ownerColour } from "../../kit/palette.js";
import { focusedIn, h, isDark, onTheme } from "../../kit/dom.js";
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

/** A part of the bar has room for “Queue 0” from this width on, in pixels. */
const LONG_NAME = 72;

/**
 * One queue's part of the bar; `whole`: the sum of all shares, `width` of the bar in pixels, `masters`: whether Global
 * Masters serve it.
 * @param {Queue} queue
 * @param {number} index
 * @param {number} whole
 * @param {number} width
 * @param {boolean} masters
 */
function partOf(queue, index, whole, width, masters) {
  const nobody = !masters || queue.global_master === undefined || queue.global_master === null;
  const served = nobody ? "" : gettext(", served by Master {master}", { master: queue.global_master });
  const room = (width * queue.share) / whole;
  const part = h(
    "div",
    {
      class: "share",
      "data-queue": queue.name,
      tabindex: "0",
      role: "button",
      "aria-haspopup": "menu",
      "data-tip": `${queueName(queue.name)}: ${percent(queue.share)}${served}`,
    },
    h("span", { class: "share-name" }, room < LONG_NAME ? bareName(queue.name) : queueName(queue.name)),
    h("span", { class: "share-value" }, percent(queue.share)),
  );
  part.dataset.room = room < 24 ? "none" : room < 44 ? "name" : "all";
  part.style.width = `${(100 * queue.share) / whole}%`;
  part.style.setProperty("--hue", ownerColour(queue.global_master ?? index, isDark()));
  return part;
}

/**
 * `act(queues)` hears every change of the shares.
 * @param {(queues: Queue[]) => void} act
 */
export function shareBar(act) {
  const bar = new ShareBar(act);
  return {
    element: bar.element,
    /**
     * `masters`: whether the scheduler has Global Masters, which then serve the queues.
     * @param {Queue[]} next
     * @param {boolean} masters
     */
    set(next, masters) {
      bar.queues = next;
      bar.masters = masters;
      bar.draw();
    },
    disable(/** @type {boolean} */ value) {
      bar.off = value;
      bar.draw();
    },
  };
}

class ShareBar {
  /** @param {(queues: Queue[]) => void} act */
  constructor(act) {
    this.act = act;
    this.element = h("div", { class: "shares", role: "group", "aria-label": gettext("Shares of the queues") });
    /** @type {Queue[]} */
    this.queues = [];
    this.masters = true;
    this.off = false;
    onTheme(() => this.draw());
  }

  draw() {
    const { element, queues } = this;
    const focused = focusedIn(element)?.dataset.border ?? null;
    const whole = queues.reduce((sum, queue) => sum + queue.share, 0) || 1;
    element.replaceChildren();
    let start = 0;
    queues.forEach((queue, index) => {
      element.append(partOf(queue, index, whole, element.clientWidth || 224, this.masters));
      start += queue.share;
      if (index < queues.length - 1 && queues.length <= 12) element.append(this.#border(index, start / whole));
    });
    if (focused !== null) element.querySelector(`[data-border="${focused}"]`)?.focus();
  }

  #change(/** @type {Queue[]} */ queues) {
    this.queues = queues;
    this.draw();
    this.act(queues);
  }

  #border(/** @type {number} */ index, /** @type {number} */ at) {
    const { queues } = this;
    const handle = h("button", {
      class: "share-border",
      type: "button",
      role: "slider",
      "data-border": index,
      disabled: this.off,
      "aria-label": gettext("Border between {first} and {second}", {
        first: queueName(queues[index].name),
        second: queueName(queues[index + 1].name),
      }),
      "aria-valuemin": 0,
      "aria-valuemax": 100,
      "aria-valuenow": Math.round(at * 100),
      "aria-valuetext": `${queueName(queues[index].name)} ${percent(queues[index].share)}`,
    });
    handle.style.left = `${at * 100}%`;
    handle.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      this.#change(moveShare(this.queues, index, step));
    });
    handle.addEventListener("pointerdown", (event) => this.#drag(event, index));
    return handle;
  }

  #drag(/** @type {PointerEvent} */ event, /** @type {number} */ index) {
    event.preventDefault();
    const from = this.queues.map((queue) => ({ ...queue }));
    const width = this.element.getBoundingClientRect().width;
    const whole = from.reduce((sum, queue) => sum + queue.share, 0) || 1;
    const move = (/** @type {PointerEvent} */ next) =>
      this.#change(moveShare(from, index, ((next.clientX - event.clientX) / width) * whole));
    const end = () => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      this.element.querySelector(`[data-border="${index}"]`)?.focus(); // the keys continue from there
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end);
  }
}
