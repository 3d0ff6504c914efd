/** The page of a trace: its statistics, a fit over them, and further actions. */

import { describeTrace, experimentOf, graphWords, leftOutWords } from "../features/traces/traces.js";
import { ApiError, createExperiment, deleteEverything, isAway } from "../contract/api.js";
import { fitTrace, getStatistics, importTrace } from "../features/traces/trace_requests.js";
import { part } from "../kit/dom.js";
import { html, nothing, render, show, signal, watch } from "../kit/view.js";
import { clusterFound, experimentOfCluster } from "../features/traces/cluster_found.js";
import { namesPart } from "../features/traces/names_key.js";
import { noteWords } from "../features/traces/import_notes.js";
import { cutDialog } from "../features/traces/trace_dialogs.js";
import { traceFigures } from "../features/traces/trace_figures.js";
import { bootData, wireTheme } from "../kit/boot.js";
import { wireGlossaryAndTips } from "../kit/glossary.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { gettext } from "../kit/words.js";

/**
 * @import { Experiment } from "../experiment/experiment.js"
 * @import { Statistics } from "../features/traces/trace_figures.js"
 */

/**
 * @typedef {{name: string, attribute: string, comparison: string, value?: string,
 *   machine_share: number | null}} Constraint  a constraint of the trace's tasks
 */

const AGAIN_MS = 4000;
/**
 * @typedef {{workload: Record<string, unknown> & {classes: unknown[]}, notes?: string[]}} Fitted  a fit of a workload
 */

const { trace } = bootData();
const saidPlace = part("[data-said]");
const pictures = part("[data-pictures]");
/** @type {HTMLFormElement} */
const fitForm = part("[data-fit-form]");
const figures = traceFigures(trace.id);
/** The trace's own statistics. @type {Statistics | null} */
let own = null;
/** The page's status; the server has rendered its first text. */
const said = signal({ words: /** @type {unknown} */ (saidPlace.textContent), isWrong: false });
const isBusy = signal(false);

const say = (/** @type {unknown} */ words, isWrong = false) => {
  said.value = { words, isWrong };
};

function complain(/** @type {unknown} */ error) {
  const first = error instanceof ApiError ? error.problems[0] : null;
  say(
    first
      ? [
          first.path,
          first.message,
          first.allowed && gettext("Allowed: {allowed}.", { allowed: first.allowed }),
          first.remedy,
        ]
          .filter(Boolean)
          .join(" ")
      : /** @type {Error} */ (error).message || gettext("That did not work. Try again in a moment."),
    true,
  );
}

/**
 * Run an action with the buttons disabled, and report errors.
 * @param {string} words
 * @param {() => void} act
 */
async function busy(words, act) {
  isBusy.value = true;
  say(words);
  try {
    await act();
  } catch (error) {
    if (/** @type {Error} */ (error).name === "AbortError") say("");
    else complain(error);
  } finally {
    isBusy.value = false;
  }
}

async function openInStudio(/** @type {Experiment} */ experiment) {
  const made = await createExperiment(experiment);
  window.location.assign(`/studio/${made.id}`);
}

const known = () => ({
  ...trace,
  jobs: own?.jobs ?? trace.jobs,
  tasks: own?.tasks ?? trace.tasks,
  span_s: own?.span_s ?? trace.span_s,
  work_s: own?.work_s ?? trace.work_s,
  at_once: own?.at_once ?? trace.at_once,
});

part("[data-run]").addEventListener("click", () =>
  busy(gettext("Opening the studio…"), () =>
    openInStudio(
      trace.cluster ? /** @type {Experiment} */ (experimentOfCluster(trace.cluster, trace.id)) : experimentOf(known()),
    ),
  ),
);

part("[data-part]").addEventListener("click", async () => {
  const cut = await cutDialog(known());
  if (cut)
    busy(gettext("Creating the part…"), async () => {
      const made = await importTrace(
        { trace: trace.id, cut },
        { on: { progress: ({ rows }) => say(gettext("Reading: {rows} rows", { rows })) } },
      );
      window.location.assign(`/traces/${made.id}`);
    });
});

fitForm.addEventListener("submit", (event) => {
  event.preventDefault();
  const cutoff = Number(new FormData(fitForm).get("cutoff_s"));
  if (!(cutoff > 0)) {
    say(gettext("Jobs are long from a number of seconds above 0."), true);
    return;
  }
  busy(gettext("Fitting…"), async () => {
    const fitted = await fitTrace(trace.id, cutoff);
    own = fitted.trace;
    figures.show(fitted.trace, fitted.statistics);
    say(() => fittedView(fitted));
  });
});

/** Return the fitted workload, and the button to run it. */
function fittedView(/** @type {Fitted} */ { workload, notes }) {
  const run = () => busy(gettext("Opening the studio…"), () => openInStudio(experimentOf(known(), workload)));
  return html`${gettext(
    "A synthetic workload of {classes} classes was fitted to the trace. One sample of it is drawn " +
      "over the trace. ",
    { classes: workload.classes.length },
  )}${(notes ?? []).map((note) => `${note} `)}<button
      class="link"
      type="button"
      data-run-fit
      ?disabled=${isBusy.value}
      @click=${run}
      >${gettext("Run the fitted workload in the studio")}</button
    >`;
}

/** Show how the trace was read: omitted rows, notes, and its tasks' constraints. */
function showReport() {
  const lines = leftOutWords(trace);
  const notes = trace.notes.filter(
    (/** @type {string} */ note) =>
      !trace.left_out.some((/** @type {{kind: string}} */ { kind }) => note.includes(kind)),
  );
  const place = part("[data-report]");
  place.hidden = !(lines.length || notes.length || trace.constraints.length);
  const view = html`
    <h2>${gettext("How it was read")}</h2>
    ${listView(gettext("Left out, by kind:"), lines)} ${listView(gettext("Notes:"), notes.map(noteWords))}
    ${listView(gettext("Task constraints:"), trace.constraints.map(constraintWords))}`;
  render(view, place);
}

function constraintWords(/** @type {Constraint} */ { name, attribute, comparison, value, machine_share }) {
  const share = Math.round(/** @type {number} */ (machine_share) * 1000) / 10;
  const satisfied = machine_share === null ? "" : gettext(", which {share} % of its machines satisfy", { share });
  return `${name}: ${attribute} ${comparison} ${value || "nothing"}${satisfied}`;
}

/**
 * @param {string} words
 * @param {string[]} items
 */
function listView(words, items) {
  if (!items.length) return nothing;
  return html`<p class="trace-words">${words}</p>
    <ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

/** Show a cluster's numbers, which are known since its import; a cluster cannot be cut or fitted. */
function showCluster() {
  for (const each of document.querySelectorAll("[data-part], [data-fit-form]")) each.remove();
  render(removeView(), part(".trace-buttons"));
  pictures.hidden = false;
  render(clusterFound(trace.cluster), pictures);
  const names = namesPart(trace.cluster.report.source);
  if (names) pictures.append(names);
  say("");
}

function removeView() {
  const remove = () => {
    const words = gettext("Delete this cluster, all experiments made of it and their runs? This cannot be undone.");
    if (!window.confirm(words)) return;
    busy(gettext("Deleting…"), async () => {
      await deleteEverything(trace.id);
      window.location.assign("/experiments");
    });
  };
  return html`<button class="button" type="button" data-delete-cluster @click=${remove}
    >${gettext("Delete it and everything made of it…")}</button
  >`;
}

wireTheme();
wireGlossaryAndTips();
wirePageKeys("trace");
part("[data-trace-facts]").textContent = [
  trace.format && gettext("Format {format}.", { format: trace.format }),
  describeTrace(trace),
  graphWords(trace),
  trace.graphs && gettext("In the studio, Carbyne can run these graphs."),
]
  .filter(Boolean)
  .join(" ");
saidPlace.replaceChildren();
show(saidPlace, () => {
  const { words, isWrong } = said.value;
  saidPlace.classList.toggle("is-wrong", isWrong);
  return typeof words === "function" ? words() : words;
});
watch(
  () => isBusy.value,
  (off) => {
    /** @type {NodeListOf<HTMLButtonElement>} */
    const buttons = document.querySelectorAll(".trace-buttons button");
    for (const button of buttons) button.disabled = off;
  },
);
showReport();

/** Fetch the statistics. The page is empty without them, so retry until the server is available. */
async function measure() {
  /** @type {Statistics} */
  let found;
  try {
    found = await getStatistics(trace.id);
  } catch (error) {
    complain(error);
    if (isAway(error)) setTimeout(measure, AGAIN_MS);
    return;
  }
  own = found;
  pictures.hidden = false;
  pictures.append(figures.element);
  figures.show(found, null);
  say("");
}

if (trace.cluster) showCluster();
else measure();
