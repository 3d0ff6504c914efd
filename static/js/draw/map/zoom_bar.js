/** Buttons that zoom the map, for who has neither wheel nor keys at hand. */

import { three } from "../../kit/format.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/** @import { MapView } from "./map.js" */

export class ZoomBar {
  constructor(/** @type {HTMLElement} */ element, /** @type {MapView} */ map) {
    this.map = map;
    const button = (
      /** @type {string} */ label,
      /** @type {string} */ text,
      /** @type {string} */ tip,
      /** @type {() => void} */ act,
    ) =>
      h("button", { type: "button", class: "zoom-button", "aria-label": label, "data-tip": tip, onclick: act }, text);
    this.out = button(gettext("Zoom out"), "−", gettext("Zoom out (−)"), () => map.zoomBy(1 / 1.6));
    this.in = button(gettext("Zoom in"), "+", gettext("Zoom in (+, wheel, double click)"), () => map.zoomBy(1.6));
    this.fit = button(gettext("Fit: show everything"), gettext("Fit"), gettext("Show everything (0)"), () => map.fit());
    this.value = h("output", { class: "zoom-value", "aria-label": gettext("Zoom") }, "1×");
    element.append(this.out, this.value, this.in, this.fit);
    this.shown = 0;
  }

  update() {
    const factor = this.map.factor;
    if (factor === this.shown) return;
    this.shown = factor;
    this.value.textContent = `${three(factor)}×`;
    this.out.disabled = factor <= 1;
    this.fit.disabled = factor <= 1;
  }
}
