/** Drag an element with the pointer and drop it on a place that accepts it. */

import { targetOf } from "../../kit/dom.js";
import { html, made } from "../../kit/view.js";

/**
 * @typedef {object} Drag  the dragged item
 * @property {() => string} label
 * @property {(place: HTMLElement) => boolean} accepts
 * @property {(place: HTMLElement) => void} drop
 * @typedef {{began: () => void, moved: (x: number, y: number) => void, ended: () => void}} Pull
 */

const FROM_PX = 5;
/**
 * Prevent text selection along the way.
 * @param {Event} event
 */
const unmarked = (event) => event.preventDefault();
/**
 * Prevent the click that would follow a drop on the dragged element.
 * @param {Event} event
 */
const unclicked = (event) => {
  event.preventDefault();
  event.stopPropagation();
};

/**
 * Drag the element that a pointer pressed. A place is the nearest element with data-drop under the pointer. Escape
 * cancels.
 * @param {PointerEvent} event
 * @param {Drag} what
 */
export function takeUp(event, what) {
  const element = /** @type {HTMLElement} */ (event.currentTarget);
  if (event.button !== 0 || targetOf(event).closest("[data-edge], input, select")) return;
  event.stopPropagation();
  const start = [event.clientX, event.clientY];
  /** @type {HTMLElement | null} */
  let ghost = null;
  /** @type {HTMLElement | null} */
  let place = null;
  /** @param {HTMLElement | null} next */
  const mark = (next) => {
    if (next === place) return;
    place?.classList.remove("is-target");
    place = next;
    place?.classList.add("is-target");
  };
  const move = (/** @type {PointerEvent} */ next) => {
    if (!ghost && Math.hypot(next.clientX - start[0], next.clientY - start[1]) < FROM_PX) return;
    next.preventDefault();
    ghost ??= document.body.appendChild(ghostOf(what.label()));
    ghost.style.transform = `translate(${next.clientX + 10}px, ${next.clientY + 8}px)`;
    let found = document.elementFromPoint(next.clientX, next.clientY)?.closest("[data-drop]") ?? null;
    while (found && !what.accepts(found)) found = found.parentElement?.closest("[data-drop]") ?? null;
    mark(found);
  };
  window.addEventListener("selectstart", unmarked);
  /** @param {boolean} dropped */
  const end = (dropped, released = true) => {
    window.removeEventListener("selectstart", unmarked);
    window.removeEventListener("pointermove", move);
    window.removeEventListener("pointerup", up);
    window.removeEventListener("pointercancel", cancel);
    window.removeEventListener("keydown", key, true);
    ghost?.remove();
    if (ghost) {
      const forget = () => setTimeout(() => element.removeEventListener("click", unclicked, true));
      element.addEventListener("click", unclicked, true);
      if (released) forget();
      else window.addEventListener("pointerup", forget, { once: true });
    }
    const target = place;
    mark(null);
    if (ghost && dropped && target) what.drop(target);
  };
  const up = () => end(true);
  const cancel = () => end(false);
  /** @param {KeyboardEvent} next */
  const key = (next) => {
    if (next.key === "Escape" && ghost) {
      next.preventDefault();
      next.stopPropagation();
      end(false, false);
    }
  };
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", up);
  window.addEventListener("pointercancel", cancel);
  window.addEventListener("keydown", key, true);
}

/**
 * Drag an edge from a pointer's press on: `moved(px along x, px along y)` is called for each movement, `began` and
 * `ended` around them.
 * @param {PointerEvent} event
 * @param {Pull} about
 */
export function pull(event, { began, moved, ended }) {
  if (event.button !== 0) return;
  event.preventDefault();
  event.stopPropagation();
  began();
  const from = [event.clientX, event.clientY];
  /** @param {PointerEvent} next */
  const move = (next) => moved(next.clientX - from[0], next.clientY - from[1]);
  const end = () => {
    window.removeEventListener("pointermove", move);
    for (const name of ["pointerup", "pointercancel"]) window.removeEventListener(name, end);
    ended();
  };
  window.addEventListener("pointermove", move);
  for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, end);
}

/** Return the label that follows the pointer. */
function ghostOf(/** @type {string} */ label) {
  return /** @type {HTMLElement} */ (made(() => html`<div class="drag-ghost" aria-hidden="true">${label}</div>`));
}
