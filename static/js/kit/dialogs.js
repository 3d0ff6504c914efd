/** Dialogs. */

import { h } from "./dom.js";
import { gettext } from "./words.js";

/**
 * A modal dialog with a title and a button that closes it.
 * @param {string} title
 * @param {...import("./dom.js").Child} content
 */
export function openDialog(title, ...content) {
  const close = h("button", { class: "button", type: "button" }, gettext("Close"));
  const dialog = h(
    "dialog",
    { class: "dialog", "aria-label": title },
    h("h2", {}, title),
    ...content,
    h("div", { class: "dialog-end" }, close),
  );
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  dialog.scrollTop = 0; // what gets the focus may be at the end of a long one
  return dialog;
}
