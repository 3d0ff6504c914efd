/** The teacher's form for a new question. Nobody types the answer: runs compute it. */

import { problemText } from "../../experiment/problems.js";
import { getExperiment, getMeta, listSchedulers } from "../../contract/api.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";
import { variables } from "../../run/study/study_paths.js";

/**
 * @import { ClassShown } from "../../contract/contract"
 * @import { Experiment, Scheduler } from "../../experiment/experiment.js"
 * @import { Problem } from "../../experiment/problems.js"
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
/** Which fields belong to which kind. @type {Record<string, string[]>} */
const FIELDS = {
  choice: ["metric", "best", "vary", "schedulers", "path", "values"],
  number: ["metric", "low", "high", "log"],
  curve: ["metric", "path", "values", "low", "high", "log"],
  point: ["target", "reason", "after_s"],
};

/** Numbers or words of a list as somebody types it: 1, 2.5, fast. */
export function listOf(/** @type {string} */ text) {
  const parts = text.split(/[,;\s]+/).filter(Boolean);
  return parts.map((part) => (Number.isFinite(Number(part)) ? Number(part) : part));
}

/** A question as the server takes it, from what stands in the fields. */
export function questionOf(/** @type {Record<string, any>} */ fields) {
  const { kind, text } = fields;
  /** @type {Record<string, any>} */
  const question = { kind, text: text.trim() };
  if (kind === "point")
    return { ...question, target: fields.target, reason: fields.reason, after_s: Number(fields.after_s) || 0 };
  question.metric = fields.metric;
  if (kind === "choice") {
    const by = fields.vary === "values" ? { path: fields.path, values: listOf(fields.values) } : null;
    return { ...question, best: fields.best, ...(by ?? { schedulers: fields.schedulers }) };
  }
  const scale = { low: Number(fields.low), high: Number(fields.high), log: Boolean(fields.log) };
  const axis = kind === "curve" ? { path: fields.path, values: listOf(fields.values) } : {};
  return { ...question, ...scale, ...axis };
}

/** What a kind of decision says in a task's life, without the numbers of one task. */
export function decisionWords(/** @type {string} */ template) {
  const said = template.replace(/\{\w+\}/g, "…").replace(/…(\s*…)+/g, "…");
  return said.split(/(?<=\.) /)[0];
}

/**
 * @param {string} name
 * @param {Record<string, string>} entries
 */
function select(name, entries) {
  return h(
    "select",
    { class: "picture-select", name },
    Object.entries(entries).map(([value, label]) => h("option", { value }, label)),
  );
}

/**
 * Offer a value of a question that a list does not have, so that editing another part does not lose it.
 * @param {Element | RadioNodeList} control
 * @param {string} value
 */
function keepOption(control, value) {
  if (!(control instanceof HTMLSelectElement) || control.multiple || value === "") return;
  if (![...control.options].some((one) => one.value === value)) control.append(h("option", { value }, value));
}

/**
 * @param {string} name
 * @param {string} label
 * @param {HTMLElement} control
 */
function row(name, label, control) {
  return h("label", { class: "ask-row", "data-field": name }, h("span", {}, label), control);
}

export class AskForm {
  /**
   * @param {(question: any) => Promise<void>} send
   * @param {string} [words]  of the button
   */
  constructor(send, words = gettext("Add the question")) {
    /** @type {Scheduler[] | null} */
    this.known = null;
    /** The run whose reasons are offered. @type {string | null} */
    this.run = null;
    /** @type {Experiment | undefined} */
    this.experiment = undefined;
    const input = (/** @type {string} */ name, /** @type {Record<string, any>} */ attributes) =>
      h("input", { class: "field", name, ...attributes });
    this.schedulers = h("select", { class: "ask-schedulers", name: "schedulers", multiple: true, size: 6 });
    this.path = select("path", {});
    this.reason = select("reason", {});
    this.said = h("p", { class: "class-said", role: "alert" });
    const text = h("textarea", { class: "field", name: "text", rows: 2, maxlength: 300, required: true });
    this.element = h(
      "form",
      { class: "ask-form", "data-ask-form": true },
      row("kind", gettext("Kind"), select("kind", KINDS)),
      row("text", gettext("Question"), text),
      row("metric", gettext("Measure"), select("metric", MEASURES)),
      row("best", gettext("Correct option"), select("best", BEST)),
      row("vary", gettext("Options to choose from"), select("vary", VARY)),
      row("schedulers", gettext("Schedulers (choose several)"), this.schedulers),
      row("path", gettext("Parameter"), this.path),
      row("values", gettext("Values, separated by commas"), input("values", { type: "text" })),
      row("low", gettext("Scale from"), input("low", { type: "number", step: "any", value: "0" })),
      row("high", gettext("Scale to"), input("high", { type: "number", step: "any", value: "10" })),
      row("log", gettext("Logarithmic scale"), h("input", { type: "checkbox", name: "log" })),
      row(
        "target",
        gettext("Students point at"),
        select("target", { machine: gettext("a machine"), task: gettext("a task") }),
      ),
      row("reason", gettext("Next decision of this kind"), this.reason),
      row(
        "after_s",
        gettext("After this instant, in simulated seconds"),
        input("after_s", { type: "number", min: 0, value: "0" }),
      ),
      h("button", { class: "button button-heavy", type: "submit" }, words),
      this.said,
    );
    this.element.addEventListener("change", () => this.#draw());
    this.element.addEventListener("submit", async (event) => {
      event.preventDefault();
      this.said.textContent = "";
      try {
        await send(questionOf(this.#fields()));
        text.value = "";
      } catch (/** @type {any} */ error) {
        const told = (error.problems ?? []).map((/** @type {Problem} */ one) =>
          problemText({ ...one, label: one.path.split(".").at(-1) }),
        );
        this.said.textContent = told.join(" ") || error.message;
      }
    });
    this.#draw();
    this.#fill();
  }

  /**
   * Ask about an experiment that is given as data; `question` is what was asked before, or null.
   * @param {Experiment} experiment
   * @param {any} question
   */
  async about(experiment, question) {
    this.experiment = experiment;
    this.known ??= await listSchedulers();
    const declared = this.known?.find((one) => one.name === experiment.scheduler.name);
    this.#reasons(declared?.reasons ?? []);
    this.#fillPaths();
    if (question) this.#take(question);
  }

  #reasons(/** @type {{name: string, template: string}[]} */ reasons) {
    this.reason.replaceChildren(...reasons.map((one) => h("option", { value: one.name }, decisionWords(one.template))));
  }

  /** Put a question into the fields. */
  #take(/** @type {any} */ question) {
    const { schedulers = [], values = [], ...rest } = question;
    const fields = { ...rest, values: values.join(", "), vary: values.length ? "values" : "schedulers" };
    for (const [name, value] of Object.entries(fields)) {
      const control = this.element.elements.namedItem(name);
      if (control instanceof HTMLInputElement && control.type === "checkbox") control.checked = Boolean(value);
      else if (control) {
        keepOption(control, String(value));
        /** @type {any} */ (control).value = String(value);
      }
    }
    for (const option of this.schedulers.options) option.selected = schedulers.includes(option.value);
    this.#draw();
  }

  #fields() {
    const data = new FormData(this.element);
    return { ...Object.fromEntries(data), schedulers: data.getAll("schedulers") };
  }

  #draw() {
    const { kind, vary } = /** @type {any} */ (this.#fields());
    const unused = kind === "choice" ? (vary === "values" ? ["schedulers"] : ["path", "values"]) : [];
    for (const one of /** @type {NodeListOf<HTMLElement>} */ (this.element.querySelectorAll("[data-field]"))) {
      const { field } = one.dataset;
      one.hidden = !["kind", "text", ...FIELDS[kind]].includes(field ?? "") || unused.includes(field ?? "");
    }
  }

  async #fill() {
    this.known ??= await listSchedulers();
    this.schedulers.replaceChildren(...(this.known ?? []).map((one) => h("option", { value: one.name }, one.label)));
    this.#fillPaths();
  }

  /** Offer what the experiment that is shown can vary, and the reasons that its run gives. */
  async show(/** @type {ClassShown | null} */ shown) {
    if (!shown || shown.run === this.run) return;
    this.run = shown.run;
    const [stored, meta] = await Promise.all([getExperiment(shown.experiment), getMeta(shown.run)]);
    this.experiment = stored.experiment;
    this.#reasons(meta.reasons);
    this.#fillPaths();
  }

  #fillPaths() {
    if (!this.experiment || !this.known) return;
    const { experiment } = this;
    const own = this.known.filter((one) => one.name === experiment.scheduler.name);
    const numbers = variables(experiment, /** @type {any[]} */ (own))
      .flatMap((group) => group.options)
      .filter(({ value }) => typeof value === "number");
    this.path.replaceChildren(...numbers.map(({ path, label }) => h("option", { value: path }, label)));
  }
}
