/**
 * A scheduler's pipeline as a diagram: 33 stages in four groups, each with its policy, and how the run's time is spent.
 */

import { problemText } from "../../experiment/problems.js";
import {
  defaultsOf,
  exactTimes,
  measuredOf,
  missingInputs,
  NONE,
  paramsAt,
  paramOf,
  passedThrough,
  policyOf,
  problemsByStage,
  stateOf,
  timesAt,
  timesOf,
  withPolicy,
} from "./pipeline.js";
import { valueAt } from "../../draw/scenes/heat_scene.js";
import { kindOf, presetOf, SIGNS, tellPreset } from "./matrix_cells.js";
import { fetchReference } from "./reference.js";
import { act, canAct } from "../../run/acting.js";
import { StageDetails } from "./details.js";
import { paletteView } from "./palette.js";
import { timeBarView } from "./time_bar.js";
import { gettext } from "../../kit/words.js";
import { batch, computed, effect, element, html, show, signal } from "../../kit/view.js";
import { gridView, toolsView } from "./composer_view.js";

/**
 * @import { Meta } from "../../contract/contract"
 * @import { Desk } from "../graphs/desk.js"
 * @import { CardFacts } from "./card.js"
 * @import { Params, TimeRow } from "./pipeline.js"
 * @import { Reference, Stage, System } from "./reference.js"
 * @import { Times } from "./time_bar.js"
 */

/**
 * @typedef {object} Facts  the experiment's facts about the stages
 * @property {Params} params
 * @property {Params} defaults
 * @property {boolean} off  true if policies cannot be changed
 * @property {System | null} preset  the published scheduler with this pipeline
 * @property {Map<string, CardFacts>} cards  by stage
 *
 * @typedef {{times: Times, shares: Map<string, TimeRow>, lit: Set<string>}} Now  the run's facts about the stages at
 *   the current instant
 */

const LIT_MS = 700;

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
      moved: () => composer.moved(),
      run: () => composer.run(),
      shown: () => composer.shown(),
    };
  },
};

/** The picture of stages: what each does in the experiment, and what it did in the run. */
export class Composer {
  #state = {
    reference: signal(/** @type {Reference | null} */ (null)),
    /** The text shown while there are no stages. */
    empty: signal(gettext("Fetching the stages…")),
    chosen: signal(/** @type {string | null} */ (null)),
    /** True if a changed policy applies from the current instant on; the instant of the policies on screen. */
    later: signal(false),
    at_s: signal(0),
    now: signal(/** @type {Now | null} */ (null)),
    tabStop: signal(""),
    /** The stage whose policy is dragged, and the stage under it. */
    dragged: signal(/** @type {string | null} */ (null)),
    over: signal(/** @type {string | null} */ (null)),
    /** The number of attempted policy changes; after a failed one, the menu shows the former policy again. */
    tries: signal(0),
  };
  #facts = computed(() => this.#factsNow());
  #trouble = computed(() => this.#troubleNow());
  /** The last counters read. @type {{run: string | undefined, counters: Record<string, number>} | null} */
  #before = null;
  /** @type {Map<string, number>} */
  #litUntil = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #dimming;
  /** The policy that a stage had before it was switched off. @type {Map<string, string>} */
  had = new Map();

  /**
   * @param {HTMLElement} body
   * @param {Desk} desk
   */
  constructor(body, desk) {
    this.desk = desk;
    this.studio = desk.studio;
    const details = new StageDetails(this);
    this.details = details;
    const tools = element("div", "picture-tools", () => toolsView(this));
    const foot = element("div", "stage-foot", () => [paletteView(this), details.view()]);
    show(body, () => {
      const empty = this.reference ? "" : this.#state.empty.value;
      return html`${tools}${this.#bar()} ${gridView(this)}${foot}
        <p class="desk-empty" role="status" ?hidden=${!empty}>${empty}</p>`;
    });
    effect(() => {
      for (const [stage, { policy }] of this.facts.cards) if (policy && policy !== NONE) this.had.set(stage, policy);
    });
    fetchReference()
      .then((reference) => {
        this.#state.reference.value = reference;
        this.stopAt(reference.stages.find((stage) => stage.group === reference.groups[0].id)?.id ?? "");
        this.moved();
      })
      .catch((error) => {
        this.#state.empty.value = error.message;
      });
  }

  #bar() {
    return this.now ? timeBarView(this.now.times, (stage) => this.select(stage)) : html`<div class="stage-time"></div>`;
  }

  // -- read by views
  // -----------------------------------------------------------------------------------------------------

  get reference() {
    return this.#state.reference.value;
  }
  get stages() {
    return this.reference?.stages ?? [];
  }
  get facts() {
    return this.#facts.value;
  }
  /** Problems by stage. */
  get trouble() {
    return this.#trouble.value;
  }
  get now() {
    return this.#state.now.value;
  }
  get later() {
    return this.#state.later.value;
  }
  /** The stage whose details are shown, or null. */
  get chosen() {
    const id = this.#state.chosen.value;
    return this.stages.find((stage) => stage.id === id) ?? null;
  }
  /** The stage at which Tab stops. */
  get tabStop() {
    return this.#state.tabStop.value;
  }
  get dragged() {
    return this.#state.dragged.value;
  }
  get over() {
    return this.#state.over.value;
  }
  /** True if the experiment's scheduler is a pipeline. */
  get composes() {
    return Boolean(this.studio.chosen.value?.composes);
  }

  /** @returns {Facts} */
  #factsNow() {
    const { later, at_s, tries } = this.#state;
    tries.value;
    const experiment = this.studio.experiment.value;
    const chosen = this.studio.chosen.value;
    const readOnly = this.studio.readOnly.value;
    const own = experiment?.scheduler?.params ?? {};
    const params = later.value ? paramsAt(experiment, at_s.value) : own;
    const defaults = defaultsOf(chosen);
    const off = readOnly || !this.composes;
    const fixed = new Set(later.value ? (chosen?.fixed ?? []) : []);
    const preset = this.composes && this.reference ? presetOf(this.reference.systems, own, defaults) : null;
    const cards = this.stages.map((stage) => {
      const cell = preset?.cells.find((each) => each.stage === stage.id);
      return /** @type {[string, CardFacts]} */ ([
        stage.id,
        {
          state: stateOf(stage, params, defaults),
          policy: policyOf(stage, params, defaults),
          off: off || fixed.has(paramOf(stage)),
          sign: cell ? SIGNS[kindOf(cell)] : "",
          told: cell && preset ? tellPreset(preset, stage) : "",
        },
      ]);
    });
    return { params, defaults, off, preset, cards: new Map(cards) };
  }

  #troubleNow() {
    const problems = this.studio.problems.value;
    const chosen = this.studio.chosen.value;
    const { params, defaults } = this.facts;
    const found = problemsByStage(problems, this.stages, (problem) => problemText(problem), chosen);
    for (const { stage, text } of missingInputs(this.stages, params, defaults))
      if (!found.has(stage)) found.set(stage, [text]);
    return found;
  }

  // -- called by the desk
  // -----------------------------------------------------------------------------------------------

  run() {
    this.moved();
    this.details.run();
  }

  shown() {
    this.#before = null;
  }

  /** Update after the instant changed: stages that the run has passed through since light up. */
  moved() {
    const { studio, stages } = this;
    const picture = studio.stage.picture;
    if (!this.reference || !picture || picture.seq < 0) return;
    const counters = { ...picture.counters, ...timesAt(stages, studio.session.value?.store.series, this.desk.t_ns) };
    this.#follow();
    this.#light(counters);
    const modeled = timesOf(stages, { ...counters, ...exactTimes(studio.exactAtEnd()) });
    const summary = studio.session.value?.store.summary ?? null;
    this.#state.now.value = {
      times: {
        modeled,
        measured: measuredOf(stages, summary),
        iteration_ms: this.value("iteration_ms"),
        over: summary !== null,
      },
      shares: new Map(modeled.rows.map((row) => [row.id, row])),
      lit: this.#litNow(),
    };
    this.details.moved();
  }

  /** Show the policies of the new instant. Events rarely set any, so a running clock rarely changes one. */
  #follow() {
    const { later, at_s } = this.#state;
    const t_s = this.desk.t_ns / 1e9;
    if (!later.value) return;
    if (JSON.stringify(paramsAt(this.studio.experiment.value, t_s)) !== JSON.stringify(this.facts.params))
      at_s.value = t_s;
  }

  /** @param {Record<string, number>} counters */
  #light(counters) {
    const run = this.desk.runId;
    const before = this.#before?.run === run ? this.#before : null;
    this.#before = { run, counters };
    if (!before || counters.events < before.counters.events) this.#litUntil.clear();
    else if (counters.events > before.counters.events)
      for (const id of passedThrough(this.stages, before.counters, counters))
        this.#litUntil.set(id, performance.now() + LIT_MS);
    clearTimeout(this.#dimming);
    if (this.#litUntil.size) this.#dimming = setTimeout(() => this.#dim(), LIT_MS);
  }

  #litNow() {
    const now = performance.now();
    return new Set([...this.#litUntil].filter(([, until]) => until > now).map(([id]) => id));
  }

  #dim() {
    if (this.now) this.#state.now.value = { ...this.now, lit: this.#litNow() };
  }

  /**
   * Return a series' value at the current instant; null if the run lacks the series.
   * @param {string} name
   */
  value(name) {
    return valueAt(this.studio.session.value?.store.series[name], this.desk.t_ns);
  }

  // -- user actions
  // -----------------------------------------------------------------------------------------------------

  /** @param {string} id */
  select(id) {
    const { chosen } = this.#state;
    chosen.value = chosen.value === id ? null : id;
  }

  /** @param {string} id */
  stopAt(id) {
    this.#state.tabStop.value = id;
  }

  /** @param {string | null} id  the stage whose policy is dragged */
  drag(id) {
    this.#state.dragged.value = id;
  }

  /** @param {string | null} id  the stage under the dragged policy */
  hover(id) {
    this.#state.over.value = id;
  }

  /** @param {boolean} later */
  changeLater(later) {
    batch(() => {
      this.#state.at_s.value = this.desk.t_ns / 1e9;
      this.#state.later.value = later;
    });
  }

  /**
   * Set a stage's policy, or none.
   * @param {Stage} stage
   * @param {string} policy
   */
  put(stage, policy) {
    const { off, params, defaults } = this.facts;
    if (off || policyOf(stage, params, defaults) === policy) return;
    if (this.later) {
      this.#change(stage, policy);
      return;
    }
    this.studio.edit(`scheduler.params.${stage.param}`, policy, (experiment) => withPolicy(experiment, stage, policy));
  }

  /**
   * Fork the run with an event that sets the policy from the current instant on.
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
          `${policy === NONE ? "unspecified" : stage.policies.find((each) => each.name === policy)?.label}.`,
      );
    this.#state.tries.value += 1;
  }

  /** @param {string} name */
  async open(name) {
    if (!this.reference) return;
    const module = name === "matrix" ? await import("./matrix.js") : await import("./open_stages.js");
    module.open(this.studio, this.reference);
  }
}
