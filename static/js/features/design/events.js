/** Edit an experiment's faults, drains, bursts and changes: a page of the sheet over the map. */

import { problemText } from "../../experiment/problems.js";
import {
  addEvent,
  changeEvent,
  eventsOf,
  isBrief,
  KINDS,
  newEvent,
  spanOf,
  targetKind,
  targetsFor,
  TARGET_WORDS,
  unhonoured,
  without,
} from "../../run/event_edits.js";
import { duration } from "../../kit/format.js";
import { drawing, Form } from "../../experiment/forms/fields.js";
import { html, nothing, repeat } from "../../kit/view.js";
import { pull } from "./dragging.js";
import { gettext, ngettext } from "../../kit/words.js";
import { eventView } from "./event_row.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Problem } from "../../experiment/problems.js"
 * @import { Studio } from "../../studio/store.js"
 */

/**
 * @typedef {[kind: string, target: string, label: string]} Ready  an event to add
 * @typedef {{at_s: number, kind: string, target: Record<string, string | number | boolean>, duration_s?: number,
 *   value?: Record<string, unknown>}} PlannedEvent  an event of an experiment
 */

/** @type {Ready[]} */
const READY = [
  ["fail", "machine", gettext("A machine fails")],
  ["fail", "rack", gettext("A rack fails")],
  ["fail", "cluster", gettext("A cluster fails")],
  ["fail", "local_master", gettext("A Local Master fails")],
  ["fail", "global_master", gettext("A Global Master fails")],
  ["drain", "cluster", gettext("A cluster drains")],
  ["stop", "task", gettext("A task is stopped")],
  ["burst", "queue", gettext("A burst of jobs")],
  ["set", "queue", gettext("A queue's share changes")],
  ["set", "scheduler", gettext("A parameter changes")],
];

export default {
  id: "events",
  title: gettext("Faults"),
  question: gettext("What fails or changes, and when?"),
  /**
   * @param {HTMLElement} form
   * @param {HTMLElement} picture
   */
  mount(form, picture, /** @type {Studio} */ studio) {
    return new EventEditor(form, picture, studio);
  },
};

/** The form and the timeline of events. */
export class EventEditor {
  /**
   * What the page shows: an experiment, its end and the clock, in seconds.
   * @type {{experiment: Experiment, end: number, clock: number} | null}
   */
  #now = null;
  #draws;
  form = new Form();

  /**
   * @param {HTMLElement} form
   * @param {HTMLElement} picture
   */
  constructor(form, picture, /** @type {Studio} */ studio) {
    this.studio = studio;
    const drawForm = drawing(form, () => (this.#now ? this.#formView(this.#now.experiment) : nothing));
    const drawLine = drawing(
      picture,
      () => html`
        <h2 class="design-title">${gettext("When they happen")}</h2>
        <div class="event-line" role="group" aria-label=${gettext("When they happen")}
          >${this.#now ? this.#lineViews(this.#now) : nothing}</div>
        <p class="editor-about"
          >${gettext(
            "Drag a bar, or focus it and use the arrow keys. The vertical line marks the clock. A new event " +
              "starts at the clock's time. To try a change at once, right-click (or long-press) a machine, a " +
              "cluster or a queue on the map. This starts a what-if: a copy that differs from that moment on.",
          )}</p>`,
    );
    this.#draws = [drawForm, drawLine];
  }

  asks() {
    return false;
  }

  /** True if another user owns the experiment, or a lesson locks it. */
  get readOnly() {
    return this.studio.readOnly.value || this.studio.lesson?.locked("datacenter");
  }

  get now_s() {
    const { player } = this.studio.stage;
    return player.store.count ? Math.max(0, Math.round(player.t_ns / 1e8) / 10) : 0;
  }

  /**
   * @param {string} key
   * @param {(experiment: Experiment) => Experiment} change
   */
  edit(key, change) {
    if (this.readOnly) return;
    const next = change(this.studio.opened.value);
    if (JSON.stringify(next) !== JSON.stringify(this.studio.opened.value)) this.studio.replace(next, false, key);
  }

  /** @param {Experiment} experiment */
  experiment(experiment) {
    const end = spanOf(experiment, (this.studio.session.value?.store.endNs ?? 0) / 1e9);
    this.#now = { experiment, end, clock: this.now_s };
    for (const draw of this.#draws) draw();
  }

  /** @param {Experiment} experiment */
  #formView(experiment) {
    const { readOnly } = this;
    const chosen = this.studio.chosen.value;
    this.form.begin(Boolean(readOnly));
    const events = eventsOf(experiment);
    const can = READY.filter(([kind, target]) => targetsFor(kind, experiment, chosen).includes(target));
    /** @param {Ready} ready */
    const readyView = ([kind, target, label]) => {
      const add = () => this.edit("", (one) => addEvent(one, newEvent(kind, this.now_s, one, chosen, target)));
      return html`<button
        class="button button-small"
        type="button"
        data-add-event=${`${kind}-${target}`}
        @click=${add}
      >${label}</button>`;
    };
    return html`
      <p class="editor-about">${this.#noteView(can, unhonoured(experiment, chosen))}</p>
      <div
        class="editor-line design-adds"
        role="group"
        aria-label=${gettext("Add an event")}
        ?hidden=${readOnly}
        >${can.map(readyView)}</div>
      <ol class="event-list" aria-label=${gettext("Events, in the order in which they are written")}
        >${
          events.length
            ? repeat(
                events,
                (event, index) => `${index}/${event.kind}/${targetKind(event)}`,
                (event, index) => eventView(this, experiment, event, index),
              )
            : html`<li class="picture-empty">${gettext("No events yet.")}</li>`
        }</ol>`;
  }

  /**
   * Return a note on events that the scheduler does not simulate, and a button that removes them.
   * @param {Ready[]} can
   * @param {number[]} idle
   */
  #noteView(can, idle) {
    const chosen = this.studio.chosen.value;
    const words =
      can.length < READY.length && chosen
        ? gettext("{label} simulates the events below. Choose one to add it.", { label: chosen.label })
        : gettext("Plan faults of machines and other changes during the run.");
    if (!idle.length) return words;
    const drop = () => this.edit("", (one) => without(one, idle));
    const rest = html` <button class="link" type="button" data-drop-unhonoured @click=${drop}
      >${idle.length === 1 ? gettext("Remove it") : gettext("Remove them")}</button>`;
    return html`${words}${ngettext(
      " Event {events} cannot happen under this scheduler.",
      " Events {events} cannot happen under this scheduler.",
      idle.length,
      { events: idle.map((at) => at + 1).join(", ") },
    )}${this.readOnly ? nothing : rest}`;
  }

  /**
   * Return bars over the run's time, movable by pointer and keys.
   * @param {{experiment: Experiment, end: number, clock: number}} now
   */
  #lineViews({ experiment, end, clock }) {
    const part = (/** @type {number} */ seconds) =>
      `${(100 * Math.min(end, Math.max(0, Number(seconds) || 0))) / end}%`;
    return html`${eventsOf(experiment)
      .slice(0, 60)
      .map((event, index) => this.#barView(event, index, end, part))}
      <div class="event-axis" aria-hidden="true"><span>0</span><span>${duration(end * 1e9)}</span></div>
      <i class="event-now" aria-hidden="true" .style=${`left: ${part(clock)}`}></i>`;
  }

  /**
   * @param {PlannedEvent} event
   * @param {number} index
   * @param {number} end
   * @param {(seconds: number) => string} part  returns a fraction of the line's width
   */
  #barView(event, index, end, part) {
    const at = Number(event.at_s) || 0;
    const kind = targetKind(event);
    const name = `${TARGET_WORDS[kind] ?? ""} ${kind && kind !== "scheduler" ? event.target[kind] : ""}`.trim();
    const words = `${name} ${Object.fromEntries(KINDS)[event.kind] ?? event.kind}`;
    const time = duration(at * 1e9);
    const lasts = event.duration_s ? gettext(" for {duration}", { duration: duration(event.duration_s * 1e9) }) : "";
    const brief = isBrief(event.kind) || event.kind === "set";
    const width = event.duration_s ? part(event.duration_s) : brief ? "3px" : part(end - at);
    const { grab, press } = this.#moves(index, at, end);
    return html`<div class="event-track"
      ><span class="event-words">${words}</span><button
        class="event-bar event-${event.kind}"
        type="button"
        role="slider"
        data-bar=${index}
        ?disabled=${this.readOnly}
        aria-label=${words}
        aria-valuemin="0"
        aria-valuemax=${Math.round(end)}
        aria-valuenow=${at}
        aria-valuetext=${gettext("at {time}", { time })}
        data-tip=${gettext("{words} at {time}{for}", { words, time, for: lasts })}
        .style=${`left: ${part(at)}; width: ${width}`}
        @pointerdown=${grab}
        @keydown=${press}
      ></button></div>`;
  }

  /**
   * Return the handlers that move a bar: the pointer and the arrow keys.
   * @param {number} index
   * @param {number} at
   * @param {number} end
   */
  #moves(index, at, end) {
    const round = (/** @type {number} */ seconds) => Math.max(0, Number(seconds.toPrecision(3)));
    const to = (/** @type {number} */ seconds) =>
      this.edit(`event:${index}`, (one) => changeEvent(one, index, { at_s: round(seconds) }, this.studio.chosen.value));
    const press = (/** @type {KeyboardEvent} */ event) => {
      const way = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
      if (!way) return;
      event.preventDefault();
      event.stopPropagation();
      to(at + (way * end) / (event.shiftKey ? 10 : 100));
    };
    const grab = (/** @type {PointerEvent} */ event) => {
      const line = /** @type {HTMLElement} */ (event.currentTarget).closest(".event-line");
      const wide = line?.getBoundingClientRect().width || 1;
      pull(event, {
        began: () => this.studio.history.hold(),
        moved: (x) => to(at + (x * end) / wide),
        ended: () => this.studio.history.seal(),
      });
    };
    return { grab, press };
  }

  /** @param {Problem[]} all */
  problems(all) {
    return this.form.problems(all, (each) => problemText(each));
  }
}
