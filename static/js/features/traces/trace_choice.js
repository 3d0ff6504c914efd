/** The source of the workload: synthetic, or a trace. A dropped file is uploaded and selected. */

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
  troubleWords,
  withTrace,
  withTraceConstraints,
} from "./traces.js";
import { deleteTrace, listTraces } from "../../contract/api.js";
import { part, targetOf } from "../../kit/dom.js";
import { GraphChoice } from "./trace_graphs.js";
import { element, html, live, nothing, signal, watch } from "../../kit/view.js";
import { gettext, sentences } from "../../kit/words.js";
import { goingView, sendPart, sendTrace, wireDrop } from "./trace_sending.js";

/**
 * @import { Problem } from "../../experiment/problems.js"
 * @import { RunSession } from "../../run/run_session.js"
 * @import { Studio } from "../../studio/store.js"
 * @import { Trace } from "./traces.js"
 * @import { Going } from "./trace_sending.js"
 */

const DRAWN = "";
const UPLOAD = " upload";
/** An import lists up to 50 wrong values, and how many more there are. */
const MOST_PROBLEMS = 51;

/** Create the picker at the top of the workload section: {element, problems(problems), state(session)}. */
export function tracePicker(/** @type {Studio} */ studio) {
  const picker = new TracePicker(studio);
  wireDrop(
    (given, others) => sendTrace(picker, given, others),
    () => !studio.readOnly.value,
  );
  picker.list();
  return picker;
}

/**
 * Return the name of the entry for a workload without a trace.
 * @param {string | undefined} kind
 */
function ownWords(kind) {
  if (kind === "trace" || kind === "synthetic") return gettext("Drawn from distributions");
  return kind === "inline" ? gettext("Written out in the JSON") : gettext("Drawn as graphs of stages");
}

/**
 * Why a file could not become a trace; `remedy` is the one that all lines share.
 * @typedef {{name: string, lines: string[], remedy: string, without?: () => void}} Trouble
 */

class TracePicker {
  traces = signal(/** @type {Trace[]} */ ([]));
  going = signal(/** @type {Going | null} */ (null));
  trouble = signal(/** @type {Trouble | null} */ (null));
  /** @type {AbortController | null} */
  sending = null;
  /** The last workload that is no trace. @type {import("../workload/workload.js").Workload | null} */
  #lastDrawn = null;

  constructor(/** @type {Studio} */ studio) {
    this.studio = studio;
    this.graphs = new GraphChoice(studio);
    this.element = element("div", "trace", () => (studio.experiment.value ? this.#view() : nothing));
    watch(
      () => studio.experiment.value?.workload,
      (workload) => {
        if (workload && workload.kind !== "trace") this.#lastDrawn = workload;
      },
    );
  }

  problems = (/** @type {Problem[]} */ problems) => this.graphs.problems(problems);

  state = (/** @type {RunSession} */ session) => this.graphs.state(session);

  list() {
    listTraces()
      .then((found) => {
        this.traces.value = found;
      })
      .catch(() => {});
  }

  get #chosen() {
    const experiment = this.studio.experiment.value;
    return experiment?.workload?.kind === "trace" ? (experiment.workload.trace ?? "") : DRAWN;
  }

  get #known() {
    return this.traces.value.find((trace) => trace.id === this.#chosen);
  }

  #view() {
    const trace = this.#known;
    const lines = leftOutWords(trace);
    const acts = trace ? this.#acts(trace) : nothing;
    return html`
      ${this.#sourceView()}
      <input
        type="file"
        hidden
        multiple
        data-trace-file
        aria-label=${gettext("Trace file")}
        @change=${(/** @type {Event} */ event) => this.#given(targetOf(event))}
      />
      <p class="section-sum" data-trace-words ?hidden=${!trace}>${trace ? this.#words(trace) : ""}</p>
      ${this.graphs.view(trace)}
      <p class="trace-acts" ?hidden=${!trace}>${acts}</p>
      <details class="trace-report" ?hidden=${!lines.length}>
        <summary>${gettext("Left out")}</summary>
        <ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>
      </details>
      <div class="trace-going" ?hidden=${!this.going.value}
        >${this.going.value ? goingView(this.going.value) : nothing}</div
      >
      <div class="trace-trouble" role="alert" ?hidden=${!this.trouble.value}
        >${this.trouble.value ? this.#troubleView(this.trouble.value) : nothing}</div
      >`;
  }

  #sourceView() {
    const { studio } = this;
    const kind = studio.experiment.value?.workload?.kind;
    const chosen = this.#chosen;
    const option = (/** @type {string} */ value, /** @type {string} */ text) =>
      html`<option value=${value} .selected=${live(value === chosen)}>${text}</option>`;
    const missing = kind === "trace" && !this.#known;
    return html`
      <select
        class="knob-select"
        data-source
        aria-label=${gettext("Source of the workload")}
        ?disabled=${studio.readOnly.value}
        @change=${(/** @type {Event} */ event) => this.#picked(targetOf(event))}
      >
        ${option(DRAWN, ownWords(kind))}
        ${missing ? option(chosen, gettext("Trace {trace}", { trace: chosen })) : nothing}
        ${grouped(this.traces.value).map(
          ([heading, found]) =>
            html`<optgroup label=${heading}>${found.map((trace) => option(trace.id, shownName(trace)))}</optgroup>`,
        )}
        ${studio.readOnly.value ? nothing : option(UPLOAD, gettext("Upload a trace…"))}
      </select>`;
  }

  #picked(/** @type {{value: string}} */ select) {
    if (select.value !== UPLOAD) {
      this.choose(select.value);
      return;
    }
    select.value = this.#chosen;
    this.#ask();
  }

  /** Open the file dialog. */
  #ask() {
    part("[data-trace-file]", this.element).click();
  }

  #given(/** @type {HTMLInputElement} */ input) {
    const [given, ...others] = input.files ?? [];
    if (given) sendTrace(this, given, others);
    input.value = "";
  }

  #words(/** @type {Trace} */ trace) {
    return sentences([
      describeTrace(trace).replace(/\.$/, ""),
      fullness(this.studio.opened.value, trace).replace(/\.$/, ""),
    ]);
  }

  /**
   * Return the actions for a trace.
   * @param {Trace} trace
   */
  #acts(trace) {
    const { studio } = this;
    const statistics = html`<a
      class="link"
      href=${`/traces/${encodeURIComponent(trace.id)}`}
      data-trace-statistics
      >${gettext("Statistics")}</a
    >`;
    if (studio.readOnly.value) return statistics;
    const better = fitted(studio.opened.value, trace);
    const offers = trace.constraints?.length && !hasTraceConstraints(studio.opened.value, trace);
    const take = () => studio.replace(withTraceConstraints(studio.opened.value, trace), true);
    return html`${
      better
        ? html`<button class="link" type="button" data-fit @click=${() => studio.replace(better, true)}
            >${gettext("Fit the machines")}</button
          >`
        : nothing
    }${statistics}<button class="link" type="button" data-trace-part @click=${() => sendPart(this, trace)}
        >${gettext("Use a part")}</button
      >${
        offers
          ? html`<button class="link" type="button" data-trace-constraints @click=${take}
              >${gettext("Use its constraints")}</button
            >`
          : nothing
      }${
        trace.source === "upload"
          ? html`<button class="link" type="button" @click=${() => this.#forget(trace)}>${gettext("Delete")}</button>`
          : nothing
      }`;
  }

  /** @param {string} id */
  choose(id) {
    const { studio } = this;
    this.trouble.value = null;
    if (id === DRAWN) {
      const workload = this.#lastDrawn ?? structuredClone(DEFAULT_EXPERIMENT.workload);
      studio.replace(setAt(studio.opened.value, "workload", workload), true);
      return;
    }
    const trace = this.traces.value.find((each) => each.id === id);
    const drop = Boolean(trace?.graphs) && !honoursGraphs(studio.chosen.value);
    studio.replace(withTrace(studio.opened.value, id, drop, trace?.queues), true);
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
    this.traces.value = this.traces.value.filter((each) => each.id !== trace.id);
    this.choose(DRAWN);
  }

  /**
   * @param {string} name
   * @param {unknown} error
   * @param {(() => void) | undefined} without  imports the file without the wrong lines
   */
  complain(name, error, without = undefined) {
    const { lines, remedy } = troubleWords(name, /** @type {import("../../contract/api.js").Failure} */ (error));
    this.trouble.value = { name, lines, remedy, without };
    /** @type {HTMLDetailsElement} */ (this.element.closest("details")).open = true; // collapsed on a phone
  }

  #troubleView(/** @type {Trouble} */ { name, lines, remedy, without }) {
    const rest = lines.length - MOST_PROBLEMS;
    return html`
      <p><strong>${name}</strong>${gettext(" was not imported.")}</p>
      <ul>${lines.slice(0, MOST_PROBLEMS).map((line) => html`<li>${line}</li>`)}</ul>
      ${rest > 0 ? html`<p>${gettext("and {rest} more", { rest })}</p>` : nothing}
      ${remedy ? html`<p data-trouble-remedy>${remedy}</p>` : nothing}
      ${
        without
          ? html`<button class="link" type="button" data-without-lines @click=${without}
              >${gettext("Import without these lines")}</button
            >`
          : nothing
      }<button class="link" type="button" @click=${() => this.#ask()}>${gettext("Choose another file")}</button>`;
  }
}
