/** The bar and the typed number of a share. */

import { three } from "../../kit/format.js";
import { h } from "../../kit/dom.js";

const STEP = 0.01;

const TENS = 0.1;

const GRAIN = 200;

/**
 * The value that a key sets; undefined for other keys.
 * @param {number} value
 * @param {KeyboardEvent} event
 */
function keyed(value, event) {
  const step = event.shiftKey ? TENS : STEP;
  /** @type {Record<string, number>} */
  const values = {
    ArrowRight: value + step,
    ArrowUp: value + step,
    ArrowLeft: value - step,
    ArrowDown: value - step,
    PageUp: value + TENS,
    PageDown: value - TENS,
    Home: 0,
    End: 1,
  };
  return /** @type {number | undefined} */ (values[event.key]);
}

/**
 * Follow the pointer along an element until it is let go: `take` hears the value under it, `ended` the end.
 * @param {HTMLElement} element
 * @param {PointerEvent} event
 * @param {(value: number) => void} take
 * @param {() => void} ended
 */
function drag(element, event, take, ended) {
  element.setPointerCapture(event.pointerId);
  const box = element.getBoundingClientRect();
  const move = (/** @type {PointerEvent} */ at) =>
    take(Math.round(((at.clientX - box.left) / box.width) * GRAIN) / GRAIN);
  const end = () => {
    element.removeEventListener("pointermove", move);
    ended();
  };
  element.addEventListener("pointermove", move);
  element.addEventListener("lostpointercapture", end, { once: true });
  move(event);
}

/**
 * A bar from 0 to 100 %: {element, set(value, words), disable(off)}. `act(value)`, `hold()` and `seal()` frame a drag.
 * @param {"ask" | "offer"} kind
 * @param {string} label
 * @param {(value: number) => void} act
 * @param {{hold: () => void, seal: () => void}} options
 */
export function bar(kind, label, act, { hold, seal }) {
  const fill = h("span", { class: "bar-fill" });
  const element = h(
    "div",
    {
      class: `offer-bar offer-bar-${kind}`,
      role: "slider",
      tabindex: "0",
      "aria-label": label,
      "aria-valuemin": 0,
      "aria-valuemax": 100,
    },
    fill,
  );
  let value = 0;
  let off = false;
  const take = (/** @type {number} */ next) => {
    if (!off) act(Math.min(1, Math.max(0, Math.round(next * 1e4) / 1e4)));
  };
  element.addEventListener("keydown", (event) => {
    const next = keyed(value, event);
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    take(next);
  });
  element.addEventListener("pointerdown", (event) => {
    if (off || event.button) return;
    event.preventDefault();
    element.focus(/** @type {FocusOptions} */ ({ preventScroll: true, focusVisible: false }));
    hold();
    drag(element, event, take, seal);
  });
  return {
    element,
    /**
     * @param {number} next
     * @param {string} words
     */
    set(next, words, most = 1) {
      value = next;
      element.setAttribute("aria-valuemax", String(Math.round(most * 1000) / 10));
      fill.style.width = `${next * 100}%`;
      element.setAttribute("aria-valuenow", String(Math.round(next * 1000) / 10));
      element.setAttribute("aria-valuetext", words);
      element.dataset.tip = words;
    },
    /** @param {boolean} no */
    disable(no) {
      off = no;
      element.setAttribute("aria-disabled", String(no));
    },
  };
}

/**
 * A share typed as percent; a column that is pasted goes to the rows below as well.
 * @param {string} label
 * @param {{act: (value: number) => void, paste: (text: string) => void, next: () => void}} options
 */
export function number(label, { act, paste, next }) {
  const input = h("input", {
    type: "text",
    class: "entry entry-share",
    inputmode: "decimal",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": label,
  });
  let value = 0;
  const show = () => {
    input.value = three(value * 100);
  };
  const commit = () => {
    const read = Number(input.value.replace("%", "").replace(",", ".").trim());
    if (input.value.trim() === "" || !Number.isFinite(read) || input.value.trim() === three(value * 100)) {
      show();
      return;
    }
    act(Math.min(1, Math.max(0, read / 100)));
  };
  input.addEventListener("focus", () => input.select());
  input.addEventListener("change", commit);
  input.addEventListener("blur", show);
  input.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!/[\n\t]/.test(text.trim())) return;
    event.preventDefault();
    paste(text);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      show();
      input.blur();
    }
    if (event.key === "Enter") {
      commit();
      next();
    }
    const step = event.key === "ArrowUp" ? STEP : event.key === "ArrowDown" ? -STEP : 0;
    if (!step) return;
    event.preventDefault();
    act(Math.min(1, Math.max(0, Math.round((value + (event.shiftKey ? step * 10 : step)) * 1e4) / 1e4)));
    show();
  });
  return {
    element: input,
    /** @param {number} given */
    set(given) {
      value = given;
      if (document.activeElement !== input) show();
      else if (!input.dataset.typing) show();
    },
    /** @param {boolean} off */
    disable(off) {
      input.disabled = off;
    },
  };
}
