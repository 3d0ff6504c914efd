/** A line with a text to copy. */

import { h } from "./dom.js";
import { element, html, signal } from "./view.js";
import { gettext } from "./words.js";

async function copy(/** @type {HTMLInputElement} */ field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.select();
    return document.execCommand?.("copy") || false;
  }
}

/**
 * A line with something to copy, and what it is for.
 * @param {string} name
 * @param {string} what
 * @param {string} value
 * @param {string} help
 * @param {{heavy?: boolean, holds?: string}} [options]  `holds` names what is copied, for scripts
 */
export function copyRow(name, what, value, help, { heavy = false, holds = "" } = {}) {
  const about = { "data-copied": holds || null, "aria-label": name };
  const field = h("input", { class: "field", type: "text", readonly: true, value, ...about });
  field.addEventListener("focus", () => field.select());
  const copied = signal(false);
  const said = signal("");
  const run = async (asked = true) => {
    const done = await copy(field);
    if (done) {
      copied.value = true;
      setTimeout(() => {
        copied.value = false;
      }, 2000);
    } else if (asked) said.value = gettext("Select it and copy it by hand.");
    return done;
  };
  const button = () => html`<button
    class="button${heavy ? " button-heavy" : ""}"
    type="button"
    aria-label=${gettext("Copy {what}", { what })}
    @click=${() => run()}
    >${copied.value ? gettext("Copied") : gettext("Copy")}</button
  >`;
  return {
    field,
    run,
    element: element(
      "div",
      "share-row",
      () => html`
        <p class="share-name">${name}</p>
        <div class="dialog-row">${field}${button()}</div>
        <p class="dialog-note">${help} <span class="share-said" role="status">${said.value}</span></p>
      `,
    ),
  };
}
