/**
 * A tour: cards beside parts of the page, one after the other, then suggestions. A card about an instant pauses there;
 * its subject is visible and not covered by the card.
 */

import { setAt } from "../../experiment/experiment.js";
import { gettext } from "../../kit/words.js";
import { boxesOf } from "../../draw/stage/drawn_marks.js";
import { reducedMotion } from "../../kit/dom.js";
import { html, made, nothing, signal } from "../../kit/view.js";

/**
 * @import { Studio } from "../../studio/store.js"
 * @import { Box } from "../../draw/stage/drawn_marks.js"
 */

/**
 * @typedef {{at: string, title: string, text: string, there?: string, t_s?: number | null, marks?: string[],
 *   there_marks?: string[]}} TourStep  `there` describes the part, and appears only while the part is visible
 * @typedef {{name: string, question: string, tour: TourStep[], next: {text: string,
 *   change: Record<string, unknown>}[]}} Entry
 */

/** The parts that a tour may point at; the server knows the same names. @type {Record<string, string>} */
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
/** What a reader scrolls by. */
const SCROLLS = ["wheel", "touchmove", "keydown", "pointerdown"];
/** The interval at which the card locates its marks. */
const LOOK_MS = 250;
/** The maximum number of mark boxes that the card avoids. */
const MOST_KEPT_FREE = 400;
const NARROW = "(max-width: 860px)";

/** Return true if the level hides the part with a name. */
const isHidden = (/** @type {string} */ name) => document.querySelector(ANCHORS[name])?.checkVisibility?.() === false;

/**
 * Return a step's text; sentences on its part only if the part is visible, and on the map's keys only if there are
 * keys.
 */
function wordsOf(/** @type {TourStep} */ { at, text, there }) {
  const shown = there && !isHidden(at) && !(at === "map" && matchMedia(NARROW).matches);
  return { text: shown ? `${text} ${there}` : text, there: Boolean(shown) };
}

/** Return true if a part of a box that a reader can see is in the window. */
function isInWindow(/** @type {Box} */ { x, y, width, height }) {
  const wide = Math.min(x + width, window.innerWidth) - Math.max(x, 0);
  const high = Math.min(y + height, window.innerHeight) - Math.max(y, 0);
  return wide >= Math.min(8, width / 2) && high >= Math.min(8, height / 2);
}

/** Return the area of some boxes that a place covers. @param {Box[]} boxes @param {Box} place */
export function covered(boxes, { x, y, width, height }) {
  return boxes.reduce((sum, box) => {
    const wide = Math.min(x + width, box.x + box.width) - Math.max(x, box.x);
    const high = Math.min(y + height, box.y + box.height) - Math.max(y, box.y);
    return sum + Math.max(0, wide) * Math.max(0, high);
  }, 0);
}

/** Return the part with a name, or the map if the level hides the part. */
const shownAt = (/** @type {string} */ name) => document.querySelector(ANCHORS[isHidden(name) ? "map" : name]);

export class Tour {
  /** `entry`: {name, question, tour: [{at, title, text, t_s}], next: [{text, change}]}. */
  constructor(/** @type {Studio} */ studio, /** @type {Entry} */ entry) {
    this.studio = studio;
    this.entry = entry;
    /** The index of the current step; the last one shows suggestions. */
    this.step = signal({ at: 0 });
    /** True if the run has not reached the card's instant yet, so that the picture cannot show it. */
    this.early = signal(false);
    /** @type {HTMLElement} */
    this.card = made(
      () => html`
        <section
          class="tour"
          role="dialog"
          aria-label=${gettext("Tour")}
          tabindex="-1"
          data-tour
          @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event)}
          >${this.#cardView(this.step.value.at)}</section
        >`,
    );
    document.body.append(this.card);
    /** True if the tour paused the run. */
    this.stopped = false;
    /** True if playback is paused at the card's instant. */
    this.stood = false;
    this.looking = setInterval(() => this.#look(), LOOK_MS);
    /** True if the reader may have scrolled since the card is shown: the page then stays where the reader put it. */
    this.readerScrolls = false;
    /** The marks' heights on the screen at the last look, as JSON. */
    this.lastHeights = "";
    this.ending = new AbortController();
    const { signal: ending } = this.ending;
    window.addEventListener("resize", () => this.#place(), { signal: ending });
    for (const kind of SCROLLS)
      window.addEventListener(kind, (event) => this.#readerActs(event), { signal: ending, passive: true });
    // The tour's keys work at once, unless the reader has focused something else.
    this.show(0, document.activeElement === document.body);
  }

  get at() {
    return this.step.peek().at;
  }

  get last() {
    return this.entry.tour.length;
  }

  /** Show step `at`; the last one shows suggestions. `focus`: the card takes the focus. */
  show(/** @type {number} */ at, focus = true) {
    this.#unmark();
    this.step.value = { at: Math.min(Math.max(0, at), this.last) };
    const step = this.entry.tour[this.at];
    if (step) {
      this.anchor = shownAt(step.at);
      this.anchor?.classList.add("is-toured");
      if (this.anchor?.matches("details")) this.anchor.open = true;
      // On a phone the card lies at the bottom, over what "nearest" would show there. The boxes of waiting tasks belong
      // to the map.
      (this.anchor?.closest(".tasks-frame") ?? this.anchor)?.scrollIntoView({
        block: window.matchMedia("(max-width: 860px)").matches ? "start" : "nearest",
        behavior: reducedMotion() ? "auto" : "smooth",
      });
      this.#openMarks(step);
    }
    this.stood = false;
    this.readerScrolls = false;
    this.lastHeights = "";
    delete this.card.dataset.marks;
    this.#stand(step?.t_s ?? null);
    this.#place();
    if (focus) this.card.focus({ preventScroll: true });
  }

  /** Pause at the card's instant; continue playback if it has none. */
  #stand(/** @type {number | null} */ t_s) {
    const { player } = this.studio.stage;
    this.early.value = t_s !== null && player.store.endNs < t_s * 1e9;
    if (this.early.value) return;
    if (t_s !== null) {
      this.stood = true;
      this.stopped = this.stopped || player.playing;
      player.pause();
      this.studio.stage.seek(t_s * 1e9);
    } else if (this.stopped) {
      this.stopped = false;
      player.play();
    }
  }

  /** Show the counters that the card names: they may be in a collapsed part, or scrolled out of view. */
  #openMarks(/** @type {TourStep} */ step) {
    if (!wordsOf(step).there) return;
    for (const name of step.there_marks ?? []) {
      const element = elementsOf(name)[0];
      const folded = element?.closest("details");
      if (folded instanceof HTMLDetailsElement) folded.open = true;
      element?.scrollIntoView({ block: "nearest" });
    }
  }

  /** The marks of the current card, and the position of each. @returns {{name: string, boxes: Box[]}[]} */
  get marks() {
    const step = this.entry.tour[this.at];
    if (!step) return [];
    const names = [...(step.marks ?? []), ...(wordsOf(step).there ? (step.there_marks ?? []) : [])];
    return names.map((name) => ({ name, boxes: this.#boxesOf(name) }));
  }

  #boxesOf(/** @type {string} */ name) {
    const element = elementOf(name);
    if (element) {
      const { x, y, width, height } = element.getBoundingClientRect();
      return width && height ? [{ x, y, width, height }] : [];
    }
    return boxesOf(this.studio.stage, name);
  }

  /** Update the marks' positions, and move the card off them. */
  #look() {
    const t_s = this.entry.tour[this.at]?.t_s ?? null;
    if (t_s !== null && !this.stood) this.#stand(t_s);
    let { marks } = this;
    // Numbers that count change their width, not their height on the page.
    const heights = JSON.stringify(marks.map(({ name, boxes }) => [name, Math.round(boxes[0]?.y ?? -1)]));
    if (heights === this.lastHeights && this.#keepInView(marks)) marks = this.marks;
    this.lastHeights = heights;
    this.card.dataset.marks = JSON.stringify(
      marks.map(({ name, boxes }) => ({ name, boxes: boxes.slice(0, MOST_KEPT_FREE) })),
    );
    const { x, y, width, height } = this.card.getBoundingClientRect();
    if (covered(marksToKeep(marks), { x, y, width, height }) > 0) this.#place();
  }

  /**
   * Scroll to marks that are out of view although nothing moves any more: a panel above has grown, or a smooth scroll
   * that was still going on ended elsewhere. Return true if it scrolled.
   * @param {{name: string, boxes: Box[]}[]} marks
   */
  #keepInView(marks) {
    if (this.readerScrolls) return false;
    const lost = marks.filter(({ name, boxes }) => boxes.length && !this.#isSeen(elementOf(name), boxes));
    for (const { name } of lost) (elementOf(name) ?? this.anchor)?.scrollIntoView({ block: "center" });
    return lost.length > 0;
  }

  /**
   * Return true if a mark is on the screen: not below a column's edge, nor under the bar of a phone.
   * @param {HTMLElement | null} element
   * @param {Box[]} boxes
   */
  #isSeen(element, boxes) {
    if (!element || boxes[0].height > window.innerHeight / 2) return boxes.some(isInWindow);
    const { x, y, width, height } = boxes[0];
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    return top !== null && (element.contains(top) || this.card.contains(top));
  }

  /** Keys and clicks on the card scroll nothing; a wheel there does. */
  #readerActs(/** @type {Event} */ { type, target }) {
    const onCard = target instanceof Node && this.card.contains(target);
    this.readerScrolls ||= !onCard || type === "wheel" || type === "touchmove";
  }

  #cardView(/** @type {number} */ at) {
    const step = this.entry.tour[at];
    return step ? this.#stepView(step, at) : this.#nextView();
  }

  /**
   * @param {TourStep} step
   * @param {number} at
   */
  #stepView(step, at) {
    const go = at === this.last - 1 ? gettext("What to try") : gettext("Next");
    return html`
      <p class="tour-count" data-says="tour:step">${gettext("{n} of {all}", { n: at + 1, all: this.last })}</p>
      <h2 data-says="tour:title">${step.title}</h2>
      ${
        this.early.value
          ? html`<p class="tour-text" role="status" data-tour-early>${gettext(
              "The run has not come to this instant yet. The picture shows it as soon as it has.",
            )}</p>`
          : nothing
      }
      <p class="tour-text" data-says="tour:text">${wordsOf(step).text}</p>
      ${isHidden(step.at) ? this.#labView() : nothing}
      <div class="tour-row">
        ${this.#skipView(gettext("End the tour"))}
        <span class="tour-acts"
          >${at ? this.#backView() : nothing}<button
            class="button button-heavy"
            type="button"
            data-tour-next
            @click=${() => this.show(this.at + 1)}
            >${go}</button
          ></span
        >
      </div>`;
  }

  /** Return a button to the Lab, the only level that shows the step's subject. */
  #labView() {
    const act = () => {
      /** @type {HTMLElement | null} */ (document.querySelector("[data-choose-level=lab]"))?.click();
      this.show(this.at);
    };
    return html`<p class="tour-text"
      ><button class="button" type="button" @click=${act}>${gettext("Show this in the Lab")}</button></p
    >`;
  }

  #nextView() {
    const offer = (/** @type {Entry["next"][number]} */ { text, change }) =>
      change
        ? html`<button
            class="button"
            type="button"
            data-try=${Object.keys(change).join(" ")}
            @click=${() => this.#try(change)}
            >${text}</button
          >`
        : text;
    return html`
      <p class="tour-count" data-says="tour:question">${this.entry.question}</p>
      <h2>${gettext("What to try next")}</h2>
      <ul class="tour-next">${this.entry.next.map((each) => html`<li>${offer(each)}</li>`)}</ul>
      <div class="tour-row">
        ${this.#skipView(gettext("Close"))}
        <span class="tour-acts"
          >${this.#backView()}<a class="button" href="/gallery">${gettext("More in the gallery")}</a></span
        >
      </div>`;
  }

  #skipView(/** @type {string} */ text) {
    return html`<button class="link" type="button" data-tour-skip @click=${() => this.end()}>${text}</button>`;
  }

  #backView() {
    const back = () => this.show(this.at - 1);
    return html`<button class="button" type="button" @click=${back}>${gettext("Back")}</button>`;
  }

  /** Apply the suggested change: it starts a new run, and the old one stays as a ghost. */
  #try(/** @type {Record<string, unknown>} */ change) {
    const { studio } = this;
    const changed = Object.entries(change).reduce(
      (experiment, [path, value]) => setAt(experiment, path, value),
      studio.opened.value,
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

  /** Place the card beside its subject, inside the window; on a phone at the bottom. */
  #place() {
    const { card } = this;
    const anchor = this.at < this.last ? this.anchor : document.querySelector(ANCHORS.map);
    const box = anchor?.isConnected ? anchor.getBoundingClientRect() : null;
    const kept = marksToKeep(this.marks);
    if (matchMedia(NARROW).matches) {
      card.style.transform = "";
      card.classList.remove("is-above");
      const place = card.getBoundingClientRect();
      card.classList.toggle("is-above", covered(kept, place) > 0);
      return;
    }
    const { offsetWidth: width, offsetHeight: height } = card;
    const [right, bottom] = [window.innerWidth - width - GAP, window.innerHeight - height - GAP];
    let [x, y] = [right / 2, bottom / 2];
    if (box) {
      // A wide part has room inside, a narrow one beside it.
      if (box.width > window.innerWidth / 3 && box.height > height + 2 * GAP)
        [x, y] = [box.right - width - GAP, box.bottom - height - GAP];
      else if (box.width > window.innerWidth / 3) [x, y] = [box.left + (box.width - width) / 2, box.top - height - GAP];
      else if (box.left > window.innerWidth / 2) [x, y] = [box.left - width - GAP, box.top];
      else [x, y] = [box.right + GAP, box.top];
      if (box.height < 60 && box.width <= window.innerWidth / 3) [x, y] = [box.left, box.bottom + GAP];
    }
    [x, y] = [Math.min(Math.max(GAP, x), right), Math.min(Math.max(GAP, y), bottom)];
    [x, y] = freest(
      [
        [x, y],
        [GAP, bottom],
        [right, bottom],
        [right, 72],
        [GAP, 72],
        [right / 2, bottom],
      ],
      kept,
      { width, height },
    );
    card.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }

  #unmark() {
    this.anchor?.classList.remove("is-toured");
    this.anchor = null;
  }

  end() {
    this.#unmark();
    clearInterval(this.looking);
    this.#stand(null);
    this.card.remove();
    this.ending.abort();
    document.querySelector("[data-play=toggle]")?.focus({ preventScroll: true });
  }
}

/** Return the elements of a mark that is not a drawing: a counter, a legend entry, a part of the page. */
function elementsOf(/** @type {string} */ name) {
  const [sort, of = ""] = name.split(":");
  /** @type {Record<string, string>} */
  const selectors = {
    counter: `.panel-counters [data-counter="${of}"]`,
    legend: `[data-legend] [data-tells~="${of}"]`,
    part: ANCHORS[of] ?? "",
  };
  const found = selectors[sort] ? document.querySelectorAll(selectors[sort]) : [];
  return [.../** @type {NodeListOf<HTMLElement>} */ (found)];
}

/** Return the visible one. */
const elementOf = (/** @type {string} */ name) =>
  elementsOf(name).find((each) => each.checkVisibility?.() !== false) ?? null;

/** Return the boxes that the card must not cover: small marks, not whole parts such as the map. */
function marksToKeep(/** @type {{name: string, boxes: Box[]}[]} */ marks) {
  return marks.filter(({ name }) => !name.startsWith("part:")).flatMap(({ boxes }) => boxes.slice(0, MOST_KEPT_FREE));
}

/**
 * Return the first place that covers no mark, else the one that covers least.
 * @param {number[][]} places
 * @param {Box[]} kept
 * @param {{width: number, height: number}} size
 */
function freest(places, kept, size) {
  const costs = places.map(([x, y]) => covered(kept, { x, y, ...size }));
  return places[costs.indexOf(Math.min(...costs))];
}
