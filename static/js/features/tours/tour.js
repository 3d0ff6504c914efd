/** A tour: cards beside parts of the page, one after the other, then what to try next. Nothing stops meanwhile. */

import { setAt } from "../../experiment/experiment.js";
import { gettext } from "../../kit/words.js";
import { h, reducedMotion } from "../../kit/dom.js";

/** @import { Studio } from "../../studio/store.js" */

/**
 * @typedef {{at: string, title: string, text: string, t_s?: number | null}} TourStep
 * @typedef {{name: string, question: string, tour: TourStep[], next: {text: string, change: Record<string, any>}[]}}
 *   Entry
 */

/** Where the parts are that a tour may point at; the server knows the same names. @type {Record<string, string>} */
export const ANCHORS = {
  map: "[data-map]",
  legend: "[data-legend]",
  layers: "[data-layers]",
  waits: ".panel-waiting",
  counters: ".panel-counters",
  timeline: "[data-timeline]",
  play: ".bar-play",
  datacenter: ".panel-datacenter",
  work: ".panel-work",
  constraints: ".panel-constraints",
  queues: ".panel-queues",
  scheduler: ".panel-scheduler",
  compare: "[data-compare]",
  share: "[data-share]",
  export: "[data-export]",
};
const GAP = 12;
const NARROW = "(max-width: 860px)";

/** Whether the level hides the part of that name. */
const isHidden = (/** @type {string} */ name) => document.querySelector(ANCHORS[name])?.checkVisibility?.() === false;

/** The part of that name; where the level hides it, the map stands for it. */
const shownAt = (/** @type {string} */ name) => document.querySelector(ANCHORS[isHidden(name) ? "map" : name]);

export class Tour {
  /** `entry`: {name, question, tour: [{at, title, text, t_s}], next: [{text, change}]}. */
  constructor(/** @type {Studio} */ studio, /** @type {Entry} */ entry) {
    this.studio = studio;
    this.entry = entry;
    this.at = 0;
    this.card = h("section", {
      class: "tour",
      role: "dialog",
      "aria-label": gettext("Tour"),
      tabindex: "-1",
      "data-tour": true,
    });
    this.card.addEventListener("keydown", (event) => this.#key(event));
    document.body.append(this.card);
    this.onResize = () => this.#place();
    window.addEventListener("resize", this.onResize);
    // The keys of the tour work at once, unless the reader has begun something else.
    this.show(0, document.activeElement === document.body);
  }

  get last() {
    return this.entry.tour.length;
  }

  /** Step `at`; the last one says what to try. `focus`: the card takes the keys. */
  show(/** @type {number} */ at, focus = true) {
    this.at = Math.min(Math.max(0, at), this.last);
    this.#unmark();
    const step = this.entry.tour[this.at];
    const body = step ? this.#step(step) : this.#next();
    this.card.replaceChildren(...body.filter((each) => each !== null));
    if (step) {
      this.anchor = shownAt(step.at);
      this.anchor?.classList.add("is-toured");
      if (this.anchor?.matches("details")) this.anchor.open = true;
      // On a phone the card lies at the bottom, over what "nearest" would bring there.
      this.anchor?.scrollIntoView({
        block: window.matchMedia("(max-width: 860px)").matches ? "start" : "nearest",
        behavior: reducedMotion() ? "auto" : "smooth",
      });
      if (step.t_s !== null && step.t_s !== undefined && this.studio.stage.player.store.endNs >= step.t_s * 1e9)
        this.studio.stage.seek(step.t_s * 1e9);
    }
    this.#place();
    if (focus) this.card.focus({ preventScroll: true });
  }

  #step(/** @type {TourStep} */ step) {
    const whole = this.at === this.last - 1;
    return [
      h("p", { class: "tour-count" }, gettext("{n} of {all}", { n: this.at + 1, all: this.last })),
      h("h2", {}, step.title),
      h("p", { class: "tour-text" }, step.text),
      isHidden(step.at) ? this.#lab() : null,
      this.#row(
        this.at ? this.#button(gettext("Back"), () => this.show(this.at - 1)) : null,
        this.#button(whole ? gettext("What to try") : gettext("Next"), () => this.show(this.at + 1), true),
      ),
    ];
  }

  /** What the step speaks of is only shown in the Lab: a button that goes there. */
  #lab() {
    const act = () => {
      /** @type {HTMLElement | null} */ (document.querySelector("[data-choose-level=lab]"))?.click();
      this.show(this.at);
    };
    return h("p", { class: "tour-text" }, this.#button(gettext("Show this in the Lab"), act));
  }

  #next() {
    const offers = this.entry.next.map((each) =>
      h(
        "li",
        {},
        each.change
          ? h(
              "button",
              { class: "button", type: "button", "data-try": true, onclick: () => this.#try(each.change) },
              each.text,
            )
          : each.text,
      ),
    );
    return [
      h("p", { class: "tour-count" }, this.entry.question),
      h("h2", {}, gettext("What to try next")),
      h("ul", { class: "tour-next" }, offers),
      this.#row(
        this.#button(gettext("Back"), () => this.show(this.at - 1)),
        h("a", { class: "button", href: "/gallery" }, gettext("More in the gallery")),
      ),
    ];
  }

  #row(/** @type {(HTMLElement | null)[]} */ ...acts) {
    return h(
      "div",
      { class: "tour-row" },
      h(
        "button",
        { class: "link", type: "button", "data-tour-skip": true, onclick: () => this.end() },
        this.at === this.last ? gettext("Close") : gettext("End the tour"),
      ),
      h("span", { class: "tour-acts" }, acts),
    );
  }

  /**
   * @param {string} text
   * @param {() => void} act
   */
  #button(text, act, heavy = false) {
    return h(
      "button",
      { class: `button${heavy ? " button-heavy" : ""}`, type: "button", onclick: act, "data-tour-next": heavy },
      text,
    );
  }

  /** Change the experiment as offered: a new run, the old one stays as a ghost. */
  #try(/** @type {Record<string, any>} */ change) {
    const { studio } = this;
    const changed = Object.entries(change).reduce(
      (experiment, [path, value]) => setAt(experiment, path, value),
      studio.opened,
    );
    studio.replace(changed, true);
  }

  #key(/** @type {KeyboardEvent} */ event) {
    const act =
      { ArrowRight: () => this.show(this.at + 1), ArrowLeft: () => this.show(this.at - 1), Escape: () => this.end() }[
        event.key
      ] ?? (event.key === "Enter" && event.target === this.card ? () => this.show(this.at + 1) : null);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** Beside what it tells of, inside the window; on a phone at the bottom. */
  #place() {
    const { card } = this;
    const anchor = this.at < this.last ? this.anchor : document.querySelector(ANCHORS.map);
    const box = anchor?.isConnected ? anchor.getBoundingClientRect() : null;
    if (matchMedia(NARROW).matches) {
      card.style.transform = "";
      return;
    }
    const { offsetWidth: width, offsetHeight: height } = card;
    const [right, bottom] = [window.innerWidth - width - GAP, window.innerHeight - height - GAP];
    let [x, y] = [right / 2, bottom / 2];
    if (box) {
      // A wide part has room inside, a narrow one beside.
      if (box.width > window.innerWidth / 3 && box.height > height + 2 * GAP)
        [x, y] = [box.right - width - GAP, box.bottom - height - GAP];
      else if (box.width > window.innerWidth / 3) [x, y] = [box.left + (box.width - width) / 2, box.top - height - GAP];
      else if (box.left > window.innerWidth / 2) [x, y] = [box.left - width - GAP, box.top];
      else [x, y] = [box.right + GAP, box.top];
      if (box.height < 60 && box.width <= window.innerWidth / 3) [x, y] = [box.left, box.bottom + GAP];
    }
    card.style.transform =
      `translate(${Math.round(Math.min(Math.max(GAP, x), right))}px, ` +
      `${Math.round(Math.min(Math.max(GAP, y), bottom))}px)`;
  }

  #unmark() {
    this.anchor?.classList.remove("is-toured");
    this.anchor = null;
  }

  end() {
    this.#unmark();
    this.card.remove();
    window.removeEventListener("resize", this.onResize);
    document.querySelector("[data-play=toggle]")?.focus({ preventScroll: true });
  }
}
