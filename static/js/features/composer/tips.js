/** What a cell says, beside it: a dialog lies above the page's own tips. */

import { h, placeTip } from "../../kit/dom.js";

export function cellTips(dialog) {
  const tip = h("div", { class: "help-tip", role: "tooltip", hidden: true });
  dialog.append(tip);
  const show = (target, x, y) => {
    const words = target?.closest?.("[data-cell-tip]")?.dataset.cellTip ?? "";
    tip.hidden = !words;
    if (!words) return;
    tip.textContent = words;
    placeTip(tip, x, y);
  };
  dialog.addEventListener("pointermove", (event) => show(event.target, event.clientX, event.clientY));
  dialog.addEventListener("click", (event) => show(event.target, event.clientX, event.clientY)); // where nothing hovers
  dialog.addEventListener("focusin", (event) => {
    const box = event.target.getBoundingClientRect();
    show(event.target.matches(":focus-visible") ? event.target : null, box.right, box.bottom - 16);
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
