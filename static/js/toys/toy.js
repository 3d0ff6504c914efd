/** A toy of the landing page: it plays, reacts to the reader, and shows the tasks' waits before and after. */

import { isDark, reducedMotion } from "../kit/dom.js";
import { capital, gettext } from "../kit/words.js";
import { written } from "../kit/format.js";
import { MODELS } from "./index.js";
import { Painter } from "./paint.js";
import { PANELS } from "./panels.js";
import { Picture } from "./picture.js";
import { SECOND, drawWork, told, withBurst } from "./work.js";

/** The initial instant of a toy, when its machines are busy. */
const BEGIN = 24 * SECOND;
const BURST = 12;

/**
 * Return the round number that a full bar represents; the cards' waits differ too much for one scale.
 * @param {number} most
 */
function fullBar(most) {
  const ten = 10 ** Math.floor(Math.log10(Math.max(most, 0.01)));
  return ([1, 2, 5].find((step) => step * ten >= most) ?? 10) * ten;
}

export class Toy {
  /** @param {HTMLElement} element  a panel of the page */
  constructor(element) {
    this.element = element;
    this.variants = PANELS[/** @type {string} */ (element.dataset.toy)];
    this.which = 0;
    this.load = this.variants[0].work.load;
    /** @type {number[]} instants at which the reader added tasks */
    this.bursts = [];
    this.t = BEGIN;
    this.playing = !reducedMotion();
    this.near = false;
    this.painter = new Painter(/** @type {HTMLCanvasElement} */ (this.#find("canvas")));
    this.#wire();
    this.draw();
  }

  /** @param {string} selector @returns {HTMLElement} */
  #find(selector) {
    return /** @type {HTMLElement} */ (this.element.querySelector(selector));
  }

  #wire() {
    const canvas = this.#find("canvas");
    canvas.addEventListener("click", () => this.burst());
    this.#find("[data-burst]").addEventListener("click", () => this.burst());
    this.#find("[data-load]").addEventListener("input", (/** @type {Event} */ event) => {
      this.load = Number(/** @type {HTMLInputElement} */ (event.target).value) / 100;
      this.draw();
    });
    this.#find("[data-run]").addEventListener("click", () => this.play(!this.playing));
    for (const button of this.element.querySelectorAll("[data-guess]")) {
      button.addEventListener("click", () => this.answer(/** @type {HTMLElement} */ (button)));
    }
    for (const button of this.element.querySelectorAll("[data-variant]")) {
      button.addEventListener("click", () => this.choose(Number(/** @type {HTMLElement} */ (button).dataset.variant)));
    }
    new ResizeObserver(() => this.resize()).observe(/** @type {HTMLElement} */ (canvas.parentElement));
    this.play(this.playing);
  }

  resize() {
    const box = /** @type {HTMLElement} */ (this.#find("canvas").parentElement).getBoundingClientRect();
    this.painter.resize(Math.floor(box.width), Math.floor(box.height));
    this.paint(Infinity);
  }

  /** @param {number} which  the variant to run */
  workOf(which) {
    const work = drawWork({ ...this.variants[which].work, load: this.load });
    return this.bursts.reduce((more, at) => withBurst(more, at, BURST, this.variants[which].work.mean_s), work);
  }

  /** Run both variants on their workloads, and show one. */
  draw() {
    this.runs = this.variants.map(({ model, rules }, which) => {
      const work = this.workOf(which);
      return { work, run: MODELS[model](work, /** @type {Required<import("./panels.js").Rules>} */ (rules)) };
    });
    const { picture, rules } = this.variants[this.which];
    const { work, run } = this.runs[this.which];
    this.picture = new Picture(work, run, picture, rules.schedulers ?? rules.masters ?? 0);
    this.painter.plan = null;
    this.#tell();
    this.paint(Infinity);
  }

  #tell() {
    const found = (this.runs ?? []).map(({ work, run }) => told(work, run));
    // The second variant's result stays hidden until the reader has answered the question.
    const asked = this.element.classList.contains("is-answered");
    const most = asked ? Math.max(...found.map((one) => one.mean_s)) : 3 * found[0].mean_s;
    const full = fullBar(most);
    this.#find("[data-scale]").textContent = gettext("Full bar: {seconds} s", { seconds: written(full, 0, 2) });
    found.forEach((one, which) => {
      const row = this.#find(`[data-wait="${which}"]`);
      /** @type {HTMLElement} */ (row.querySelector("[data-bar]")).style.width = `${(100 * one.mean_s) / full}%`;
      /** @type {HTMLOutputElement} */ (row.querySelector("output")).textContent = gettext("{seconds} s", {
        seconds: written(one.mean_s, 2, 2),
      });
    });
    const refused = this.#find("[data-refused]");
    const now = found[this.which];
    if (refused) {
      const percent = Math.round((100 * now.refused) / now.asked);
      const named = this.#find(`[data-variant="${this.which}"]`)?.textContent?.trim() ?? "";
      const side = capital(named);
      refused.textContent = gettext("{side}: {percent} % of the requests were refused", { side, percent });
    }
    this.#find("[data-load-value]").textContent = gettext("{percent} %", { percent: Math.round(100 * this.load) });
  }

  /** @param {number} which */
  choose(which) {
    this.which = which;
    for (const button of this.element.querySelectorAll("[data-variant]")) {
      button.setAttribute(
        "aria-pressed",
        String(Number(/** @type {HTMLElement} */ (button).dataset.variant) === which),
      );
    }
    if (which === 1) this.element.classList.add("is-answered");
    this.draw();
  }

  /** Take the reader's guess: switch to the second variant and show its result. @param {HTMLElement} button */
  answer(button) {
    for (const one of this.element.querySelectorAll("[data-guess]"))
      one.setAttribute("aria-pressed", String(one === button));
    const right = button.dataset.guess === /** @type {HTMLElement} */ (this.#find("[data-right]")).dataset.right;
    this.element.dataset.guessed = right ? "right" : "wrong";
    this.choose(1);
  }

  /** Add tasks that arrive together now. */
  burst() {
    this.bursts.push(Math.round(this.t) + 1);
    if (this.bursts.length > 8) this.bursts.shift();
    const seen = this.painter.seen;
    this.draw();
    this.painter.seen = seen;
    this.element.dispatchEvent(new Event("burst"));
  }

  /** @param {boolean} on */
  play(on) {
    this.playing = on;
    const button = this.#find("[data-run]");
    button.textContent = /** @type {string} */ (on ? button.dataset.pause : button.dataset.play);
  }

  /** @param {number} passed  milliseconds since the last picture */
  step(passed) {
    if (!this.playing || !this.near || !this.picture) return;
    this.t += Math.min(passed, 100) * 1e6;
    if (this.t > this.picture.ends) {
      this.t = BEGIN;
      this.bursts = [];
      this.draw();
    }
    this.paint(passed);
  }

  /** @param {number} passed */
  paint(passed) {
    if (!this.picture) return;
    const { rules } = this.variants[this.which];
    const labels = [this.element.dataset.queueLabel ?? "", this.element.dataset.machineLabel ?? ""];
    this.painter.paint(this.picture, this.t, passed, { labels, think: rules.think ?? 0 });
  }

  /** Read the current theme's colors. */
  theme() {
    this.element.dataset.dark = String(isDark());
    this.painter.readTheme();
    this.paint(Infinity);
  }
}
