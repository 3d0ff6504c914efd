/** `?` on every page, and what the button for it does. */

import { targetOf } from "./dom.js";

/** `page`: its name in kit/keys.js. The list is fetched when it is asked for. */
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
