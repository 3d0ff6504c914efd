/**
 * Helpers for elements, icons and colors. `h` creates an element without a template, for the map's and the pictures'
 * canvases alone. Everything else is a view (view.js).
 */

/** @typedef {Node | string | number | boolean | null | undefined | Child[]} Child */

/**
 * Create an element: h("button", {class: "x", onclick: f, "aria-label": "…"}, ...children). A child may be a list of
 * children, one level deep.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name === "value") /** @type {{value?: unknown}} */ (element).value = value;
    // The content security policy blocks style attributes but allows styles set by script.
    else if (name === "style") element.style.cssText = String(value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(.../** @type {Node[]} */ (children.flat().filter((child) => child !== null && child !== undefined)));
  return element;
}

/**
 * Return the page's first element with the attribute `data-NAME`, of any element type.
 * @param {string} name
 * @returns {any}
 */
export function find(name) {
  return document.querySelector(`[data-${name}]`);
}

/**
 * Return the first element that matches a selector; throw if there is none.
 * @template {HTMLElement} [E=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {E}
 */
export function part(selector, root = document) {
  const found = /** @type {E | null} */ (root.querySelector(selector));
  if (!found) throw new Error(`This page has no element ${selector}.`);
  return found;
}

/**
 * Return the URL of a static file. The base comes from the page, because a bundled script has another path than its
 * modules.
 * @param {string} name
 */
export function staticPath(name) {
  return `${globalThis.document?.documentElement?.dataset.static ?? "/static/"}${name}`;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * Create an SVG element: svg("line", {x1: 0}, ...children). Lists of children may be nested three levels deep.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  const shown = children.flat(3).filter((child) => child !== null && child !== undefined);
  element.append(.../** @type {Node[]} */ (shown));
  return element;
}

/**
 * Return an event's target. It may be the document, which has no closest(): call it with `?.`.
 * @param {Event} event
 */
export function targetOf(event) {
  return /** @type {HTMLInputElement} */ (event.target);
}

/**
 * Return an element's children, typed as HTML elements.
 * @param {Element} element
 */
export function childrenOf(element) {
  return /** @type {HTMLElement[]} */ ([...element.children]);
}

/**
 * Return the focused element inside another element, or null.
 * @param {Element} element
 */
export function focusedIn(element) {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  return element.contains(focused) ? focused : null;
}

/**
 * Create a 16 × 16 icon from path data.
 * @param {string} path
 */
export function icon(path, { fill = true } = {}) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", fill ? "icon" : "icon icon-line");
  svg.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS(SVG, "path");
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}

export const ICONS = {
  play: "M4 2.2v11.6c0 .5.5.8.9.5l9-5.8c.4-.2.4-.8 0-1l-9-5.8c-.4-.3-.9 0-.9.5z",
  pause: "M3.5 2h3v12h-3zM9.5 2h3v12h-3z",
  again:
    "M8 2.5a5.5 5.5 0 1 0 5.4 6.6l-1.8-.4A3.7 3.7 0 1 1 8 4.3c1 0 1.9.4 2.6 1L8.5 7.4h5.400V2l-2 2A5.5 5.5 0 " +
    "0 0 8 2.500z",
  back: "M8 3v10L1 8zM15 3v10L8 8z",
  forward: "M2 3v10l8-5zM11.5 3h2.500v10h-2.500z",
};

/**
 * Return the computed value of a color token, which a canvas needs.
 * @param {string} name
 */
export function token(name) {
  const probe = document.createElement("i");
  probe.style.color = `var(--${name})`;
  probe.style.display = "none";
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

/**
 * Return red, green and blue of a color in token()'s format.
 * @param {string} colour
 */
export function rgb(colour) {
  return (colour.match(/[\d.]+/g) ?? ["0", "0", "0"]).slice(0, 3).map(Number);
}

/** Return a canvas's 2D context. Every supported browser provides one. */
export function penOf(/** @type {HTMLCanvasElement} */ canvas) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
}

/** Create an empty, hidden tooltip that follows the pointer. */
export function floatingTip(className = "tip") {
  const tip = document.createElement("div");
  tip.className = className;
  tip.role = "tooltip";
  tip.hidden = true;
  document.body.append(tip);
  return tip;
}

/**
 * Move a tooltip beside a point, inside the window.
 * @param {HTMLElement} tip
 * @param {number} x
 * @param {number} y
 */
export function placeTip(tip, x, y) {
  const box = tip.getBoundingClientRect();
  const left = Math.min(x + 14, window.innerWidth - box.width - 8);
  const top = y + 18 + box.height > window.innerHeight ? y - box.height - 12 : y + 18;
  tip.style.transform = `translate(${Math.max(8, left)}px, ${Math.max(8, top)}px)`;
}

/**
 * Move a tooltip to the right of a box, else below it, else above it, so that it does not cover the box.
 * @param {HTMLElement} tip
 * @param {DOMRect} box
 */
export function placeTipBeside(tip, box) {
  const { width, height } = tip.getBoundingClientRect();
  const fits = box.right + 14 + width <= window.innerWidth - 8;
  const below = box.bottom + 6 + height <= window.innerHeight - 8;
  const left = fits ? box.right + 14 : Math.min(box.left, window.innerWidth - width - 8);
  const top = fits ? Math.min(box.top, window.innerHeight - height - 8) : below ? box.bottom + 6 : box.top - height - 6;
  tip.style.transform = `translate(${Math.max(8, left)}px, ${Math.max(8, top)}px)`;
}

export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/** @type {MediaQueryList | undefined} */
let lessMotion;
export function reducedMotion() {
  lessMotion ??= matchMedia("(prefers-reduced-motion: reduce)");
  return lessMotion.matches;
}

/**
 * Call `act` when the theme changes, through the toggle or the system.
 * @param {() => void} act
 */
export function onTheme(act) {
  document.addEventListener("themechange", act);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", act);
}
