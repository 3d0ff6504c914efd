/** The dialog "Ask": a promise, a question, and a worker's search for the answer, with progress and cancel. */

import { createExperiment, forkToken, request } from "../../contract/api.js";
import { problemText } from "../../experiment/problems.js";
import { openDialog } from "../../kit/dialogs.js";
import { batch, element, html, nothing, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { answerView } from "./ask_answer.js";
import {
  MEASURES,
  QUESTIONS,
  PLANS,
  TARGETS,
  clustersOf,
  measureOf,
  progressWords,
  requestOf,
  triedName,
  typesOf,
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
/** The last answer of this tab, so that it is there when the user comes back from a tried value. */
const LAST = "playground.ask";
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
  type: "",
  plan: "",
  periods: "24",
  until: "",
  price: "",
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
    const last = this.#last();
    if (last) kept = { ...kept, ...last.fields };
    this.fields = signal({
      ...kept,
      cluster: this.clusters.includes(kept.cluster) ? kept.cluster : "",
      against: others.includes(kept.against) ? kept.against : (others[0] ?? ""),
    });
    this.asked = signal(/** @type {Asked | null} */ (null));
    this.trouble = signal(/** @type {string[]} */ ([]));
    /** What ends the search that is going on. @type {Signal<AbortController | null>} */
    this.search = signal(null);
    this.isOpening = signal(false);
    this.dialog = openDialog(
      gettext("Ask"),
      element("div", "ask", () => this.#form()),
    );
    this.dialog.classList.add("dialog-wide");
    this.dialog.addEventListener("close", () => this.#cancel());
    if (last) this.#recall(last.ask);
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
      ${
        this.asked.value?.answer
          ? answerView(this.#named(this.asked.value.answer), {
              open: (number) => this.#open(number),
              isOpening: this.isOpening.value,
            })
          : nothing
      }
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
  #entry(name, label, { min = 0, max = 1e9, isRequired = true } = {}) {
    return html`<label class="dialog-label"
      >${label}<input
        class="field ask-number"
        type="number"
        data-ask=${name}
        min=${min}
        max=${max}
        step="any"
        ?required=${isRequired}
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
    if (fields.question === "machines") return this.#machines(fields);
    if (fields.question === "off") return this.#plan(fields);
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

  /** Which machines are counted: those of a cluster, or one type of them. @param {Fields} fields */
  #machines(fields) {
    const types = typesOf(this.experiment, fields.cluster);
    return html`<div class="ask-promise">
      ${
        this.clusters.length > 1
          ? this.#choice("cluster", gettext("Machines of"), [
              ["", gettext("all clusters, in proportion")],
              ...this.clusters.map((/** @type {string} */ name) => [name, name]),
            ])
          : nothing
      }
      ${
        types.length > 1
          ? this.#choice("type", gettext("Machine type"), [
              ["", gettext("all types, in proportion")],
              ...types.map((words, at) => [String(at + 1), words]),
            ])
          : nothing
      }
    </div>`;
  }

  /** @param {Fields} fields */
  #plan(fields) {
    return html`${this.#choice("plan", gettext("Machines off"), Object.entries(PLANS))}
    ${
      fields.plan
        ? html`<div class="ask-promise">
            ${this.#entry("periods", gettext("Periods"), { min: 2, max: 168 })}
            ${this.#entry("until", gettext("Planned time, h (empty: the whole run)"), { isRequired: false })}
            ${this.#entry("price", gettext("Price of a machine-hour"), { isRequired: false })}
          </div>`
        : nothing
    }`;
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

  /** Return this tab's last question if it was about the experiment on the page. */
  #last() {
    const { saved, savedFrom } = this.studio;
    /** @type {{experiment: string, ask: string, fields: Fields} | null} */
    let last = null;
    try {
      last = JSON.parse(sessionStorage.getItem(LAST) ?? "null");
    } catch {
      /* Storage may be off. */
    }
    const isHere = last && last.experiment === saved.value?.id && savedFrom.value === this.experiment;
    return isHere ? last : null;
  }

  async #recall(/** @type {string} */ id) {
    try {
      const asked = /** @type {Asked} */ (await request("GET", `/asks/${id}`));
      if (!this.search.value && asked.state === "done") this.asked.value = asked;
    } catch {
      /* The server keeps an answer for an hour. */
    }
  }

  /** Make an experiment of a tried value, and go there. */
  async #open(/** @type {number} */ number) {
    const asked = this.asked.value;
    if (!asked?.answer) return;
    this.isOpening.value = true;
    this.trouble.value = [];
    const words = triedName(this.#named(asked.answer), asked.answer.tried[number]);
    const name = `${this.experiment.name || gettext("Experiment")}: ${words}`.slice(0, 64);
    try {
      const made = forkToken(await request("POST", `/asks/${asked.id}/fork`, { tried: number, name }));
      const last = { experiment: asked.experiment_id, ask: asked.id, fields: this.fields.value };
      try {
        sessionStorage.setItem(LAST, JSON.stringify(last));
      } catch {
        /* Storage may be off: the answer is then gone when the user comes back. */
      }
      window.location.assign(`/studio/${made.id}`);
    } catch (caught) {
      const error = /** @type {Failure} */ (caught);
      this.trouble.value = error.problems?.length ? error.problems.map(problemWords) : [error.message];
      this.isOpening.value = false;
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
