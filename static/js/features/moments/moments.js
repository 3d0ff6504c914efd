/**
 * Jump to an event: the run's most instructive moments. A click goes there, plays the events before it, slows down to a
 * hundredth, stops at the event, and explains it beside the map.
 */

import { clock, whole } from "../../kit/format.js";
import { getMoments } from "../../contract/api.js";
import { boxesOf } from "../../draw/stage/drawn_marks.js";
import { lookAtMachines } from "../../draw/map/looking.js";
import { mapBeside } from "../../kit/level_now.js";
import { writeAddress } from "../../run/address.js";
import { gettext } from "../../kit/words.js";
import { SLOW, sortOf, rateAt, scriptOf } from "./slow_motion.js";
import { html, made, nothing, signal, watch } from "../../kit/view.js";

/**
 * @import { RunSession } from "../../run/run_session.js"
 * @import { Studio } from "../../studio/store.js"
 */
/**
 * @typedef {import("../../contract/contract").Moment} Moment
 * @typedef {import("../../draw/map/camera.js").Camera} Camera
 * @typedef {{moment: Moment, turn: Moment[]}} Told  a moment, first in a group of related ones
 */

/** The interval at which the card locates its marks. */
const LOOK_MS = 250;
/** Below this width the card is below the map, else beside it. */
const NARROW = "(max-width: 860px)";

export class MomentsPanel {
  /** True if this run has moments to jump to. */
  #has = signal(false);
  /** True if the list of moments is open. */
  #listed = signal(false);
  #told = signal(/** @type {Told | null} */ (null));

  constructor(/** @type {Studio} */ studio) {
    this.studio = studio;
    /** The run whose moments were requested. @type {string | null} */
    this.of = null;
    /** The plan used to locate the machines. @type {unknown} */
    this.plan = null;
    /** The view before the moment. @type {{rate: number | null, camera: Camera, picture: string | null} | null} */
    this.before = null;
    /** @type {import("./slow_motion.js").Script | null} */
    this.script = null;
    this.card = made(() => this.#cardView());
    setInterval(() => this.#look(), LOOK_MS);
    window.matchMedia(NARROW).addEventListener("change", () => {
      if (!this.shown) return;
      this.#place();
      this.#scroll();
    });
    document.querySelector(".centre .map-head")?.prepend(made(() => this.#buttonView()));
    this.list = made(() => this.#listView());
    // Not inside the map, which a phone does not show beside the stages.
    document.querySelector(".centre")?.append(this.list);
    watch(
      () => studio.meta.value,
      (meta) => {
        this.#leave();
        // The run itself may be back after a changed one of this page, and has no news.
        const session = studio.session.value;
        if (session && session.meta === meta && !studio.touched.value) this.#heard(session);
      },
    );
    watch(
      () => studio.news.value,
      (news) => news && this.#heard(news.session),
    );
  }

  get moments() {
    return this.studio.instructive.value.moments;
  }

  /** The moment on screen. */
  get shown() {
    return this.#told.peek()?.moment ?? null;
  }

  /** Place the card so that it never covers the map: first in the right column, or under the map on a narrow screen. */
  #place() {
    const frame = document.querySelector(".centre .tasks-frame, .centre .map");
    const place = window.matchMedia(NARROW).matches ? frame : (document.querySelector(".right") ?? frame);
    if (this.card.parentElement === place) return;
    if (place === frame) frame?.append(this.card);
    else place?.prepend(this.card);
  }

  // -- the run on the screen ------------------------------------------------------------------------------------------

  /** Leave the moment when another run appears. */
  #leave() {
    if (this.shown) this.close();
    this.#has.value = false;
    this.of = null;
  }

  /** Fetch the moments when a run's state becomes done. */
  async #heard(/** @type {RunSession} */ session) {
    if (session !== this.studio.session.value || session.run.state !== "done" || this.of === session.run.id) return;
    this.of = session.run.id;
    const found = await getMoments(session.run.id).catch(() => []);
    if (this.of !== session.run.id) return;
    this.studio.instructive.value = { moments: found, of: this.of };
    this.#has.value = found.length > 0;
    const { view } = this.studio;
    const asked = view.moment && found.find((each) => each.kind === view.moment);
    view.moment = null;
    if (asked) this.show(asked);
  }

  /** Update at every frame: stop once the event is over, so that the picture stays at the card's instant. */
  moved() {
    const { shown, script } = this;
    const { map, player } = this.studio.stage;
    if (!shown || !script) return;
    // The map's layout may have changed.
    if (map.view && map.plan !== this.plan) {
      this.plan = map.plan;
      lookAtMachines(map, shown.machines);
    }
    if (player.playing && player.pace && player.t_ns >= script.until) player.pause();
  }

  /** The marks of the card's sentence: the machine of the event, the machines of its probes, and the task. */
  get marks() {
    const { shown, script } = this;
    const { player, tasks } = this.studio.stage;
    if (!shown || !script || player.t_ns < script.until) return [];
    const machines = shown.probes ? shown.probes.map((each) => each.machine) : shown.machines.slice(0, 1);
    const names = [...new Set(machines)].map((machine) => `machine:${machine}`);
    const found = names.map((name) => ({ name, boxes: boxesOf(this.studio.stage, name) }));
    // If tasks are drawn, the ring marks the task, unless the task has ended.
    const ring = tasks?.drawn ? boxesOf(this.studio.stage, "task") : [];
    return ring.length ? [...found, { name: "task", boxes: ring }] : found;
  }

  /** Publish the marks' positions in the card's data-marks. */
  #look() {
    if (!this.shown) return;
    const { marks } = this;
    if (marks.length) this.card.dataset.marks = JSON.stringify(marks);
    else delete this.card.dataset.marks;
  }

  // -- the list -------------------------------------------------------------------------------------------------------

  #buttonView() {
    return html`<button
      type="button"
      class="button button-heavy moments-open"
      ?hidden=${!this.#has.value}
      aria-expanded=${String(this.#listed.value)}
      data-show-one
      data-tip=${gettext("The most instructive moments of this run, in slow motion.")}
      @click=${() => this.#toggle()}
      >${gettext("Jump to an event")}</button
    >`;
  }

  #toggle() {
    this.#listed.value = !this.#listed.value;
    const head = /** @type {HTMLElement | null} */ (document.querySelector(".centre .map-head"));
    if (head) this.list.style.top = `${head.offsetTop + head.offsetHeight}px`;
    if (this.#listed.value) this.list.querySelector("a")?.focus();
  }

  #listView() {
    const end = this.studio.stage.player.store.endNs;
    const go = (/** @type {MouseEvent} */ event, /** @type {Moment} */ moment) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.show(moment);
    };
    return html`
      <div class="moments-list" ?hidden=${!this.#listed.value}
        >${this.moments.map(
          (moment) => html`
            <a
              class="moments-item"
              href=${this.#link(moment)}
              @click=${(/** @type {MouseEvent} */ event) => go(event, moment)}
              ><span>${moment.label}</span><span class="moments-time">${clock(moment.t_ns, end)}</span></a
            >`,
        )}</div
      >`;
  }

  /** @param {Moment} moment */
  #link(moment) {
    const url = new URL(window.location.href);
    url.search = "";
    url.searchParams.set("moment", moment.kind);
    return url.href;
  }

  // -- one moment -----------------------------------------------------------------------------------------------------

  /**
   * Show a moment. The others follow only when the reader requests them.
   *
   * @param {Moment} moment
   * @param {Moment[]} [others]
   */
  show(moment, others = []) {
    this.#open({ moment, turn: [moment, ...others] });
    this.#scroll();
  }

  /** Scroll to the map on a narrow screen: the button, or the map of a wide screen, may be far from it. */
  #scroll() {
    if (window.matchMedia(NARROW).matches) document.querySelector(".centre")?.scrollIntoView({ block: "start" });
  }

  /** @param {Told} told */
  #open(told) {
    const { moment } = told;
    this.#listed.value = false;
    const { stage } = this.studio;
    const desk = this.studio.desk.value;
    const picture = desk?.open?.id ?? null;
    this.before ??= { rate: stage.player.chosenRate, camera: { ...stage.map.camera }, picture };
    // A moment is played on the map; a network shows the task's path.
    if (picture === "flow") desk?.made.get("flow")?.way?.(moment.task, moment.t_ns / 1e9);
    else if (picture && !mapBeside(picture)) desk?.show(null);
    this.#place();
    this.#told.value = told;
    document.body.classList.add("shows-moment");
    lookAtMachines(stage.map, moment.machines);
    this.plan = stage.map.plan;
    this.#play(moment);
  }

  /** @param {Moment} moment */
  #play(moment) {
    const { stage } = this.studio;
    delete this.card.dataset.marks;
    const { track = null, prices = [] } = stage.tasks?.scene ?? {};
    const script = scriptOf(
      moment,
      track,
      prices.some((each) => each.task === moment.task),
    );
    this.script = script;
    const { task, machines, t_ns, tag, beside, beside_tag: besideTag, since_ns, latest_ns, probes } = moment;
    const reserved = moment.kind === "reserved_machine";
    const more = { since_ns, latest_ns, probes, lag_ns: script.lag_ns, reserved };
    stage.tasks?.look({ task, machines, t_ns, sort: sortOf(moment.kind), tag, beside, besideTag, ...more });
    stage.seek(script.from, true);
    stage.player.pace = (at) => rateAt(script, at);
    stage.player.play();
    writeAddress(this.studio);
  }

  #cardView() {
    const told = this.#told.value;
    return html`
      <section class="moment-card" ?hidden=${!told} aria-live="polite" data-moment=${told?.moment.kind ?? nothing}
        >${told ? this.#tellView(told) : nothing}</section
      >`;
  }

  /** @param {Told} told */
  #tellView({ moment, turn }) {
    const among = turn.length > 1 ? turn : this.moments;
    const next = among[(among.indexOf(moment) + 1) % among.length];
    const others = turn.length > 1 ? turn.filter((each) => each !== next) : [];
    return html`
      <p class="moment-label" data-says="moment:time"
        >${moment.label} · ${clock(moment.t_ns, this.studio.stage.player.store.endNs)} · ${gettext(
          "fast at first, then {times} times slower than in the run",
          { times: whole(1 / SLOW) },
        )}</p
      >
      <p class="moment-why" data-says="moment:why">${moment.sentence}</p>
      <div class="moment-acts">
        <button type="button" class="button" @click=${() => this.#play(moment)}>${gettext("Again")}</button>
        <button type="button" class="button" @click=${() => this.show(next, others)}
          >${gettext("Next event: {label}", { label: next.label })}</button
        >
        <button type="button" class="button" @click=${() => this.close()}>${gettext("Back to the run")}</button>
      </div>`;
  }

  /** Close what is open; return true if anything was. */
  escape() {
    const open = this.#listed.value || this.shown !== null;
    if (this.#listed.value) this.#toggle();
    else if (this.shown) this.close();
    return open;
  }

  close() {
    const { stage } = this.studio;
    this.#told.value = null;
    this.script = null;
    document.body.classList.remove("shows-moment");
    stage.tasks?.look(null);
    if (!this.before) return;
    stage.player.pace = null;
    stage.setRate(this.before.rate);
    stage.map.moveTo(this.before.camera, true);
    if (this.before.picture) this.studio.desk.value?.show(this.before.picture);
    this.studio.desk.value?.made.get("flow")?.follow?.();
    stage.player.play();
    this.before = null;
  }
}
