/** The network that the scheduler solved, round by round: what flows where, at which cost, and what has changed. */

import { clock, percent, whole } from "../../kit/format.js";
import { asNetwork, compareNetworks, roundOf, tellArc, tellNetwork, tellNode } from "./network.js";
import {
  keepIn,
  networkAt,
  networkHit,
  networkPlan,
  networkScene,
  networkStep,
  WHOLE,
  zoomAt,
} from "./network_scene.js";
import { countRounds, fetchNetwork, fetchWay, howFar } from "./networks.js";
import { whyTask } from "../interventions/interventions.js";
import { CanvasPicture } from "../../kit/canvas_picture.js";
import { h, icon, ICONS } from "../../kit/dom.js";
import { PolicySwitch } from "./policy.js";
import { wayElement } from "./way.js";
import { problemText } from "../../run/run_messages.js";
import { gettext } from "../../kit/words.js";

const MANY_ARCS = 150;
const PLAYING_MS = 700;
const LABEL = gettext(
  "The network of a round, in layers from tasks to the sink. Arrow keys follow its " +
    "arcs, Page Up and Page Down go from round to round, plus and minus stretch it, " +
    "Enter asks why a task is there.",
);

export default {
  id: "flow",
  title: gettext("Flow"),
  question: gettext("Which way does each task's unit flow, and what does it cost?"),
  own: true,
  needs: (meta) => Boolean(meta.network),
  mount(body, desk) {
    const picture = new FlowPicture(body, desk);
    return {
      run: (session) => picture.run(session),
      moved: () => picture.moved(),
      ready: () => Boolean(picture.network),
      scene: () => picture.scene(),
    };
  },
};

class FlowPicture {
  constructor(body, desk) {
    this.desk = desk;
    this.run_ = null; // the run that is shown: {id, rounds}
    this.network = null;
    this.plan = null;
    this.camera = WHOLE;
    this.over = null;
    this.way = null;
    this.round = 1;
    this.follows = true;
    this.idle = true;
    this.kept = new Map();
    this.policy = new PolicySwitch(desk, {
      compared: () => {
        this.follows = false;
        this.#goTo(this.policy.round ?? this.round);
      },
    });
    this.#build(body);
    this.picture = new CanvasPicture(this.place, LABEL, this.#model());
  }

  #build(body) {
    this.#sliderParts();
    this.#toggles();
    this.key = h("p", { class: "picture-key flow-key" });
    this.place = h("div", { class: "picture-place" });
    this.empty = h("p", { class: "desk-empty", role: "status", hidden: true });
    this.#askParts();
    this.about = h("p", { class: "desk-about flow-about", "aria-live": "polite" });
    this.ways = h("div", { class: "flow-way", hidden: true });
    body.append(
      this.#tools(),
      this.place,
      h(
        "div",
        { class: "flow-foot" },
        h("div", { class: "flow-ask" }, this.task, this.ask),
        h("div", { class: "flow-words" }, this.about, this.ways),
      ),
    );
    this.place.append(this.empty);
    body.addEventListener("keydown", (event) => {
      const by = { PageUp: -1, PageDown: 1 }[event.key];
      if (!by || event.target === this.task) return;
      event.preventDefault();
      event.stopPropagation();
      this.step(by);
    });
  }

  #tools() {
    const step = (by, label, path) =>
      h(
        "button",
        {
          type: "button",
          class: "icon-button flow-step",
          "aria-label": label,
          "data-tip": label,
          onclick: () => this.step(by),
        },
        icon(ICONS[path]),
      );
    return h(
      "div",
      { class: "picture-tools" },
      h(
        "div",
        { class: "flow-rounds", role: "group", "aria-label": gettext("Rounds") },
        step(-1, gettext("Round before"), "back"),
        this.slider,
        step(1, gettext("Next round"), "forward"),
        this.where,
      ),
      h(
        "div",
        { class: "layers", role: "group", "aria-label": gettext("What is shown") },
        this.follow,
        this.idleButton,
      ),
      this.policy.element,
      this.key,
    );
  }

  #sliderParts() {
    this.slider = h("input", {
      type: "range",
      class: "flow-slider",
      min: "1",
      max: "1",
      step: "1",
      value: "1",
      "aria-label": gettext("Round"),
      oninput: () => {
        this.follows = false;
        this.#goTo(Number(this.slider.value));
      },
    });
    this.where = h("output", { class: "flow-where" });
  }

  #toggles() {
    this.follow = h(
      "button",
      {
        type: "button",
        class: "layer",
        "data-tip": gettext("Show the round of the instant on the clock, while it moves."),
        onclick: () => {
          this.follows = !this.follows;
          this.#goTo(this.follows ? this.#now() : this.round);
        },
      },
      gettext("Follow the clock"),
    );
    this.idleButton = h(
      "button",
      {
        type: "button",
        class: "layer",
        "data-tip": gettext("Also the arcs that carry nothing."),
        onclick: () => {
          this.idle = !this.idle;
          this.#draw();
        },
      },
      gettext("All arcs"),
    );
  }

  #askParts() {
    this.task = h("input", {
      class: "finder-input",
      type: "text",
      inputmode: "numeric",
      "aria-label": gettext("Task"),
      placeholder: gettext("Task…"),
      autocomplete: "off",
      onkeydown: (event) => {
        if (event.key === "Enter") {
          event.preventDefault();
          this.#askTyped();
        }
        event.stopPropagation();
      },
    });
    this.ask = h(
      "button",
      { type: "button", class: "button button-small", "data-why-here": "", onclick: () => this.#askTyped() },
      gettext("Why here?"),
    );
  }

  #model() {
    const size = () => ({ width: this.picture.width, height: this.picture.height, idle: this.idle });
    return {
      scene: (width, height) =>
        this.network
          ? networkScene(this.network, this.plan, this.camera, {
              width,
              height,
              over: this.over,
              idle: this.idle,
              way: this.way,
            })
          : [],
      hit: (x, y) => (this.network ? networkHit(this.network, this.plan, this.camera, size(), x, y) : null),
      tell: (item) =>
        !this.network
          ? ""
          : item.kind === "node"
            ? tellNode(this.network, item.node)
            : tellArc(this.network, this.network.arcs[item.arc]),
      pick: (item) => {
        const node =
          item.kind === "node" ? this.network.nodes[item.node] : this.network.nodes[this.network.arcs[item.arc].tail];
        if (node.kind === "task" && node.members === 1) this.askWay(node.number);
      },
      step: (item, dx, dy) =>
        this.network ? networkStep(this.network, this.plan, item, dx, dy, { idle: this.idle }) : null,
      at: (item) => networkAt(this.network, this.plan, this.camera, size(), item),
      reveal: (item) => {
        const [, y] = networkAt(this.network, this.plan, this.camera, size(), item);
        const away = y < 60 ? 60 - y : y > this.picture.height - 60 ? this.picture.height - 60 - y : 0;
        this.camera = keepIn({ ...this.camera, y: this.camera.y + away }, this.picture.height);
      },
      over: (item) => {
        this.over = item;
        this.picture.draw();
      },
      zoom: (factor, _x, y) => {
        this.camera = zoomAt(this.camera, factor, y, this.picture.height);
      },
      pan: (_dx, dy) => {
        this.camera = keepIn({ ...this.camera, y: this.camera.y + dy }, this.picture.height);
      },
      fit: () => {
        this.camera = WHOLE;
      },
    };
  }

  // -- what the desk tells ------------------------------------------------------------------------------------------

  run(session) {
    const { state, id } = session?.run ?? {};
    if (state !== "done") {
      this.run_ = null;
      this.finding = null;
      this.#show(null);
      this.#say(
        state === "failed" || state === "cancelled"
          ? gettext("This run did not get to its end, and rounds are looked up in a whole run.")
          : gettext("Rounds are available when the run is computed: {progress} so far.", {
              progress: percent(session?.run.progress ?? 0),
            }),
      );
      return;
    }
    if (this.run_?.id === id || this.finding === id) return;
    this.finding = id;
    // The frames on the page may not reach the run's end yet.
    const known = session.store.summary?.counters?.rounds;
    if (known === undefined)
      countRounds(id).then(
        (rounds) => this.#take(id, rounds),
        (error) => {
          this.finding = null;
          this.#say(this.#problem(error));
        },
      );
    else this.#take(id, known);
  }

  #take(id, rounds) {
    if (this.finding !== id) return;
    this.finding = null;
    this.run_ = { id, rounds };
    this.kept.clear();
    this.way = null;
    this.#tellWay(null);
    this.slider.max = String(Math.max(1, rounds));
    this.policy.describe(this.desk.meta, this.run_);
    if (!rounds) {
      this.#say(gettext("No round of this run had anything to solve."));
      return;
    }
    if (this.policy.pending) this.#showSwitch();
    else this.#goTo(this.follows ? this.#now() : Math.min(this.round, rounds));
  }

  moved() {
    if (!this.run_ || !this.follows || this.#now() === this.round) return;
    // While it plays a worker is asked now and then, not for every round.
    const now = performance.now();
    if (
      this.desk.studio.stage.player.playing &&
      now - (this.asked ?? 0) < PLAYING_MS &&
      !this.kept.has(`${this.policy.side} ${this.#now()}`)
    ) {
      this.later ??= setTimeout(() => {
        this.later = null;
        this.moved();
      }, PLAYING_MS);
      return;
    }
    this.asked = now;
    this.#goTo(this.#now());
  }

  scene() {
    return {
      marks: this.picture.scene(),
      width: this.picture.width,
      height: this.picture.height,
      about: gettext("round {round}", { round: whole(this.network?.round ?? 0) }),
    };
  }

  step(by) {
    if (this.run_) {
      this.follows = false;
      this.#goTo(this.round + by);
    }
  }

  // -- rounds -------------------------------------------------------------------------------------------------------

  #now() {
    return roundOf(this.desk.studio.picture?.counters, this.run_.rounds);
  }

  #goTo(round) {
    if (!this.run_) return;
    this.round = Math.min(this.run_.rounds, Math.max(1, round));
    this.slider.value = String(this.round);
    this.slider.setAttribute(
      "aria-valuetext",
      gettext("Round {round} of {rounds}", { round: whole(this.round), rounds: whole(this.run_.rounds) }),
    );
    this.follow.setAttribute("aria-pressed", String(this.follows));
    this.where.textContent = gettext("Round {round} of {rounds}", {
      round: whole(this.round),
      rounds: whole(this.run_.rounds),
    });
    this.#load();
  }

  /** One request at a time; what was asked for last is shown, and rounds that are known come at once. */
  async #load() {
    const { run_: run, round } = this;
    const known = this.kept.get(`${this.policy.side} ${round}`);
    if (known) {
      this.#show(known);
      return;
    }
    if (this.loading) return;
    this.loading = true;
    try {
      const network = await this.#fetch(run, round);
      this.kept.set(`${this.policy.side} ${round}`, network);
      if (this.kept.size > 40) this.kept.delete(this.kept.keys().next().value);
      if (this.run_ === run && this.round === round) this.#show(network);
    } catch (error) {
      if (this.run_ === run && this.round === round) {
        this.#show(null);
        this.#say(this.#problem(error));
      }
    } finally {
      this.loading = false;
    }
    if (this.run_ && (this.run_ !== run || this.round !== round)) this.#load();
  }

  async #fetch(run, round) {
    const told = (state, progress) => {
      if (!this.network)
        this.#say(howFar(state, progress, gettext("Simulating up to round {round} again…", { round: whole(round) })));
    };
    if (!this.network) this.#say(gettext("Looking for round {round}…", { round: whole(round) }));
    const { side, before } = this.policy;
    if (!before) return asNetwork(await fetchNetwork(run.id, { round }, { told }));
    const old = asNetwork(await fetchNetwork(before.id, { round: Math.min(round, before.rounds) }, { told }));
    if (side === "before") return old;
    return compareNetworks(old, asNetwork(await fetchNetwork(run.id, { round }, { told })));
  }

  /** After a switch: the first round under the new policy, beside the same round under the old one. */
  async #showSwitch() {
    const { run_: run } = this;
    this.follows = false;
    this.#say(gettext("Looking for the first round under the new policy…"));
    try {
      const first = await fetchNetwork(run.id, { not_before_s: this.policy.pending.at_s });
      if (this.run_ !== run) return;
      this.policy.compare(first.round);
      this.kept.clear();
      this.#goTo(first.round);
    } catch (error) {
      this.policy.end();
      this.#say(this.#problem(error));
      this.#goTo(this.#now());
    }
  }

  #problem(error) {
    return error.problems?.length ? problemText(error.problems[0]) : error.message;
  }

  #show(network) {
    if (network && (!this.network || network.arcs.length > 3 * MANY_ARCS !== this.network.arcs.length > 3 * MANY_ARCS))
      this.idle = network.arcs.length <= MANY_ARCS;
    if (this.way && network && this.way.round !== network.round && network.round === this.round) {
      this.way = null;
      this.#tellWay(null);
    }
    this.network = network;
    this.over = null;
    this.plan = network ? networkPlan(network) : null;
    if (network) this.#say("");
    this.#draw();
  }

  #draw() {
    const { network } = this;
    this.idleButton.setAttribute("aria-pressed", String(this.idle));
    const end_ns = this.desk.studio.stage.player.store.endNs;
    const time = network ? clock(network.t_s * 1e9, end_ns) : "";
    if (network)
      this.where.textContent = gettext("Round {round} of {rounds}, {time}", {
        round: whole(network.round),
        rounds: whole(this.run_?.rounds ?? network.round),
        time,
      });
    const words = network ? tellNetwork(network, time) : "";
    if (this.about.textContent !== words) this.about.textContent = words;
    this.key.textContent = network
      ? gettext("Width: units. {marks}. Framed boxes hold several.", {
          marks:
            network.round > 1 || network.before
              ? gettext("+ came, − went, ≠ another cost or bound, ~ another flow")
              : gettext("All is new in round 1"),
        })
      : "";
    this.ask.disabled = !network;
    this.about.setAttribute("aria-live", this.follows ? "off" : "polite"); // a clock that runs would never stop talking
    this.picture.draw();
  }

  #say(words) {
    this.empty.textContent = words;
    this.empty.hidden = !words;
  }

  // -- why here -----------------------------------------------------------------------------------------------------

  #askTyped() {
    const task = Number.parseInt(this.task.value.replace(/\D/g, ""), 10);
    if (Number.isFinite(task)) this.askWay(task);
    else this.#tellWay(h("p", {}, gettext("Type a task's number, or click one in the picture.")));
  }

  /**
   * The ways of a task in the round that is shown; or, `placed`, in the one that decided where it is, which is shown
   * then.
   */
  async askWay(task, placed = false) {
    if (!this.network || !this.run_) return;
    this.task.value = String(task);
    const { run_: run } = this;
    const { round, t_s } = this.network;
    this.#tellWay(h("p", { role: "status" }, gettext("Looking for the paths of task {task}…", { task: whole(task) })));
    try {
      const way = await fetchWay(
        this.policy.side === "before" ? this.policy.before.id : run.id,
        placed ? { task, at_s: t_s } : { task, round },
      );
      if (this.run_ !== run || this.network?.round !== round) return;
      const stays = !placed && way.path.length > 0 && !way.next;
      const back =
        stays &&
        h(
          "button",
          { type: "button", class: "link", onclick: () => this.askWay(task, true) },
          gettext("Which round put it there?"),
        );
      this.way = way;
      if (way.round >= 1 && way.round !== round) {
        this.follows = false;
        this.#goTo(way.round);
      }
      const all =
        this.policy.side === "before"
          ? null
          : h(
              "button",
              { type: "button", class: "link", onclick: () => whyTask(this.desk.studio, task) },
              gettext("All its decisions"),
            );
      this.#tellWay(
        h("div", { class: "flow-way-said" }, wayElement(way), h("p", { class: "flow-links" }, back || null, all)),
      );
      this.picture.draw();
    } catch (error) {
      this.#tellWay(h("p", { role: "alert" }, this.#problem(error)));
    }
  }

  #tellWay(element) {
    this.ways.replaceChildren(...(element ? [element] : []));
    this.ways.hidden = !element;
  }
}
