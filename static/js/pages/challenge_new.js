/** Make a challenge of an experiment: what counts, what is bounded, and what entries may change. */

import { problemText } from "../experiment/problems.js";
import { limitOf, objectivesAt } from "../features/arena/objectives.js";
import { ApiError, forkToken, request } from "../contract/api.js";
import { bootData, wireTheme } from "../kit/boot.js";
import { find, h } from "../kit/dom.js";
import { wireGlossaryAndTips } from "../kit/glossary.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { gettext } from "../kit/words.js";

/** @import { Experiment, Scheduler } from "../experiment/experiment.js" */

const SEEDS = 10;
const CUTOFF_S = 10;
const MOST_LIMITS = 4;
const field = (/** @type {string} */ label, /** @type {HTMLElement} */ control, help = "") =>
  h("label", { class: "entry-field" }, label, control, help ? h("span", { class: "entry-bounds" }, help) : null);

class NewChallenge {
  constructor(/** @type {{experiment: Experiment, schedulers: Scheduler[]}} */ { experiment, schedulers }) {
    this.experiment = experiment;
    this.schedulers = schedulers;
    this.offered = objectivesAt(CUTOFF_S);
    this.title = h("input", { name: "title", maxlength: 80, required: true, value: experiment.name });
    this.question = h("input", { name: "question", maxlength: 200, value: experiment.question });
    this.objective = h("select", { name: "objective" }, this.#options());
    this.custom = h("input", {
      name: "expression",
      maxlength: 300,
    });
    this.says = h("input", { name: "says", maxlength: 120 });
    this.unit = h(
      "select",
      { name: "unit" },
      h("option", { value: "" }, gettext("none")),
      h("option", { value: "s" }, gettext("seconds")),
      h("option", { value: "%" }, gettext("percent of a share")),
    );
    this.better = h(
      "select",
      {},
      h("option", { value: "less" }, gettext("Lowest value wins")),
      h("option", { value: "more" }, gettext("Highest value wins")),
    );
    /** @type {{limit: HTMLSelectElement, bound: HTMLInputElement}[]} */
    this.limits = [];
    this.bounds = h("div", { class: "entry-limits" });
    this.more = h("button", { class: "button", type: "button", "data-more-limits": true }, gettext("Add a limit"));
    this.more.addEventListener("click", () => this.#addLimit().limit.focus());
    this.change = h(
      "select",
      { name: "change" },
      h("option", { value: "own" }, gettext("Parameters of the baseline’s scheduler")),
      h("option", { value: "any" }, gettext("Any scheduler with any parameters")),
      h("option", { value: "some" }, gettext("These schedulers, with any parameters")),
    );
    this.some = h(
      "select",
      { multiple: true, size: 8, name: "schedulers" },
      schedulers.map((one) => h("option", { value: one.name }, one.label)),
    );
    this.seeds = h("input", { name: "seeds", type: "number", min: 4, max: 30, value: String(SEEDS) });
    this.closes = h("input", { name: "closes", type: "datetime-local" });
    this.#addLimit();
    this.#draw(/** @type {HTMLFormElement} */ (find("form")));
  }

  /** Add a limit with its bound; a challenge has a few at most. */
  #addLimit() {
    const limit = h("select", { name: "limit" }, h("option", { value: "" }, gettext("No limit")), this.#options());
    const bound = h("input", { name: "bound", type: "number", step: "any", min: 0 });
    this.limits.push({ limit, bound });
    this.bounds.append(
      h(
        "div",
        { class: "entry-fields" },
        field(gettext("Limit"), limit),
        field(gettext("Limit value"), bound, gettext("in seconds or percent")),
      ),
    );
    this.more.hidden = this.limits.length >= MOST_LIMITS;
    return { limit, bound };
  }

  #options() {
    return this.offered.map((one, at) => h("option", { value: String(at) }, one.says));
  }

  #draw(/** @type {HTMLFormElement} */ form) {
    const custom = h(
      "div",
      { class: "entry-fields" },
      field(gettext("Expression over the figures of a run"), this.custom),
      field(gettext("What it measures, in words"), this.says),
      field(gettext("Unit"), this.unit),
      field(gettext("Direction"), this.better),
    );
    const own = h("option", { value: "custom" }, gettext("An expression of your own"));
    this.objective.append(own);
    const some = field(gettext("Schedulers"), this.some);
    const show = () => {
      custom.hidden = this.objective.value !== "custom";
      some.hidden = this.change.value !== "some";
    };
    for (const one of [this.objective, this.change]) one.addEventListener("change", show);
    show();
    form.replaceChildren(
      field(gettext("Title"), this.title),
      field(gettext("Question"), this.question),
      field(gettext("Objective"), this.objective),
      custom,
      this.bounds,
      h("div", { class: "entry-acts" }, this.more),
      field(gettext("Entries may change"), this.change),
      some,
      h(
        "div",
        { class: "entry-fields" },
        field(gettext("Number of hidden seeds"), this.seeds),
        field(gettext("Closes at (optional)"), this.closes),
      ),
      h(
        "div",
        { class: "entry-acts" },
        h("button", { class: "button button-heavy", type: "submit" }, gettext("Make the challenge")),
      ),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
  }

  /** The body of the request. */
  body() {
    const own = {
      says: this.says.value.trim() || this.custom.value.slice(0, 120),
      value: this.custom.value,
      unit: this.unit.value,
      better: this.better.value,
    };
    const objective = this.objective.value === "custom" ? own : this.offered[Number(this.objective.value)];
    const bounded = this.limits.filter(({ limit, bound }) => limit.value !== "" && bound.value !== "");
    /** @type {Record<string, string[]>} */
    const names = {
      own: [this.experiment.scheduler.name],
      some: [...this.some.selectedOptions].map((one) => one.value),
    };
    return {
      title: this.title.value.trim(),
      question: this.question.value.trim(),
      experiment: this.experiment,
      objective,
      limits: bounded.map(({ limit, bound }) => limitOf(this.offered[Number(limit.value)], Number(bound.value))),
      change: {
        schedulers:
          this.change.value === "any"
            ? "any"
            : names[this.change.value].map((/** @type {string} */ name) => ({ name, open: "any" })),
      },
      seeds: Number(this.seeds.value),
      ...(this.closes.value ? { closes_at: new Date(this.closes.value).toISOString() } : {}),
    };
  }

  async #send() {
    const said = find("said");
    try {
      const made = forkToken(await request("POST", "/challenges", this.body()));
      window.location.href = `/arena/${made.id}`;
    } catch (/** @type {any} */ error) {
      const listed = error instanceof ApiError ? error.problems : [];
      said.textContent = listed.length
        ? listed.map((each) => [each.label ? "" : each.path, problemText(each)].filter(Boolean).join(": ")).join("\n")
        : error.message;
      said.hidden = false;
    }
  }
}

wireTheme();
wireGlossaryAndTips();
wirePageKeys();
const boot = bootData();
if (boot.experiment) new NewChallenge(boot);
