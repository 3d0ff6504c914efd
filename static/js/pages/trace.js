/** The page of a trace: its statistics, a fit laid over them, and ways on from there. */

import { describeTrace, experimentOf, graphWords, leftOutWords } from "../features/traces/traces.js";
import { ApiError, createExperiment, deleteEverything, isAway } from "../contract/api.js";
import { fitTrace, getStatistics, importTrace } from "../features/traces/trace_requests.js";
import { h, part } from "../kit/dom.js";
import { clusterFound, experimentOfCluster } from "../features/traces/cluster_found.js";
import { cutDialog } from "../features/traces/trace_dialogs.js";
import { traceFigures } from "../features/traces/trace_figures.js";
import { bootData, wireTheme } from "../kit/boot.js";
import { wireGlossaryAndTips } from "../kit/glossary.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { gettext } from "../kit/words.js";

/** @import { Experiment } from "../experiment/experiment.js" */

const AGAIN_MS = 4000;
const { trace } = bootData();
const said = part("[data-said]");
const pictures = part("[data-pictures]");
/** @type {HTMLFormElement} */
const fitForm = part("[data-fit-form]");
const figures = traceFigures(trace.id);
/** What was cut of the trace last. @type {any} */
let own = null;
/** @type {any} */
let fitted = null;

const say = (/** @type {string} */ text, wrong = false) => {
  said.textContent = text;
  said.classList.toggle("is-wrong", wrong);
};

function complain(/** @type {Error} */ error) {
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
      : error.message || gettext("That did not work. Try again in a moment."),
    true,
  );
}

/**
 * Do something with the buttons out of reach, and say what goes wrong.
 * @param {string} words
 * @param {() => void} act
 */
async function busy(words, act) {
  const buttons = [
    .../** @type {NodeListOf<HTMLButtonElement>} */ (
      document.querySelectorAll(".trace-buttons button, [data-run-fit]")
    ),
  ];
  for (const button of buttons) button.disabled = true;
  say(words);
  try {
    await act();
  } catch (/** @type {any} */ error) {
    if (error.name === "AbortError") say("");
    else complain(error);
  } finally {
    for (const button of buttons) button.disabled = false;
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
    fitted = await fitTrace(trace.id, cutoff);
    own = fitted.trace;
    figures.show(own, fitted.statistics);
    say("");
    said.append(
      gettext(
        "A synthetic workload of {classes} classes was fitted to the trace. One sample of it is drawn " +
          "over the trace. ",
        {
          classes: fitted.workload.classes.length,
        },
      ),
      ...(fitted.notes ?? []).map((/** @type {string} */ note) => `${note} `),
      h(
        "button",
        {
          class: "link",
          type: "button",
          "data-run-fit": true,
          onclick: () =>
            busy(gettext("Opening the studio…"), () => openInStudio(experimentOf(known(), fitted.workload))),
        },
        gettext("Run the fitted workload in the studio"),
      ),
    );
  });
});

function showReport() {
  const lines = leftOutWords(trace);
  const place = part("[data-report]");
  const notes = trace.notes.filter(
    (/** @type {string} */ note) =>
      !trace.left_out.some((/** @type {Record<string, any>} */ { kind }) => note.includes(kind)),
  );
  place.hidden = !(lines.length || notes.length || trace.constraints.length);
  const asked = trace.constraints.map(
    (/** @type {Record<string, any>} */ each) =>
      `${each.name}: ${each.attribute} ${each.comparison} ${each.value || "nothing"}` +
      (each.machine_share === null
        ? ""
        : gettext(", which {share} % of its machines satisfy", {
            share: Math.round(each.machine_share * 1000) / 10,
          })),
  );
  const listed = (/** @type {string} */ words, /** @type {string[]} */ items) =>
    items.length
      ? [
          h("p", { class: "trace-words" }, words),
          h(
            "ul",
            {},
            items.map((item) => h("li", {}, item)),
          ),
        ]
      : [];
  place.replaceChildren(
    h("h2", {}, gettext("How it was read")),
    ...listed(gettext("Left out, by kind:"), lines),
    ...listed(gettext("Notes:"), notes),
    ...listed(gettext("Task constraints:"), asked),
  );
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
showReport();
/** A cluster has numbers of its own, known since it was read; it is neither cut nor fitted. */
function showCluster() {
  for (const each of document.querySelectorAll("[data-part], [data-fit-form]")) each.remove();
  const remove = h("button", { class: "button", type: "button" }, gettext("Delete it and everything made of it…"));
  remove.addEventListener("click", () => {
    const words = gettext("Delete this cluster, all experiments made of it and their runs? This cannot be undone.");
    if (!window.confirm(words)) return;
    busy(gettext("Deleting…"), async () => {
      await deleteEverything(trace.id);
      window.location.assign("/experiments");
    });
  });
  part("[data-run]").after(remove);
  pictures.hidden = false;
  pictures.append(clusterFound(trace.cluster));
  say("");
}

/** Without its statistics the page is empty, so they are asked for until the server is there. */
async function measure() {
  try {
    own = await getStatistics(trace.id);
  } catch (/** @type {any} */ error) {
    complain(error);
    if (isAway(error)) setTimeout(measure, AGAIN_MS);
    return;
  }
  pictures.hidden = false;
  pictures.append(figures.element);
  figures.show(own, null);
  say("");
}

if (trace.cluster) showCluster();
else measure();
