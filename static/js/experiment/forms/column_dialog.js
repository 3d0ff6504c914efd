/** A dialog to paste a column of numbers. */

import { openDialog } from "../../kit/dialogs.js";
import { element, html, ref, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { problemView } from "./fields.js";

/**
 * Open a dialog for a column of numbers. `take` receives the text and returns an error message, or "" to close the
 * dialog.
 * @param {{title: string, label: string, note: string, text?: string, placeholder?: string,
 *   take: (text: string) => string}} about
 */
export function columnDialog({ title, label, note, text = "", placeholder = "", take }) {
  const wrong = signal("");
  /** @type {HTMLTextAreaElement | undefined} */
  let field;
  const apply = () => {
    wrong.value = take(field?.value ?? "");
    if (!wrong.value) dialog.close();
  };
  const content = element(
    "div",
    "",
    () => html`
      <p class="dialog-note">${note}</p>
      <textarea
        class="json-text paste-text"
        rows="10"
        spellcheck="false"
        aria-label=${label}
        placeholder=${placeholder}
        ${ref((found) => {
          field = /** @type {HTMLTextAreaElement | undefined} */ (found);
        })}
      ></textarea>
      ${problemView(wrong.value)}
      <div class="dialog-row"
        ><button class="button button-heavy" type="button" data-apply-column @click=${apply}
          >${gettext("Apply")}</button></div>`,
  );
  const dialog = openDialog(title, content);
  if (field) {
    field.value = text;
    field.focus();
  }
}
