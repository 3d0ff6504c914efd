/** What becomes of a trace's graphs: stages wait for one another, or all tasks start as their job arrives. */

import { problemText } from "../../experiment/problems.js";
import { honoursGraphs } from "../../experiment/needs.js";
import { graphWords } from "./traces.js";
import { h } from "../../kit/dom.js";
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

/**
 * {element, show(trace, experiment), problems(problems), state(session)}; in sight where a trace has graphs or a run
 * found some.
 */
export function graphChoice(/** @type {Studio} */ studio) {
  const select = h(
    "select",
    { class: "knob-select", "aria-label": gettext("Graphs of the trace"), "data-path": "workload.graphs" },
    CHOICES.map(([value, text]) => h("option", { value }, text)),
  );
  const words = h("p", { class: "section-sum", "data-trace-graphs": true });
  const problem = h("p", { class: "knob-problem", role: "alert", hidden: true });
  const element = h("div", { class: "trace-graphs", hidden: true }, select, words, problem);
  /** @type {Problem | null} */
  let wrong = null;
  /** @type {Experiment | null} */
  let found = null;
  /** @type {[Trace | undefined, Experiment | null]} */
  let last = [undefined, null];

  select.addEventListener("change", () => studio.edit("workload.graphs", select.value));

  const draw = () => {
    const [trace, experiment] = last;
    if (!experiment) return;
    const { workload } = experiment;
    const failed = found !== null && found === experiment;
    element.hidden = workload?.kind !== "trace" || !(trace?.graphs || workload.graphs || wrong || failed);
    if (element.hidden) return;
    select.value = workload.graphs ?? "keep";
    select.disabled = studio.readOnly;
    words.replaceChildren(graphWords(trace), ...droppedWords(studio, trace, experiment));
    problem.hidden = !wrong;
    problem.textContent = wrong ? problemText(wrong) : "";
  };

  return {
    element,
    /**
     * @param {Trace | undefined} trace
     * @param {Experiment} experiment
     */
    show(trace, experiment) {
      last = [trace, experiment];
      draw();
    },
    problems(/** @type {Problem[]} */ problems) {
      wrong = problems.find((each) => each.path === "workload.graphs") ?? null;
      draw();
    },
    // Of a file that nobody has read yet only the run tells.
    state(/** @type {RunSession} */ session) {
      if (
        session.state !== "failed" ||
        !String(session.run.error ?? "").includes("workload.graphs") ||
        found === session.experiment
      )
        return;
      found = session.experiment;
      draw();
    },
  };
}

/**
 * What becomes of the graphs under a scheduler that does not honour them, with a way out.
 * @param {Trace | undefined} trace
 * @param {Experiment} experiment
 */
function droppedWords(/** @type {Studio} */ studio, trace, experiment) {
  const other = studio.schedulers.find((each) => each.name === WITH_GRAPHS);
  if (!studio.chosen || honoursGraphs(studio.chosen)) return [];
  const said = gettext("{graphs}{label} does not simulate stages that wait for one another. ", {
    graphs: trace?.graphs ? " " : "",
    label: studio.chosen.label,
  });
  if (!other || studio.readOnly) return [said];
  const wait = h(
    "button",
    { class: "link", type: "button", "data-honour-graphs": true, onclick: () => honour(studio, experiment) },
    gettext("Use {label}, which simulates this", { label: other.label }),
  );
  return [said, wait];
}

/**
 * The same work under a scheduler that lets stages wait for one another.
 * @param {Experiment} experiment
 */
function honour(/** @type {Studio} */ studio, experiment) {
  const workload = { ...experiment.workload, graphs: "keep" };
  studio.replace({ ...experiment, workload, scheduler: { name: WITH_GRAPHS, params: {} } }, true);
}
