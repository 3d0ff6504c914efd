/** The `?` key and its button on every page. */

import { targetOf } from "./dom.js";

/**
 * Open the list of shortcuts on `?` or its button. `page` is the page's name in kit/keys.js. The list loads on first
 * use.
 */
export function wirePageKeys(page = "") {
  const show = async () => {
    const { keysDialog } = await import("./key_list.js");
    keysDialog(page);
  };
  for (const button of document.querySelectorAll("[data-keys]")) button.addEventListener("click", show);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]"))
      return;
    if (targetOf(event).closest?.("input:not([type=range]), textarea, select")) return;
    event.preventDefault();
    show();
  });
}
