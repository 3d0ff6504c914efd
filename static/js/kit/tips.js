/** A sentence about whatever carries one in `data-tip`: on hover after a moment, on keyboard focus at once. */

import { h, placeTip, placeTipBeside } from "./dom.js";

const DELAY_MS = 250;

export function wireTips() {
  const tip = h("div", { class: "help-tip", role: "tooltip", hidden: true });
  document.body.append(tip);
  let owner = null;
  let timer = null;

  const hide = () => {
    clearTimeout(timer);
    owner = null;
    tip.hidden = true;
  };
  const fill = (place) => {
    tip.textContent = owner?.dataset.tip || "";
    tip.hidden = !tip.textContent;
    if (!tip.hidden) place();
  };
  const show = (x, y) => fill(() => placeTip(tip, x, y));

  document.addEventListener("pointermove", (event) => {
    const next = event.pointerType === "touch" || event.buttons ? null : event.target.closest?.("[data-tip]");
    if (!next) {
      hide();
      return;
    }
    if (next === owner && !tip.hidden) {
      show(event.clientX, event.clientY);
      return;
    }
    clearTimeout(timer);
    if (next !== owner) tip.hidden = true;
    owner = next;
    timer = setTimeout(() => show(event.clientX, event.clientY), DELAY_MS);
  });
  document.addEventListener("focusin", (event) => {
    const next = event.target.closest?.("[data-tip]");
    if (!next || !event.target.matches(":focus-visible") || event.target.matches("input[type=text]")) return;
    clearTimeout(timer);
    owner = next;
    fill(() => placeTipBeside(tip, next.getBoundingClientRect()));
  });
  for (const gone of ["focusout", "pointerdown", "wheel"]) document.addEventListener(gone, hide, { passive: true });
  document.documentElement.addEventListener("pointerleave", hide);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
}
