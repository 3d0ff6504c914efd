/** Modal dialogs. */

import { html, nothing, show } from "./view.js";
import { gettext } from "./words.js";

/**
 * Open a modal dialog with a title and a close button.
 * @param {string} title
 * @param {...unknown} content  nodes, texts and templates
 */
export function openDialog(title, ...content) {
  return openForm({ title, content });
}

/**
 * Open a dialog with additional buttons at its end. `content` (a function), `before` and `after` are views, which
 * follow the signals that they read while the dialog is open. Other content is nodes, texts and templates.
 * @param {{title: string, content: unknown, close?: string, before?: () => unknown, after?: () => unknown}} options
 *   `before` and `after` render next to the close button; `close` is that button's label
 */
export function openForm({ title, content, close = gettext("Close"), before, after }) {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog";
  dialog.setAttribute("aria-label", title);
  const stop = show(
    dialog,
    () => html`
      <h2>${title}</h2>${typeof content === "function" ? content() : content}<div class="dialog-end"
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
  dialog.scrollTop = 0; // the focused element may be at the end of a long dialog
  return dialog;
}
