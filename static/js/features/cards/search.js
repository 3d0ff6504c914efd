/** The search over scheduler cards. */

import { whole } from "../../kit/format.js";
import { gettext } from "../../kit/words.js";
import { part } from "../../kit/dom.js";

/**
 * Return true if a card's text contains every typed word.
 * @param {string} searched
 * @param {string} typed
 */
export function matches(searched, typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => searched.includes(word));
}

/**
 * Show the cards that match the typed text, and the families with matches.
 * @param {Element} cards  the part of the page with `data-cards`
 */
export function wireSearch(cards) {
  /** @type {HTMLInputElement} */
  const field = part("[data-cards-search]", cards);
  const found = part("[data-cards-found]", cards);
  const none = /** @type {HTMLElement} */ (cards.querySelector("[data-cards-none]"));
  const all = /** @type {HTMLElement[]} */ ([...cards.querySelectorAll("[data-searched]")]);
  const families = /** @type {HTMLElement[]} */ ([...cards.querySelectorAll("[data-family]")]);
  field.addEventListener("input", () => {
    for (const card of all) card.hidden = !matches(card.dataset.searched ?? "", field.value);
    for (const family of families) family.hidden = !family.querySelector("[data-searched]:not([hidden])");
    const count = all.filter((card) => !card.hidden).length;
    none.hidden = count > 0;
    found.textContent = field.value.trim()
      ? gettext("{count} of {all}", { count: whole(count), all: whole(all.length) })
      : "";
  });
}
