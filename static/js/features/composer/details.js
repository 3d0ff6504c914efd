/** The chosen stage: its inputs and outputs, its settings, its queue, and its last decisions. */

import { knobsFromSchema } from "../../experiment/experiment.js";
import { clock, duration, whole } from "../../kit/format.js";
import { queueOf, reasonsOf, stageOfParam, STATES, tellDecision } from "./pipeline.js";
import { tellPreset } from "./matrix_cells.js";
import { fetchDecisions } from "./reference.js";
import { knobSection } from "../../experiment/forms/knob_section.js";
import { html, made, nothing, signal, watch } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { ApiError } from "../../contract/api.js"
 * @import { RunSession } from "../../run/run_session.js"
 * @import { Composer } from "./composer.js"
 * @import { Stage } from "./reference.js"
 */

/** @typedef {{run: string, head: string, rows: {when: string, words: string}[]}} Told  a run's decisions in words */

const AGAIN_MS = 400;
const PLAYING_MS = 2000; // viewers read no faster, and the server searches the whole log for each answer
const SHOWN = 8;
const TELLS = new Set(["running", "done"]);
const WAITS = gettext("Decisions appear while the run is computed and after it.");
/** @type {Told} */
const NOTHING = { run: "", head: "", rows: [] };

export class StageDetails {
  #told = signal(NOTHING);
  /** knobSection() fills it. */
  #knobs = /** @type {HTMLElement} */ (made(() => html`<div class="knobs stage-knobs"></div>`));
  /** @type {ReturnType<typeof knobSection> | null} */
  #section = null;
  /** @type {ReturnType<typeof setTimeout> | null} */
  #timer = null;
  #fetching = false;
  /** The last request: a run, a stage and an instant. @type {string | null} */
  #asked = null;

  /** @param {Composer} composer */
  constructor(composer) {
    this.composer = composer;
    this.studio = composer.studio;
    watch(
      () => composer.chosen,
      (stage) => this.#choose(stage),
    );
    watch(
      () => [this.studio.experiment.value, this.studio.schedulers.value, this.studio.readOnly.value],
      () => this.#fill(),
    );
  }

  view() {
    const { composer } = this;
    const { chosen: stage } = composer;
    const { preset } = composer.facts;
    const trouble = composer.trouble.get(stage?.id ?? "")?.join(" ") ?? "";
    const about = !preset ? "" : stage ? tellPreset(preset, stage) : presetWords(preset);
    return html`<section class="stage-details" tabindex="0" aria-label=${gettext("The chosen stage")}>
      <h2 class="stage-foot-title">${stage ? `${stage.id} ${stage.name}` : gettext("No stage is chosen")}</h2>
      <p class="knob-problem" ?hidden=${!trouble}>${trouble}</p>
      <div class="stage-about">${stage ? factsView(stage) : legendView()}</div>
      <p class="stage-preset">${about}</p>
      ${this.#knobs}
      <p class="stage-queue">${stage && composer.now ? queueOf(stage, (name) => composer.value(name)) : ""}</p>
      <ol class="stage-decisions">${toldView(this.#told.value)}</ol>
    </section>`;
  }

  /** @param {Stage | null} stage */
  #choose(stage) {
    this.#asked = null;
    this.#told.value = NOTHING;
    this.#knobs.replaceChildren();
    this.#section = null;
    const specs = stage
      ? knobsFromSchema(this.studio.chosen.value?.params ?? {}).filter(
          (spec) => spec.name !== stage.param && stageOfParam(spec.name, spec.label, [stage]),
        )
      : [];
    if (specs.length) this.#section = knobSection(this.#knobs, this.studio, specs, specs.length);
    this.#fill();
    this.moved();
  }

  #fill() {
    if (this.studio.experiment.value) this.#section?.experiment(this.studio.experiment.value);
  }

  /** Update after the run or its state changed. */
  run() {
    this.#asked = null;
    this.moved();
  }

  /** Update after the instant changed: request the decisions up to it, at a limited rate. */
  moved() {
    if (!this.composer.chosen || this.#timer) return;
    const playing = this.#told.value.head && this.studio.stage.player.playing;
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        this.#fetch();
      },
      playing ? PLAYING_MS : AGAIN_MS,
    );
  }

  async #fetch() {
    const { chosen: stage } = this.composer;
    const session = this.studio.session.value;
    const meta = this.studio.meta.value;
    if (!stage || !meta || !session) return;
    const reasons = reasonsOf(meta.reasons ?? [], stage.id);
    if (!reasons.length) {
      this.#say(gettext("No reason in the decision log names this stage."));
      return;
    }
    if (!TELLS.has(session.run.state)) {
      this.#wait(session.run.id);
      return;
    }
    const until_s = Math.round(this.composer.desk.t_ns / 1e6) / 1e3;
    const key = `${session.run.id} ${stage.id} ${until_s}`;
    if (key === this.#asked || this.#fetching) return;
    this.#fetching = true;
    this.#asked = key;
    try {
      const asked = { reasons: reasons.map((each) => each.name), until_s, count: SHOWN };
      const found = await fetchDecisions(session.run.id, asked);
      if (this.composer.chosen !== stage || session !== this.studio.session.value) return;
      this.#told.value = toldOf(found, reasons, session);
    } catch (error) {
      this.#asked = null;
      if (/** @type {ApiError} */ (error).status === 409) this.#wait(session.run.id);
      else this.#say(/** @type {ApiError} */ (error).message);
    } finally {
      this.#fetching = false;
      if (this.composer.chosen !== stage) this.#fetch();
    }
  }

  /**
   * Keep this run's decisions on screen while the server cannot answer.
   * @param {string} run
   */
  #wait(run) {
    const told = this.#told.value;
    if (told.run !== run || !told.rows.length) this.#say(WAITS);
  }

  /** @param {string} head */
  #say(head) {
    this.#told.value = { ...NOTHING, head };
  }
}

/**
 * Return the answer of fetchDecisions() in words.
 * @param {Awaited<ReturnType<typeof fetchDecisions>>} found
 * @param {ReturnType<typeof reasonsOf>} reasons
 * @param {RunSession} session
 * @returns {Told}
 */
function toldOf({ total, rows }, reasons, session) {
  const byName = new Map(reasons.map((each) => [each.name, each]));
  const end = session.store.endNs;
  return {
    run: session.run.id,
    head: gettext("{total} decisions so far name this stage{last}:", {
      total: whole(total),
      last: total > rows.length ? gettext("; the last {rows}", { rows: rows.length }) : "",
    }),
    rows: rows.map((row) => ({
      when: clock(row.t_s * 1e9, end),
      words: gettext(" task {task}: {decision}", {
        task: whole(row.task),
        decision: tellDecision(byName.get(row.reason), row, (ns) => duration(ns)),
      }),
    })),
  };
}

/** @param {Told} told */
function toldView({ head, rows }) {
  if (!head) return nothing;
  return html`<li class="stage-decision-head">${head}</li>
    ${rows.map(({ when, words }) => html`<li><span class="stage-when">${when}</span>${words}</li>`)}`;
}

/** @param {Stage} stage */
function factsView(stage) {
  const list = (/** @type {string[]} */ names) => (names.length ? names.join(", ") : gettext("nothing"));
  const more = [
    gettext("Takes {inputs}; gives {outputs}.", { inputs: list(stage.inputs), outputs: list(stage.outputs) }),
    stage.effects ? gettext("Outside the scheduler, it {effects}.", { effects: stage.effects }) : "",
    stage.keeps ? gettext("It keeps state between iterations.") : "",
  ]
    .filter(Boolean)
    .join(" ");
  const tip = gettext("Not stated in the paper but inferred from its description: {inferred}.", {
    inferred: stage.inferred.join(", "),
  });
  return html`<p>${stage.meaning}</p>
    <p class="stage-more" data-tip=${stage.inferred.length ? tip : nothing}>${more}</p>`;
}

const legendView = () => html`<p>${gettext(
  "Click a stage for its queue and its last decisions. An outline marks the stages that the run " +
    "has just passed. The line below a stage is its share of the time.",
)}</p>
  <ul class="stage-legend">
    ${Object.entries(STATES).map(
      ([state, { sign, word, help }]) =>
        html`<li data-is=${state} data-tip=${help}><span aria-hidden="true">${sign}</span> ${word}</li>`,
    )}
  </ul>`;

/** @param {{name: string, pipeline: {about: string}}} preset */
const presetWords = (preset) =>
  gettext(
    "{name}: {about} The sign at the right of a stage says what the paper tells about it: ■ specified, ◧ " +
      "partly, · not mentioned, ? not recoverable.",
    { name: preset.name, about: preset.pipeline.about },
  );
