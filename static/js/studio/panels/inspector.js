/**
 * The inspector shows one part: a machine, rack, cluster or owner that was clicked on the map, or a task, job, queue or
 * partition. It contains the part's values at the current instant and, when the run is complete, its history and the
 * four parts of its delay.
 */

import { problemText } from "../../experiment/problems.js";
import { glued, moment, whole } from "../../kit/format.js";
import { nameOf } from "../../run/places.js";
import { clusterOf, describeMachine, machineRows, ownerOf } from "../../run/sentences.js";
import { decisionsAt } from "../../contract/api.js";
import { fetchPart } from "../../run/why/whys.js";
import { whyTask } from "../../run/why/why_task.js";
import { delayBar } from "../../run/why/delay_bar.js";
import { PartMessages } from "../../features/messages/part_messages.js";
import { gettext } from "../../kit/words.js";
import { groupRows, tellTasks, partOf } from "./inspector_words.js";
import { formView, toolsView } from "./inspector_form.js";
import { panelOf } from "../panel.js";
import { batch, effect, element, html, nothing, show, signal, watch } from "../../kit/view.js";

/**
 * @import { Failure } from "../../contract/api.js"
 * @import { Meta } from "../../contract/contract"
 * @import { Picture } from "../../run/frames.js"
 * @import { Target } from "../../run/places.js"
 * @import { Part } from "../../run/why/whys.js"
 * @import { Studio } from "../store.js"
 */

const LAST_TASKS = 4;
const SETTLE_MS = 100;
const PLAYING_MS = 3000;
const ON_THE_MAP = new Set(["machine", "cluster", "owner", "rack"]);

export default {
  id: "inspector",
  place: "right",
  title: gettext("Inspector"),
  question: gettext("Click a machine, or type a task's number."),
  mount(/** @type {HTMLElement} */ body, /** @type {Studio} */ studio) {
    const inspector = new Inspector(body, studio);
    watch(
      () => studio.shown.value,
      (target) => inspector.show(target),
    );
    watch(
      () => [studio.figures.value, studio.news.value],
      () => inspector.look(),
    );
    watch(
      () => studio.meta.value,
      (meta) => meta && inspector.describe(meta),
    );
  },
};

/**
 * @typedef {{t_s: number, task: number, text: string, stops: boolean}} PartEvent  an event of a part
 * @typedef {{sentence: string, job?: number | null, delay_s: Record<string, number>, events: PartEvent[],
 *   tasks: Parameters<typeof tellTasks>[1], thinned: boolean}} PartTold  the server's description of a part
 */

export class Inspector {
  constructor(/** @type {HTMLElement} */ body, /** @type {Studio} */ studio) {
    this.body = body;
    this.studio = studio;
    /** @type {Target | null} */
    this.target = null;
    this.lastAsked = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** The target of the timer's request. @type {Target | null} */
    this.timerOf = null;
    this.asked = "";
    this.state = {
      /** The job of the task on screen, or -1. */
      job: signal(-1),
      /** The sentence about a part that is not on the map. */
      sentence: signal(""),
      /** The part's history as a view; null while it is unknown. */
      told: signal(/** @type {unknown} */ (null)),
      /** The tasks of the last decisions about the machine on screen. */
      last: signal(/** @type {number[]} */ ([])),
    };
    const { told } = this.state;
    // A separate element: the values change several times a second, but a history of hundreds of rows does not.
    this.history = element("div", "inspector-told", () => told.value ?? nothing);
    this.history.dataset.told = "";
    this.exchanged = new PartMessages(studio);
    show(body, () => this.#view());
    effect(() => {
      panelOf(body).classList.toggle("is-empty", !studio.shown.value);
    });
  }

  #view() {
    const { studio } = this;
    const target = studio.shown.value;
    const meta = studio.meta.value;
    const picture = studio.figures.value;
    const onMap = target && meta && picture?.layers && ON_THE_MAP.has(target.kind);
    const words = onMap ? onMapWords(meta, picture, target) : { sentence: this.state.sentence.value, rows: [] };
    return html`<p class="inspector-sentence">${words.sentence}</p>
      <dl class="inspector-rows">
        ${words.rows.map(
          (row) => html`<div data-tip=${row.help ?? nothing}>
            <dt>${row.label}</dt>
            <dd>${row.value}</dd>
          </div>`,
        )}
      </dl>
      ${this.history} ${this.#lastView()} ${this.exchanged.element} ${toolsView(this)} ${formView(this)}`;
  }

  #lastView() {
    const tasks = this.state.last.value;
    const link = (/** @type {number} */ task) =>
      html`<button class="link" type="button" data-task=${task} @click=${() => whyTask(this.studio, task)}>
        ${whole(task)}
      </button>`;
    return html`<p class="inspector-last" ?hidden=${!tasks.length}>
      ${tasks.length ? [gettext("Last tasks here: "), tasks.map(link)] : nothing}
    </p>`;
  }

  /** @returns {Target | null} */
  partition() {
    const { stage } = this.studio;
    const meta = this.studio.meta.value;
    const { picture } = stage;
    if (!meta || !picture || this.target?.kind !== "machine") return null;
    const { machine } = this.target;
    return {
      kind: "partition",
      cluster: meta.clusters.indexOf(clusterOf(meta, machine)),
      owner: ownerOf(meta, picture, machine),
    };
  }

  /** Show a note instead of the history. */
  #note(/** @type {string} */ words, role = "") {
    this.state.told.value = html`<p class="history-note" role=${role || nothing}>${words}</p>`;
  }

  /** Request the last tasks of the machine on screen, and again whenever playback pauses. */
  async #askLast() {
    const { studio, target } = this;
    const { last } = this.state;
    const { player } = studio.stage;
    const run = studio.session.value?.run;
    const machine = target?.kind === "machine" ? target.machine : -1;
    const at_s = Math.round(player.t_ns / 1e6) / 1e3;
    const wanted = run?.state === "done" && machine >= 0 ? `${run.id} ${machine} ${player.playing ? "" : at_s}` : "";
    if (wanted === this.lastAsked) return;
    if (run && wanted && player.playing && this.lastAsked.startsWith(`${run.id} ${machine} `)) return;
    this.lastAsked = wanted;
    if (!run || !wanted) {
      last.value = [];
      return;
    }
    try {
      const found = await decisionsAt(run.id, machine, at_s);
      if (this.lastAsked !== wanted) return;
      const tasks = [...new Set(found.rows.map((/** @type {{task: number}} */ each) => each.task))];
      last.value = tasks.filter((task) => task >= 0).slice(0, LAST_TASKS);
    } catch {
      last.value = [];
    }
  }

  /** Return an event of the history. Its time is a button that goes there. */
  #eventView(/** @type {PartEvent} */ { t_s, task, text, stops }) {
    const { stage } = this.studio;
    const go = () => {
      stage.player.pause();
      stage.seek(Math.round(t_s * 1e9), true);
    };
    const words = glued(text);
    const showTask = () => this.take({ kind: "task", task });
    const tip = gettext("Go there");
    return html`<li>
      <button class="history-time" type="button" data-tip=${tip} @click=${go}>${moment(t_s * 1e9)}</button
      ><span class=${stops ? "stops" : ""}
        >${
          this.target?.kind === "task"
            ? words
            : html`<button class="link history-task" type="button" @click=${showTask}>${words}</button>`
        }</span
      >
    </li>`;
  }

  #showPart(/** @type {PartTold} */ found) {
    const { target } = this;
    if (!target) return;
    const isTask = target.kind === "task";
    const note = (/** @type {string} */ words) => html`<p class="history-note">${words}</p>`;
    const waited = Object.values(found.delay_s).some((seconds) => seconds > 0);
    const events = found.events.toReversed().map((event) => this.#eventView(event));
    const list = html`<ol class="history" aria-label=${gettext("What happened")} tabindex="0">${events}</ol>`;
    batch(() => {
      this.state.sentence.value = glued(found.sentence);
      this.state.job.value = isTask ? (found.job ?? -1) : -1;
      this.state.told.value = [
        ON_THE_MAP.has(target.kind) || isTask ? nothing : note(tellTasks(target, found.tasks)),
        waited ? delayBar(found.delay_s, isTask ? "" : gettext("Mean delay of the tasks that have started")) : nothing,
        events.length ? list : note(gettext("Nothing has happened here yet.")),
        found.thinned ? note(gettext("Only some decisions were recorded.")) : nothing,
      ];
    });
  }

  /** Request the history once the clock rests; while it moves, only now and then. */
  #askAbout() {
    const { studio, target } = this;
    const { player } = studio.stage;
    const run = studio.session.value?.run;
    const wanted = target && studio.meta.value ? partOf(studio.meta.value, target) : null;
    if (!wanted || run?.state !== "done") {
      clearTimeout(this.timer);
      this.timer = undefined;
      // The sentence and the history belong to a previous run.
      if (target && wanted && studio.meta.value) this.state.sentence.value = `${nameOf(studio.meta.value, target)}:`;
      if (wanted) this.#note(gettext("The history appears when the run is computed."));
      else this.state.told.value = null;
      return;
    }
    const key = () => JSON.stringify([run.id, wanted, Math.round(player.t_ns) / 1e9]);
    if (key() === this.asked || (this.timer && player.playing && this.timerOf === target)) return;
    clearTimeout(this.timer);
    this.timerOf = target;
    const blank = this.state.told.value === null;
    if (blank) this.#note(gettext("Looking…"), "status");
    const pause_ms = player.playing && !blank ? PLAYING_MS : SETTLE_MS;
    // The request uses the clock's instant when the timer ends.
    this.timer = setTimeout(() => this.#fetch(run, wanted, key()), pause_ms);
  }

  /**
   * @param {{id: string}} run
   * @param {Part} wanted
   * @param {string} mine
   */
  async #fetch(run, wanted, mine) {
    this.timer = undefined;
    this.asked = mine;
    try {
      const found = await fetchPart(run.id, wanted, Math.round(this.studio.stage.player.t_ns) / 1e9);
      if (this.asked === mine) this.#showPart(found);
    } catch (caught) {
      const error = /** @type {Failure} */ (caught);
      if (this.asked !== mine) return;
      this.#note(error.problems?.length ? problemText(error.problems[0]) : error.message, "alert");
    }
  }

  /** Update after the instant, the run or the part changed: request what is missing. */
  look() {
    const { studio, target } = this;
    const meta = studio.meta.value;
    this.#askLast();
    this.exchanged.show(target && meta ? partOf(meta, target) : null);
    if (target && meta && studio.figures.value?.layers) this.#askAbout();
    else this.#forget();
  }

  #forget() {
    batch(() => {
      this.state.sentence.value = "";
      this.state.told.value = null;
      this.state.job.value = -1;
    });
  }

  /** Show another part. */
  take(/** @type {Target | null} */ next) {
    this.studio.inspect(next);
  }

  /** Show a part. */
  show(/** @type {Target | null} */ next) {
    const other = JSON.stringify(next) !== JSON.stringify(this.target);
    this.target = next;
    if (other) {
      this.studio.stage.on.used?.();
      this.asked = "";
      this.#forget();
    }
    this.look();
  }

  describe(/** @type {Meta} */ meta) {
    const { target } = this;
    if (target?.kind === "cluster" && !meta.clusters.some((each) => each.name === target.name)) this.take(null);
    this.asked = "";
  }
}

/**
 * Return a part of the map at an instant: its sentence, and a row for each of its values.
 * @param {Meta} meta
 * @param {Picture} picture
 * @param {Target} target
 * @returns {{sentence: string, rows: {label: string, value: string, help?: string}[]}}
 */
function onMapWords(meta, picture, target) {
  if (target.kind !== "machine")
    return { sentence: `${nameOf(meta, target)}:`, rows: groupRows(meta, picture, target) };
  const { machine } = target;
  return { sentence: describeMachine(meta, picture, machine), rows: machineRows(meta, picture, machine) };
}
