/** Where the work comes from: drawn, or a trace; a file that is dropped here is uploaded and chosen. */

import { DEFAULT_EXPERIMENT } from "../../experiment/default_experiment.js";
import { setAt } from "../../experiment/experiment.js";
import { whole } from "../../kit/format.js";
import { sentences } from "../../run/run_words.js";
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
import { gettext } from "../../kit/words.js";

/** @import { Studio } from "../../studio/store.js" */

const DRAWN = "";
const UPLOAD = " upload";
const MOST_PROBLEMS = 4;

/** A picker for the top of the WORK section: {element, experiment(experiment), problems(problems), state(session)}. */
export function tracePicker(/** @type {Studio} */ studio) {
  const picker = new TracePicker(studio);
  wireDrop(
    (given) => picker.send(given),
    () => !studio.readOnly,
  );
  picker.list();
  return {
    element: picker.element,
    experiment(experiment) {
      if (experiment.workload && experiment.workload.kind !== "trace") picker.lastDrawn = experiment.workload;
      picker.draw();
    },
    problems: picker.graphs.problems,
    state: picker.graphs.state,
  };
}

/** What the work is called where it is no trace. */
function ownWords(kind) {
  if (kind === "trace" || kind === "synthetic") return gettext("Drawn from distributions");
  return kind === "inline" ? gettext("Written out in the JSON") : gettext("Drawn as graphs of stages");
}

class TracePicker {
  constructor(/** @type {Studio} */ studio) {
    this.studio = studio;
    this.select = h("select", { class: "knob-select", "aria-label": gettext("Where the work comes from") });
    this.file = h("input", {
      type: "file",
      hidden: true,
      "data-trace-file": true,
      "aria-label": gettext("Trace file"),
    });
    this.words = h("p", { class: "section-sum", "data-trace-words": true });
    this.acts = h("p", { class: "trace-acts" });
    this.going = h("div", { class: "trace-going", hidden: true });
    this.trouble = h("div", { class: "trace-trouble", role: "alert", hidden: true });
    this.report = h("details", { class: "trace-report", hidden: true });
    this.graphs = graphChoice(studio);
    this.element = h(
      "div",
      { class: "trace" },
      this.select,
      this.file,
      this.words,
      this.graphs.element,
      this.acts,
      this.report,
      this.going,
      this.trouble,
    );
    this.traces = [];
    this.lastDrawn = null;
    /** @type {AbortController | null} */
    this.sending = null;
    this.select.addEventListener("change", () => this.#picked());
    this.file.addEventListener("change", () => {
      if (this.file.files[0]) this.send(this.file.files[0]);
      this.file.value = "";
    });
  }

  list() {
    listTraces()
      .then((found) => {
        this.traces = found;
        this.draw();
      })
      .catch(() => {});
  }

  #picked() {
    const { select } = this;
    if (select.value !== UPLOAD) {
      this.#choose(select.value);
      return;
    }
    select.value = select.dataset.value;
    this.file.click();
  }

  get #chosen() {
    const { experiment } = this.studio;
    return experiment?.workload?.kind === "trace" ? (experiment.workload.trace ?? "") : DRAWN;
  }

  get #known() {
    return this.traces.find((trace) => trace.id === this.#chosen);
  }

  draw() {
    const { select, studio } = this;
    if (!studio.experiment) return;
    const kind = studio.experiment.workload?.kind;
    const option = (value, text) =>
      h("option", { value, ...(value === select.dataset.value ? { selected: true } : {}) }, text);
    select.dataset.value = kind === "trace" ? this.#chosen : DRAWN;
    const missing =
      kind === "trace" && !this.#known ? [option(this.#chosen, gettext("Trace {trace}", { trace: this.#chosen }))] : [];
    select.replaceChildren(
      option(DRAWN, ownWords(kind)),
      ...missing,
      ...grouped(this.traces).map(([heading, found]) =>
        h(
          "optgroup",
          { label: heading },
          found.map((trace) => option(trace.id, trace.name)),
        ),
      ),
      ...(studio.readOnly ? [] : [option(UPLOAD, gettext("Upload a trace…"))]),
    );
    select.value = select.dataset.value;
    select.disabled = studio.readOnly;
    this.#drawWords();
  }

  #drawWords() {
    const { acts, report, studio, words } = this;
    const trace = this.#known;
    words.textContent = trace
      ? sentences([describeTrace(trace).replace(/\.$/, ""), fullness(studio.experiment, trace).replace(/\.$/, "")])
      : "";
    words.hidden = !trace;
    this.graphs.show(trace, studio.experiment);
    const buttons = trace ? this.#buttons(trace) : [];
    acts.replaceChildren(...buttons);
    acts.hidden = !buttons.length;
    const lines = leftOutWords(trace);
    report.hidden = !lines.length;
    report.replaceChildren(
      h("summary", {}, gettext("Left out")),
      h(
        "ul",
        {},
        lines.map((line) => h("li", {}, line)),
      ),
    );
  }

  /** What may be done with a trace. */
  #buttons(trace) {
    const { studio } = this;
    const statistics = h(
      "a",
      { class: "link", href: `/traces/${encodeURIComponent(trace.id)}`, "data-trace-statistics": true },
      gettext("Statistics"),
    );
    if (studio.readOnly) return [statistics];
    const button = (mark, text, onclick) => h("button", { class: "link", type: "button", ...mark, onclick }, text);
    const better = fitted(studio.experiment, trace);
    const take = () => studio.replace(withTraceConstraints(studio.experiment, trace), true);
    const offers = trace.constraints?.length && !hasTraceConstraints(studio.experiment, trace);
    return [
      better ? button({ "data-fit": true }, gettext("Fit the machines"), () => studio.replace(better, true)) : null,
      statistics,
      button({ "data-trace-part": true }, gettext("Use a part"), () => this.#takePart(trace)),
      offers ? button({ "data-trace-constraints": true }, gettext("Take over its constraints"), take) : null,
      trace.source === "upload" ? button({}, "Delete", () => this.#forget(trace)) : null,
    ].filter(Boolean);
  }

  #choose(id) {
    const { studio } = this;
    this.trouble.hidden = true;
    if (id === DRAWN) {
      const workload = this.lastDrawn ?? structuredClone(DEFAULT_EXPERIMENT.workload);
      studio.replace(setAt(studio.experiment, "workload", workload), true);
      return;
    }
    const drop = Boolean(this.traces.find((trace) => trace.id === id)?.graphs) && !honoursGraphs(studio.chosen);
    studio.replace(withTrace(studio.experiment, id, drop), true);
  }

  async #forget(trace) {
    const sure = window.confirm(
      gettext("Delete “{name}” from the server? Experiments that use it can then no longer run.", { name: trace.name }),
    );
    if (!sure) return;
    try {
      await deleteTrace(trace.id);
    } catch (error) {
      this.#complain(trace.name, error);
      return;
    }
    this.traces = this.traces.filter((each) => each.id !== trace.id);
    this.#choose(DRAWN);
  }

  #complain(name, error) {
    const lines = error.problems?.length
      ? error.problems.map((each) =>
          sentences([
            each.path ? `${each.path}: ${each.message}` : each.message,
            each.allowed && gettext("Allowed: {allowed}", { allowed: each.allowed }),
            each.remedy,
          ]),
        )
      : [error.message];
    const rest = lines.length - MOST_PROBLEMS;
    this.trouble.replaceChildren(
      h("p", {}, h("strong", {}, name), gettext(" was not taken.")),
      h(
        "ul",
        {},
        lines.slice(0, MOST_PROBLEMS).map((line) => h("li", {}, line)),
      ),
      ...(rest > 0 ? [h("p", {}, gettext("and {rest} more", { rest }))] : []),
      h("button", { class: "link", type: "button", onclick: () => this.file.click() }, gettext("Choose another file")),
    );
    this.trouble.hidden = false;
    /** @type {HTMLDetailsElement} */ (this.element.closest("details")).open = true; // folded on a phone
  }

  /** Upload a file, ask what it means where that is not known, and choose what it became. */
  async send(given) {
    const { studio } = this;
    if (studio.readOnly || this.sending) return;
    this.trouble.hidden = true;
    const most = studio.boot.limits?.upload_bytes ?? Infinity;
    if (given.size > most) {
      const words = gettext(
        "The file has {size}; this server takes at most {most} (setting PLAYGROUND_LIMIT_UPLOAD_BYTES). " +
          "Compress the file with gzip, or shorten it.",
        { size: bytes(given.size), most: bytes(most) },
      );
      this.#complain(given.name, new ApiError(413, [], words));
      return;
    }
    await this.#attempt(given.name, (show, signal) => this.#sendAndTake(given, show, signal));
  }

  async #sendAndTake(given, show, signal) {
    const upload = await sendAll(given, show, signal);
    const sent = [upload];
    try {
      show(gettext("Sent. Examining the file…"));
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
      await this.#take(asked, show, signal);
    } catch (error) {
      for (const each of sent) dropUpload(each);
      throw error;
    }
  }

  async #takePart(trace) {
    const cut = this.sending ? null : await cutDialog(trace);
    if (cut) await this.#attempt(trace.name, (show, signal) => this.#take({ trace: trace.id, cut }, show, signal));
  }

  async #take(asked, show, signal) {
    show(gettext("Reading the trace…"));
    const progress = ({ state, progress: share, rows }) => {
      if (state === "waiting") show(gettext("Waiting for a worker…"));
      else show(gettext("Reading the trace: {rows} rows", { rows: whole(rows) }), share);
    };
    const made = await importTrace(asked, { signal, on: { progress } });
    this.traces = [made, ...this.traces];
    this.#choose(made.id);
  }

  /** Do something long with a bar, words and a way to stop; say what went wrong. */
  async #attempt(name, act) {
    this.trouble.hidden = true;
    this.sending = new AbortController();
    const bar = h("progress", { max: 1, value: 0, "aria-label": gettext("Sending {name}", { name }) });
    const says = h("span", { role: "status" });
    const show = (text, share) => {
      says.textContent = text;
      if (share === undefined) bar.removeAttribute("value");
      else bar.value = share;
    };
    const stop = () => this.sending?.abort();
    this.going.replaceChildren(
      says,
      h(
        "div",
        { class: "state-row" },
        bar,
        h("button", { class: "link", type: "button", "data-trace-cancel": true, onclick: stop }, gettext("Cancel")),
      ),
    );
    this.going.hidden = false;
    try {
      await act(show, this.sending.signal);
    } catch (error) {
      if (error.name !== "AbortError") this.#complain(name, error);
    } finally {
      this.sending = null;
      this.going.hidden = true;
      this.draw();
    }
  }
}

function sendAll(given, show, signal) {
  return sendFile(given, {
    signal,
    on: {
      sent: (share) => show(gettext("Sending {name}, {share}", { name: given.name, share: bytes(given.size) }), share),
      waiting: (seconds) =>
        show(
          gettext("Connection lost; trying again in {seconds} s. The part already sent is kept.", {
            seconds: Math.ceil(seconds),
          }),
        ),
    },
  });
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
