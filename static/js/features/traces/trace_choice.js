/** Where the work comes from: drawn, or a trace; a file that is dropped here is uploaded and chosen. */

import { DEFAULT_EXPERIMENT } from "../../experiment/default_experiment.js";
import { setAt } from "../../experiment/experiment.js";
import { whole } from "../../kit/format.js";
import { sentences } from "../../run/sentences.js";
import {
  bytes,
  describeTrace,
  fitted,
  fullness,
  grouped,
  hasTraceConstraints,
  honoursGraphs,
  leftOutWords,
  withTrace,
  withTraceConstraints,
} from "./traces.js";
import { ApiError, deleteTrace, listTraces } from "../../kit/api.js";
import { importTrace, lookAtUpload } from "./trace_requests.js";
import { dropUpload, sendFile } from "./upload.js";
import { h } from "../../kit/dom.js";
import { cutDialog, importDialog } from "./trace_dialogs.js";
import { graphChoice } from "./trace_graphs.js";

/** @import { Studio } from "../../studio/store.js" */

const DRAWN = "";
const UPLOAD = " upload";
const MOST_PROBLEMS = 4;

/** A picker for the top of the WORK section: {element, experiment(experiment), problems(problems), state(session)}. */
export function tracePicker(/** @type {Studio} */ studio) {
  const select = h("select", { class: "knob-select", "aria-label": "Where the work comes from" });
  const file = h("input", { type: "file", hidden: true, "data-trace-file": true, "aria-label": "Trace file" });
  const words = h("p", { class: "section-sum", "data-trace-words": true });
  const acts = h("p", { class: "trace-acts" });
  const going = h("div", { class: "trace-going", hidden: true });
  const trouble = h("div", { class: "trace-trouble", role: "alert", hidden: true });
  const report = h("details", { class: "trace-report", hidden: true });
  const graphs = graphChoice(studio);
  const element = h("div", { class: "trace" }, select, file, words, graphs.element, acts, report, going, trouble);
  let traces = [];
  let lastDrawn = null;
  let sending = null;

  const chosen = () =>
    studio.experiment?.workload?.kind === "trace" ? (studio.experiment.workload.trace ?? "") : DRAWN;
  const known = () => traces.find((trace) => trace.id === chosen());

  const draw = () => {
    const { experiment } = studio;
    if (!experiment) return;
    const kind = experiment.workload?.kind;
    const option = (value, text) =>
      h("option", { value, ...(value === select.dataset.value ? { selected: true } : {}) }, text);
    select.dataset.value = kind === "trace" ? chosen() : DRAWN;
    const missing = kind === "trace" && !known() ? [option(chosen(), `Trace ${chosen()}`)] : [];
    const own =
      kind === "trace" || kind === "synthetic"
        ? "Drawn from distributions"
        : kind === "inline"
          ? "Written out in the JSON"
          : "Drawn as graphs of stages";
    select.replaceChildren(
      option(DRAWN, own),
      ...missing,
      ...grouped(traces).map(([heading, found]) =>
        h(
          "optgroup",
          { label: heading },
          found.map((trace) => option(trace.id, trace.name)),
        ),
      ),
      ...(studio.readOnly ? [] : [option(UPLOAD, "Upload a trace…")]),
    );
    select.value = select.dataset.value;
    select.disabled = studio.readOnly;
    drawWords();
  };

  const drawWords = () => {
    const trace = known();
    words.textContent = trace
      ? sentences([describeTrace(trace).replace(/\.$/, ""), fullness(studio.experiment, trace).replace(/\.$/, "")])
      : "";
    words.hidden = !trace;
    graphs.show(trace, studio.experiment);
    const better = trace && !studio.readOnly ? fitted(studio.experiment, trace) : null;
    const buttons = [];
    if (better)
      buttons.push(
        h(
          "button",
          { class: "link", type: "button", "data-fit": true, onclick: () => studio.replace(better, true) },
          "Fit the machines",
        ),
      );
    if (trace)
      buttons.push(
        h(
          "a",
          { class: "link", href: `/traces/${encodeURIComponent(trace.id)}`, "data-trace-statistics": true },
          "Statistics",
        ),
      );
    if (trace && !studio.readOnly)
      buttons.push(
        h(
          "button",
          { class: "link", type: "button", "data-trace-part": true, onclick: () => takePart(trace) },
          "Take a part",
        ),
      );
    if (trace?.constraints?.length && !studio.readOnly && !hasTraceConstraints(studio.experiment, trace))
      buttons.push(
        h(
          "button",
          {
            class: "link",
            type: "button",
            "data-trace-constraints": true,
            onclick: () => studio.replace(withTraceConstraints(studio.experiment, trace), true),
          },
          "Take over its constraints",
        ),
      );
    if (trace?.source === "upload" && !studio.readOnly)
      buttons.push(h("button", { class: "link", type: "button", onclick: () => forget(trace) }, "Delete"));
    acts.replaceChildren(...buttons);
    acts.hidden = !buttons.length;
    const lines = leftOutWords(trace);
    report.hidden = !lines.length;
    report.replaceChildren(
      h("summary", {}, "Left out"),
      h(
        "ul",
        {},
        lines.map((line) => h("li", {}, line)),
      ),
    );
  };

  const choose = (id) => {
    trouble.hidden = true;
    if (id === DRAWN)
      studio.replace(
        setAt(studio.experiment, "workload", lastDrawn ?? structuredClone(DEFAULT_EXPERIMENT.workload)),
        true,
      );
    else {
      const drop = Boolean(traces.find((trace) => trace.id === id)?.graphs) && !honoursGraphs(studio.chosen);
      studio.replace(withTrace(studio.experiment, id, drop), true);
    }
  };

  const forget = async (trace) => {
    const sure = window.confirm(
      `Delete “${trace.name}” from the server? Experiments that use it can then no longer run.`,
    );
    if (!sure) return;
    try {
      await deleteTrace(trace.id);
    } catch (error) {
      complain(trace.name, error);
      return;
    }
    traces = traces.filter((each) => each.id !== trace.id);
    choose(DRAWN);
  };

  const complain = (name, error) => {
    const lines = error.problems?.length
      ? error.problems.map((each) =>
          sentences([
            each.path ? `${each.path}: ${each.message}` : each.message,
            each.allowed && `Allowed: ${each.allowed}`,
            each.remedy,
          ]),
        )
      : [error.message];
    const rest = lines.length - MOST_PROBLEMS;
    trouble.replaceChildren(
      h("p", {}, h("strong", {}, name), " was not taken."),
      h(
        "ul",
        {},
        lines.slice(0, MOST_PROBLEMS).map((line) => h("li", {}, line)),
      ),
      ...(rest > 0 ? [h("p", {}, `and ${rest} more`)] : []),
      h("button", { class: "link", type: "button", onclick: () => file.click() }, "Choose another file"),
    );
    trouble.hidden = false;
    /** @type {HTMLDetailsElement} */ (element.closest("details")).open = true; // folded on a phone
  };

  const send = async (given) => {
    if (studio.readOnly || sending) return;
    trouble.hidden = true;
    const most = studio.boot.limits?.upload_bytes ?? Infinity;
    if (given.size > most) {
      complain(
        given.name,
        new ApiError(
          413,
          [],
          `It has ${bytes(given.size)}; this server takes at most ${bytes(most)} (setting ` +
            "PLAYGROUND_LIMIT_UPLOAD_BYTES). Pack it with gzip, or cut it.",
        ),
      );
      return;
    }
    await attempt(given.name, async (show, signal) => {
      const upload = await sendAll(given, show, signal);
      const sent = [upload];
      try {
        show("Sent. Looking at it…");
        const looked = await lookAtUpload(upload, { signal });
        const asked = { upload };
        if (looked.format === null || looked.format === "google-2011") {
          const chosen = await importDialog(given.name, looked);
          if (!chosen) throw new DOMException("stopped", "AbortError");
          for (const [key, value] of Object.entries(chosen)) {
            asked[key] = value instanceof File ? await sendAll(value, show, signal) : value;
            if (value instanceof File) sent.push(asked[key]);
          }
        }
        await take(asked, show, signal);
      } catch (error) {
        for (const each of sent) dropUpload(each);
        throw error;
      }
    });
  };

  const sendAll = (given, show, signal) =>
    sendFile(given, {
      signal,
      on: {
        sent: (share) => show(`Sending ${given.name}, ${bytes(given.size)}`, share),
        waiting: (seconds) =>
          show(`The connection is gone; trying again in ${Math.ceil(seconds)} s. What was sent is kept.`),
      },
    });

  const takePart = async (trace) => {
    const cut = sending ? null : await cutDialog(trace);
    if (cut) await attempt(trace.name, (show, signal) => take({ trace: trace.id, cut }, show, signal));
  };

  const take = async (asked, show, signal) => {
    show("Reading it through…");
    const made = await importTrace(asked, {
      signal,
      on: {
        progress: ({ state, progress, rows }) =>
          show(
            state === "waiting" ? "Waiting for a worker…" : `Reading it through: ${whole(rows)} rows`,
            state === "waiting" ? undefined : progress,
          ),
      },
    });
    traces = [made, ...traces];
    choose(made.id);
  };

  /** Do something long with a bar, words and a way to stop; say what went wrong. */
  const attempt = async (name, act) => {
    trouble.hidden = true;
    sending = new AbortController();
    const bar = h("progress", { max: 1, value: 0, "aria-label": `Taking ${name}` });
    const says = h("span", { role: "status" });
    const show = (text, share) => {
      says.textContent = text;
      if (share === undefined) bar.removeAttribute("value");
      else bar.value = share;
    };
    going.replaceChildren(
      says,
      h(
        "div",
        { class: "state-row" },
        bar,
        h(
          "button",
          { class: "link", type: "button", "data-trace-cancel": true, onclick: () => sending?.abort() },
          "Cancel",
        ),
      ),
    );
    going.hidden = false;
    try {
      await act(show, sending.signal);
    } catch (error) {
      if (error.name !== "AbortError") complain(name, error);
    } finally {
      sending = null;
      going.hidden = true;
      draw();
    }
  };

  select.addEventListener("change", () => {
    if (select.value !== UPLOAD) {
      choose(select.value);
      return;
    }
    select.value = select.dataset.value;
    file.click();
  });
  file.addEventListener("change", () => {
    if (file.files[0]) send(file.files[0]);
    file.value = "";
  });
  wireDrop(send, () => !studio.readOnly);
  listTraces()
    .then((found) => {
      traces = found;
      draw();
    })
    .catch(() => {});

  return {
    element,
    experiment(experiment) {
      if (experiment.workload && experiment.workload.kind !== "trace") lastDrawn = experiment.workload;
      draw();
    },
    problems: graphs.problems,
    state: graphs.state,
  };
}

/** A file may be dropped anywhere on the page: missing the section by a hair would open it in the browser instead. */
function wireDrop(send, allowed) {
  const carriesFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  let inside = 0;
  const show = (on) => document.body.classList.toggle("is-dropping", on && allowed());
  document.addEventListener("dragenter", (event) => {
    if (carriesFile(event)) {
      inside += 1;
      show(true);
    }
  });
  document.addEventListener("dragleave", (event) => {
    if (carriesFile(event)) {
      inside = Math.max(0, inside - 1);
      if (!inside) show(false);
    }
  });
  document.addEventListener("dragover", (event) => {
    if (carriesFile(event)) {
      event.preventDefault();
      event.dataTransfer.dropEffect = allowed() ? "copy" : "none";
    }
  });
  document.addEventListener("drop", (event) => {
    if (!carriesFile(event)) return;
    event.preventDefault();
    inside = 0;
    show(false);
    const [given] = event.dataTransfer.files;
    if (given) send(given);
  });
}
