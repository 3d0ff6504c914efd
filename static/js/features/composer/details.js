/** About the stage that is chosen: what it takes and gives, its own knobs, what waits there, its last decisions. */

import { knobsFromSchema } from "../../experiment/experiment.js";
import { clock, duration, whole } from "../../kit/format.js";
import { queueOf, reasonsOf, stageOfParam, STATES, tellDecision } from "./pipeline.js";
import { tellPreset } from "./matrix_cells.js";
import { fetchDecisions } from "./reference.js";
import { knobSection } from "../../experiment/forms/knob_section.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Composer } from "./composer.js"
 * @import { Stage } from "./reference.js"
 */

const AGAIN_MS = 400;
const PLAYING_MS = 2000; // whoever watches a run play reads no faster, and each answer is looked up in the whole log
const SHOWN = 8;
const TELLS = new Set(["running", "done"]);
const WAITS = gettext("Decisions appear while the run is computed and after it.");

export class StageDetails {
  /** @param {Composer} composer */
  constructor(composer) {
    this.composer = composer;
    /** @type {Stage | null} */
    this.stage = null;
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.timer = null;
    this.fetching = false;
    this.told = "";
    /** @type {string | null} */
    this.asked = null;
    /** @type {ReturnType<typeof knobSection> | null} */
    this.section = null;
    this.studio = composer.studio;
    this.title = h("h2", { class: "stage-foot-title" });
    this.about = h("div", { class: "stage-about" });
    this.trouble = h("p", { class: "knob-problem", hidden: true });
    this.knobs = h("div", { class: "knobs stage-knobs" });
    this.preset = h("p", { class: "stage-preset" });
    this.queue = h("p", { class: "stage-queue" });
    this.rows = h("ol", { class: "stage-decisions" });
    this.element = h(
      "section",
      { class: "stage-details", tabindex: "0", "aria-label": gettext("The chosen stage") },
      this.title,
      this.trouble,
      this.about,
      this.preset,
      this.knobs,
      this.queue,
      this.rows,
    );
    this.show(null);
  }

  /** @param {Stage | null} stage */
  show(stage) {
    this.stage = stage;
    this.asked = null;
    this.rows.replaceChildren();
    this.knobs.replaceChildren();
    this.section = null;
    this.title.textContent = stage ? `${stage.id} ${stage.name}` : gettext("No stage is chosen");
    this.about.replaceChildren(...(stage ? this.#facts(stage) : this.#legend()));
    const specs = stage
      ? knobsFromSchema(this.studio.chosen?.params ?? {}).filter(
          (spec) => spec.name !== stage.param && stageOfParam(spec.name, spec.label, [stage]),
        )
      : [];
    if (specs.length) this.section = knobSection(this.knobs, this.studio, specs, specs.length);
    this.experiment();
    this.moved();
  }

  /** @param {Stage} stage */
  #facts(stage) {
    /** @param {string[]} names */
    const list = (names) => (names.length ? names.join(", ") : gettext("nothing"));
    const more = [
      gettext("Takes {inputs}; gives {outputs}.", { inputs: list(stage.inputs), outputs: list(stage.outputs) }),
      stage.effects ? gettext("Outside the scheduler, it {effects}.", { effects: stage.effects }) : "",
      stage.keeps ? gettext("It keeps state between iterations.") : "",
    ]
      .filter(Boolean)
      .join(" ");
    return [
      h("p", {}, stage.meaning),
      h(
        "p",
        {
          class: "stage-more",
          "data-tip": stage.inferred.length
            ? gettext("Not stated in the paper but inferred from its description: {inferred}.", {
                inferred: stage.inferred.join(", "),
              })
            : null,
        },
        more,
      ),
    ];
  }

  #legend() {
    return [
      h(
        "p",
        {},
        gettext(
          "Click a stage for its queue and its last decisions. An outline marks the stages that the run " +
            "has just passed. The line below a stage is its share of the time.",
        ),
      ),
      h(
        "ul",
        { class: "stage-legend" },
        Object.entries(STATES).map(([state, { sign, word, help }]) =>
          h("li", { "data-is": state, "data-tip": help }, h("span", { "aria-hidden": "true" }, sign), ` ${word}`),
        ),
      ),
    ];
  }

  experiment() {
    const { preset } = this.composer;
    this.preset.textContent = preset
      ? this.stage
        ? tellPreset(preset, this.stage)
        : gettext(
            "{name}: {about} The sign at the right of a stage says what the paper tells about it: ■ specified, ◧ " +
              "partly, · not there, ? not recoverable.",
            { name: preset.name, about: preset.pipeline.about },
          )
      : "";
    if (this.studio.experiment) this.section?.experiment(this.studio.experiment);
  }

  /** @param {string} text */
  problem(text) {
    this.trouble.hidden = !text;
    this.trouble.textContent = text;
  }

  run() {
    this.asked = null;
    this.moved();
  }

  moved() {
    const { stage } = this;
    const words = stage ? queueOf(stage, (name) => this.composer.value(name)) : "";
    if (this.queue.textContent !== words) this.queue.textContent = words;
    if (!stage || this.timer) return;
    this.timer = setTimeout(
      () => {
        this.timer = null;
        this.#fetch();
      },
      this.rows.childElementCount && this.studio.stage.player.playing ? PLAYING_MS : AGAIN_MS,
    );
  }

  async #fetch() {
    const { stage, studio } = this;
    const { session, meta } = studio;
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
    if (key === this.asked || this.fetching) return;
    this.fetching = true;
    this.asked = key;
    try {
      const { total, rows } = await fetchDecisions(session.run.id, {
        reasons: reasons.map((each) => each.name),
        until_s,
        count: SHOWN,
      });
      if (this.stage !== stage || session !== studio.session) return;
      const byName = new Map(reasons.map((each) => [each.name, each]));
      const end = session.store.endNs;
      this.told = session.run.id;
      this.rows.replaceChildren(
        h(
          "li",
          { class: "stage-decision-head" },
          gettext("{total} decisions so far name this stage{last}:", {
            total: whole(total),
            last: total > rows.length ? gettext("; the last {rows}", { rows: rows.length }) : "",
          }),
        ),
        ...rows.map((row) =>
          h(
            "li",
            {},
            h("span", { class: "stage-when" }, clock(row.t_s * 1e9, end)),
            gettext(" task {task}: {decision}", {
              task: whole(row.task),
              decision: tellDecision(byName.get(row.reason), row, (ns) => duration(ns)),
            }),
          ),
        ),
      );
    } catch (/** @type {any} */ error) {
      this.asked = null;
      if (error.status === 409) this.#wait(session.run.id);
      else this.#say(error.message);
    } finally {
      this.fetching = false;
      if (this.stage !== stage) this.#fetch();
    }
  }

  /**
   * Nobody tells anything now: what was told of this run stays.
   * @param {string} run
   */
  #wait(run) {
    if (this.told !== run || this.rows.childElementCount < 2) this.#say(WAITS);
  }

  /** @param {string} words */
  #say(words) {
    this.rows.replaceChildren(h("li", { class: "stage-decision-head" }, words));
  }
}
