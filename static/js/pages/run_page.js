/** A run in a single file: it plays and simulates from a disk, without a server or a network. */

import { showExported } from "../features/here/exported.js";
import { showBeside } from "../features/here/beside.js";
import { failureWords } from "../features/here/failure_words.js";
import { reachedFrom } from "../features/here/touch_view.js";
import { Stage } from "../draw/stage/stage.js";
import { FrameStore } from "../run/frames.js";
import { parseRecording } from "../contract/recording.js";
import { TimelineView } from "../draw/stage/timeline.js";
import waits from "../studio/panels/waiting.js";
import { part, targetOf } from "../kit/dom.js";
import { html, made, render } from "../kit/view.js";
import { bootData, wireTheme } from "../kit/boot.js";
import { wireTips } from "../kit/tips.js";
import { gettext } from "../kit/words.js";
import { OneRun } from "../studio/one_run.js";

/** @import { Meta } from "../contract/contract" */
/** @import { Boot } from "../features/here/exported.js" */
/** @import { Given } from "../features/here/starts.js" */
/** @import { Touch, Touchable, Touched } from "../features/here/touch.js" */
/** @import { Picture } from "../run/frames.js" */

const TIMELINE_MS = 200;

/** Return bytes that the page contains as text. */
const bytesOf = (/** @type {Element | null} */ element) =>
  Uint8Array.from(atob((element?.textContent ?? "").trim()), (letter) => letter.charCodeAt(0));

const carried = (/** @type {string} */ id) => bytesOf(document.getElementById(id));

/** Return the packed start and the modules, which the page contains. @returns {Promise<Given>} */
async function carriedParts() {
  const module = (/** @type {string} */ name) => {
    const element = document.querySelector(`[data-module="${CSS.escape(name)}"]`);
    const packed = new Blob([bytesOf(element)]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(packed).arrayBuffer();
  };
  return { start: carried("engine-start").buffer, module };
}

/** Say why the page does not simulate. */
function sayWhyNot(/** @type {HTMLElement} */ place, /** @type {{why_not: string}} */ boot) {
  const words = gettext("This file plays the recorded run. Not simulated in this page: {why}", { why: boot.why_not });
  render(html`<p data-here="none">${words}</p>`, place);
}

/** @param {HTMLElement} place */
function saveExperiment(place, /** @type {{experiment: object, name: string}} */ boot) {
  const text = `${JSON.stringify(boot.experiment, null, 2)}\n`;
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  render(html`<a href=${address} download=${`${boot.name}.json`}>${gettext("Experiment as a file")}</a>`, place);
}

/** The page's run: what the map, the timeline and the waits show. */
class RunPage {
  page = new OneRun();
  /** True if the timeline lacks frames. */
  #stale = true;

  constructor(/** @type {Boot & {why_not: string, name: string}} */ boot) {
    const { meta, frames, summary, track } = parseRecording(carried("recording"));
    const store = new FrameStore();
    for (const frame of frames) store.append(frame);
    store.summary ||= summary;
    store.track = track;
    this.boot = boot;
    this.meta = meta;
    this.store = store;
    this.stage = new Stage(document.body, {
      loop: true,
      wheel: "ctrl",
      on: {
        picture: (/** @type {Picture} */ picture) => (this.page.figures.value = picture),
        moved: (/** @type {number} */ t_ns) => this.timeline.moveTo(t_ns),
      },
    });
    this.timeline = new TimelineView(part("[data-timeline]"), (/** @type {number} */ t_ns) => {
      this.stage.player.pause();
      this.stage.seek(t_ns);
    });
    this.page.stage = this.stage;
    this.page.session.value = { store };
    this.#draw(null, { sameRun: false });
    this.#showWaits();
    setInterval(() => this.#drawTimeline(), TIMELINE_MS);
  }

  /** Show the recorded run, or the run that the reader has changed. */
  show(/** @type {Touched | null} */ touched) {
    const { page, stage } = this;
    this.#stale = true;
    page.touched.value = touched;
    if (stage.player.store === (touched?.store ?? this.store)) return;
    this.#draw(touched, { sameRun: true });
    if (touched && !stage.player.playing) stage.seek(touched.at_ns);
  }

  #draw(/** @type {Touched | null} */ touched, /** @type {{sameRun: boolean}} */ options) {
    const { store, meta } = touched ?? this;
    this.page.meta.value = meta;
    if (this.stage.meta !== meta) this.stage.setMeta(meta);
    this.stage.setStore(store, options);
    if (touched?.partial) return; // the timeline keeps the frames before until those of this run are there
    const ticks = (touched?.failures ?? []).map((each) => ({
      t_ns: each.at_s * 1e9,
      words: failureWords(meta, each, store.endNs),
    }));
    this.timeline.setMeta(meta, ticks);
    this.#stale = true;
    this.#drawTimeline();
  }

  #drawTimeline() {
    if (!this.#stale || this.page.touched.value?.partial) return;
    this.#stale = false;
    const store = this.page.touched.value?.store ?? this.store;
    this.timeline.update(store, store.endNs);
  }

  #showWaits() {
    /** @type {HTMLElement} */
    const section = made(
      () => html`
        <section class=${`panel panel-${waits.id}`}>
          <h2 class="panel-head"><span class="panel-title">${waits.title}</span></h2>
          <div class="panel-body"></div>
        </section>`,
    );
    part("[data-beside]").prepend(section);
    const studio = /** @type {import("../studio/store.js").Studio} */ (/** @type {unknown} */ (this.page));
    waits.mount(part(".panel-body", section), studio);
  }

  /** Let the reader change the run. */
  simulate() {
    const { stage } = this;
    /** @type {Touchable} */
    const run = {
      store: this.store,
      meta: this.meta,
      t_ns: () => stage.player.shownNs,
      picture: () => this.page.figures.value,
      parts: carriedParts,
      script: URL.createObjectURL(new Blob([carried("engine-thread")], { type: "text/javascript" })),
      type: "classic",
      show: (touched) => this.show(touched),
      pause: () => stage.player.pause(),
    };
    const touch = showExported(part("[data-here-place]"), this.boot, run);
    stage.map.on.touch = (machine) => {
      const meta = /** @type {Meta} */ (this.page.meta.value);
      if (touch.on.value) touch.press(reachedFrom(meta, touch.reach.value, machine));
      return touch.on.value;
    };
    this.page.touching = touch;
    showBeside(stage, touch.branches);
    wireKey(touch);
  }
}

/** The key T touches the chosen machine, rack or cluster. */
function wireKey(/** @type {Touch} */ touch) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || targetOf(event).closest("input, select, textarea")) return;
    if (event.key === "t") touch.press();
  });
}

/** Take away the picture that stands here where scripts are forbidden. */
function removeStill() {
  document.body.classList.remove("is-still");
  document.querySelector("[data-still]")?.remove();
}

function begin() {
  removeStill();
  wireTips();
  wireTheme();
  const boot = bootData();
  const page = new RunPage(boot);
  if (document.getElementById("engine-start")) page.simulate();
  else sayWhyNot(part("[data-here-place]"), boot);
  saveExperiment(part("[data-experiment]"), boot);
}

begin();
