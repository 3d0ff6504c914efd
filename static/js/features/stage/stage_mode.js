/**
 * The stage mode for projectors: the map, one chart, one sentence readable from ten meters, cues, a pointer, a QR code.
 * P opens and closes it; the arrow keys or a presenter's remote control move between cues.
 */

import { waitCaption } from "../../run/captions.js";
import { percentiles } from "../../kit/histogram.js";
import { part } from "../../kit/dom.js";
import { html, made, nothing, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { writeViewState } from "../../run/view_state.js";
import { cueAfter, cuesOf } from "./cues.js";

/** @import { Studio } from "../../studio/store.js" */

const TOLD_MS = 250;
/** @type {Record<string, number>} */
const CUE = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };

/** @type {StageMode | null} */
let open = null;

/** Open the stage mode, or close it. */
export function toggleStage(/** @type {Studio} */ studio) {
  if (open) open.close();
  else open = new StageMode(studio);
}

class StageMode {
  constructor(/** @type {Studio} */ studio) {
    this.studio = studio;
    this.at = Math.max(
      0,
      this.cues.findIndex((cue) => cue.moment && cue.moment === studio.moments.shown),
    );
    this.told = signal({ title: "", text: "", says: "cue:text", count: "" });
    /** @type {HTMLElement} */
    this.pointer = made(() => html`<div class="stage-pointer" hidden aria-hidden="true"></div>`);
    // The play control moves into the stage, and later back to the bar.
    this.play = part("[data-playbar]");
    this.place = { parent: this.play.parentNode, before: this.play.nextSibling };
    const code = this.#codeView();
    this.element = made(() => {
      const { title, text, says, count } = this.told.value;
      return html`
        <section class="stage-bar" aria-label=${gettext("Stage")} data-stage-bar>
          <div class="stage-words"
            ><p class="stage-title" data-says="cue:title">${title}</p
            ><p class="stage-text" aria-live="polite" data-says=${says}>${text}</p></div
          >
          ${this.play}
          <p class="stage-count" data-says="cue:count">${count}</p>
          ${code}
        </section>`;
    });
    document.body.append(this.element, this.pointer);
    document.documentElement.dataset.stage = "on";
    document.documentElement.requestFullscreen?.().catch(() => {});
    this.stop = new AbortController();
    this.#listen({ signal: this.stop.signal, capture: true });
    this.timer = setInterval(() => this.#tell(), TOLD_MS);
    // The view, the current event and the playback stay unchanged.
    this.#tell();
  }

  get cues() {
    const { boot, moments } = this.studio;
    const experiment = this.studio.experiment.value;
    return cuesOf({
      question: experiment?.question || experiment?.name,
      tour: boot.gallery?.tour,
      moments: moments.moments,
    });
  }

  #codeView() {
    const saved = this.studio.saved.value;
    if (!saved?.slug) return nothing;
    const address = `/e/${saved.slug}/qr.svg${writeViewState({ level: "watch" })}`;
    return html`<img class="stage-code" src=${address} alt=${gettext("The short link as a QR code")} />`;
  }

  #listen(/** @type {AddEventListenerOptions} */ options) {
    document.addEventListener("keydown", (event) => this.#key(event), options);
    for (const kind of /** @type {const} */ (["pointerdown", "pointermove", "pointerup"]))
      document.addEventListener(kind, (event) => this.#point(event), options);
  }

  #key(/** @type {KeyboardEvent} */ event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (CUE[event.key]) this.show(cueAfter(this.at, CUE[event.key], this.cues.length));
    else if (event.key === "Escape" || event.key === "p") this.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Show a disk under the pointer while a button or Shift is pressed. */
  #point(/** @type {PointerEvent} */ event) {
    this.pointer.hidden = event.type === "pointerup" || !(event.buttons || event.shiftKey);
    this.pointer.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
  }

  /** Go to a cue: its instant, its place on the map, and its sentence. */
  show(/** @type {number} */ at) {
    const { studio } = this;
    this.at = at;
    const cue = this.cues[at];
    if (cue.moment) studio.moments.show(cue.moment);
    else {
      if (studio.moments.shown) studio.moments.close();
      // A sentence about an instant pauses playback there.
      if (cue.t_ns !== null) {
        studio.stage.player.pause();
        studio.stage.seek(cue.t_ns);
      } else if (!studio.stage.player.playing) studio.stage.player.play();
    }
    this.#tell();
  }

  #tell() {
    const { cues } = this;
    const cue = cues[this.at];
    const name = this.studio.meta.value?.hists?.[0]?.name ?? "";
    const hist = this.studio.figures.value?.hists[name];
    this.told.value = {
      title: cue.title,
      text: cue.text || (hist ? waitCaption(percentiles(hist)) : ""),
      says: cue.text ? "cue:text" : "hist:waits",
      count: cues.length > 1 ? `${this.at + 1} / ${cues.length}` : "",
    };
  }

  close() {
    this.stop.abort();
    clearInterval(this.timer);
    this.place.parent?.insertBefore(this.play, this.place.before);
    this.element.remove();
    this.pointer.remove();
    delete document.documentElement.dataset.stage;
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    open = null;
  }
}
