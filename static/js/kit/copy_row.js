/** A line with a text to copy. */

import { h } from "./dom.js";
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
 */
export function copyRow(name, what, value, help, heavy = false) {
  const field = h("input", { class: "field", type: "text", readonly: true, value, "aria-label": name });
  field.addEventListener("focus", () => field.select());
  const button = h(
    "button",
    { class: `button${heavy ? " button-heavy" : ""}`, type: "button", "aria-label": gettext("Copy {what}", { what }) },
    gettext("Copy"),
  );
  const said = h("span", { class: "share-said", role: "status" });
  const run = async (asked = true) => {
    const done = await copy(field);
    if (done) {
      button.textContent = gettext("Copied");
      setTimeout(() => {
        button.textContent = gettext("Copy");
      }, 2000);
    } else if (asked) said.textContent = gettext("Select it and copy it by hand.");
    return done;
  };
  button.addEventListener("click", () => run());
  return {
    field,
    run,
    element: h(
      "div",
      { class: "share-row" },
      h("p", { class: "share-name" }, name),
      h("div", { class: "dialog-row" }, field, button),
      h("p", { class: "dialog-note" }, help, " ", said),
    ),
  };
}
