/**
 * The experiment on open stages: every combination of the policies that a paper leaves open, and the spread of the
 * results.
 */

import { problemText } from "../../experiment/problems.js";
import {
  choicesOf,
  countCombinations,
  METRICS,
  MOST_COMBINATIONS,
  openStages,
  planOf,
  suggest,
  tellCombination,
} from "./stage_combinations.js";
import { presetOf } from "./matrix_cells.js";
import { defaultsOf, NONE, policyOf } from "./pipeline.js";
import { three, whole } from "../../kit/format.js";
import { runStudy } from "../../run/study/studies.js";
import { openDialog } from "../../kit/dialogs.js";
import { part } from "../../kit/dom.js";
import { batch, computed, element, html, live, nothing, signal } from "../../kit/view.js";
import { stripView } from "./strip.js";
import { cellTips } from "./tips.js";
import { gettext } from "../../kit/words.js";

/** @typedef {Event & {target: HTMLInputElement}} OfField  an event of a field */

/**
 * @import { StudyProgress } from "../../contract/contract"
 * @import { Problem } from "../../experiment/problems.js"
 * @import { Studio } from "../../studio/store.js"
 * @import { Params } from "./pipeline.js"
 * @import { Reference, System } from "./reference.js"
 * @import { Metric, OpenStage, StudyCell } from "./stage_combinations.js"
 */

/**
 * @typedef {OpenStage & {all: string[]}} Row  a stage: `names` can be tried, `all` are its policies
 * @typedef {Record<string, string[]>} Ticks  the policies to try, by stage
 */

const OWN = ["T2", "R5"]; // the stages of a custom pipeline that vary initially
const SEEDS = 3;
const MOST_SEEDS = 20;

/** @param {Reference} reference */
export function open(/** @type {Studio} */ studio, reference) {
  return new OpenStages(studio, reference).dialog;
}

class OpenStages {
  /** @type {AbortController | null} */
  #abort = null;
  #state = {
    /** The name of a published scheduler, or empty for the studio's pipeline. */
    pick: signal(""),
    ticks: signal(/** @type {Ticks} */ ({})),
    seeds: signal(String(SEEDS)),
    running: signal(false),
    progress: signal(0),
    told: signal(""),
    trouble: signal(""),
    /** The estimates by metric; null before the first completed run. */
    found: signal(/** @type {Record<string, StudyCell[]> | null} */ (null)),
    /** The highlighted combination, and the metric in which it was chosen. */
    over: signal(/** @type {{metric: string, cell: number} | null} */ (null)),
    /** The dot at which Tab stops, by metric. */
    tabStops: signal(/** @type {Record<string, number>} */ ({})),
  };
  /** @type {(cell: StudyCell) => string} */
  #tell = () => "";

  /** @param {Reference} reference */
  constructor(/** @type {Studio} */ studio, reference) {
    this.studio = studio;
    this.reference = reference;
    const { systems } = reference;
    this.isPipeline = Boolean(studio.chosen.value?.composes);
    const preset = this.isPipeline
      ? presetOf(systems, studio.experiment.value?.scheduler.params ?? {}, defaultsOf(studio.chosen.value))
      : null;
    this.base = computed(() => this.#baseOf(systems.find((each) => each.name === this.#state.pick.value) ?? null));
    this.asked = computed(() => this.#planNow());
    this.#pick(preset?.name ?? (this.isPipeline ? "" : systems[0].name));
    this.dialog = openDialog(
      gettext("What open stages can do"),
      element("div", "open-body", () => this.#view()),
    );
    this.dialog.classList.add("matrix-dialog", "open-dialog");
    this.dialog.addEventListener("close", () => this.#stop());
    cellTips(this.dialog);
  }

  /**
   * Return what is varied: a published scheduler, or the pipeline in the studio.
   * @param {System | null} system
   */
  #baseOf(system) {
    const { stages, default_pipeline: given } = this.reference;
    const scheduler = this.studio.experiment.value?.scheduler ?? {};
    /** @type {{scheduler: string, params: Params}} */
    const { scheduler: name, params } = system?.pipeline ?? {
      scheduler: scheduler.name,
      params: scheduler.params ?? {},
    };
    const byName = Object.fromEntries(Object.entries(given).map(([stage, policy]) => [stage.toLowerCase(), policy]));
    const defaults = { ...byName, ...defaultsOf(this.studio.schedulers.value.find((each) => each.name === name)) };
    /** @type {Row[]} */
    const rows = openStages(stages, system, params, defaults).map((each) => ({
      ...each,
      all: each.names,
      names: choicesOf(stages, each, params, defaults),
    }));
    return { system, name, params, defaults, rows };
  }

  /**
   * Vary another scheduler, with its suggested policies.
   * @param {string} name
   */
  #pick(name) {
    this.#state.pick.value = name;
    const { system, params, defaults, rows } = this.base.value;
    const own = rows
      .filter((each) => OWN.includes(each.stage.id))
      .map((each) => ({ ...each, names: each.names.filter((policy) => policy !== NONE) }));
    const first = suggest(system ? rows : own, SEEDS);
    this.#state.ticks.value = Object.fromEntries(
      rows.map(({ stage, all }) => {
        const picked = first[stage.id] ?? [];
        const has = policyOf(stage, params, defaults);
        return [stage.id, all.filter((policy) => (picked.length ? picked.includes(policy) : policy === has))];
      }),
    );
  }

  /**
   * @param {string} stage
   * @param {string} policy
   * @param {boolean} on
   */
  #tick(stage, policy, on) {
    const { ticks } = this.#state;
    const others = ticks.value[stage].filter((each) => each !== policy);
    ticks.value = { ...ticks.value, [stage]: on ? [...others, policy] : others };
  }

  #planNow() {
    const { name, params, rows } = this.base.value;
    const ticks = this.#state.ticks.value;
    // In the order of the boxes, independent of the order of ticking.
    const chosen = rows
      .map(({ stage, all }) => ({ stage, names: all.filter((policy) => ticks[stage.id].includes(policy)) }))
      .filter((each) => each.names.length);
    const repeats = Math.min(MOST_SEEDS, Math.max(1, Math.round(Number(this.#state.seeds.value)) || SEEDS));
    return { chosen, repeats, ...planOf(name, params, chosen, repeats) };
  }

  // -- views ----------------------------------------------------------------------------------------------------------

  #view() {
    const { told, trouble, found } = this.#state;
    const { rows } = this.base.value;
    return html`${this.#headView()}
      <p class="matrix-note">${this.#aboutWords()}</p>
      <div class="open-stages">${rows.map((row) => this.#rowView(row))}</div>
      ${this.#sumView()}
      <p class="dialog-trouble" role="alert" ?hidden=${!trouble.value}>${trouble.value}</p>
      <div class="open-found" ?hidden=${!found.value}>${METRICS.map((metric) => this.#stripView(metric))}</div>
      <p class="open-told" role="status">${told.value}</p>`;
  }

  #headView() {
    const { pick, seeds, running, progress } = this.#state;
    const option = (/** @type {string} */ value, /** @type {string} */ label) =>
      html`<option value=${value} .selected=${live(value === pick.value)}>${label}</option>`;
    return html`<div class="open-head">
      <label class="matrix-label"
        >${gettext("Scheduler")}<select
          class="knob-select open-pick"
          aria-label=${gettext("Scheduler")}
          @change=${(/** @type {OfField} */ event) => this.#pick(event.target.value)}
        >
          ${this.isPipeline ? option("", gettext("The pipeline in the studio")) : nothing}
          ${this.reference.systems.map(({ name }) => option(name, name))}
        </select></label
      >
      <label class="matrix-label"
        >${gettext("Seeds")}<input
          class="field open-seeds"
          type="number"
          min="1"
          max=${MOST_SEEDS}
          data-repeats
          aria-label=${gettext("Seeds")}
          .value=${live(seeds.value)}
          @input=${(/** @type {OfField} */ event) => {
            seeds.value = event.target.value;
          }}
      /></label>
      <button
        type="button"
        class="button"
        data-start-study
        ?disabled=${!running.value && !this.asked.value.plan}
        @click=${() => (running.value ? this.#stop() : this.#run())}
      >${running.value ? gettext("Stop") : gettext("Run all")}</button>
      <progress
        max="1"
        aria-label=${gettext("Runs done")}
        ?hidden=${!running.value}
        .value=${progress.value}
      ></progress>
    </div>`;
  }

  #aboutWords() {
    const { system, rows } = this.base.value;
    if (!system)
      return gettext(
        "The stages of the pipeline in the studio. Tick the policies to try. A stage without ticks " +
          "keeps its policy.",
      );
    return gettext(
      "{name}: {stages} stages with policies here that its row leaves open or specifies in part. " +
        "All other stages are as in its preset pipeline.",
      { name: system.name, stages: rows.length },
    );
  }

  /**
   * Return a stage with check boxes for its policies.
   * @param {Row} row
   */
  #rowView({ stage, why, all }) {
    const { id, name } = stage;
    return html`<fieldset class="open-stage" data-open-stage=${id}>
      <legend><b>${id}</b> ${name}${why ? html`<small> ${why}</small>` : nothing}</legend>
      <div class="open-policies">${all.map((policy) => this.#policyView(id, policy))}</div>
    </fieldset>`;
  }

  /**
   * @param {string} id
   * @param {string} policy
   */
  #policyView(id, policy) {
    const row = this.base.value.rows.find((each) => each.stage.id === id);
    const usable = row?.names.includes(policy);
    const known = row?.stage.policies.find((each) => each.name === policy);
    const tip = usable
      ? (known?.help ?? gettext("Inputs pass through unchanged."))
      : gettext("The rest of the pipeline does not support it.");
    return html`<label class="open-policy" data-cell-tip=${tip}
      ><input
        type="checkbox"
        value=${policy}
        ?disabled=${!usable}
        .checked=${live(this.#state.ticks.value[id].includes(policy))}
        @change=${(/** @type {OfField} */ event) => this.#tick(id, policy, event.target.checked)}
      />${known?.label ?? gettext("unspecified")}</label
    >`;
  }

  #sumView() {
    const { chosen, repeats, problem } = this.asked.value;
    const combinations = countCombinations(chosen);
    const words = gettext(
      "{combinations} combinations (at most {most}) × {seeds} seeds = {runs} runs, on the studio's " +
        "workload and machines.",
      {
        combinations: whole(combinations),
        most: MOST_COMBINATIONS,
        seeds: repeats,
        runs: whole(combinations * repeats),
      },
    );
    return html`<p class="open-sum${problem ? " is-problem" : ""}" role="status">${problem ?? words}</p>`;
  }

  /** @param {Metric} metric */
  #stripView(metric) {
    const { found, over, tabStops } = this.#state;
    const marked = over.value?.cell ?? null;
    // A highlighted dot lies above the others, except under the pointer or the focus: moving it would lose the focus.
    const isAbove = over.value?.metric !== metric.metric;
    const now = { marked, isAbove, tabStop: tabStops.value[metric.metric] };
    return stripView(metric, found.value?.[metric.metric] ?? [], now, {
      over: (cell) => {
        over.value = cell === null ? null : { metric: metric.metric, cell };
      },
      stop: (cell) => {
        tabStops.value = { ...tabStops.value, [metric.metric]: cell };
      },
      tell: (cell) => this.#words(metric, cell),
    });
  }

  /**
   * @param {Metric} metric
   * @param {StudyCell} cell
   */
  #words(metric, cell) {
    const value = (/** @type {number} */ number) => `${three(number)}${metric.unit ? ` ${metric.unit}` : ""}`;
    const sure =
      typeof cell.low !== "number" || typeof cell.high !== "number"
        ? ""
        : gettext(", 95 % interval {low} to {high}", { low: value(cell.low), high: value(cell.high) });
    const runs = `${cell.n} ${cell.n === 1 ? "run" : "runs"}`;
    return `${this.#tell(cell)}: ${metric.id} ${value(cell.value)}${sure} (${runs}).`;
  }

  // -- the study ------------------------------------------------------------------------------------------------------

  async #run() {
    const { plan, chosen } = this.asked.value;
    if (!plan) return;
    const { system, name } = this.base.value;
    const mine = new AbortController();
    this.#abort = mine;
    const { running, progress, trouble, told } = this.#state;
    batch(() => {
      running.value = true;
      progress.value = 0;
      trouble.value = "";
      told.value = gettext("Starting…");
    });
    this.#tell = (cell) => tellCombination(cell, plan, chosen);
    try {
      const study = await runStudy(
        {
          ...this.studio.experiment.value,
          name: `Open stages of ${system?.name ?? gettext("a pipeline")}`,
          scheduler: { name, params: plan.schedulers[0].params },
        },
        plan,
        METRICS.map((each) => each.metric),
        {
          signal: mine.signal,
          told: (now, results) => this.#take(now, /** @type {Record<string, StudyCell[]>} */ (results)),
        },
      );
      if (study.error)
        this.#fail(gettext("Run {run} failed: {message}", { run: study.error.run, message: study.error.message }));
    } catch (error) {
      if (/** @type {Error} */ (error).name !== "AbortError") this.#fail(failedWords(/** @type {Error} */ (error)));
    } finally {
      if (this.#abort === mine) this.#idle();
    }
  }

  /**
   * @param {StudyProgress} study
   * @param {Record<string, StudyCell[]>} results
   */
  #take(study, results) {
    const { progress, told, found } = this.#state;
    const isFirst = !found.value && study.done > 0;
    batch(() => {
      progress.value = study.progress;
      told.value = study.compiling
        ? gettext("The scheduler is being compiled. This happens once.")
        : gettext("{done} of {runs} runs are done.", { done: whole(study.done), runs: whole(study.runs) });
      if (found.value || isFirst) found.value = { ...found.value, ...results };
    });
    if (isFirst) part(".open-found", this.dialog).scrollIntoView({ block: "nearest" });
  }

  #idle() {
    this.#abort = null;
    this.#state.running.value = false;
  }

  #stop() {
    this.#abort?.abort();
    this.#idle();
  }

  /** @param {string} words */
  #fail(words) {
    this.#state.trouble.value = words;
    this.#state.told.value = "";
  }
}

/**
 * Return why a study did not run.
 * @param {{status?: number, problems?: Problem[], message: string}} error
 */
function failedWords({ status, problems, message }) {
  if (status === 404 || status === 405) return gettext("This server runs no studies.");
  return problems?.length ? problems.map((each) => problemText(each)).join(" ") : message;
}
