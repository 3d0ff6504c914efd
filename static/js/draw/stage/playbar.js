/** Play, step, speed and clock. Finds its elements in the page by data-play. */

import { clock, three } from "../../kit/format.js";
import { rateFromSlider, sliderFromRate } from "../../run/player.js";
import { ICONS, icon, part } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/**
 * @typedef {{toggle: () => void, step: (direction: number) => void, speed: (rate: number) => void}} PlayActs
 */

export class PlayBar {
  constructor(/** @type {Element} */ root, /** @type {PlayActs} */ act) {
    const control = (/** @type {string} */ name) => root.querySelector(`[data-play="${name}"]`);
    this.button = part("[data-play=toggle]", root);
    this.clock = control("clock");
    this.speed = /** @type {HTMLInputElement | null} */ (control("speed"));
    this.rate = control("rate");
    control("back")?.append(icon(ICONS.back));
    control("forward")?.append(icon(ICONS.forward));
    control("back")?.addEventListener("click", () => act.step(-1));
    control("forward")?.addEventListener("click", () => act.step(1));
    this.button.addEventListener("click", () => act.toggle());
    this.speed?.addEventListener("input", () =>
      act.speed(rateFromSlider(Number(this.speed?.value), this.natural || 1)),
    );
    this.shape = "";
    this.natural = 0;
  }

  /** @param {import("../../run/player.js").Player<import("../../run/player.js").Playable>} player */
  update(player) {
    const shape = player.ended && !player.playing ? "again" : player.playing ? "pause" : "play";
    if (shape !== this.shape) {
      this.shape = shape;
      this.button.dataset.shape = shape;
      this.button.replaceChildren(icon(ICONS[shape]));
      const words = { again: gettext("Play again from the start"), pause: gettext("Pause"), play: gettext("Play") }[
        shape
      ];
      this.button.setAttribute("aria-label", words);
      this.button.title = gettext("{words} (space)", { words });
    }
    if (this.clock) {
      // While paused, the clock has more digits, so that a step to the next event is visible.
      const text = clock(player.shownNs, player.store.endNs, !player.playing);
      if (text !== this.clock.textContent) this.clock.textContent = text;
      this.clock.classList.toggle("is-fine", text.length > 10);
    }
    this.#showRate(player);
  }

  /** @param {import("../../run/player.js").Player<import("../../run/player.js").Playable>} player */
  #showRate(player) {
    if (!this.speed) return;
    this.natural = player.naturalRate;
    const text = `${three(player.rate, true)}×`;
    // The natural rate changes while a run grows, so the slider position of a chosen rate changes too.
    const place = String(sliderFromRate(player.rate, this.natural));
    if (document.activeElement !== this.speed && this.speed.value !== place) this.speed.value = place;
    if (!this.rate || this.rate.textContent === text) return;
    this.rate.textContent = text;
    this.speed.setAttribute(
      "aria-valuetext",
      gettext("{rate} simulated seconds per second", { rate: three(player.rate) }),
    );
  }
}
