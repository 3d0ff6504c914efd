/**
 * The experiment on open stages: every combination of the policies that a paper leaves open, and the spread it makes.
 */

import { problemText } from "../../experiment/problems.js";
import {
  axisOf,
  boxOf,
  choicesOf,
  countCombinations,
  METRICS,
  MOST_COMBINATIONS,
  openStages,
  planOf,
  stripOf,
  suggest,
  tellCombination,
  tellSpread,
} from "./stage_combinations.js";
import { presetOf } from "./matrix_cells.js";
import { defaultsOf, NONE } from "./pipeline.js";
import { three, whole } from "../../kit/format.js";
import { runStudy } from "../../run/study/studies.js";
import { openDialog } from "../../kit/dialogs.js";
import { h } from "../../kit/dom.js";
import { Strip } from "./strip.js";
import { cellTips } from "./tips.js";
import { gettext } from "../../kit/words.js";
import { stageRow } from "./open_stage_row.js";

/**
 * @import { Problem } from "../../experiment/problems.js"
 * @import { Studio } from "../../studio/store.js"
 * @import { Params } from "./pipeline.js"
 * @import { Reference, System } from "./reference.js"
 * @import { Metric, StudyCell, StudyPlan } from "./stage_combinations.js"
 */

const OWN = ["T2", "R5"]; // what is varied of a pipeline of one's own until a person says otherwise
const SEEDS = 3;

/** @param {Reference} reference */
export function open(/** @type {Studio} */ studio, reference) {
  return new OpenStages(studio, reference).dialog;
}

class OpenStages {
  /** @type {AbortController | null} */
  abort = null;
  /** @type {System | null} */
  system = null;
  /** @type {{scheduler: string, params: Params}} */
  base = { scheduler: "", params: {} };
  /** @type {Params} */
  defaults = {};
  /** @type {ReturnType<typeof stageRow>[]} */
  rows = [];
  /** @type {StudyPlan | null} */
  plan = null;
  /** @type {(cell: StudyCell) => string} */
  tell = () => "";

  /** @param {Reference} reference */
  constructor(/** @type {Studio} */ studio, reference) {
    this.studio = studio;
    this.reference = reference;
    const isPipeline = Boolean(studio.chosen?.composes);
    const preset = isPipeline
      ? presetOf(reference.systems, studio.experiment?.scheduler.params ?? {}, defaultsOf(studio.chosen))
      : null;
    this.pick = h(
      "select",
      { class: "knob-select open-pick", "aria-label": gettext("Scheduler") },
      isPipeline ? h("option", { value: "" }, gettext("The pipeline in the studio")) : null,
      reference.systems.map((system) => h("option", { value: system.name }, system.name)),
    );
    if (preset) this.pick.value = preset.name;
    this.pick.addEventListener("change", () => this.#system());
    this.seeds = h("input", {
      class: "field open-seeds",
      type: "number",
      min: 1,
      max: 20,
      value: SEEDS,
      "data-repeats": true,
      "aria-label": gettext("Seeds"),
    });
    this.seeds.addEventListener("input", () => this.count());
    this.about = h("p", { class: "matrix-note" });
    this.stages = h("div", { class: "open-stages" });
    this.sum = h("p", { class: "open-sum", role: "status" });
    this.start = h(
      "button",
      {
        type: "button",
        class: "button",
        "data-start-study": "",
        onclick: () => (this.abort ? this.#stop() : this.#run()),
      },
      gettext("Run all"),
    );
    this.progress = h("progress", { max: 1, value: 0, "aria-label": gettext("Runs done"), hidden: true });
    this.trouble = h("p", { class: "dialog-trouble", role: "alert", hidden: true });
    this.strips = METRICS.map((metric) => new Strip(metric, (cell) => this.#over(cell)));
    this.found = h(
      "div",
      { class: "open-found", hidden: true },
      this.strips.map((strip) => strip.element),
    );
    this.told = h("p", { class: "open-told", role: "status" });
    this.dialog = this.#layout();
    this.dialog.classList.add("matrix-dialog", "open-dialog");
    this.dialog.addEventListener("close", () => this.#stop());
    cellTips(this.dialog);
    this.#system();
  }

  #layout() {
    return openDialog(
      gettext("What open stages can do"),
      h(
        "div",
        { class: "open-head" },
        h("label", { class: "matrix-label" }, gettext("Scheduler"), this.pick),
        h("label", { class: "matrix-label" }, gettext("Seeds"), this.seeds),
        this.start,
        this.progress,
      ),
      this.about,
      this.stages,
      this.sum,
      this.trouble,
      this.found,
      this.told,
    );
  }

  #system() {
    const { stages, systems, default_pipeline: given } = this.reference;
    const scheduler = this.studio.experiment?.scheduler ?? {};
    this.system = systems.find((each) => each.name === this.pick.value) ?? null;
    const byName = Object.fromEntries(Object.entries(given).map(([stage, policy]) => [stage.toLowerCase(), policy]));
    const own = this.system ? this.system.pipeline : { scheduler: scheduler.name, params: scheduler.params ?? {} };
    this.base = own;
    const entry = this.studio.schedulers.find((each) => each.name === this.base.scheduler);
    this.defaults = {
      ...byName,
      ...Object.fromEntries(
        Object.entries(entry?.params?.properties ?? {}).map(([name, field]) => [name, field.default]),
      ),
    };
    const left = openStages(stages, this.system, this.base.params, this.defaults).map((each) => ({
      ...each,
      all: each.names,
      names: choicesOf(stages, each, this.base.params, this.defaults),
    }));
    const first = suggest(
      this.system
        ? left
        : left
            .filter((each) => OWN.includes(each.stage.id))
            .map((each) => ({ ...each, names: each.names.filter((name) => name !== NONE) })),
      SEEDS,
    );
    this.rows = left.map((each) => stageRow(this, each, first[each.stage.id] ?? []));
    this.stages.replaceChildren(...this.rows.map((row) => row.element));
    this.about.textContent = !this.system
      ? gettext(
          "The stages of the pipeline in the studio. Tick the policies to try. A stage without ticks " +
            "keeps its policy.",
        )
      : gettext(
          "{name}: {stages} stages with policies here that its row leaves open or specifies in part. " +
            "All other stages are as in its preset pipeline.",
          { name: this.system.name, stages: left.length },
        );
    this.count();
  }

  get chosen() {
    return this.rows
      .map((row) => ({
        stage: row.stage,
        names: row.boxes.filter((each) => each.box.checked).map((each) => each.name),
      }))
      .filter((each) => each.names.length);
  }

  count() {
    const repeats = Math.min(20, Math.max(1, Math.round(Number(this.seeds.value)) || SEEDS));
    const asked = planOf(this.base.scheduler, this.base.params, this.chosen, repeats);
    this.plan = asked.plan ?? null;
    this.start.disabled = !this.abort && !asked.plan;
    const combinations = countCombinations(this.chosen);
    this.sum.textContent =
      asked.problem ??
      gettext(
        "{combinations} combinations (at most {most}) × {seeds} seeds = {runs} runs, on the studio's " +
          "workload and machines.",
        {
          combinations: whole(combinations),
          most: MOST_COMBINATIONS,
          seeds: repeats,
          runs: whole(combinations * repeats),
        },
      );
    this.sum.classList.toggle("is-problem", Boolean(asked.problem));
  }

  async #run() {
    const { plan } = this;
    if (!plan) return;
    const chosen = this.chosen;
    const mine = new AbortController();
    this.abort = mine;
    this.start.textContent = gettext("Stop");
    this.progress.hidden = false;
    this.progress.value = 0;
    this.trouble.hidden = true;
    this.told.textContent = gettext("Starting…");
    this.tell = (/** @type {StudyCell} */ cell) => tellCombination(cell, plan, chosen);
    try {
      const study = await runStudy(
        {
          ...this.studio.experiment,
          name: `Open stages of ${this.system?.name ?? gettext("a pipeline")}`,
          scheduler: { name: this.base.scheduler, params: plan.schedulers[0].params },
        },
        plan,
        METRICS.map((each) => each.metric),
        {
          signal: mine.signal,
          told: (now, results) => this.#told(now, results),
        },
      );
      if (study.error)
        this.#fail(gettext("Run {run} failed: {message}", { run: study.error.run, message: study.error.message }));
    } catch (/** @type {any} */ error) {
      if (error.name !== "AbortError")
        this.#fail(
          error.status === 404 || error.status === 405
            ? gettext("This server runs no studies.")
            : error.problems?.length
              ? error.problems.map((/** @type {Problem} */ each) => problemText(each)).join(" ")
              : error.message,
        );
    } finally {
      if (this.abort === mine) {
        this.abort = null;
        this.start.textContent = gettext("Run all");
        this.progress.hidden = true;
        this.count();
      }
    }
  }

  /**
   * @param {any} study
   * @param {Record<string, StudyCell[]>} results
   */
  #told(study, results) {
    this.progress.value = study.progress;
    this.told.textContent = study.compiling
      ? gettext("The scheduler is being compiled. This happens once.")
      : gettext("{done} of {runs} runs are done.", { done: whole(study.done), runs: whole(study.runs) });
    if (this.found.hidden && study.done > 0) {
      this.found.hidden = false;
      this.found.scrollIntoView({ block: "nearest" });
    }
    for (const strip of this.strips) {
      const cells = results[strip.metric.metric];
      const box = cells ? boxOf(cells.map((cell) => cell.value)) : null;
      if (box)
        strip.show(cells, {
          box,
          axis: axisOf(cells.map((cell) => cell.value)),
          strip: stripOf,
          spread: tellSpread(cells),
          /** @param {StudyCell} cell */
          tell: (cell) => this.#words(strip.metric, cell),
        });
    }
  }

  /**
   * @param {Metric} metric
   * @param {StudyCell} cell
   */
  #words(metric, cell) {
    /** @param {number} number */
    const value = (/** @type {number} */ number) => `${three(number)}${metric.unit ? ` ${metric.unit}` : ""}`;
    const sure =
      typeof cell.low !== "number" || typeof cell.high !== "number"
        ? ""
        : gettext(", 95 % interval {low} to {high}", { low: value(cell.low), high: value(cell.high) });
    return `${this.tell(cell)}: ${metric.id} ${value(cell.value)}${sure} (${cell.n} ${cell.n === 1 ? "run" : "runs"}).`;
  }

  /**
   * One combination is looked at: the same in all four strips.
   * @param {number | null} cell
   */
  #over(cell) {
    for (const strip of this.strips) strip.mark(cell);
  }

  #stop() {
    this.abort?.abort();
    this.abort = null;
    this.start.textContent = gettext("Run all");
    this.progress.hidden = true;
  }

  /** @param {string} words */
  #fail(words) {
    this.trouble.hidden = false;
    this.trouble.textContent = words;
    this.told.textContent = "";
  }
}
