/**
 * Jump to an event: the run's most instructive moments. A click goes there, plays what led to it, slows down to a
 * hundredth, stops there, and puts the reason beside the map.
 */

import { clock, whole } from "../../kit/format.js";
import { getMoments } from "../../contract/api.js";
import { boxesOf } from "../../draw/stage/drawn_marks.js";
import { h } from "../../kit/dom.js";
import { lookAtMachines } from "../../draw/map/looking.js";
import { mapBeside } from "../../kit/level_now.js";
import { writeAddress } from "../../run/address.js";
import { gettext } from "../../kit/words.js";
import { SLOW, sortOf, rateAt, scriptOf } from "./slow_motion.js";
import { watch } from "../../kit/view.js";

/**
 * @import { RunSession } from "../../run/run_session.js"
 * @import { Studio } from "../../studio/store.js"
 */
/** @typedef {import("../../contract/contract").Moment} Moment */

/** So often the card looks where its marks are now. */
const LOOK_MS = 250;
/** Below this width the card stands under the map, else beside it. */
const NARROW = "(max-width: 860px)";

export class MomentsPanel {
  constructor(/** @type {Studio} */ studio) {
    this.studio = studio;
    /** The run whose moments were asked for. @type {string | null} */
    this.of = null;
    /** @type {Moment | null} */
    this.shown = null;
    /** The moments that belong together, of which one is shown. @type {Moment[]} */
    this.turn = [];
    /** The plan that the machines were looked up in. */
    /** @type {unknown} */
    this.plan = null;
    /** What was shown before the moment. @type {{rate: number | null, camera: any, picture: string | null} | null} */
    this.before = null;
    /** @type {import("./slow_motion.js").Script | null} */
    this.script = null;
    this.button = h(
      "button",
      {
        type: "button",
        class: "button button-heavy moments-open",
        hidden: true,
        "aria-expanded": "false",
        "data-show-one": "",
        "data-tip": gettext("The most instructive moments of this run, in slow motion."),
        onclick: () => this.#toggle(),
      },
      gettext("Jump to an event"),
    );
    setInterval(() => this.#look(), LOOK_MS);
    this.list = h("div", { class: "moments-list", hidden: true });
    this.card = h("section", { class: "moment-card", hidden: true, "aria-live": "polite" });
    document.querySelector(".centre .map-head")?.prepend(this.button);
    document.querySelector(".centre .tasks-frame, .centre .map")?.append(this.list);
    watch(
      () => studio.meta,
      () => this.#leave(),
    );
    watch(
      () => studio.news,
      (news) => news && this.#heard(news.session),
    );
  }

  get moments() {
    return this.studio.instructive.moments;
  }

  /** The card never lies over the map: it stands first in the right column, or under the map on a narrow screen. */
  #place() {
    const frame = document.querySelector(".centre .tasks-frame, .centre .map");
    const place = window.matchMedia(NARROW).matches ? frame : (document.querySelector(".right") ?? frame);
    if (this.card.parentElement === place) return;
    if (place === frame) frame?.append(this.card);
    else place?.prepend(this.card);
  }

  // -- the run on the screen ------------------------------------------------------------------------------------------

  /** Another run is on the screen. */
  #leave() {
    if (this.shown) this.close();
    this.button.hidden = true;
    this.of = null;
  }

  /** A run's state has changed. */
  async #heard(/** @type {RunSession} */ session) {
    if (session !== this.studio.session || session.run.state !== "done" || this.of === session.run.id) return;
    this.of = session.run.id;
    const found = await getMoments(session.run.id).catch(() => []);
    if (this.of !== session.run.id) return;
    this.studio.state.instructive.value = { moments: found, of: this.of };
    this.button.hidden = !found.length;
    this.#list();
    const { view } = this.studio;
    const asked = view.moment && found.find((each) => each.kind === view.moment);
    view.moment = null;
    if (asked) this.show(asked);
  }

  /** At every frame: stop once the event is over, so that the picture stands at the instant that the card tells. */
  moved() {
    const { shown, script } = this;
    const { map, player } = this.studio.stage;
    if (!shown || !script) return;
    // The map may be laid out anew.
    if (map.view && map.plan !== this.plan) {
      this.plan = map.plan;
      lookAtMachines(map, shown.machines);
    }
    if (player.playing && player.pace && player.t_ns >= script.until) player.pause();
  }

  /** What the sentence speaks of: the machine where it happens, the machines of its probes, and the task. */
  get marks() {
    const { shown, script } = this;
    const { player, tasks } = this.studio.stage;
    if (!shown || !script || player.t_ns < script.until) return [];
    const machines = shown.probes ? shown.probes.map((each) => each.machine) : shown.machines.slice(0, 1);
    const names = [...new Set(machines)].map((machine) => `machine:${machine}`);
    const found = names.map((name) => ({ name, boxes: boxesOf(this.studio.stage, name) }));
    // Where tasks are drawn, its ring stands around the task, unless the task is past.
    const ring = tasks?.drawn ? boxesOf(this.studio.stage, "task") : [];
    return ring.length ? [...found, { name: "task", boxes: ring }] : found;
  }

  /** Tell where the marks are. */
  #look() {
    if (this.card.hidden) return;
    const { marks } = this;
    if (marks.length) this.card.dataset.marks = JSON.stringify(marks);
    else delete this.card.dataset.marks;
  }

  // -- the list -------------------------------------------------------------------------------------------------------

  #toggle() {
    this.list.hidden = !this.list.hidden;
    this.button.setAttribute("aria-expanded", String(!this.list.hidden));
    if (!this.list.hidden) this.list.querySelector("a")?.focus();
  }

  #list() {
    const end = this.studio.stage.player.store.endNs;
    this.list.replaceChildren(
      ...this.moments.map((moment) =>
        h(
          "a",
          {
            class: "moments-item",
            href: this.#link(moment),
            onclick: (/** @type {MouseEvent} */ event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              this.show(moment);
            },
          },
          h("span", {}, moment.label),
          h("span", { class: "moments-time" }, clock(moment.t_ns, end)),
        ),
      ),
    );
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
   * Show a moment. The others follow when a reader asks for them, not by themselves.
   *
   * @param {Moment} moment @param {Moment[]} [others]
   */
  show(moment, others = []) {
    this.turn = [moment, ...others];
    this.#open(moment);
    // On a narrow screen the button may be far below the map.
    if (window.matchMedia(NARROW).matches) document.querySelector(".centre")?.scrollIntoView({ block: "start" });
  }

  /** @param {Moment} moment */
  #open(moment) {
    if (!this.list.hidden) this.#toggle();
    const { stage } = this.studio;
    const { desk } = this.studio;
    const picture = desk?.open?.id ?? null;
    this.before ??= { rate: stage.player.chosenRate, camera: { ...stage.map.camera }, picture };
    // A moment is played on the map; a network shows the task's own way.
    if (picture === "flow") desk?.made.get("flow")?.way?.(moment.task, moment.t_ns / 1e9);
    else if (picture && !mapBeside(picture)) desk?.show(null);
    this.shown = moment;
    this.#place();
    this.#tell(moment);
    lookAtMachines(stage.map, moment.machines);
    this.plan = stage.map.plan;
    this.#play(moment);
  }

  /** @param {Moment} moment */
  #play(moment) {
    const { stage } = this.studio;
    delete this.card.dataset.marks;
    const script = scriptOf(moment, stage.tasks?.scene.track ?? null);
    this.script = script;
    const { task, machines, t_ns, tag, beside, beside_tag: besideTag, since_ns, latest_ns, probes } = moment;
    const more = { since_ns, latest_ns, probes, lag_ns: script.lag_ns };
    stage.tasks?.look({ task, machines, t_ns, sort: sortOf(moment.kind), tag, beside, besideTag, ...more });
    stage.seek(script.from, true);
    stage.player.pace = (at) => rateAt(script, at);
    stage.player.play();
    writeAddress(this.studio);
  }

  /** @param {Moment} moment */
  #tell(moment) {
    const among = this.turn.length > 1 ? this.turn : this.moments;
    const place = among.indexOf(moment);
    const next = among[(place + 1) % among.length];
    const others = this.turn.filter((each) => each !== next);
    const button = (/** @type {string} */ text, /** @type {() => void} */ act) =>
      h("button", { type: "button", class: "button", onclick: act }, text);
    this.card.replaceChildren(
      h(
        "p",
        { class: "moment-label" },
        moment.label,
        " · ",
        clock(moment.t_ns, this.studio.stage.player.store.endNs),
        " · ",
        gettext("fast at first, then {times} times slower than in the run", { times: whole(1 / SLOW) }),
      ),
      h("p", { class: "moment-why" }, moment.sentence),
      h(
        "div",
        { class: "moment-acts" },
        button(gettext("Again"), () => this.#play(moment)),
        button(gettext("Next event: {label}", { label: next.label }), () =>
          this.show(next, this.turn.length > 1 ? others : []),
        ),
        button(gettext("Back to the run"), () => this.close()),
      ),
    );
    this.card.hidden = false;
    this.card.dataset.moment = moment.kind;
    document.body.classList.add("shows-moment");
  }

  /** Close what is open; whether anything was. */
  escape() {
    const open = !this.list.hidden || this.shown !== null;
    if (!this.list.hidden) this.#toggle();
    else if (this.shown) this.close();
    return open;
  }

  close() {
    const { stage } = this.studio;
    this.shown = null;
    this.script = null;
    this.turn = [];
    this.card.hidden = true;
    document.body.classList.remove("shows-moment");
    stage.tasks?.look(null);
    if (!this.before) return;
    stage.player.pace = null;
    stage.setRate(this.before.rate);
    stage.map.moveTo(this.before.camera, true);
    if (this.before.picture) this.studio.desk?.show(this.before.picture);
    this.studio.desk?.made.get("flow")?.follow?.();
    stage.player.play();
    this.before = null;
  }
}
