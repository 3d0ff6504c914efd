/** Apply a lesson link: its suffix hides controls and locks others. */

import { readLesson, selectorOf } from "./lesson.js";

const HELD = ["input", "select", "textarea", "button"].join();

/** Apply the link; `locked(name)` returns true if a control is hidden or locked. */
export function wireLesson() {
  const { hide, fix } = readLesson(window.location.search);
  if (hide.length || fix.length) hold(hide, fix);
  return { locked: (/** @type {string} */ name) => hide.includes(name) || fix.includes(name) };
}

/**
 * @param {string[]} hide
 * @param {string[]} fix
 */
function hold(hide, fix) {
  // The experiment's JSON would bypass the lock, so it is locked too.
  const held = hide.includes("json") || fix.includes("json") ? fix : [...fix, "json"];
  const apply = () => {
    waiting = false;
    for (const name of hide)
      for (const element of find(name)) if (element.dataset.lesson !== "hidden") element.dataset.lesson = "hidden";
    for (const name of held) {
      for (const element of find(name)) {
        if (name === "json" && element.matches("[data-tab]")) continue;
        if (element.dataset.lesson !== "fixed") element.dataset.lesson = "fixed";
        for (const control of /** @type {HTMLInputElement[]} */ ([element, ...element.querySelectorAll(HELD)]))
          if (control.matches(HELD) && !control.disabled) control.disabled = true;
      }
    }
  };
  const find = (/** @type {string} */ name) => {
    const where = selectorOf(name);
    return where ? document.querySelectorAll(where) : [];
  };
  let waiting = false;
  // Panels rerender themselves; lock the new elements, too.
  new MutationObserver(() => {
    if (!waiting) {
      waiting = true;
      requestAnimationFrame(apply);
    }
  }).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled"] });
  apply();
}
