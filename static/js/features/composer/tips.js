/** Tooltips of cells in a dialog, which lies above the page's own tooltips. */

import { placeTip, targetOf } from "../../kit/dom.js";
import { html, made, signal } from "../../kit/view.js";

/** @param {HTMLDialogElement} dialog */
export function cellTips(dialog) {
  /** The tooltip's text; "" while it is hidden. */
  const said = signal("");
  const hide = () => {
    said.value = "";
  };
  /** @type {HTMLElement} */
  const tip = made(() => html`<div class="help-tip" role="tooltip" ?hidden=${!said.value}>${said.value}</div>`);
  dialog.append(tip);
  /**
   * @param {Element | null} target
   * @param {number} x
   * @param {number} y
   */
  const show = (target, x, y) => {
    said.value = target?.closest?.("[data-cell-tip]")?.dataset.cellTip ?? "";
    if (said.value) placeTip(tip, x, y);
  };
  dialog.addEventListener("pointermove", (event) => show(targetOf(event), event.clientX, event.clientY));
  dialog.addEventListener("click", (event) => show(targetOf(event), event.clientX, event.clientY));
  dialog.addEventListener("focusin", (event) => {
    const target = targetOf(event);
    const box = target.getBoundingClientRect();
    show(target.matches(":focus-visible") ? target : null, box.right, box.bottom - 16);
  });
  dialog.addEventListener("pointerleave", hide);
  dialog.addEventListener("scroll", hide, { capture: true, passive: true });
}
