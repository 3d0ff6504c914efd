/** How to use a trace's graphs: keep the dependencies between stages, or start all tasks when their job arrives. */

import { problemText } from "../../experiment/problems.js";
import { honoursGraphs } from "../../experiment/needs.js";
import { graphWords } from "./traces.js";
import { targetOf } from "../../kit/dom.js";
import { html, live, nothing, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Problem } from "../../experiment/problems.js"
 * @import { RunSession } from "../../run/run_session.js"
 * @import { Studio } from "../../studio/store.js"
 * @import { Trace } from "./traces.js"
 */

const CHOICES = [
  ["keep", gettext("Stages wait for one another")],
  ["drop", gettext("All tasks start at once")],
];
const WITH_GRAPHS = "carbyne";

/** The choice of how to use graphs: visible if a trace has graphs, or if a run found some. */
export class GraphChoice {
  #wrong = signal(/** @type {Problem | null} */ (null));
  /** The experiment whose run found graphs; for a file that was never read, only the run knows. */
  #found = signal(/** @type {Experiment | null} */ (null));

  constructor(/** @type {Studio} */ studio) {
    this.studio = studio;
  }

  problems(/** @type {Problem[]} */ problems) {
    this.#wrong.value = problems.find((each) => each.path === "workload.graphs") ?? null;
  }

  state(/** @type {RunSession} */ session) {
    if (session.state !== "failed" || !String(session.run.error ?? "").includes("workload.graphs")) return;
    this.#found.value = session.experiment;
  }

  view(/** @type {Trace | undefined} */ trace) {
    const { studio } = this;
    const { workload } = studio.opened.value;
    const wrong = this.#wrong.value;
    const isShown = trace?.graphs || workload?.graphs || wrong || this.#found.value === studio.opened.value;
    if (workload?.kind !== "trace" || !isShown) return nothing;
    const chosen = workload.graphs ?? "keep";
    return html`
      <div class="trace-graphs">
        <select
          class="knob-select"
          aria-label=${gettext("Graphs of the trace")}
          data-path="workload.graphs"
          ?disabled=${studio.readOnly.value}
          @change=${(/** @type {Event} */ event) => studio.edit("workload.graphs", targetOf(event).value)}
          >${CHOICES.map(
            ([value, text]) => html`<option value=${value} .selected=${live(value === chosen)}>${text}</option>`,
          )}</select
        >
        <p class="section-sum" data-trace-graphs>${graphWords(trace)}${droppedView(studio, trace)}</p>
        <p class="knob-problem" role="alert" ?hidden=${!wrong}>${wrong ? problemText(wrong) : ""}</p>
      </div>`;
  }
}

/**
 * Explain what a scheduler without graph support does, and offer an alternative.
 * @param {Studio} studio
 * @param {Trace | undefined} trace
 */
function droppedView(studio, trace) {
  const other = studio.schedulers.value.find((each) => each.name === WITH_GRAPHS);
  if (!studio.chosen.value || honoursGraphs(studio.chosen.value)) return nothing;
  const said = gettext("{graphs}{label} does not simulate stages that wait for one another. ", {
    graphs: trace?.graphs ? " " : "",
    label: studio.chosen.value.label,
  });
  if (!other || studio.readOnly.value) return said;
  return html`${said}<button class="link" type="button" data-honour-graphs @click=${() => honour(studio)}
      >${gettext("Use {label}, which simulates this", { label: other.label })}</button
    >`;
}

/** Use a scheduler that respects dependencies, with the same workload. */
function honour(/** @type {Studio} */ studio) {
  const workload = { ...studio.opened.value.workload, graphs: "keep" };
  studio.replace({ ...studio.opened.value, workload, scheduler: { name: WITH_GRAPHS, params: {} } }, true);
}
