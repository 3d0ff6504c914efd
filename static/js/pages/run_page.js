/** A run in a single file: it plays and simulates from a disk, without a server or a network. */

import { Check, checkView } from "../features/here/check.js";
import { Stage } from "../draw/stage/stage.js";
import { canSimulate } from "../engine/here.js";
import { FrameStore } from "../run/frames.js";
import { parseRecording } from "../contract/recording.js";
import { TimelineView } from "../draw/stage/timeline.js";
import waits from "../studio/panels/waiting.js";
import { part } from "../kit/dom.js";
import { html, made, render, show } from "../kit/view.js";
import { bootData, wireTheme } from "../kit/boot.js";
import { wireTips } from "../kit/tips.js";
import { gettext } from "../kit/words.js";
import { OneRun } from "../studio/one_run.js";

/** @import { Picture } from "../run/frames.js" */

/** Return bytes that the page contains as text. */
function carried(/** @type {string} */ id) {
  const text = document.getElementById(id)?.textContent ?? "";
  return Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
}

/**
 * Return the start, the module and the thread's script, which the page contains.
 * @returns {import("../features/here/check.js").Source}
 */
function carriedEngine() {
  const script = URL.createObjectURL(new Blob([carried("engine-thread")], { type: "text/javascript" }));
  const parts = async () => {
    const packed = new Blob([carried("engine-module")]).stream().pipeThrough(new DecompressionStream("gzip"));
    return { start: carried("engine-start").buffer, module: await new Response(packed).arrayBuffer() };
  };
  return { script, type: "classic", parts };
}

/** Simulate the run at once, and say whether the result is that of the cited run. */
function simulateIn(/** @type {HTMLElement} */ place, /** @type {{cited: string, why_not: string}} */ boot) {
  if (!document.getElementById("engine-start")) {
    const words = gettext("This file plays the recorded run. Not simulated in this page: {why}", { why: boot.why_not });
    render(html`<p data-here="none">${words}</p>`, place);
    return;
  }
  const [check, source] = [new Check(), carriedEngine()];
  show(place, () => checkView(check, { cited: boot.cited, source }));
  if (canSimulate()) check.run(source);
}

/** @param {HTMLElement} place */
function saveExperiment(place, /** @type {{experiment: object, name: string}} */ boot) {
  const text = `${JSON.stringify(boot.experiment, null, 2)}\n`;
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  render(html`<a href=${address} download=${`${boot.name}.json`}>${gettext("Experiment as a file")}</a>`, place);
}

function begin() {
  wireTips();
  wireTheme();
  const boot = bootData();
  const { meta, frames, summary, track } = parseRecording(carried("recording"));
  const store = new FrameStore();
  for (const frame of frames) store.append(frame);
  store.summary ||= summary;
  store.track = track;
  const page = new OneRun();
  /** @type {TimelineView | null} */
  let timeline = null;
  const stage = new Stage(document.body, {
    loop: true,
    wheel: "ctrl",
    on: {
      picture: (/** @type {Picture} */ picture) => (page.figures.value = picture),
      moved: (/** @type {number} */ t_ns) => timeline?.moveTo(t_ns),
    },
  });
  page.stage = stage;
  page.session.value = { store };
  page.meta.value = meta;
  stage.setMeta(meta);
  stage.setStore(store, { sameRun: false });
  const beside = /** @type {HTMLElement} */ (document.querySelector("[data-beside]"));
  /** @type {HTMLElement} */
  const section = made(
    () => html`
      <section class=${`panel panel-${waits.id}`}>
        <h2 class="panel-head"><span class="panel-title">${waits.title}</span></h2>
        <div class="panel-body"></div>
      </section>`,
  );
  beside.prepend(section);
  waits.mount(
    part(".panel-body", section),
    /** @type {import("../studio/store.js").Studio} */ (/** @type {unknown} */ (page)),
  );
  timeline = new TimelineView(
    /** @type {HTMLElement} */ (document.querySelector("[data-timeline]")),
    (/** @type {number} */ t_ns) => {
      stage.player.pause();
      stage.seek(t_ns);
    },
  );
  timeline.setMeta(meta);
  timeline.update(store, store.endNs);
  simulateIn(part("[data-here-place]"), boot);
  saveExperiment(/** @type {HTMLElement} */ (document.querySelector("[data-experiment]")), boot);
}

begin();
