/**
 * Views: what a page shows of its state, as templates. A view is a plain function from state to a template; `show()`
 * draws it into an element, and again after each change of a signal that it reads. The library changes only what
 * differs, so focus, selection and scroll positions stay.
 *
 *     show(body, () => html`
 *       <button ?disabled=${readOnly.value} @click=${add}>${gettext("Add")}</button>
 *       <ul>${repeat(rows.value, (row) => row.name, rowView)}</ul>`);
 *
 * In templates, `@event=`, `.property=`, `?boolean=` and plain attributes. Styles are a property, `.style=${text}`: the
 * content policy refuses the attribute, which the library's `styleMap()` writes too. A node (a canvas, a scene) may
 * stand among the values.
 */

import { effect, untracked } from "../../vendor/signals/signals-core.mjs";
import { render } from "../../vendor/lit-html/lit-html.js";

export { html, nothing, render, svg as svgView } from "../../vendor/lit-html/lit-html.js";
export { classMap } from "../../vendor/lit-html/directives/class-map.js";
export { ifDefined } from "../../vendor/lit-html/directives/if-defined.js";
export { live } from "../../vendor/lit-html/directives/live.js";
export { ref } from "../../vendor/lit-html/directives/ref.js";
export { repeat } from "../../vendor/lit-html/directives/repeat.js";
export { batch, computed, effect, signal, untracked } from "../../vendor/signals/signals-core.mjs";

/** @typedef {import("../../vendor/lit-html/lit-html.js").TemplateResult} View */

/**
 * Render a view into an element, and again whenever a signal that it reads changes. Nothing else may fill the element.
 * @param {HTMLElement | DocumentFragment} element
 * @param {() => unknown} view
 * @returns {() => void} a function that stops the updates; the rendered content stays
 */
export function show(element, view) {
  return effect(() => {
    render(view(), element);
  });
}

/**
 * Create one element from a view, for code that needs a node. Its content follows the signals that the view reads.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {string} className
 * @param {() => unknown} view
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, className, view) {
  const root = document.createElement(tag);
  root.className = className;
  show(root, view);
  return root;
}

/**
 * Create the one element that a template describes, for code that places it itself. The view must return the same
 * template each time, so that the element stays; its attributes and content follow the signals that the view reads.
 * @template {Element} [E=HTMLElement]
 * @param {() => View} view
 * @returns {E}
 */
export function made(view) {
  const place = document.createDocumentFragment();
  show(place, view);
  return /** @type {E} */ (place.firstElementChild);
}

/**
 * Call `act` with the result of `read`, now and after each change of a signal that `read` reads. Signals that `act`
 * reads do not trigger it.
 * @template T
 * @param {() => T} read
 * @param {(value: T) => void} act
 * @returns {() => void} a function that stops the calls
 */
export function watch(read, act) {
  return effect(() => {
    const value = read();
    untracked(() => act(value));
  });
}
