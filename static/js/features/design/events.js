/** Faults, drains, bursts and changes of an experiment, by hand: a page of the sheet over the map. */

import { problemText } from "../../experiment/problems.js";
import {
  addEvent,
  changeEvent,
  choicesFor,
  eventsOf,
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
import { Fields } from "../../experiment/forms/fields.js";
import { focusedIn, h } from "../../kit/dom.js";
import { pullable } from "./dragging.js";
import { gettext, ngettext } from "../../kit/words.js";
import { EventRow } from "./event_row.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Problem } from "../../experiment/problems.js"
 * @import { Studio } from "../../studio/store.js"
 */

/** @typedef {[kind: string, target: string, label: string]} Ready  an event to add */

/** @type {Ready[]} */
const READY = [
  ["fail", "machine", gettext("A machine fails")],
  ["fail", "rack", gettext("A rack fails")],
  ["fail", "cluster", gettext("A cluster fails")],
  ["fail", "local_master", gettext("A Local Master fails")],
  ["fail", "global_master", gettext("A Global Master fails")],
  ["drain", "cluster", gettext("A cluster drains")],
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

/** The form and the time line of events. */
export class EventEditor {
  /** Each shows the experiment in one field. @type {((experiment: Experiment) => void)[]} */
  setters = [];

  /**
   * @param {HTMLElement} form
   * @param {HTMLElement} picture
   */
  constructor(form, picture, /** @type {Studio} */ studio) {
    this.studio = studio;
    this.fields = new Fields();
    this.add = h("div", { class: "editor-line design-adds", role: "group", "aria-label": gettext("Add an event") });
    this.note = h("p", { class: "editor-about" });
    this.list = h("ol", {
      class: "event-list",
      "aria-label": gettext("Events, in the order in which they are written"),
    });
    this.line = h("div", { class: "event-line", role: "group", "aria-label": gettext("When they happen") });
    form.append(this.note, this.add, this.list);
    picture.append(
      h("h2", { class: "design-title" }, gettext("When they happen")),
      this.line,
      h(
        "p",
        { class: "editor-about" },
        gettext(
          "Drag a bar, or focus it and use the arrow keys. The vertical line marks the clock. A new event " +
            "starts at the clock's time. To try a change at once, right-click (or long-press) a machine, a " +
            "cluster or a queue on the map. This starts a what-if: a copy that differs from that moment on.",
        ),
      ),
    );
    this.shape = "";
  }

  asks() {
    return false;
  }

  /** Somebody else's, or held by a lesson. */
  get readOnly() {
    return this.studio.readOnly || this.studio.lesson?.locked("datacenter");
  }

  get now_s() {
    const { player } = this.studio.stage;
    return player.store.count ? Math.max(0, Math.round(player.t_ns / 1e8) / 10) : 0;
  }

  get end_s() {
    return spanOf(this.studio.opened, (this.studio.session?.store.endNs ?? 0) / 1e9);
  }

  /**
   * @param {string} key
   * @param {(experiment: Experiment) => Experiment} change
   */
  edit(key, change) {
    if (this.readOnly) return;
    const next = change(this.studio.opened);
    if (JSON.stringify(next) !== JSON.stringify(this.studio.opened)) this.studio.replace(next, false, key);
  }

  /** @param {Experiment} experiment */
  experiment(experiment) {
    const { readOnly } = this;
    const { chosen } = this.studio;
    const events = eventsOf(experiment);
    const can = READY.filter(([kind, target]) => targetsFor(kind, experiment, chosen).includes(target));
    this.#tellIdle(can, unhonoured(experiment, chosen));
    this.add.hidden = readOnly;
    this.add.replaceChildren(
      ...can.map(([kind, target, label]) =>
        h(
          "button",
          {
            class: "button button-small",
            type: "button",
            "data-add-event": `${kind}-${target}`,
            onclick: () => this.edit("", (one) => addEvent(one, newEvent(kind, this.now_s, one, chosen, target))),
          },
          label,
        ),
      ),
    );
    const shape = JSON.stringify([
      events.map((event) => [event.kind, targetKind(event)]),
      chosen?.name,
      choicesFor("cluster", experiment),
      choicesFor("queue", experiment),
      choicesFor("global_master", experiment),
      readOnly,
    ]);
    if (shape !== this.shape) {
      this.shape = shape;
      this.#rows(experiment);
    }
    for (const set of this.setters) set(experiment);
    this.#draw(experiment);
  }

  /**
   * Say which events the scheduler does not simulate, and offer to drop those that are there.
   * @param {Ready[]} can
   * @param {any} idle
   */
  #tellIdle(can, idle) {
    const { readOnly } = this;
    const { chosen } = this.studio;
    const words =
      can.length < READY.length && chosen
        ? gettext("{label} simulates the events below. Choose one to add it.", { label: chosen.label })
        : gettext("Plan faults of machines and other changes during the run.");
    const rest = h(
      "button",
      {
        class: "link",
        type: "button",
        "data-drop-unhonoured": true,
        onclick: () => this.edit("", (one) => without(one, idle)),
      },
      idle.length === 1 ? gettext("Remove it") : gettext("Remove them"),
    );
    this.note.replaceChildren(
      words,
      ...(idle.length
        ? [
            ngettext(
              " Event {events} cannot happen under this scheduler.",
              " Events {events} cannot happen under this scheduler.",
              idle.length,
              {
                events: idle.map((/** @type {number} */ at) => at + 1).join(", "),
              },
            ),
            ...(readOnly ? [] : [" ", rest]),
          ]
        : []),
    );
  }

  /** @param {Experiment} experiment */
  #rows(experiment) {
    this.fields.clear();
    this.setters = [];
    const events = eventsOf(experiment);
    this.list.replaceChildren(
      ...(events.length
        ? events.map((event, index) => this.#row(event, index))
        : [h("li", { class: "picture-empty" }, gettext("No events yet."))]),
    );
  }

  /**
   * @param {any} event
   * @param {number} index
   */
  #row(event, index) {
    const row = new EventRow(this, index);
    row.when();
    row.toWhat(event);
    row.what(event);
    if (event.kind !== "recover") row.howLong();
    return row.finish();
  }

  /**
   * Bars over the run's time. They can be dragged, and moved by keys.
   * @param {Experiment} experiment
   */
  #draw(experiment) {
    const end = this.end_s;
    const part = (/** @type {number} */ seconds) =>
      `${(100 * Math.min(end, Math.max(0, Number(seconds) || 0))) / end}%`;
    const focused = focusedIn(this.line)?.dataset.bar ?? null;
    const bars = eventsOf(experiment)
      .slice(0, 60)
      .map((event, index) => {
        const at = Number(event.at_s) || 0;
        const kind = targetKind(event);
        const name = `${TARGET_WORDS[kind] ?? ""} ${kind && kind !== "scheduler" ? event.target[kind] : ""}`.trim();
        const words = `${name} ${Object.fromEntries(KINDS)[event.kind] ?? event.kind}`;
        const bar = h("button", {
          class: `event-bar event-${event.kind}`,
          type: "button",
          role: "slider",
          "data-bar": index,
          disabled: this.readOnly,
          "aria-label": words,
          "aria-valuemin": 0,
          "aria-valuemax": Math.round(end),
          "aria-valuenow": at,
          "aria-valuetext": gettext("at {time}", { time: duration(at * 1e9) }),
          "data-tip": gettext("{words} at {time}{for}", {
            words,
            time: duration(at * 1e9),
            for: event.duration_s ? gettext(" for {duration}", { duration: duration(event.duration_s * 1e9) }) : "",
          }),
        });
        bar.style.left = part(at);
        bar.style.width = event.duration_s
          ? part(event.duration_s)
          : event.kind === "recover" || event.kind === "set"
            ? "3px"
            : part(end - at);
        this.#move(bar, index, at, end);
        return h("div", { class: "event-track" }, h("span", { class: "event-words" }, words), bar);
      });
    const now = h("i", { class: "event-now", "aria-hidden": "true" });
    now.style.left = part(this.now_s);
    this.line.replaceChildren(
      ...bars,
      h("div", { class: "event-axis", "aria-hidden": "true" }, h("span", {}, "0"), h("span", {}, duration(end * 1e9))),
      now,
    );
    if (focused !== null) this.line.querySelector(`[data-bar="${focused}"]`)?.focus();
  }

  /**
   * @param {HTMLElement} bar
   * @param {number} index
   * @param {number} at
   * @param {number} end
   */
  #move(bar, index, at, end) {
    const round = (/** @type {number} */ seconds) => Math.max(0, Number(seconds.toPrecision(3)));
    const to = (/** @type {number} */ seconds) =>
      this.edit(`event:${index}`, (one) => changeEvent(one, index, { at_s: round(seconds) }, this.studio.chosen));
    bar.addEventListener("keydown", (event) => {
      const way = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
      if (!way) return;
      event.preventDefault();
      event.stopPropagation();
      to(at + (way * end) / (event.shiftKey ? 10 : 100));
    });
    let pulled = at;
    const wide = () => this.line.getBoundingClientRect().width || 1;
    pullable(bar, {
      began: () => {
        this.studio.history.hold();
        pulled = at;
      },
      moved: (x) => to(pulled + (x * end) / wide()),
      ended: () => this.studio.history.seal(),
    });
  }

  /** @param {Problem[]} all */
  problems(all) {
    return this.fields.problems(all, (each) => problemText(each));
  }
}
