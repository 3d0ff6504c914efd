/** Tooltips of cells in a dialog, which lies above the page's own tooltips. */

import { h, placeTip, targetOf } from "../../kit/dom.js";

/** @param {HTMLDialogElement} dialog */
export function cellTips(dialog) {
  const tip = h("div", { class: "help-tip", role: "tooltip", hidden: true });
  dialog.append(tip);
  /**
   * @param {Element | null} target
   * @param {number} x
   * @param {number} y
   */
  const show = (target, x, y) => {
    const words = target?.closest?.("[data-cell-tip]")?.dataset.cellTip ?? "";
    tip.hidden = !words;
    if (!words) return;
    tip.textContent = words;
    placeTip(tip, x, y);
  };
  dialog.addEventListener("pointermove", (event) => show(targetOf(event), event.clientX, event.clientY));
  dialog.addEventListener("click", (event) => show(targetOf(event), event.clientX, event.clientY));
  dialog.addEventListener("focusin", (event) => {
    const target = targetOf(event);
    const box = target.getBoundingClientRect();
    show(target.matches(":focus-visible") ? target : null, box.right, box.bottom - 16);
  });
  dialog.addEventListener("pointerleave", () => {
    tip.hidden = true;
  });
  dialog.addEventListener(
    "scroll",
    () => {
      tip.hidden = true;
    },
    { capture: true, passive: true },
  );
}
