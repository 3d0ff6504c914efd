/** Buttons that zoom the map, for viewers without a wheel or keys. */

import { three } from "../../kit/format.js";
import { html, show, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/** @import { MapView } from "./map.js" */

export class ZoomBar {
  /**
   * @param {HTMLElement} element
   * @param {MapView} map
   */
  constructor(element, map) {
    this.map = map;
    this.factor = signal(1);
    show(element, () => this.#view(this.factor.value));
  }

  /** @param {number} factor */
  #view(factor) {
    const { map } = this;
    const button = (
      /** @type {string} */ name,
      /** @type {string} */ label,
      /** @type {string} */ text,
      /** @type {string} */ tip,
      /** @type {() => void} */ act,
      off = false,
    ) => html`<button
      type="button"
      class="zoom-button"
      data-zooms=${name}
      aria-label=${label}
      data-tip=${tip}
      ?disabled=${off}
      @click=${act}
      >${text}</button
    >`;
    const all = factor <= 1;
    const [out, into] = [() => map.zoomBy(1 / 1.6), () => map.zoomBy(1.6)];
    return html`${button("out", gettext("Zoom out"), "−", gettext("Zoom out (−)"), out, all)}<output
        class="zoom-value"
        aria-label=${gettext("Zoom")}
        >${three(factor)}×</output
      >${button("in", gettext("Zoom in"), "+", gettext("Zoom in (+, wheel, double click)"), into)}${button(
        "fit",
        gettext("Fit: show everything"),
        gettext("Fit"),
        gettext("Show everything (0)"),
        () => map.fit(),
        all,
      )}`;
  }

  /** Update from the map; called once per frame. */
  update() {
    this.factor.value = this.map.factor;
  }
}
