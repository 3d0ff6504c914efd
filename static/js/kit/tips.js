/** Tooltips for elements with `data-tip`: on hover after a delay, on keyboard focus at once. */

import { floatingTip, placeTip, placeTipBeside, targetOf } from "./dom.js";

const DELAY_MS = 250;

const tipOwner = (/** @type {Event} */ event) => targetOf(event).closest?.("[data-tip]");

export function wireTips() {
  const tip = floatingTip("help-tip");
  /** @type {HTMLElement | null} */
  let owner = null;
  let timer = 0;

  const hide = () => {
    clearTimeout(timer);
    owner = null;
    tip.hidden = true;
  };
  const fill = (/** @type {() => void} */ place) => {
    tip.textContent = owner?.dataset.tip || "";
    tip.hidden = !tip.textContent;
    if (!tip.hidden) place();
  };
  const show = (/** @type {number} */ x, /** @type {number} */ y) => fill(() => placeTip(tip, x, y));

  document.addEventListener("pointermove", (event) => {
    const next = event.pointerType === "touch" || event.buttons ? null : tipOwner(event);
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
    timer = window.setTimeout(() => show(event.clientX, event.clientY), DELAY_MS);
  });
  document.addEventListener("focusin", (event) => {
    const next = tipOwner(event);
    if (!next || !targetOf(event).matches(":focus-visible") || targetOf(event).matches("input[type=text]")) return;
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
