/**
 * What was clicked on the map, or asked for by number: a machine's layers in words, sums over a cluster or an owner;
 * and of a finished run what happened to a machine, task, job, queue, partition or Global Master, and its delay in four
 * parts.
 */

import { problemText } from "../../experiment/problems.js";
import { glued, moment, whole } from "../../kit/format.js";
import { nameOf } from "../../run/places.js";
import { clusterOf, describeMachine, machineRows, ownerOf } from "../../run/sentences.js";
import { decisionsAt } from "../../contract/api.js";
import { fetchPart } from "../../run/why/whys.js";
import { whyTask } from "../../run/why/why_task.js";
import { delayBar } from "../../run/why/delay_bar.js";
import { h } from "../../kit/dom.js";
import { PartMessages } from "../../features/messages/part_messages.js";
import { gettext } from "../../kit/words.js";
import { groupRows, tellTasks, partOf } from "./inspector_words.js";
import { inspectorForm, inspectorTools } from "./inspector_form.js";
import { panelOf } from "../panel.js";
import { watch } from "../../kit/view.js";

/**
 * @import { Meta } from "../../contract/contract"
 * @import { Picture } from "../../run/frames.js"
 * @import { Target } from "../../run/places.js"
 * @import { RunSession } from "../../run/run_session.js"
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
      () => studio.shown,
      (target) => inspector.show(target),
    );
    watch(
      () => studio.figures,
      (picture) => picture && inspector.draw(picture),
    );
    watch(
      () => studio.news,
      (news) => news && inspector.heard(news.session),
    );
    watch(
      () => studio.meta,
      (meta) => meta && inspector.describe(meta),
    );
  },
};

/**
 * @typedef {{t_s: number, task: number, text: string, stops: boolean}} PartEvent  something that happened to a part
 * @typedef {{sentence: string, job?: number | null, delay_s: Record<string, number>, events: PartEvent[],
 *   tasks: Parameters<typeof tellTasks>[1], thinned: boolean}} PartTold  what the server tells of a part
 */

export class Inspector {
  constructor(/** @type {HTMLElement} */ body, /** @type {Studio} */ studio) {
    this.body = body;
    this.studio = studio;
    /** @type {Target | null} */
    this.target = null;
    this.jobOfTask = -1;
    this.lastAsked = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** The target that the timer asks about. @type {Target | null} */
    this.timerOf = null;
    this.asked = "";
    /** @type {Record<string, any>} The elements that inspectorTools and inspectorForm make. */
    this.parts = {};
    this.sentence = h("p", { class: "inspector-sentence" });
    this.rows = h("dl", { class: "inspector-rows" });
    this.told = h("div", { class: "inspector-told", "data-told": "" });
    this.last = h("p", { class: "inspector-last", hidden: true });
    this.exchanged = new PartMessages(studio);
    body.append(
      this.sentence,
      this.rows,
      this.told,
      this.last,
      this.exchanged.element,
      inspectorTools(this),
      inspectorForm(this),
    );
    this.draw(null);
  }

  /** @returns {Target | null} */
  partition() {
    const { meta, stage } = this.studio;
    const { picture } = stage;
    if (!meta || !picture || this.target?.kind !== "machine") return null;
    const { machine } = this.target;
    return {
      kind: "partition",
      cluster: meta.clusters.indexOf(clusterOf(meta, machine)),
      owner: ownerOf(meta, picture, machine),
    };
  }

  #tell(/** @type {(Node | string)[]} */ ...content) {
    this.told.replaceChildren(...content);
  }

  /** The tasks that were decided on a machine last, to ask about; looked up anew where the viewer stops. */
  async #tellLast() {
    const { last, studio, target } = this;
    const { player } = studio.stage;
    const run = studio.session?.run;
    const machine = target?.kind === "machine" ? target.machine : -1;
    const at_s = Math.round(player.t_ns / 1e6) / 1e3;
    const wanted = run?.state === "done" && machine >= 0 ? `${run.id} ${machine} ${player.playing ? "" : at_s}` : "";
    if (wanted === this.lastAsked) return;
    if (run && wanted && player.playing && this.lastAsked.startsWith(`${run.id} ${machine} `)) return;
    this.lastAsked = wanted;
    if (!run || !wanted) {
      last.hidden = true;
      return;
    }
    try {
      const found = await decisionsAt(run.id, machine, at_s);
      if (this.lastAsked !== wanted) return;
      const tasks = [...new Set(found.rows.map((/** @type {{task: number}} */ each) => each.task))].filter(
        (task) => task >= 0,
      );
      last.hidden = !tasks.length;
      last.replaceChildren(
        ...(tasks.length
          ? [gettext("Last tasks here: "), ...tasks.slice(0, LAST_TASKS).map((task) => this.#taskLink(task))]
          : []),
      );
    } catch {
      last.hidden = true;
    }
  }

  #taskLink(/** @type {number} */ task) {
    const onclick = () => whyTask(this.studio, task);
    return h("button", { class: "link", type: "button", "data-task": String(task), onclick }, whole(task));
  }

  /** Something that happened, with its time to go to. */
  #event(/** @type {PartEvent} */ event) {
    const { stage } = this.studio;
    const go = () => {
      stage.player.pause();
      stage.seek(Math.round(event.t_s * 1e9), true);
    };
    const show = () => this.take({ kind: "task", task: event.task });
    const text = glued(event.text);
    return h(
      "li",
      {},
      h(
        "button",
        { class: "history-time", type: "button", "data-tip": gettext("Go there"), onclick: go },
        moment(event.t_s * 1e9),
      ),
      h(
        "span",
        { class: event.stops ? "stops" : "" },
        this.target?.kind === "task"
          ? text
          : h("button", { class: "link history-task", type: "button", onclick: show }, text),
      ),
    );
  }

  #showPart(/** @type {PartTold} */ found) {
    const { target } = this;
    if (!target) return;
    const isTask = target.kind === "task";
    if (!ON_THE_MAP.has(target.kind)) this.sentence.textContent = glued(found.sentence);
    this.jobOfTask = found.job ?? -1;
    this.parts.job.hidden = !isTask || this.jobOfTask < 0;
    const note = (/** @type {string} */ words) => h("p", { class: "history-note" }, words);
    const waited = Object.values(found.delay_s).some((seconds) => seconds > 0);
    const events = found.events.toReversed().map((event) => this.#event(event));
    this.#tell(
      ...[
        ON_THE_MAP.has(target.kind) || isTask ? null : note(tellTasks(target, found.tasks)),
        waited ? delayBar(found.delay_s, isTask ? "" : gettext("Mean delay of the tasks that have started")) : null,
        events.length
          ? h("ol", { class: "history", "aria-label": gettext("What happened"), tabindex: "0" }, events)
          : note(gettext("Nothing has happened here yet.")),
        found.thinned ? note(gettext("Only some decisions were recorded.")) : null,
      ].filter((each) => each !== null),
    );
  }

  /** Ask once the clock stands still; while it moves, now and then. */
  #askAbout() {
    const { studio, target } = this;
    const { player } = studio.stage;
    const run = studio.session?.run;
    const wanted = target && studio.meta ? partOf(studio.meta, target) : null;
    if (!wanted || run?.state !== "done") {
      clearTimeout(this.timer);
      this.timer = undefined;
      // What was told is another run's, or the part of it that is over.
      if (target && wanted && studio.meta && !ON_THE_MAP.has(target.kind))
        this.sentence.textContent = `${nameOf(studio.meta, target)}:`;
      const words = gettext("The history appears when the run is computed.");
      this.#tell(...(wanted ? [h("p", { class: "history-note" }, words)] : []));
      return;
    }
    const key = () => JSON.stringify([run.id, wanted, Math.round(player.t_ns) / 1e9]);
    if (key() === this.asked || (this.timer && player.playing && this.timerOf === target)) return;
    clearTimeout(this.timer);
    this.timerOf = target;
    const blank = !this.told.childElementCount;
    if (blank) this.#tell(h("p", { class: "history-note", role: "status" }, gettext("Looking…")));
    const pause_ms = player.playing && !blank ? PLAYING_MS : SETTLE_MS;
    // Asked of the instant that the clock has come to by then.
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
    } catch (/** @type {any} */ error) {
      if (this.asked !== mine) return;
      const words = error.problems?.length ? problemText(error.problems[0]) : error.message;
      this.#tell(h("p", { class: "history-note", role: "alert" }, words));
    }
  }

  draw(/** @type {Picture | null} */ picture) {
    const { studio, target } = this;
    const { meta } = studio;
    for (const each of [this.parts.unpin, this.parts.why, this.parts.part]) each.hidden = !target;
    if (target?.kind !== "task") this.parts.job.hidden = true;
    this.parts.messages.hidden = target?.kind !== "task" || !meta?.messages;
    this.#tellLast();
    this.exchanged.show(target && meta ? partOf(meta, target) : null);
    panelOf(this.body).classList.toggle("is-empty", !target);
    if (!target || !meta || !picture?.layers) {
      this.sentence.textContent = "";
      this.rows.replaceChildren();
      this.#tell();
      return;
    }
    this.parts.why.hidden = target.kind !== "task" || studio.session?.run.state !== "done";
    this.parts.part.hidden = target.kind !== "machine" || !meta.owners.length;
    if (ON_THE_MAP.has(target.kind)) {
      const one = target.kind === "machine";
      this.sentence.textContent = one ? describeMachine(meta, picture, target.machine) : `${nameOf(meta, target)}:`;
      const shown = one ? machineRows(meta, picture, target.machine) : groupRows(meta, picture, target);
      this.rows.replaceChildren(
        ...shown.map((row) => h("div", { "data-tip": row.help }, h("dt", {}, row.label), h("dd", {}, row.value))),
      );
    } else this.rows.replaceChildren();
    this.#askAbout();
  }

  /** Have another part shown. */
  take(/** @type {Target | null} */ next) {
    this.studio.inspect(next);
  }

  /** Show a part. */
  show(/** @type {Target | null} */ next) {
    const { studio } = this;
    const other = JSON.stringify(next) !== JSON.stringify(this.target);
    this.target = next;
    if (other) {
      studio.stage.on.used?.();
      this.asked = "";
      this.#tell();
      this.sentence.textContent = "";
    }
    this.draw(studio.figures);
  }

  heard(/** @type {RunSession} */ session) {
    if (session !== this.studio.session) return;
    const { summary } = session.store;
    const busy = session.run.state !== "done";
    this.parts.ask.disabled = busy;
    this.parts.show.disabled = busy;
    if (summary?.tasks) this.parts.number.max = String(summary.tasks.total - 1);
    this.draw(this.studio.figures);
  }

  describe(/** @type {Meta} */ meta) {
    const { target } = this;
    if (target?.kind === "cluster" && !meta.clusters.some((each) => each.name === target.name)) this.take(null);
    this.asked = "";
  }
}
