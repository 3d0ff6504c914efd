/** A run that travels as one file: it plays from a disk, without a server and without the network. */

import { Stage } from "../draw/stage/stage.js";
import { FrameStore } from "../run/frames.js";
import { parseRecording } from "../contract/recording.js";
import { TimelineView } from "../draw/stage/timeline.js";
import waits from "../studio/panels/waiting.js";
import { h } from "../kit/dom.js";
import { bootData, wireTheme } from "../kit/boot.js";
import { wireTips } from "../kit/tips.js";
import { gettext } from "../kit/words.js";
import { OneRun } from "../studio/one_run.js";

/** @import { Picture } from "../run/frames.js" */

/** The bytes of the recording, which the page carries as text. */
function recordingOf(/** @type {string} */ id) {
  const text = document.getElementById(id)?.textContent ?? "";
  return Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
}

/** @param {HTMLElement} place */
function saveExperiment(place, /** @type {{experiment: object, name: string}} */ boot) {
  const text = `${JSON.stringify(boot.experiment, null, 2)}\n`;
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = h("a", { href: address, download: `${boot.name}.json` }, gettext("Experiment as a file"));
  place.append(link);
}

function begin() {
  wireTips();
  wireTheme();
  const boot = bootData();
  const { meta, frames, summary, track } = parseRecording(recordingOf("recording"));
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
      picture: (/** @type {Picture} */ picture) => page.show(picture),
      moved: (/** @type {number} */ t_ns) => timeline?.moveTo(t_ns),
    },
  });
  page.stage = stage;
  page.session = { store };
  page.describe(meta);
  stage.setMeta(meta);
  stage.setStore(store, { sameRun: false });
  const beside = /** @type {HTMLElement} */ (document.querySelector("[data-beside]"));
  const body = h("div", { class: "panel-body" });
  const title = h("h2", { class: "panel-head" }, h("span", { class: "panel-title" }, waits.title));
  beside.prepend(h("section", { class: `panel panel-${waits.id}` }, title, body));
  waits.mount(body, /** @type {any} */ (page));
  timeline = new TimelineView(
    /** @type {HTMLElement} */ (document.querySelector("[data-timeline]")),
    (/** @type {number} */ t_ns) => {
      stage.player.pause();
      stage.seek(t_ns);
    },
  );
  timeline.setMeta(meta);
  timeline.update(store, store.endNs);
  saveExperiment(/** @type {HTMLElement} */ (document.querySelector("[data-experiment]")), boot);
}

begin();
