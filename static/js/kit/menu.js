/** A context menu: a heading and groups of actions, each with a line of help. It works with pointer, keys and touch. */

import { targetOf } from "./dom.js";
import { html, ifDefined, made, nothing } from "./view.js";

/**
 * @typedef {{label: string, help?: string, does?: string, act: () => void, hot?: boolean}} MenuItem  `does` identifies
 *   the action independently of the language
 * @typedef {{title?: string, note?: string, items: MenuItem[]}} MenuGroup  a group without items shows its note
 */

/** @type {{menu: HTMLElement, owner: HTMLElement | null, undo: () => void} | null} */
let open = null;

/**
 * @param {MenuGroup} group
 * @param {string} title  the menu's title, for a group without one
 */
function groupView(group, title) {
  return html`
    <div role="group" class="cmenu-group" aria-label=${group.title || title}>
      ${group.title ? html`<p class="cmenu-group-title">${group.title}</p>` : nothing}
      ${group.items.map(itemView)}
      ${group.note ? html`<p class="cmenu-note">${group.note}</p>` : nothing}
    </div>
  `;
}

function itemView(/** @type {MenuItem} */ { label, help, does, act }) {
  const choose = () => {
    closeMenu();
    act();
  };
  const enter = (/** @type {Event} */ event) =>
    /** @type {HTMLElement} */ (event.currentTarget).focus({ preventScroll: true });
  return html`<button
    type="button"
    role="menuitem"
    class="cmenu-item"
    data-does=${ifDefined(does)}
    tabindex="-1"
    @click=${choose}
    @pointerenter=${enter}
    ><span class="cmenu-label">${label}</span
    >${help ? html`<span class="cmenu-help">${help}</span>` : nothing}</button
  >`;
}

/**
 * Open a menu at a point of the window. When it closes, the focus returns to `owner`.
 * @param {{title: string, groups: MenuGroup[], x: number, y: number, owner: Element | null}} options
 */
export function openMenu({ title, groups, x, y, owner }) {
  closeMenu();
  /** @type {HTMLElement} */
  const menu = made(
    () => html`
      <div class="cmenu" role="menu" aria-label=${title} tabindex="-1"
        ><p class="cmenu-title">${title}</p>${groups.map((group) => groupView(group, title))}</div
      >`,
  );
  const items = /** @type {HTMLElement[]} */ ([...menu.querySelectorAll(".cmenu-item")]);
  document.body.append(menu);
  place(menu, x, y);
  const close = (/** @type {Event} */ event) => {
    if (!menu.contains(targetOf(event))) closeMenu();
  };
  const keys = (/** @type {KeyboardEvent} */ event) => onKey(event, items);
  open = {
    menu,
    owner: /** @type {HTMLElement | null} */ (owner),
    undo: () => {
      document.removeEventListener("pointerdown", close, true);
      window.removeEventListener("blur", closeMenu);
      window.removeEventListener("resize", closeMenu);
    },
  };
  document.addEventListener("pointerdown", close, true);
  window.addEventListener("blur", closeMenu);
  window.addEventListener("resize", closeMenu);
  menu.addEventListener("keydown", keys);
  menu.addEventListener("contextmenu", (event) => event.preventDefault());
  (items[0] ?? menu).focus({ preventScroll: true });
}

export function closeMenu() {
  if (!open) return;
  const { menu, owner, undo } = open;
  const had = menu.contains(document.activeElement);
  open = null;
  undo();
  menu.remove();
  if (had) owner?.focus?.({ preventScroll: true });
}

function onKey(/** @type {KeyboardEvent} */ event, /** @type {HTMLElement[]} */ items) {
  const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const go = (/** @type {number} */ to) => items[(to + items.length) % items.length]?.focus();
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowDown: () => go(at + 1),
    ArrowUp: () => go(at < 0 ? -1 : at - 1),
    Home: () => go(0),
    End: () => go(-1),
    Escape: closeMenu,
    Tab: closeMenu,
  };
  event.stopPropagation();
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
}

/**
 * @param {HTMLElement} menu
 * @param {number} x
 * @param {number} y
 */
function place(menu, x, y) {
  const box = menu.getBoundingClientRect();
  const left =
    x + box.width + 8 > window.innerWidth ? Math.max(8, Math.min(x - box.width, window.innerWidth - box.width - 8)) : x;
  const top = Math.max(8, Math.min(y, window.innerHeight - box.height - 8));
  menu.style.left = `${left}px`;
  menu.style.top = `${top}px`;
}
