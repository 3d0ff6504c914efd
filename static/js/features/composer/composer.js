/**
 * The pipeline of a scheduler as a diagram: 33 stages in four groups, each with its policy, and where the run's time
 * goes.
 */

import { problemText } from "../../experiment/problems.js";
import {
  countStates,
  defaultsOf,
  exactTimes,
  measuredOf,
  missingInputs,
  paramsAt,
  paramOf,
  passedThrough,
  policyOf,
  policyWhenOn,
  problemsByStage,
  stateOf,
  STATES,
  timesAt,
  timesOf,
  withPolicy,
} from "./pipeline.js";
import { valueAt } from "../../draw/scenes/heat_scene.js";
import { kindOf, presetOf, SIGNS, tellPreset } from "./matrix_cells.js";
import { fetchReference } from "./reference.js";
import { act, canAct } from "../../run/acting.js";
import { h } from "../../kit/dom.js";
import { StageCard } from "./card.js";
import { StageDetails } from "./details.js";
import { Palette } from "./palette.js";
import { TimeBar } from "./time_bar.js";
import { levelNow } from "../../kit/level_now.js";
import { gettext } from "../../kit/words.js";
import { composerTools, onComposerKey } from "./composer_tools.js";

/**
 * @import { Meta } from "../../contract/contract"
 * @import { Problem } from "../../experiment/problems.js"
 * @import { Desk } from "../graphs/desk.js"
 * @import { State } from "./pipeline.js"
 * @import { Reference, Stage, System } from "./reference.js"
 */

/** @type {State[]} */
const STATES_TOLD = ["chosen", "open", "always", "absent"];
const LIT_MS = 700;
const ROWS = 7; // the longest group stands in two columns

export default {
  id: "stages",
  title: gettext("Stages"),
  question: gettext("What does each stage of the scheduler do, and which are left open?"),
  own: true,
  /** @param {Meta} meta */
  needs: (meta) => meta.scheduler?.composes,
  /**
   * @param {HTMLElement} body
   * @param {Desk} desk
   */
  mount(body, desk) {
    const composer = new Composer(body, desk);
    return {
      listed: () => composer.listed(),
      /** @param {Problem[]} problems */
      problems: (problems) => composer.problems(problems),
      moved: () => composer.moved(),
      run: () => composer.run(),
      shown: () => composer.shown(),
    };
  },
};

/** The picture of stages: what each does in the experiment, and what it did in the run. */
export class Composer {
  /**
   * @param {HTMLElement} body
   * @param {Desk} desk
   */
  constructor(body, desk) {
    this.desk = desk;
    this.studio = desk.studio;
    /** @type {Map<string, string>} */
    this.had = new Map(); // the policy that a stage had before it was switched off
    /** @type {Map<string, StageCard>} */
    this.cards = new Map();
    /** @type {string | null} */
    this.chosen = null;
    /** @type {{run: string | undefined, counters: Record<string, number>} | null} */
    this.before = null;
    /** @type {Map<string, number>} */
    this.litUntil = new Map();
    /** @type {Reference | null} */
    this.reference = null;
    this.off = false;
    /** @type {System | null} */
    this.preset = null;
    /** @type {Map<string, string[]>} */
    this.trouble = new Map();
    this.sum = h("p", { class: "picture-key", role: "status" });
    this.later = h("input", { type: "checkbox", "data-from-now": "", onchange: () => this.listed() });
    this.tools = composerTools(this);
    this.grid = h("div", { class: "stage-grid", role: "group", "aria-label": gettext("Stages") });
    this.grid.inert = levelNow() !== "lab";
    this.bar = new TimeBar((stage) => this.select(stage));
    this.details = new StageDetails(this);
    this.palette = new Palette(this);
    this.foot = h("div", { class: "stage-foot" }, this.palette.element, this.details.element);
    this.empty = h("p", { class: "desk-empty", role: "status" }, gettext("Fetching the stages…"));
    body.append(this.tools, this.bar.element, this.grid, this.foot, this.empty);
    this.grid.addEventListener("keydown", (event) => onComposerKey(this, event));
    fetchReference()
      .then((reference) => this.#take(reference))
      .catch((error) => {
        this.empty.textContent = error.message;
      });
  }

  get params() {
    return this.later.checked
      ? paramsAt(this.studio.experiment, this.desk.t_ns / 1e9)
      : (this.studio.experiment?.scheduler?.params ?? {});
  }
  get defaults() {
    return defaultsOf(this.studio.chosen);
  }
  get composes() {
    return Boolean(this.studio.chosen?.composes);
  }

  /** @param {Reference} reference */
  #take(reference) {
    this.reference = reference;
    this.empty.hidden = true;
    for (const group of reference.groups) {
      const stages = reference.stages.filter((stage) => stage.group === group.id);
      const half = Math.min(stages.length, ROWS);
      /**
       * @param {Stage[]} part
       * @param {string} label
       */
      const list = (part, label) =>
        h(
          "ol",
          { class: "stage-list", "aria-label": label },
          part.map((stage) => this.#card(stage).element),
        );
      const name = h("h2", { class: "stage-group-name" }, h("b", {}, group.id), ` ${group.name}`);
      this.grid.append(
        h(
          "section",
          { class: `stage-group${half < stages.length ? " is-long" : ""}`, "aria-label": group.name },
          name,
          list(stages.slice(0, half), gettext("{name}, first stages", { name: group.name })),
          ...(half < stages.length
            ? [list(stages.slice(half), gettext("{name}, further stages", { name: group.name }))]
            : []),
        ),
      );
    }
    const first = this.cards.values().next().value;
    if (first) first.head.tabIndex = 0;
    this.palette.take(reference);
    this.listed();
    this.moved();
  }

  /** @param {Stage} stage */
  #card(stage) {
    const card = new StageCard(stage, {
      select: () => this.select(stage.id),
      /** @param {string} policy */
      put: (policy) => this.put(stage, policy),
      toggle: (on) => this.put(stage, on ? policyWhenOn(stage, this.defaults, this.had.get(stage.id)) : "none"),
    });
    this.cards.set(stage.id, card);
    return card;
  }

  // -- what the studio tells ------------------------------------------------------------------------------------------

  /** The experiment, or the list of schedulers, is another one. */
  listed() {
    const { experiment } = this.studio;
    if (!this.reference || !experiment) return;
    const { params, defaults } = this;
    this.off = this.studio.readOnly || !this.composes;
    const fixed = new Set(this.later.checked ? (this.studio.chosen?.fixed ?? []) : []);
    this.told = JSON.stringify(params);
    for (const stage of this.reference.stages) {
      const policy = policyOf(stage, params, defaults);
      if (policy && policy !== "none") this.had.set(stage.id, policy);
      this.cards.get(stage.id)?.show(stateOf(stage, params, defaults), policy, this.off || fixed.has(paramOf(stage)));
    }
    this.preset = this.composes ? presetOf(this.reference.systems, experiment.scheduler.params ?? {}, defaults) : null;
    for (const stage of this.reference.stages) {
      const cell = this.preset?.cells.find((each) => each.stage === stage.id);
      this.cards
        .get(stage.id)
        ?.row(cell ? SIGNS[kindOf(cell)] : "", cell && this.preset ? tellPreset(this.preset, stage) : "");
    }
    const counts = countStates(this.reference.stages, params, defaults);
    this.sum.textContent = this.composes
      ? `${this.preset ? `${this.preset.name}:   ` : ""}${STATES_TOLD.filter((state) => counts[state])
          .map((state) => `${STATES[state].sign} ${counts[state]} ${STATES[state].word}`)
          .join("   ")}`
      : gettext("The chosen scheduler is not a pipeline. The picture shows the previous run.");
    this.palette.show(this.chosen, params, defaults, this.off);
    this.details.experiment();
    this.problems(this.studio.problems);
  }

  /** @param {Problem[]} problems */
  problems(problems) {
    if (!this.reference) return;
    const found = problemsByStage(
      problems,
      this.reference.stages,
      (problem) => problemText(problem),
      this.studio.chosen,
    );
    for (const one of missingInputs(this.reference.stages, this.params, this.defaults))
      if (!found.has(one.stage)) found.set(one.stage, [one.text]);
    for (const [id, card] of this.cards) card.problem(found.get(id)?.join(" ") ?? "");
    this.trouble = found;
    this.details.problem(found.get(this.chosen ?? "")?.join(" ") ?? "");
  }

  run() {
    this.moved();
    this.details.run();
  }

  shown() {
    this.before = null;
    this.listed();
  }

  /** The viewer stands at another instant: stages that the run has passed through since light up. */
  moved() {
    const picture = this.studio.stage.picture;
    if (!this.reference || !picture || picture.seq < 0) return;
    const { stages } = this.reference;
    const now = performance.now();
    const counters = { ...picture.counters, ...timesAt(stages, this.studio.session?.store.series, this.desk.t_ns) };
    if (this.later.checked && JSON.stringify(this.params) !== this.told) this.listed();
    const run = this.desk.runId;
    const { before } = this;
    if (before && before.run === run && counters.events > before.counters.events) {
      for (const id of passedThrough(stages, before.counters, counters)) this.litUntil.set(id, now + LIT_MS);
    } else if (!before || before.run !== run || counters.events < before.counters.events) this.litUntil.clear();
    this.before = { run, counters };
    const exact = this.studio.exactAtEnd();
    const times = timesOf(stages, { ...counters, ...exactTimes(exact) });
    const shares = new Map(times.rows.map((row) => [row.id, row]));
    for (const [id, card] of this.cards) {
      card.light((this.litUntil.get(id) ?? 0) > now);
      card.time(shares.get(id) ?? null);
    }
    const summary = this.studio.session?.store.summary ?? null;
    this.bar.show(times, this.value("iteration_ms"), measuredOf(stages, summary), summary !== null);
    this.details.moved();
    clearTimeout(this.dimming);
    if (this.litUntil.size) this.dimming = setTimeout(() => this.#dim(), LIT_MS);
  }

  #dim() {
    for (const [id, card] of this.cards) if ((this.litUntil.get(id) ?? 0) <= performance.now()) card.light(false);
  }

  /**
   * A series' value at the viewer's instant; null where the run has none.
   * @param {string} name
   */
  value(name) {
    return valueAt(this.studio.session?.store.series[name], this.desk.t_ns);
  }

  // -- what a person does ---------------------------------------------------------------------------------------------

  /** @param {string} id */
  select(id) {
    this.chosen = this.chosen === id ? null : id;
    for (const [name, card] of this.cards) card.choose(name === this.chosen);
    this.palette.show(this.chosen, this.params, this.defaults, this.off);
    this.details.show(this.reference?.stages.find((stage) => stage.id === this.chosen) ?? null);
    this.details.problem(this.trouble.get(this.chosen ?? "")?.join(" ") ?? "");
  }

  /**
   * Give a stage a policy, or none.
   * @param {Stage} stage
   * @param {string} policy
   */
  put(stage, policy) {
    if (this.off || policyOf(stage, this.params, this.defaults) === policy) return;
    if (this.later.checked) {
      this.#change(stage, policy);
      return;
    }
    this.studio.edit(`scheduler.params.${stage.param}`, policy, (experiment) => withPolicy(experiment, stage, policy));
  }

  /**
   * From the viewer's instant on: a fork of the run, in which an event sets the policy.
   * @param {Stage} stage
   * @param {string} policy
   */
  async #change(stage, policy) {
    const { studio } = this;
    if (!canAct(studio))
      studio.messages.notice(
        gettext("Policies can be changed when the run on screen matches the current settings."),
        "",
        6000,
      );
    else
      await act(
        studio,
        [
          {
            at_s: Math.round(this.desk.t_ns / 1e6) / 1e3,
            kind: "set",
            target: { scheduler: true },
            value: { [paramOf(stage)]: policy },
          },
        ],
        `${stage.id}: ` +
          `${policy === "none" ? "unspecified" : stage.policies.find((each) => each.name === policy)?.label}.`,
      );
    this.listed();
  }

  /** @param {string} name */
  async open(name) {
    if (!this.reference) return;
    const module = name === "matrix" ? await import("./matrix.js") : await import("./open_stages.js");
    module.open(this.studio, this.reference);
  }
}
