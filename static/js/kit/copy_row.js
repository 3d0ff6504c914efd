/** A row with text to copy. */

import { part, targetOf } from "./dom.js";
import { element, html, nothing, signal } from "./view.js";
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
 * Return a row with text to copy, a copy button, and a note on its purpose.
 * @param {string} name
 * @param {string} what
 * @param {string | (() => string)} value  a function is a view: the row follows the signals that it reads
 * @param {string} help
 * @param {{heavy?: boolean, holds?: string, more?: () => unknown}} [options]  `holds` identifies the copied text for
 *   scripts; `more` is a view below the row
 */
export function copyRow(name, what, value, help, { heavy = false, holds = "", more } = {}) {
  const copied = signal(false);
  const said = signal("");
  const run = async (asked = true) => {
    const done = await copy(part("input", row));
    if (done) {
      copied.value = true;
      setTimeout(() => {
        copied.value = false;
      }, 2000);
    } else if (asked) said.value = gettext("Select it and copy it by hand.");
    return done;
  };
  const row = element(
    "div",
    "share-row",
    () => html`
      <p class="share-name">${name}</p>
      <div class="dialog-row">
        <input
          class="field"
          type="text"
          readonly
          aria-label=${name}
          data-copied=${holds || nothing}
          .value=${typeof value === "string" ? value : value()}
          @focus=${(/** @type {Event} */ event) => targetOf(event).select()}
        /><button
          class="button${heavy ? " button-heavy" : ""}"
          type="button"
          aria-label=${gettext("Copy {what}", { what })}
          @click=${() => run()}
          >${copied.value ? gettext("Copied") : gettext("Copy")}</button
        >
      </div>
      <p class="dialog-note">${help} <span class="share-said" role="status">${said.value}</span></p>
      ${more?.() ?? nothing}
    `,
  );
  return { element: row, field: part("input", row), run };
}
