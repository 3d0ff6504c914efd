/** Create a challenge from an experiment: its objective, its limits, and what entries may change. */

import { problemText } from "../experiment/problems.js";
import { limitOf, objectivesAt } from "../features/arena/objectives.js";
import { ApiError, forkToken, request } from "../contract/api.js";
import { bootData, wireTheme } from "../kit/boot.js";
import { find, targetOf } from "../kit/dom.js";
import { wireGlossaryAndTips } from "../kit/glossary.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { html, nothing, show, signal } from "../kit/view.js";
import { gettext } from "../kit/words.js";

/** @import { Experiment, Scheduler } from "../experiment/experiment.js" */

const SEEDS = 10;
const CUTOFF_S = 10;
const MOST_LIMITS = 4;
const OFFERED = objectivesAt(CUTOFF_S);

/**
 * @param {string} label
 * @param {unknown} control
 */
const field = (label, control, help = "") =>
  html`<label class="entry-field"
    >${label}${control}${help ? html`<span class="entry-bounds">${help}</span>` : nothing}</label
  >`;

const optionsView = () => OFFERED.map((one, at) => html`<option value=${at}>${one.says}</option>`);

class NewChallenge {
  constructor(/** @type {{experiment: Experiment, schedulers: Scheduler[]}} */ { experiment, schedulers }) {
    this.experiment = experiment;
    this.schedulers = schedulers;
    /** The form depends on these choices; everything else is read when the form is sent. */
    this.objective = signal("0");
    this.change = signal("own");
    this.limits = signal(1);
    this.form = /** @type {HTMLFormElement} */ (find("form"));
    show(this.form, () => this.#view());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
  }

  #view() {
    return html`
      ${field(gettext("Title"), html`<input name="title" maxlength="80" required .value=${this.experiment.name} />`)}
      ${field(gettext("Question"), html`<input name="question" maxlength="200" .value=${this.experiment.question} />`)}
      ${this.#objectiveView()}
      <div class="entry-limits">${Array.from({ length: this.limits.value }, limitView)}</div>
      <div class="entry-acts">
        <button
          class="button"
          type="button"
          data-more-limits
          ?hidden=${this.limits.value >= MOST_LIMITS}
          @click=${() => this.#addLimit()}
          >${gettext("Add a limit")}</button
        >
      </div>
      ${this.#changeView()}
      <div class="entry-fields">
        ${field(
          gettext("Number of hidden seeds"),
          html`<input name="seeds" type="number" min="4" max="30" .value=${String(SEEDS)} />`,
        )}
        ${field(gettext("Closes at (optional)"), html`<input name="closes" type="datetime-local" />`)}
      </div>
      <div class="entry-acts">
        <button class="button button-heavy" type="submit">${gettext("Make the challenge")}</button>
      </div>
    `;
  }

  #objectiveView() {
    // A select chooses the first option added to it: an option in the template itself would precede the others.
    const choose = (/** @type {Event} */ event) => {
      this.objective.value = targetOf(event).value;
    };
    return html`
      ${field(
        gettext("Objective"),
        html`<select name="objective" @change=${choose}>
          ${[...optionsView(), html`<option value="custom">${gettext("An expression of your own")}</option>`]}
        </select>`,
      )}
      <div class="entry-fields" ?hidden=${this.objective.value !== "custom"}>
        ${field(gettext("Expression over the figures of a run"), html`<input name="expression" maxlength="300" />`)}
        ${field(gettext("What it measures, in words"), html`<input name="says" maxlength="120" />`)}
        ${field(
          gettext("Unit"),
          html`<select name="unit">
            <option value="">${gettext("none")}</option>
            <option value="s">${gettext("seconds")}</option>
            <option value="%">${gettext("percent of a share")}</option>
          </select>`,
        )}
        ${field(
          gettext("Direction"),
          html`<select name="better">
            <option value="less">${gettext("Lowest value wins")}</option>
            <option value="more">${gettext("Highest value wins")}</option>
          </select>`,
        )}
      </div>
    `;
  }

  #changeView() {
    const choose = (/** @type {Event} */ event) => {
      this.change.value = targetOf(event).value;
    };
    return html`
      ${field(
        gettext("Entries may change"),
        html`<select name="change" @change=${choose}>
          <option value="own">${gettext("Parameters of the baseline’s scheduler")}</option>
          <option value="any">${gettext("Any scheduler with any parameters")}</option>
          <option value="some">${gettext("These schedulers, with any parameters")}</option>
        </select>`,
      )}
      <label class="entry-field" ?hidden=${this.change.value !== "some"}
        >${gettext("Schedulers")}<select name="schedulers" multiple size="8">
          ${this.schedulers.map((one) => html`<option value=${one.name}>${one.label}</option>`)}
        </select></label
      >
    `;
  }

  /** Add a limit and focus it. */
  #addLimit() {
    this.limits.value += 1;
    [.../** @type {NodeListOf<HTMLSelectElement>} */ (this.form.querySelectorAll("[name=limit]"))].at(-1)?.focus();
  }

  /** Return the request's body. */
  body() {
    const data = new FormData(this.form);
    const text = (/** @type {string} */ name) => String(data.get(name) ?? "");
    const own = {
      says: text("says").trim() || text("expression").slice(0, 120),
      value: text("expression"),
      unit: text("unit"),
      better: text("better"),
    };
    const bounds = data.getAll("bound");
    const limits = data
      .getAll("limit")
      .flatMap((limit, at) =>
        limit === "" || bounds[at] === "" ? [] : [limitOf(OFFERED[Number(limit)], Number(bounds[at]))],
      );
    const names = text("change") === "own" ? [this.experiment.scheduler.name] : data.getAll("schedulers");
    return {
      title: text("title").trim(),
      question: text("question").trim(),
      experiment: this.experiment,
      objective: text("objective") === "custom" ? own : OFFERED[Number(text("objective"))],
      limits,
      change: { schedulers: text("change") === "any" ? "any" : names.map((name) => ({ name, open: "any" })) },
      seeds: Number(text("seeds")),
      ...(text("closes") ? { closes_at: new Date(text("closes")).toISOString() } : {}),
    };
  }

  async #send() {
    const said = find("said");
    try {
      const made = forkToken(await request("POST", "/challenges", this.body()));
      window.location.href = `/arena/${made.id}`;
    } catch (error) {
      const listed = error instanceof ApiError ? error.problems : [];
      said.textContent = listed.length
        ? listed.map((each) => [each.label ? "" : each.path, problemText(each)].filter(Boolean).join(": ")).join("\n")
        : /** @type {Error} */ (error).message;
      said.hidden = false;
    }
  }
}

function limitView() {
  return html`<div class="entry-fields">
    ${field(
      gettext("Limit"),
      html`<select name="limit">
        <option value="">${gettext("No limit")}</option>
        ${optionsView()}
      </select>`,
    )}
    ${field(
      gettext("Limit value"),
      html`<input name="bound" type="number" step="any" min="0" />`,
      gettext("in seconds or percent"),
    )}
  </div>`;
}

wireTheme();
wireGlossaryAndTips();
wirePageKeys();
const boot = bootData();
if (boot.experiment) new NewChallenge(boot);
