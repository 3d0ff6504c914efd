/** Dialogs. */

import { html, nothing, show } from "./view.js";
import { gettext } from "./words.js";

/**
 * A modal dialog with a title and a button that closes it.
 * @param {string} title
 * @param {...unknown} content  nodes, texts and templates
 */
export function openDialog(title, ...content) {
  return openForm({ title, content });
}

/**
 * A dialog with further buttons at its end. They are views: they follow the signals that they read.
 * @param {{title: string, content: unknown, close?: string, before?: () => unknown, after?: () => unknown}} options
 *   `before` and `after` the button that closes it, which says `close`
 */
export function openForm({ title, content, close = gettext("Close"), before, after }) {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog";
  dialog.setAttribute("aria-label", title);
  const stop = show(
    dialog,
    () => html`
      <h2>${title}</h2>${content}<div class="dialog-end"
        >${before?.() ?? nothing}<button class="button" type="button" data-close-dialog @click=${() => dialog.close()}
          >${close}</button
        >${after?.() ?? nothing}</div
      >`,
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => {
    stop();
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  dialog.scrollTop = 0; // what gets the focus may be at the end of a long one
  return dialog;
}
