/** A small button with an icon, for one step back or forth. */

import { icon } from "./dom.js";
import { html, made } from "./view.js";

/**
 * Create the button; `label` is its accessible name and its tooltip.
 * @param {string} label
 * @param {string} path  path data of the icon
 * @param {() => void} act
 * @returns {HTMLButtonElement}
 */
export function stepButton(label, path, act) {
  return made(
    () => html`
      <button type="button" class="icon-button flow-step" aria-label=${label} data-tip=${label} @click=${act}
        >${icon(path)}</button
      >`,
  );
}
