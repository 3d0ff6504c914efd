/** The run on screen: its picture and its timeline, as frames arrive and runs replace each other. */

import { eventsOf, eventWords } from "../run/event_edits.js";
import { TimelineView } from "../draw/stage/timeline.js";
import { part } from "../kit/dom.js";
import { touchesOf } from "../features/here/touch.js";
import { watch } from "../kit/view.js";

/**
 * @import { Meta } from "../contract/contract"
 * @import { PlannedEvent } from "../features/design/events.js"
 * @import { RunSession } from "../run/run_session.js"
 * @import { Studio } from "./store.js"
 */

const TIMELINE_MS = 200;

/** Return the mark of an event on the timeline. */
const tickOf = (/** @type {PlannedEvent} */ event) => ({ t_ns: event.at_s * 1e9, words: eventWords(event) });

export class ShownRun {
  constructor(/** @type {Studio} */ studio) {
    this.studio = studio;
    this.timeline = new TimelineView(part("[data-timeline]"), (/** @type {number} */ t_ns) => this.#scrub(t_ns));
    watch(
      () => studio.touched.value,
      () => this.#touched(),
    );
  }

  /**
   * @param {RunSession} session
   * @param {boolean} isCurrent
   */
  state(session, isCurrent) {
    const { studio } = this;
    studio.stage.player.setProgress(session === studio.session.value ? session.run.progress || 0 : 0);
    if (session.final) {
      this.stale = true;
      this.#draw();
      if (session === studio.session.value || session.run.state !== "done") studio.livePreview.settled(session);
    }
    studio.news.value = { session };
    // The bar ignores runs that do not match the current settings.
    if (isCurrent && session.experiment === studio.experiment.value)
      studio.status({ ...session.run, state: session.state });
  }

  grew(/** @type {RunSession} */ session) {
    const { stage } = this.studio;
    if (this.studio.touched.value) return;
    if (stage.player.store !== session.store) stage.setStore(session.store, { sameRun: true });
    this.stale = true;
  }

  /**
   * @param {RunSession} session
   * @param {boolean} isFirst
   */
  swapped(session, isFirst) {
    const { studio } = this;
    const { meta } = session;
    if (!meta) return;
    studio.touched.value = null;
    this.#show(session, meta, isFirst);
    if (isFirst && studio.view.show) studio.follow(studio.view.show);
    document.body.classList.add("has-picture");
    document.body.dataset.pictureOf = session.experimentId; // performance measurements read this
    if (session.final) studio.livePreview.settled(session);
    this.stale = true;
    if (!this.drawing) this.drawing = setInterval(() => this.#draw(), TIMELINE_MS);
    this.#draw();
  }

  /**
   * Show a run on the stage and the timeline; the panels render after both.
   * @param {RunSession} session
   * @param {Meta} meta
   * @param {boolean} isFirst
   */
  #show(session, meta, isFirst) {
    const { studio } = this;
    studio.stage.setMeta(meta);
    studio.stage.setStore(session.store);
    studio.meta.value = meta;
    studio.figures.value = null; // the previous run's values do not apply
    if (isFirst && typeof studio.view.t_s === "number") studio.stage.player.open(Math.round(studio.view.t_s * 1e9));
    this.timeline.setMeta(meta, eventsOf(studio.opened.value).map(tickOf));
  }

  /** Show the run as touched from the same instant on, or the session's run again. */
  #touched() {
    const { studio } = this;
    const { stage } = studio;
    const session = studio.session.value;
    const touched = studio.touched.value;
    const { store, meta } = touched ?? session ?? {};
    this.stale = true;
    if (!store || !meta || stage.player.store === store) return;
    if (stage.meta !== meta) stage.setMeta(meta);
    stage.setStore(store, { sameRun: true });
    studio.meta.value = meta;
    if (touched?.change) this.#note(touched.change);
    if (touched?.partial) return; // the timeline keeps the frames before until those of this run are there
    const events = [...eventsOf(studio.opened.value), ...(touched ? touchesOf(touched) : [])];
    this.timeline.setMeta(meta, events.map(tickOf));
    if (touched && !stage.player.playing) stage.seek(touched.at_ns);
  }

  /** Note which change the map shows; performance measurements read it. */
  #note(/** @type {number} */ change) {
    // The map has been drawn by then.
    requestAnimationFrame(() => {
      document.body.dataset.pictureHere = String(change);
    });
  }

  #draw() {
    const { stage } = this.studio;
    const session = this.studio.session.value;
    if (!this.stale || !session || this.studio.touched.value?.partial) return;
    this.stale = false;
    this.timeline.update((this.studio.touched.value ?? session).store, stage.player.expectedEndNs);
  }

  #scrub(/** @type {number} */ t_ns) {
    const { livePreview, stage } = this.studio;
    livePreview.release();
    stage.player.pause();
    stage.seek(t_ns);
  }
}
