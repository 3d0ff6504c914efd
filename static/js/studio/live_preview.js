/**
 * Live preview: while a control moves, charts follow a reduced run of the changed experiment, beside a fixed curve of
 * the starting point. The full run follows in the background and reports the preview's error.
 */

import { percentiles } from "../kit/histogram.js";
import { atLeastWords, foretoldCells, foretoldWords } from "../run/foretold.js";
import { confirmWords, histOf, percentilesOf, reducedWords } from "../run/reduced_run.js";
import { Previews } from "../run/previews.js";
import { gettext } from "../kit/words.js";
import { part } from "../kit/dom.js";
import { signal } from "../kit/view.js";

/**
 * @import { PreviewDone } from "../contract/contract"
 * @import { Experiment } from "../experiment/experiment.js"
 * @import { Answer } from "../run/previews.js"
 * @import { RunSession } from "../run/run_session.js"
 * @import { Studio } from "./store.js"
 */

/** @typedef {NonNullable<ReturnType<LivePreview["view"]>>} Preview  what the charts show of a preview */

const KEPT = 8;
const COMPILING = gettext("Preparing the preview (first time only)…");

export class LivePreview {
  constructor(/** @type {Studio} */ studio) {
    this.studio = studio;
    /** Answers by experiment, the newest last. @type {Map<Experiment, PreviewDone>} */
    this.known = new Map();
    /** The experiment at the start of the drag. @type {Experiment | null} */
    this.base = null;
    /** The experiment last requested before a control moved. @type {Experiment | null} */
    this.prepared = null;
    /** @type {{experiment: Experiment, answer: PreviewDone} | null} */
    this.shown = null;
    /** The completed full run. @type {RunSession | null} */
    this.full = null;
    this.holding = false; // true if charts show the preview instead of the run
    this.words = "";
    /** Replaced whenever the charts' preview changes. */
    this.told = signal({});
    this.compiling = false; // true if the text reports that the preview is being compiled
    this.previews = new Previews({
      answered: (experiment, answer) => this.#answered(experiment, answer),
      refused: (experiment) => {
        if (experiment === studio.experiment.value) this.#none();
      },
    });
    const knobs = part(".left");
    // A user who reaches for a control will move it: request the starting point now, so that the first movement has a
    // ghost.
    for (const name of ["pointerover", "focusin"]) knobs.addEventListener(name, () => this.#prepare());
  }

  #prepare() {
    const { studio } = this;
    const experiment = studio.experiment.value;
    if (
      !experiment ||
      studio.readOnly.value ||
      studio.turning?.on.value ||
      this.prepared === experiment ||
      this.known.has(experiment) ||
      !studio.session.value?.final
    )
      return;
    this.prepared = experiment;
    this.previews.ask(experiment);
  }

  /**
   * Request a preview after a control moved.
   * @param {Experiment} before
   * @param {Experiment} after
   */
  changed(before, after) {
    if (!this.base || this.full) this.base = before;
    this.words = "";
    this.full = null;
    this.previews.ask(after);
  }

  /**
   * @param {Experiment} experiment
   * @param {Answer} answer
   */
  #answered(experiment, answer) {
    if (answer.state === "compiling") {
      if (this.full) return; // what the full run said stays
      this.compiling = true;
      this.words = `${atLeastWords(answer.at_least_s)} ${COMPILING}`.trim();
      this.#draw();
      return;
    }
    const compiled = this.compiling;
    this.compiling = false;
    if (answer.state !== "done") {
      if (experiment === this.studio.experiment.value) this.#none();
      return;
    }
    this.#keep(experiment, answer);
    if (!this.base) {
      if (compiled) this.#none();
      return;
    }
    if (experiment !== this.base || experiment === this.studio.experiment.value) {
      this.shown = { experiment, answer };
      this.holding = !this.full;
      this.words = "";
    }
    if (!this.full && !this.known.has(this.base) && !this.previews.busy) this.previews.ask(this.base);
    if (this.full) this.settled(this.full);
    else this.#draw();
  }

  /**
   * @param {Experiment} experiment
   * @param {PreviewDone} answer
   */
  #keep(experiment, answer) {
    this.known.delete(experiment);
    this.known.set(experiment, answer);
    for (const old of this.known.keys()) if (this.known.size > KEPT && old !== this.base) this.known.delete(old);
  }

  /** Report the preview's error after the full run of an experiment ended, and let the charts follow the run again. */
  settled(/** @type {RunSession} */ session) {
    const experiment = session.experiment;
    if (!this.base || experiment !== this.studio.experiment.value) return;
    // Its last frames have not arrived yet.
    if (session.state !== "done" && !["failed", "cancelled"].includes(session.run.state)) return;
    this.full = session;
    const answer = this.known.get(experiment);
    if (!answer && this.previews.expects(experiment)) {
      // A busy server answers late: the charts follow the run already, and the comparison follows the answer.
      this.holding = false;
      this.#draw();
      return;
    }
    if (!answer) return this.release();
    const name = session.meta?.hists[0]?.name ?? "allocation_delay";
    this.words = session.run.state === "done" ? confirmWords(answer, session.store.summary, name) : "";
    this.release();
  }

  /** Clear the text about a preview, because there is none of the experiment on screen. */
  #none() {
    this.words = "";
    this.release();
    this.#draw();
  }

  /** Let the charts follow the run again; the next drag starts from the current experiment. */
  release() {
    const held = this.holding || this.base;
    this.holding = false;
    this.base = null;
    this.shown = null;
    if (held) this.#draw();
  }

  /** Return the summary of the preview that the charts show, or null. */
  summary() {
    return this.holding && this.shown ? this.shown.answer.summary : null;
  }

  /**
   * Return what the charts show instead of the run, or null: {hist, values, cells, beforeCells, ghost, before, says,
   * shares}.
   */
  view(/** @type {string} */ name) {
    if (!this.holding || !this.shown) return null;
    const { answer } = this.shown;
    const start = this.base && this.base !== this.shown.experiment ? this.known.get(this.base) : null;
    const hist = histOf(answer, name);
    const ghost = histOf(start, name);
    return {
      hist,
      ghost,
      shares: answer.shares,
      values: { ...percentiles(hist), ...noNulls(percentilesOf(answer.summary, name)) },
      before:
        start && ghost ? { ...percentiles(ghost), ...noNulls(percentilesOf(start.summary, name)) } : percentiles(null),
      // For a partial run, percentiles are ranges that estimate the whole run.
      cells: answer.foretold ? foretoldCells(answer.foretold) : null,
      beforeCells: start?.foretold ? foretoldCells(start.foretold) : null,
      says: answer.foretold
        ? `${foretoldWords(answer.foretold)} ${gettext("Estimated from {part}.", { part: reducedWords(answer) })}`
        : gettext("Preview of {part}. The full run follows.", { part: reducedWords(answer) }),
    };
  }

  #draw() {
    this.told.value = {};
    if (!this.shown || !this.holding) return;
    const number = this.shown.answer.preview;
    // The browser has painted it by then; performance measurements read this attribute.
    requestAnimationFrame(() => {
      if (Number(document.body.dataset.preview ?? 0) < number) document.body.dataset.preview = String(number);
    });
  }
}

function noNulls(/** @type {Record<string, number | null>} */ values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
