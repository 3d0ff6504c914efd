/** The dialog "Ask": a promise, a question, and a worker's search for the answer, with progress and cancel. */

import { createExperiment, request } from "../../contract/api.js";
import { problemText } from "../../experiment/problems.js";
import { openDialog } from "../../kit/dialogs.js";
import { batch, element, html, nothing, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { chartView } from "./ask_chart.js";
import {
  MEASURES,
  QUESTIONS,
  TARGETS,
  answerWords,
  blockedRows,
  clustersOf,
  lowOf,
  measureOf,
  measuredWords,
  progressWords,
  requestOf,
  sureWords,
  valueWords,
} from "./ask_plan.js";

/** @typedef {Event & {target: HTMLInputElement}} OfField  an event of a field */

/**
 * @import { Failure, Problem } from "../../contract/api.js"
 * @import { Studio } from "../../studio/store.js"
 * @import { Signal } from "../../../vendor/signals/signals-core.mjs"
 * @import { Asked, Fields, Found } from "./ask_plan.js"
 */

const LOOK_MS = 500;
const SEARCH = gettext(
  "A search runs other values under the same seeds until it has found the answer. More seeds give a narrower " +
    "interval and cost more runs.",
);
const OVER = ["done", "failed", "cancelled"];
const MOST_ROWS = 12;
/** The last input is kept while the page is open. @type {Fields} */
let kept = {
  question: Object.keys(QUESTIONS)[0],
  measure: MEASURES[0].name,
  bound: "5",
  seeds: "5",
  cluster: "",
  target: "",
  number: "0",
  duration: "600",
  against: "",
};
const sleep = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

export function askDialog(/** @type {Studio} */ studio) {
  return new AskDialog(studio).dialog;
}

class AskDialog {
  constructor(/** @type {Studio} */ studio) {
    this.studio = studio;
    this.experiment = studio.opened.value;
    this.clusters = clustersOf(this.experiment);
    const others = this.#others().map(([name]) => name);
    this.fields = signal({
      ...kept,
      cluster: this.clusters.includes(kept.cluster) ? kept.cluster : "",
      against: others.includes(kept.against) ? kept.against : (others[0] ?? ""),
    });
    this.asked = signal(/** @type {Asked | null} */ (null));
    this.trouble = signal(/** @type {string[]} */ ([]));
    /** What ends the search that is going on. @type {Signal<AbortController | null>} */
    this.search = signal(null);
    this.dialog = openDialog(
      gettext("Ask"),
      element("div", "ask", () => this.#form()),
    );
    this.dialog.classList.add("dialog-wide");
    this.dialog.addEventListener("close", () => this.#cancel());
  }

  /** @param {Partial<Fields>} change */
  #set(change) {
    this.fields.value = { ...this.fields.value, ...change };
    kept = this.fields.value;
  }

  #form() {
    const fields = this.fields.value;
    const isSearching = this.search.value !== null;
    return html`
      <form class="ask-form" @submit=${(/** @type {Event} */ event) => this.#submit(event)}>
        ${this.#choice("question", gettext("Question"), Object.entries(QUESTIONS))} ${this.#promise(fields)}
        ${this.#options(fields)} ${this.#entry("seeds", gettext("Seeds"), { min: 1, max: 30 })}
        <p class="dialog-note">
          ${SEARCH}
        </p>
        <div class="ask-row">
          <button class="button button-heavy" type="submit" ?disabled=${isSearching}>${gettext("Ask")}</button>
          ${
            isSearching
              ? html`<button class="button" type="button" data-ask-cancel @click=${() => this.#cancel()}
                  >${gettext("Cancel")}</button>`
              : nothing
          }
        </div>
      </form>
      ${this.#progress()}
      ${
        this.trouble.value.length
          ? html`<p class="dialog-trouble" role="alert">${this.trouble.value.map((line) => html`${line}<br />`)}</p>`
          : nothing
      }
      ${this.asked.value?.answer ? answerView(this.#named(this.asked.value.answer)) : nothing}
    `;
  }

  /**
   * @param {keyof Fields} name
   * @param {string} label
   * @param {string[][]} choices
   */
  #choice(name, label, choices) {
    const value = this.fields.value[name];
    return html`<label class="dialog-label"
      >${label}<select
        class="knob-select"
        data-ask=${name}
        .value=${value}
        @change=${(/** @type {OfField} */ event) => this.#set({ [name]: event.target.value })}
      >
        ${choices.map(([key, words]) => html`<option value=${key} ?selected=${key === value}>${words}</option>`)}
      </select></label
    >`;
  }

  /**
   * @param {keyof Fields} name
   * @param {string} label
   */
  #entry(name, label, { min = 0, max = 1e9 } = {}) {
    return html`<label class="dialog-label"
      >${label}<input
        class="field ask-number"
        type="number"
        data-ask=${name}
        min=${min}
        max=${max}
        step="any"
        required
        .value=${this.fields.value[name]}
        @input=${(/** @type {OfField} */ event) => this.#set({ [name]: event.target.value })}
    /></label>`;
  }

  /** @param {Fields} fields */
  #promise(fields) {
    const { sign, unit } = measureOf(fields.measure);
    const bound = sign === "<=" ? gettext("At most, {unit}", { unit }) : gettext("At least, {unit}", { unit });
    return html`<div class="ask-promise" role="group" aria-label=${gettext("Promise")}>
      ${this.#choice(
        "measure",
        gettext("Promise"),
        MEASURES.map((one) => [one.name, one.label]),
      )}
      ${this.#entry("bound", bound)}
    </div>`;
  }

  /** @param {Fields} fields */
  #options(fields) {
    if (fields.question === "machines" && this.clusters.length > 1)
      return this.#choice("cluster", gettext("Machines of"), [
        ["", gettext("all clusters, in proportion")],
        ...this.clusters.map((/** @type {string} */ name) => [name, name]),
      ]);
    if (fields.question === "lose") return this.#choice("against", gettext("Compared with"), this.#others());
    if (fields.question !== "failure") return nothing;
    const which =
      fields.target === "cluster"
        ? this.#choice(
            "cluster",
            gettext("Cluster"),
            this.clusters.map((/** @type {string} */ name) => [name, name]),
          )
        : fields.target
          ? this.#entry("number", gettext("Number"))
          : nothing;
    return html`<div class="ask-promise">
      ${this.#choice("target", gettext("What fails"), Object.entries(TARGETS))} ${which}
      ${this.#entry("duration", gettext("For, s"), { min: 1 })}
    </div>`;
  }

  /** Return the other schedulers as [name, label]. */
  #others() {
    const { experiment, studio } = this;
    return studio.schedulers.value
      .filter((one) => one.name !== experiment.scheduler.name)
      .map((one) => [one.name, one.label]);
  }

  /** Return the answer with the other scheduler's label instead of its name. */
  #named(/** @type {Found} */ found) {
    const other = this.studio.schedulers.value.find(({ name }) => name === found.against);
    return other ? { ...found, against: other.label ?? other.name } : found;
  }

  #progress() {
    if (!this.search.value) return nothing;
    const asked = this.asked.value;
    return html`<p class="ask-progress" role="status">
      <progress max="1" .value=${asked?.progress ?? 0} aria-label=${gettext("Searched so far")}></progress>
      ${asked ? progressWords(asked) : gettext("Sending the question…")}
    </p>`;
  }

  /** @param {Event} event */
  async #submit(event) {
    event.preventDefault();
    if (this.fields.value.target === "cluster" && !this.fields.value.cluster) this.#set({ cluster: this.clusters[0] });
    const search = new AbortController();
    batch(() => {
      this.search.value = search;
      this.trouble.value = [];
      this.asked.value = null;
    });
    try {
      await this.#follow(search.signal);
    } catch (caught) {
      const error = /** @type {Failure} */ (caught);
      if (!search.signal.aborted)
        this.trouble.value = error.problems?.length ? error.problems.map(problemWords) : [error.message];
    }
    if (this.search.value === search) this.search.value = null;
  }

  /** Begin a search and show how far it is until it is over or canceled. @param {AbortSignal} ending */
  async #follow(ending) {
    const fields = this.fields.value;
    const made = await this.#stored();
    if (ending.aborted) return;
    const begun = /** @type {Asked} */ (await request("POST", `/experiments/${made.id}/asks`, requestOf(fields)));
    // The answer to a canceled question may come late: then its search ends as soon as its name is known.
    if (ending.aborted) return endSearch(begun);
    ending.addEventListener("abort", () => endSearch(begun));
    for (let asked = begun; !ending.aborted; asked = await request("GET", `/asks/${begun.id}`)) {
      this.asked.value = asked;
      if (asked.state === "failed") this.trouble.value = asked.problems.map(problemWords);
      if (OVER.includes(asked.state)) return;
      await sleep(LOOK_MS);
    }
  }

  async #stored() {
    const { studio, experiment } = this;
    const own =
      !studio.readOnly.value && studio.running.isMine && studio.saved.value && studio.savedFrom.value === experiment;
    return own && studio.saved.value ? studio.saved.value : createExperiment(experiment);
  }

  #cancel() {
    this.search.value?.abort();
    this.search.value = null;
  }
}

/** Cancel a search on the server. */
async function endSearch(/** @type {Asked} */ { id, owner_token: token }) {
  try {
    await request("POST", `/asks/${id}/cancel`, {}, { token: token ?? undefined });
  } catch {
    /* The server ends the search if no client polls it. */
  }
}

const problemWords = (/** @type {Problem} */ problem) => `${problem.path} ${problemText(problem)}`.trim();

/** @param {Found} found */
function answerView(found) {
  return html`<section class="ask-answer-part" aria-label=${gettext("Answer")}>
    <p class="ask-sentence" role="status" data-ask-answer>${answerWords(found)}</p>
    ${sureWords(found).map((line) => html`<p class="dialog-note">${line}</p>`)} ${chartView(found)} ${triedView(found)}
    ${found.question === "off" ? offView(found) : nothing}
  </section>`;
}

/** @param {Found} found */
function triedView(found) {
  const rows = found.tried.map(
    (one) => html`<tr>
      <td>${one.knob ? `${one.knob} = ${one.value}` : valueWords(found, one.work ?? one.value)}</td>
      <td>${measuredWords(found.measure, one.measured)}</td>
      ${found.question === "lose" ? html`<td>${measuredWords(found.measure, one.against ?? null)}</td>` : nothing}
      <td>${one.low === null ? "–" : measuredWords(found.measure, lowOf(one))}</td>
      <td>${one.high === null ? "–" : measuredWords(found.measure, one.high)}</td>
      <td data-kept=${one.kept ? "yes" : "no"}>${one.kept ? gettext("holds") : gettext("breaks")}</td>
    </tr>`,
  );
  return html`<details class="ask-tried" ?open=${["knob", "lose"].includes(found.question)}>
    <summary>${gettext("Everything that was tried")}</summary>
    <div class="ask-table" tabindex="0">
      <table class="table">
        <thead>
          <tr>
            <th>${gettext("Value")}</th>
            <th>${gettext("Mean")}</th>
            ${found.question === "lose" ? html`<th>${found.against}</th>` : nothing}
            <th>${gettext("Low")}</th>
            <th>${gettext("High")}</th>
            <th>${gettext("Promise")}</th>
          </tr>
        </thead>
        <tbody>${rows}</tbody>
      </table>
    </div>
  </details>`;
}

/** @param {Found} found */
function offView(found) {
  const off = /** @type {string[]} */ (found.answer);
  if (!off.length) return nothing;
  const moves = (found.moves ?? []).slice(0, MOST_ROWS);
  return html`<details class="ask-tried">
      <summary>${gettext("Which machines, and where their tasks go")}</summary>
      <p class="dialog-note ask-list">${off.join(", ")}</p>
      <ul class="ask-list">
        ${moves.map(
          ({ task, from, to }) =>
            html`<li>
              ${
                to === null
                  ? gettext("Task {task} leaves machine {from} and does not start", { task, from })
                  : gettext("Task {task} moves from machine {from} to {to}", { task, from, to })
              }
            </li>`,
        )}
      </ul>
    </details>
    <details class="ask-tried">
      <summary>${gettext("What blocks the others")}</summary>
      <ul class="ask-list">
        ${blockedRows(found).map(([reason, machines]) => html`<li>${machines.length} × ${reason}</li>`)}
      </ul>
    </details>`;
}
