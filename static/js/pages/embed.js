/** The map and its play bar alone, for a frame in somebody's page. */

import { RunSession } from "../net/run.js";
import { Stage } from "../views/stage.js";
import { outline } from "../lib/experiment.js";
import { pickRun } from "../lib/runs.js";
import { wireTips } from "../views/tips.js";
import { stateWords } from "../lib/sentences.js";
import { readViewState } from "../lib/view_state.js";
import { bootData } from "./boot.js";

wireTips();
const boot = bootData();
const view = readViewState(window.location.search);
const stage = new Stage(document.body, { view, loop: true, wheel: "ctrl" });
const status = document.querySelector("[data-status]");

function show(text) { status.textContent = text; status.hidden = !text; }

if (boot.experiment) stage.setMeta(outline(boot.experiment.experiment, false));
const run = pickRun(boot.experiment.runs, new URLSearchParams(window.location.search).get("run"));
if (run?.recording === "removed") {
  show("The recording of this run was deleted to make room. Open it in the studio to run it again.");
} else if (run) {
  const session = new RunSession(boot.experiment.experiment, boot.experiment.id);
  const wanted = view.t_s === null ? 0 : view.t_s * 1e9;
  session.addEventListener("frame", () => {
    if (!session.meta) return;
    if (stage.meta !== session.meta) stage.setMeta(session.meta);
    if (stage.player.store !== session.store) {
      const first = stage.player.store.count === 0;
      stage.setStore(session.store, { sameRun: !first });
      if (first) stage.player.t_ns = wanted;
    }
    show("");
  });
  session.addEventListener("state", () => {
    stage.player.setProgress(session.run.progress || 0);
    show(session.store.count && !["offline", "failed"].includes(session.state) ? "" : stateWords({ ...session.run, state: session.state }));
  });
  session.follow(run);
} else {
  show("This experiment has not been run yet. Open it in the studio to run it.");
}
