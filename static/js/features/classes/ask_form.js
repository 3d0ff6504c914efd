/** The teacher's form for a new question. Runs compute the answer; the teacher does not type it. */

import { problemText } from "../../experiment/problems.js";
import { getExperiment, getMeta, listSchedulers } from "../../contract/api.js";
import { targetOf } from "../../kit/dom.js";
import { batch, element, html, live, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { variables } from "../../run/study/study_paths.js";

/**
 * @import { ApiError, Failure } from "../../contract/api.js"
 * @import { ClassShown } from "../../contract/contract"
 * @import { Experiment, Scheduler } from "../../experiment/experiment.js"
 * @import { Problem } from "../../experiment/problems.js"
 * @import { Question } from "./class_api.js"
 */

const MEASURES = {
  "allocation_delay_s.p50": gettext("Queueing delay, p50"),
  "allocation_delay_s.p90": gettext("Queueing delay, p90"),
  "allocation_delay_s.p99": gettext("Queueing delay, p99"),
  "allocation_delay_s.mean": gettext("Queueing delay, mean"),
  "job_completion_s.p50": gettext("Job completion time, p50"),
  "job_completion_s.p99": gettext("Job completion time, p99"),
  "job_completion_s.mean": gettext("Job completion time, mean"),
  makespan_s: gettext("Makespan"),
  "utilisation.cpus": gettext("Utilization of CPUs"),
  "fairness.entitled_worst": gettext("Worst-served queue, share of its entitlement"),
};
const KINDS = {
  choice: gettext("One of several"),
  number: gettext("A number on a slider"),
  curve: gettext("A curve to draw"),
  point: gettext("A machine or a task to point at"),
};
const VARY = { schedulers: gettext("schedulers"), values: gettext("values of a parameter") };
const BEST = { least: gettext("the one with the lowest value"), most: gettext("the one with the highest value") };
/** The fields of each kind of question. @type {Record<string, string[]>} */
const FIELDS = {
  choice: ["metric", "best", "vary", "schedulers", "path", "values"],
  number: ["metric", "low", "high", "log"],
  curve: ["metric", "path", "values", "low", "high", "log"],
  point: ["target", "reason", "after_s"],
};

/** Parse a typed list of numbers or words: 1, 2.5, fast. */
export function listOf(/** @type {string} */ text) {
  const parts = text.split(/[,;\s]+/).filter(Boolean);
  return parts.map((part) => (Number.isFinite(Number(part)) ? Number(part) : part));
}

/** Return a question in the server's format from the fields. */
export function questionOf(/** @type {Partial<Fields> & {text: string}} */ fields) {
  const { kind, text } = fields;
  /** @type {Question} */
  const question = { kind, text: text.trim() };
  if (kind === "point")
    return { ...question, target: fields.target, reason: fields.reason, after_s: Number(fields.after_s) || 0 };
  question.metric = fields.metric;
  if (kind === "choice") {
    const by =
      fields.vary === "values" ? { path: fields.path, values: listOf(/** @type {string} */ (fields.values)) } : null;
    return { ...question, best: fields.best, ...(by ?? { schedulers: fields.schedulers }) };
  }
  const scale = { low: Number(fields.low), high: Number(fields.high), log: Boolean(fields.log) };
  const axis = kind === "curve" ? { path: fields.path, values: listOf(/** @type {string} */ (fields.values)) } : {};
  return { ...question, ...scale, ...axis };
}

/** Return the text of a kind of decision, without the numbers of a single task. */
export function decisionWords(/** @type {string} */ template) {
  const said = template.replace(/\{\w+\}/g, "…").replace(/…(\s*…)+/g, "…");
  return said.split(/(?<=\.) /)[0];
}

const EMPTY = {
  kind: "choice",
  text: "",
  metric: Object.keys(MEASURES)[0],
  best: "least",
  vary: "schedulers",
  schedulers: /** @type {string[]} */ ([]),
  path: "",
  values: "",
  low: "0",
  high: "10",
  log: false,
  target: "machine",
  reason: "",
  after_s: "0",
};

/** @typedef {typeof EMPTY} Fields  the form's values; an empty value of a list means its first entry */

/** Return the fields of a kind of question. */
function usedFields(/** @type {Fields} */ { kind, vary }) {
  const unused = kind === "choice" ? (vary === "values" ? ["schedulers"] : ["path", "values"]) : [];
  return ["kind", "text", ...FIELDS[kind].filter((name) => !unused.includes(name))];
}

export class AskForm {
  /**
   * @param {(question: Question) => Promise<void>} send
   * @param {string} [words]  the button's label
   */
  constructor(send, words = gettext("Add the question")) {
    this.send = send;
    this.words = words;
    /** The run whose decision reasons are offered. @type {string | null} */
    this.run = null;
    this.fields = signal({ ...EMPTY });
    this.said = signal("");
    this.known = signal(/** @type {Scheduler[]} */ ([]));
    this.experiment = signal(/** @type {Experiment | null} */ (null));
    this.reasons = signal(/** @type {[string, string][]} */ ([]));
    this.element = element("form", "ask-form", () => this.#view());
    this.element.dataset.askForm = "";
    this.element.addEventListener("input", (event) => this.#typed(targetOf(event)));
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    this.#learn();
  }

  #set(/** @type {Partial<Fields>} */ changes) {
    this.fields.value = { ...this.fields.value, ...changes };
  }

  #typed(
    /** @type {HTMLInputElement & {selectedOptions?: HTMLCollectionOf<HTMLOptionElement>}} */ {
      name,
      type,
      checked,
      value,
      selectedOptions,
    },
  ) {
    const many = () =>
      [.../** @type {HTMLCollectionOf<HTMLOptionElement>} */ (selectedOptions)].map((one) => one.value);
    this.#set({ [name]: type === "checkbox" ? checked : type === "select-multiple" ? many() : value });
  }

  async #send() {
    this.said.value = "";
    try {
      await this.send(questionOf(this.#chosen()));
      this.#set({ text: "" });
    } catch (caught) {
      const error = /** @type {Failure} */ (caught);
      const told = (error.problems ?? []).map((/** @type {Problem} */ one) =>
        problemText({ ...one, label: one.path.split(".").at(-1) }),
      );
      this.said.value = told.join(" ") || error.message;
    }
  }

  /** Return the fields, with the first entry of each list without a choice. */
  #chosen() {
    const { path, reason, ...fields } = this.fields.value;
    return { ...fields, path: path || (this.#paths()[0]?.[0] ?? ""), reason: reason || this.reasons.value[0]?.[0] };
  }

  /** Return the schedulers, loaded on first use. */
  async #learn() {
    if (!this.known.value.length) this.known.value = (await listSchedulers()) ?? [];
    return this.known.value;
  }

  /**
   * Ask about an experiment given as data; `question` is the previous question, or null.
   * @param {Experiment} experiment
   * @param {Question | null} question
   */
  async about(experiment, question) {
    const declared = (await this.#learn()).find((one) => one.name === experiment.scheduler.name);
    batch(() => {
      this.#offer(experiment, declared?.reasons ?? []);
      if (question) this.#take(question);
    });
  }

  /** Offer the parameters of the experiment on screen, and the reasons in its run. */
  async show(/** @type {ClassShown | null} */ shown) {
    if (!shown || shown.run === this.run) return;
    this.run = shown.run;
    const [stored, meta] = await Promise.all([getExperiment(shown.experiment), getMeta(shown.run)]);
    if (stored.experiment) this.#offer(stored.experiment, meta.reasons);
  }

  /**
   * @param {Experiment} experiment
   * @param {{name: string, template: string}[]} reasons
   */
  #offer(experiment, reasons) {
    batch(() => {
      this.experiment.value = experiment;
      this.reasons.value = reasons.map((one) => [one.name, decisionWords(one.template)]);
      this.#set({ path: "", reason: "" });
    });
  }

  /** Fill the fields from a question. */
  #take(/** @type {Question} */ question) {
    const { schedulers = [], values = [], ...rest } = question;
    const { log, ...texts } = { ...EMPTY, ...this.fields.value, ...rest };
    const shown = Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, String(value)]));
    const vary = values.length ? "values" : "schedulers";
    this.#set({ ...shown, log: Boolean(log), schedulers, values: values.join(", "), vary });
  }

  /** Return the parameters that the experiment can vary. @returns {[string, string][]} */
  #paths() {
    const experiment = this.experiment.value;
    const own = this.known.value.filter((one) => one.name === experiment?.scheduler.name);
    if (!experiment || !own.length) return [];
    return variables(experiment, own)
      .flatMap((group) => group.options)
      .filter(({ value }) => typeof value === "number")
      .map(({ path, label }) => [path, label]);
  }

  #view() {
    const targets = { machine: gettext("a machine"), task: gettext("a task") };
    return html`
      ${this.#row("kind", gettext("Kind"), this.#select("kind", Object.entries(KINDS)))}
      ${this.#row(
        "text",
        gettext("Question"),
        html`<textarea
          class="field"
          name="text"
          rows="2"
          maxlength="300"
          required
          .value=${live(this.fields.value.text)}
        ></textarea>`,
      )}
      ${this.#row("metric", gettext("Measure"), this.#select("metric", Object.entries(MEASURES)))}
      ${this.#row("best", gettext("Correct option"), this.#select("best", Object.entries(BEST)))}
      ${this.#row("vary", gettext("Options to choose from"), this.#select("vary", Object.entries(VARY)))}
      ${this.#row("schedulers", gettext("Schedulers (choose several)"), this.#schedulersView())}
      ${this.#row("path", gettext("Parameter"), this.#select("path", this.#paths()))}
      ${this.#row("values", gettext("Values, separated by commas"), this.#input("values", "text"))}
      ${this.#row("low", gettext("Scale from"), this.#input("low", "number"))}
      ${this.#row("high", gettext("Scale to"), this.#input("high", "number"))}
      ${this.#row(
        "log",
        gettext("Logarithmic scale"),
        html`<input type="checkbox" name="log" .checked=${live(this.fields.value.log)} />`,
      )}
      ${this.#row("target", gettext("Students point at"), this.#select("target", Object.entries(targets)))}
      ${this.#row("reason", gettext("Next decision of this kind"), this.#select("reason", this.reasons.value))}
      ${this.#row(
        "after_s",
        gettext("After this instant, in simulated seconds"),
        html`<input class="field" name="after_s" type="number" min="0" .value=${live(this.fields.value.after_s)} />`,
      )}
      <button class="button button-heavy" type="submit">${this.words}</button>
      <p class="class-said" role="alert">${this.said.value}</p>
    `;
  }

  /**
   * @param {keyof Fields} name
   * @param {string} label
   * @param {unknown} control
   */
  #row(name, label, control) {
    const unused = !usedFields(this.fields.value).includes(name);
    return html`<label class="ask-row" data-field=${name} ?hidden=${unused}><span>${label}</span>${control}</label>`;
  }

  /**
   * @param {"values" | "low" | "high"} name
   * @param {string} type
   */
  #input(name, type) {
    const value = live(this.fields.value[name]);
    return html`<input class="field" name=${name} type=${type} step="any" .value=${value} />`;
  }

  /**
   * Return a select. It also offers a value of the question that is not in the list, so that editing another field does
   * not lose it.
   * @param {keyof Fields} name
   * @param {[string, string][]} entries
   */
  #select(name, entries) {
    const chosen = String(this.fields.value[name]);
    const isKnown = !chosen || entries.some(([value]) => value === chosen);
    const offered = isKnown ? entries : [...entries, [chosen, chosen]];
    const value = chosen || entries[0]?.[0];
    return html`<select class="picture-select" name=${name}>
      ${offered.map(([each, label]) => html`<option value=${each} .selected=${live(each === value)}>${label}</option>`)}
    </select>`;
  }

  #schedulersView() {
    const { schedulers } = this.fields.value;
    return html`<select class="ask-schedulers" name="schedulers" multiple size="6">
      ${this.known.value.map(
        ({ name, label }) => html`<option value=${name} .selected=${live(schedulers.includes(name))}>${label}</option>`,
      )}
    </select>`;
  }
}
