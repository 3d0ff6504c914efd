/** Where the work comes from: drawn, or a trace; a file that is dropped here is uploaded and chosen. */

import { honoursGraphs } from "../../experiment/needs.js";
import { DEFAULT_EXPERIMENT } from "../../experiment/default_experiment.js";
import { setAt } from "../../experiment/experiment.js";
import {
  describeTrace,
  fitted,
  fullness,
  grouped,
  hasTraceConstraints,
  leftOutWords,
  shownName,
  withTrace,
  withTraceConstraints,
} from "./traces.js";
import { deleteTrace, listTraces } from "../../contract/api.js";
import { h } from "../../kit/dom.js";
import { graphChoice } from "./trace_graphs.js";
import { gettext, sentences } from "../../kit/words.js";
import { sendPart, sendTrace, wireDrop } from "./trace_sending.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Problem } from "../../experiment/problems.js"
 * @import { Studio } from "../../studio/store.js"
 * @import { Trace } from "./traces.js"
 */

const DRAWN = "";
const UPLOAD = " upload";
const MOST_PROBLEMS = 50;

/** A picker for the top of the WORK section: {element, experiment(experiment), problems(problems), state(session)}. */
export function tracePicker(/** @type {Studio} */ studio) {
  const picker = new TracePicker(studio);
  wireDrop(
    (given, others) => sendTrace(picker, given, others),
    () => !studio.readOnly,
  );
  picker.list();
  return {
    element: picker.element,
    /** @param {Experiment} experiment */
    experiment(experiment) {
      if (experiment.workload && experiment.workload.kind !== "trace") picker.lastDrawn = experiment.workload;
      picker.draw();
    },
    problems: picker.graphs.problems,
    state: picker.graphs.state,
  };
}

/**
 * What the work is called where it is no trace.
 * @param {string | undefined} kind
 */
function ownWords(kind) {
  if (kind === "trace" || kind === "synthetic") return gettext("Drawn from distributions");
  return kind === "inline" ? gettext("Written out in the JSON") : gettext("Drawn as graphs of stages");
}

class TracePicker {
  constructor(/** @type {Studio} */ studio) {
    this.studio = studio;
    this.select = h("select", {
      class: "knob-select",
      "data-source": true,
      "aria-label": gettext("Source of the workload"),
    });
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
    /** @type {Trace[]} */
    this.traces = [];
    /** @type {any} */
    this.lastDrawn = null;
    /** @type {AbortController | null} */
    this.sending = null;
    this.select.addEventListener("change", () => this.#picked());
    this.file.addEventListener("change", () => {
      const [given] = this.file.files ?? [];
      if (given) sendTrace(this, given);
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
      this.choose(select.value);
      return;
    }
    select.value = select.dataset.value ?? "";
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
    /**
     * @param {string} value
     * @param {string} text
     */
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
          found.map((trace) => option(trace.id, shownName(trace))),
        ),
      ),
      ...(studio.readOnly ? [] : [option(UPLOAD, gettext("Upload a trace…"))]),
    );
    select.value = select.dataset.value ?? "";
    select.disabled = studio.readOnly;
    this.#drawWords();
  }

  #drawWords() {
    const { acts, report, studio, words } = this;
    const trace = this.#known;
    words.textContent = trace
      ? sentences([describeTrace(trace).replace(/\.$/, ""), fullness(studio.opened, trace).replace(/\.$/, "")])
      : "";
    words.hidden = !trace;
    this.graphs.show(trace, studio.opened);
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

  /**
   * What may be done with a trace.
   * @param {Trace} trace
   */
  #buttons(trace) {
    const { studio } = this;
    const statistics = h(
      "a",
      { class: "link", href: `/traces/${encodeURIComponent(trace.id)}`, "data-trace-statistics": true },
      gettext("Statistics"),
    );
    if (studio.readOnly) return [statistics];
    /**
     * @param {Record<string, unknown>} mark
     * @param {string} text
     * @param {() => void} onclick
     */
    const button = (mark, text, onclick) => h("button", { class: "link", type: "button", ...mark, onclick }, text);
    const better = fitted(studio.opened, trace);
    const take = () => studio.replace(withTraceConstraints(studio.opened, trace), true);
    const offers = trace.constraints?.length && !hasTraceConstraints(studio.opened, trace);
    return [
      better ? button({ "data-fit": true }, gettext("Fit the machines"), () => studio.replace(better, true)) : null,
      statistics,
      button({ "data-trace-part": true }, gettext("Use a part"), () => sendPart(this, trace)),
      offers ? button({ "data-trace-constraints": true }, gettext("Use its constraints"), take) : null,
      trace.source === "upload" ? button({}, gettext("Delete"), () => this.#forget(trace)) : null,
    ].filter((each) => each !== null);
  }

  /** @param {string} id */
  choose(id) {
    const { studio } = this;
    this.trouble.hidden = true;
    if (id === DRAWN) {
      const workload = this.lastDrawn ?? structuredClone(DEFAULT_EXPERIMENT.workload);
      studio.replace(setAt(studio.opened, "workload", workload), true);
      return;
    }
    const drop = Boolean(this.traces.find((trace) => trace.id === id)?.graphs) && !honoursGraphs(studio.chosen);
    studio.replace(withTrace(studio.opened, id, drop), true);
  }

  /** @param {Trace} trace */
  async #forget(trace) {
    const sure = window.confirm(
      gettext("Delete “{name}” from the server? Experiments that use it can then no longer run.", { name: trace.name }),
    );
    if (!sure) return;
    try {
      await deleteTrace(trace.id);
    } catch (error) {
      this.complain(trace.name, error);
      return;
    }
    this.traces = this.traces.filter((each) => each.id !== trace.id);
    this.choose(DRAWN);
  }

  /**
   * @param {string} name
   * @param {any} error
   * @param {(() => void) | undefined} without  imports the file without the lines that are wrong
   */
  complain(name, error, without = undefined) {
    /** @type {string[]} */
    const lines = error.problems?.length
      ? error.problems.map((/** @type {Problem} */ each) =>
          sentences([
            each.path ? `${each.path}: ${each.message}` : `${name} ${each.message}`,
            each.allowed && gettext("Allowed: {allowed}", { allowed: each.allowed }),
            each.remedy,
          ]),
        )
      : [error.message];
    const rest = lines.length - MOST_PROBLEMS;
    this.trouble.replaceChildren(
      h("p", {}, h("strong", {}, name), gettext(" was not imported.")),
      h(
        "ul",
        {},
        lines.slice(0, MOST_PROBLEMS).map((line) => h("li", {}, line)),
      ),
      ...(rest > 0 ? [h("p", {}, gettext("and {rest} more", { rest }))] : []),
      ...(without
        ? [
            h(
              "button",
              { class: "link", type: "button", "data-without-lines": true, onclick: without },
              gettext("Import without these lines"),
            ),
          ]
        : []),
      h("button", { class: "link", type: "button", onclick: () => this.file.click() }, gettext("Choose another file")),
    );
    this.trouble.hidden = false;
    /** @type {HTMLDetailsElement} */ (this.element.closest("details")).open = true; // folded on a phone
  }
}
