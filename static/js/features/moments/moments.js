/**
 * Show me one: the run's most instructive moments. A click goes there, slows down to a hundredth, and puts the reason
 * on the map.
 */

import { clock, whole } from "../../kit/format.js";
import { getMoments } from "../../kit/api.js";
import { h } from "../../kit/dom.js";
import { lookAtMachines } from "../../map/looking.js";
import { mapBeside } from "../../studio/levels.js";
import { writeAddress } from "../../studio/address.js";
import { gettext } from "../../kit/words.js";

/** @import { Studio } from "../../studio/store.js" */
/** @typedef {import("../../types/contract").Moment} Moment */

const SLOW = 0.01;
const BEFORE_NS = 40e6;
const AFTER_NS = 160e6;

export class MomentsPanel {
  constructor(/** @type {Studio} */ studio) {
    this.studio = studio;
    /** @type {Moment[]} */
    this.moments = [];
    this.of = null;
    /** @type {Moment | null} */
    this.shown = null;
    /** The plan that the machines were looked up in. */
    this.plan = null;
    this.button = h(
      "button",
      {
        type: "button",
        class: "button moments-open",
        hidden: true,
        "aria-expanded": "false",
        "data-show-one": "",
        "data-tip": gettext("The most instructive moments of this run, in slow motion."),
        onclick: () => this.#toggle(),
      },
      gettext("Show me one"),
    );
    this.list = h("div", { class: "moments-list", hidden: true });
    this.card = h("section", { class: "moment-card", hidden: true, "aria-live": "polite" });
    document.querySelector(".centre .map-head")?.prepend(this.button);
    document.querySelector(".centre .tasks-frame, .centre .map")?.append(this.list, this.card);
  }

  // -- what the studio tells ------------------------------------------------------------------------------------------

  meta() {
    if (this.shown) this.close();
    this.button.hidden = true;
    this.of = null;
  }

  async state(session) {
    if (session !== this.studio.session || session.run.state !== "done" || this.of === session.run.id) return;
    this.of = session.run.id;
    const found = await getMoments(session.run.id).catch(() => []);
    if (this.of !== session.run.id) return;
    this.moments = found;
    this.button.hidden = !found.length;
    this.#list();
    this.studio.tell("instructive", found);
    const { view } = this.studio;
    const asked = view.moment && found.find((each) => each.kind === view.moment);
    view.moment = null;
    if (asked) this.show(asked);
  }

  picture() {
    const { player } = this.studio.stage;
    if (this.shown && player.playing && player.t_ns >= this.shown.t_ns + AFTER_NS) player.pause();
    if (this.shown) this.#keepInSight(this.shown);
  }

  /** The map may be laid out anew, and what it is about shall not lie under the card. @param {Moment} moment */
  #keepInSight(moment) {
    const { map } = this.studio.stage;
    if (!map.view || !moment.machines.length) return;
    if (map.plan !== this.plan) {
      this.plan = map.plan;
      lookAtMachines(map, moment.machines);
      return;
    }
    if (map.eye.flight) return;
    const [, y] = map.cssPlace(moment.machines[0]);
    this.card.classList.toggle("at-top", y > map.view.height / map.scale / 2);
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
            onclick: (event) => {
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

  /** @param {Moment} moment */
  show(moment) {
    if (!this.list.hidden) this.#toggle();
    const { stage } = this.studio;
    const { desk } = this.studio;
    const picture = desk?.open?.id ?? null;
    this.before ??= { rate: stage.player.chosenRate, camera: { ...stage.map.camera }, picture };
    // A moment is played on the map; a network shows the task's own way.
    if (picture === "flow") desk.made.get("flow").way(moment.task, moment.t_ns / 1e9);
    else if (picture && !mapBeside(picture)) desk.show(null);
    this.shown = moment;
    lookAtMachines(stage.map, moment.machines);
    this.plan = stage.map.plan;
    stage.tasks?.look({ task: moment.task, machines: moment.machines });
    this.#tell(moment);
    this.#play(moment);
  }

  /** @param {Moment} moment */
  #play(moment) {
    const { stage } = this.studio;
    stage.setRate(SLOW);
    stage.seek(Math.max(0, moment.t_ns - BEFORE_NS), true);
    stage.player.play();
    writeAddress(this.studio);
  }

  /** @param {Moment} moment */
  #tell(moment) {
    const place = this.moments.indexOf(moment);
    const next = this.moments[(place + 1) % this.moments.length];
    const button = (text, act) => h("button", { type: "button", class: "button", onclick: act }, text);
    this.card.replaceChildren(
      h(
        "p",
        { class: "moment-label" },
        moment.label,
        " · ",
        clock(moment.t_ns, this.studio.stage.player.store.endNs),
        " · ",
        gettext("slowed down {times} times", { times: whole(1 / SLOW) }),
      ),
      h("p", { class: "moment-why" }, moment.sentence),
      h(
        "div",
        { class: "moment-acts" },
        button(gettext("Again"), () => this.#play(moment)),
        button(gettext("Next: {label}", { label: next.label }), () => this.show(next)),
        button(gettext("Back to the run"), () => this.close()),
      ),
    );
    this.card.hidden = false;
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
    this.card.hidden = true;
    stage.tasks?.look(null);
    if (!this.before) return;
    stage.setRate(this.before.rate);
    stage.map.moveTo(this.before.camera, true);
    if (this.before.picture) this.studio.desk?.show(this.before.picture);
    this.studio.desk?.made.get("flow")?.follow();
    stage.player.play();
    this.before = null;
  }
}
