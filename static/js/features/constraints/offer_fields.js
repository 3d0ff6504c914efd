/** The bar and the number field of a fraction. */

import { three } from "../../kit/format.js";
import { entryView } from "../../experiment/forms/fields.js";
import { html } from "../../kit/view.js";

const STEP = 0.01;

const TENS = 0.1;

const GRAIN = 200;

/**
 * Return the value that a key sets; undefined for other keys.
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
 * Follow the pointer along an element until its release: `take` receives the value under it, `ended` is called at the
 * end.
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
 * Return a bar from 0 to 100 %. `hold()` and `seal()` enclose a drag.
 * @param {{kind: "ask" | "offer", label: string, value: number, words: string, most?: number, off: boolean}} about
 * @param {(value: number) => void} act
 * @param {{hold: () => void, seal: () => void}} history
 */
export function barView({ kind, label, value, words, most = 1, off }, act, { hold, seal }) {
  const take = (/** @type {number} */ next) => act(Math.min(1, Math.max(0, Math.round(next * 1e4) / 1e4)));
  const press = (/** @type {KeyboardEvent} */ event) => {
    const next = keyed(value, event);
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (!off) take(next);
  };
  const grab = (/** @type {PointerEvent} */ event) => {
    if (off || event.button) return;
    const element = /** @type {HTMLElement} */ (event.currentTarget);
    event.preventDefault();
    element.focus(/** @type {FocusOptions} */ ({ preventScroll: true, focusVisible: false }));
    hold();
    drag(element, event, take, seal);
  };
  return html`<div
    class="offer-bar offer-bar-${kind}"
    role="slider"
    tabindex="0"
    aria-label=${label}
    aria-valuemin="0"
    aria-valuemax=${Math.round(most * 1000) / 10}
    aria-valuenow=${Math.round(value * 1000) / 10}
    aria-valuetext=${words}
    aria-disabled=${String(off)}
    data-tip=${words}
    @keydown=${press}
    @pointerdown=${grab}
    ><span class="bar-fill" .style=${`width: ${value * 100}%`}></span></div>`;
}

/**
 * Return a fraction's field in percent. A pasted column also fills the rows below; Enter moves to the row below.
 * @param {{label: string, value: number, off: boolean, column: number}} about  `column`: its index in the row
 * @param {{act: (value: number) => void, paste: (text: string) => void}} on
 */
export function shareView({ label, value, off, column }, { act, paste }) {
  const within = (/** @type {number} */ next) => Math.min(1, Math.max(0, next));
  return entryView(
    {
      label,
      value: three(value * 100),
      kind: "entry-share",
      numeric: true,
      off,
      next: (input) => {
        const below = input.closest(".offer-row")?.nextElementSibling;
        /** @type {HTMLElement | undefined} */ (below?.querySelectorAll(".entry-share")[column])?.focus();
      },
      keys: (event) => {
        const step = event.key === "ArrowUp" ? STEP : event.key === "ArrowDown" ? -STEP : 0;
        if (!step) return false;
        event.preventDefault();
        act(within(Math.round((value + (event.shiftKey ? step * 10 : step)) * 1e4) / 1e4));
        return true;
      },
      paste: (event) => {
        const text = event.clipboardData?.getData("text/plain") ?? "";
        if (!/[\n\t]/.test(text.trim())) return;
        event.preventDefault();
        paste(text);
      },
    },
    (text) => {
      const read = Number(text.replace("%", "").replace(",", ".").trim());
      if (text === "" || !Number.isFinite(read) || within(read / 100) === value) return false;
      return act(within(read / 100));
    },
  );
}
