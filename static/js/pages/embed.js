/** Selected parts of a run, for a frame in another page. */

import { RunSession } from "../run/run_session.js";
import { Stage } from "../draw/stage/stage.js";
import { outline } from "../experiment/experiment.js";
import { pickRun } from "../run/runs.js";
import { wireTips } from "../kit/tips.js";
import { stateWords } from "../run/run_words.js";
import { readViewState } from "../run/view_state.js";
import { part } from "../kit/dom.js";
import { html, made } from "../kit/view.js";
import { bootData } from "../kit/boot.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { gettext } from "../kit/words.js";
import { OneRun } from "../studio/one_run.js";

/**
 * @import { Meta } from "../contract/contract"
 * @import { Picture } from "../run/frames.js"
 * @import { Studio } from "../studio/store.js"
 */

wireTips();
const boot = bootData();
// A bundle contains only modules imported by literal names.
/**
 * @typedef {{id: string, title: string, question: string, mount: (body: HTMLElement, studio: Studio) => void}} Panel
 * @typedef {{default?: Panel, TimelineView?: typeof import("../draw/stage/timeline.js").TimelineView}} Part
 */
/** @type {Record<string, () => Promise<Part>>} */
const PARTS = {
  waits: () => import("../studio/panels/waiting.js"),
  counters: () => import("../studio/panels/counters.js"),
  timeline: () => import("../draw/stage/timeline.js"),
};
const view = readViewState(window.location.search);
const one = new OneRun();
const parts = {
  timeline: /** @type {import("../draw/stage/timeline.js").TimelineView | null} */ (null),
  session: /** @type {RunSession | null} */ (null),
};
const stage = new Stage(document.body, {
  view,
  loop: true,
  wheel: "ctrl",
  on: {
    picture: (/** @type {Picture} */ picture) => (one.figures.value = picture),
    moved: (/** @type {number} */ t_ns) => parts.timeline?.moveTo(t_ns),
  },
});
one.stage = stage;
const status = part("[data-status]");
// Without the map, the status appears above the panels.
if (!boot.panels.includes("map")) part(".embed-parts").append(status);

/** Add the panels and the timeline; each loads only if the page wants it. */
async function addParts(/** @type {string[]} */ wanted) {
  const beside = part("[data-beside]");
  // Start loading all of them before awaiting the first.
  const coming = new Map(
    Object.entries(PARTS)
      .filter(([name]) => wanted.includes(name))
      .map(([name, load]) => [name, load()]),
  );
  for (const name of ["waits", "counters"]) {
    if (!coming.has(name)) continue;
    const panel = /** @type {Panel} */ ((await coming.get(name))?.default);
    /** @type {HTMLElement} */
    const section = made(
      () => html`
        <section class=${`panel panel-${panel.id}`}>
          <h2 class="panel-head"
            ><span class="panel-title">${panel.title}</span>
            <span class="panel-question">${panel.question}</span></h2
          >
          <div class="panel-body"></div>
        </section>`,
    );
    beside.append(section);
    panel.mount(part(".panel-body", section), /** @type {Studio} */ (/** @type {unknown} */ (one)));
  }
  if (coming.has("timeline")) {
    const { TimelineView } = /** @type {Required<Part>} */ (await coming.get("timeline"));
    parts.timeline = new TimelineView(part("[data-timeline]"), (/** @type {number} */ t_ns) => {
      stage.player.pause();
      stage.seek(t_ns);
    });
  }
  const { session } = parts;
  if (!session?.meta) return;
  tellMeta(session.meta);
  drawTime();
}

function tellMeta(/** @type {Meta} */ meta) {
  one.meta.value = meta;
  parts.timeline?.setMeta(meta);
}

function drawTime() {
  if (parts.session?.store.count) parts.timeline?.update(parts.session.store, stage.player.expectedEndNs);
}

function show(/** @type {string} */ text) {
  status.textContent = text;
  status.hidden = !text;
  status.classList.toggle("is-aside", Boolean(parts.session?.store.count));
}

if (boot.experiment) stage.setMeta(outline(boot.experiment.experiment, false));
const run = pickRun(boot.experiment.runs, new URLSearchParams(window.location.search).get("run"));
if (run?.recording === "removed") {
  show(gettext("The recording of this run was deleted to make room. Open it in the studio to run it again."));
} else if (run) {
  const session = new RunSession(boot.experiment.experiment, boot.experiment.id);
  parts.session = session;
  one.session.value = session;
  const wanted = view.t_s === null ? 0 : view.t_s * 1e9;
  session.addEventListener("frame", () => {
    if (!session.meta) return;
    if (stage.meta !== session.meta) {
      stage.setMeta(session.meta);
      tellMeta(session.meta);
    }
    if (stage.player.store !== session.store) {
      const first = stage.player.store.count === 0;
      stage.setStore(session.store, { sameRun: !first });
      if (first) stage.player.open(wanted);
    }
    show("");
    drawTime();
  });
  session.addEventListener("state", () => {
    stage.player.setProgress(session.run.progress || 0);
    show(
      session.store.count && !["offline", "failed"].includes(session.state)
        ? ""
        : stateWords({ ...session.run, state: session.state }),
    );
  });
  session.follow(/** @type {import("../run/run_session.js").RunState} */ (run));
} else {
  show(gettext("This experiment has not been run yet. Open it in the studio to run it."));
}
addParts(boot.panels).catch(() => show(gettext("A part of this page could not be loaded. Reload the page.")));
wirePageKeys("embed");
