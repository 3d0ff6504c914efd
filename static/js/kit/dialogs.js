/** Dialogs. */

import { h } from "./dom.js";
import { html, render } from "./view.js";
import { gettext } from "./words.js";

/**
 * A modal dialog with a title and a button that closes it.
 * @param {string} title
 * @param {...import("./dom.js").Child} content
 */
export function openDialog(title, ...content) {
  const dialog = h("dialog", { class: "dialog", "aria-label": title });
  const close = () => dialog.close();
  render(
    html`<h2>${title}</h2>${content.flat()}<div class="dialog-end"
        ><button class="button" type="button" data-close-dialog @click=${close}>${gettext("Close")}</button></div
      >`,
    dialog,
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  dialog.scrollTop = 0; // what gets the focus may be at the end of a long one
  return dialog;
}
