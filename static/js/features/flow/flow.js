/** The network that the scheduler solved, round by round: its flows, costs and changes. */

import { problemText } from "../../experiment/problems.js";
import { percent, whole } from "../../kit/format.js";
import { chosenNetwork } from "./chosen.js";
import { asNetwork, compareNetworks, roundOf } from "./network.js";
import { networkPlan, WHOLE } from "./network_scene.js";
import { countRounds, fetchNetwork, howFar } from "../../run/why/networks.js";
import { CanvasPicture, picturePlace } from "../../draw/scenes/canvas_picture.js";
import { PolicySwitch } from "./policy.js";
import { batch, effect, element, html, signal } from "../../kit/view.js";
import { targetOf } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";
import { showWay } from "./flow_asking.js";
import { flowModel } from "./flow_model.js";
import { footView, stepButtons, toolsView } from "./flow_view.js";

/**
 * @import { Meta } from "../../contract/contract"
 * @import { View } from "../../kit/view.js"
 * @import { Signal } from "../../../vendor/signals/signals-core.mjs"
 * @import { RunSession } from "../../run/run_session.js"
 * @import { Desk } from "../graphs/desk.js"
 * @import { Network, Way } from "./network.js"
 * @import { NetworkItem, NetworkPlan } from "./network_scene.js"
 * @import { FlowRun } from "./policy.js"
 */

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
  question: gettext("Which path does each task's unit of flow take, and what does it cost?"),
  own: true,
  needs: (/** @type {Meta} */ meta) => Boolean(meta.network),
  /**
   * @param {HTMLElement} body
   * @param {Desk} desk
   */
  mount(body, desk) {
    const picture = new FlowPicture(body, desk);
    return {
      run: (/** @type {RunSession | null} */ session) => picture.run(session),
      moved: () => picture.moved(),
      way: (/** @type {number} */ task, /** @type {number} */ at_s) => showWay(picture, task, at_s),
      follow: () => picture.follow(),
      ready: () => Boolean(picture.network.value),
      scene: () => picture.scene(),
    };
  },
};

/** The picture of a run's networks, round by round. */
export class FlowPicture {
  /** The run on screen, or null. @type {Signal<FlowRun | null>} */
  shown = signal(null);
  /** @type {Signal<Network | null>} */
  network = signal(null);
  round = signal(1);
  /** True if the picture follows the clock's round. */
  follows = signal(true);
  /** True if arcs without flow are drawn. */
  idle = signal(true);
  /** True while another round is being loaded. */
  looking = signal(false);
  /** The text shown while there is no network. */
  said = signal("");
  /** The contents of the task field. */
  task = signal("");
  /** The task's paths. @type {Signal<View | null>} */
  told = signal(null);
  /** The task whose arcs alone are drawn, or null. @type {Signal<number | null>} */
  chosen = signal(null);
  /** The run whose rounds are being counted. @type {string | null} */
  #finding = null;
  /** What is drawn: the network, or the part of it that the chosen task can use. @type {Network | null} */
  drawn = null;
  /** The positions of the drawn nodes. @type {NetworkPlan | null} */
  plan = null;
  camera = WHOLE;
  /** @type {NetworkItem | null} */
  over = null;
  /** The path highlighted in the network. @type {Way | null} */
  way = null;
  /** The task and the instant to show once the run is here. @type {[number, number] | null} */
  wanted = null;
  #loading = false;
  #asked = -Infinity;
  /** @type {ReturnType<typeof setTimeout> | null} */
  #later = null;
  /** Networks by side and round. @type {Map<string, Network>} */
  #kept = new Map();

  /**
   * @param {HTMLElement} body
   * @param {Desk} desk
   */
  constructor(body, desk) {
    this.desk = desk;
    this.policy = new PolicySwitch(desk, {
      compared: () => {
        this.follows.value = false;
        this.goTo(this.policy.round ?? this.round.value);
      },
    });
    const steps = stepButtons(this);
    const { said } = this;
    const place = picturePlace(
      body,
      () => toolsView(this, steps),
      () => html`<p class="desk-empty" role="status" ?hidden=${!said.value}>${said.value}</p>`,
    );
    body.append(element("div", "flow-foot", () => footView(this)));
    body.addEventListener("keydown", (event) => this.#key(event));
    /** @type {CanvasPicture<NetworkItem>} */
    this.picture = new CanvasPicture(place, LABEL, flowModel(this));
    // While the first network loads, the map stays visible.
    effect(() => {
      body.classList.toggle("is-looking", said.value !== "" && !this.network.value);
    });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const by = event.key === "PageUp" ? -1 : event.key === "PageDown" ? 1 : 0;
    if (!by || targetOf(event).matches("input[type=text]")) return;
    event.preventDefault();
    event.stopPropagation();
    this.step(by);
  }

  // -- called by the desk
  // -----------------------------------------------------------------------------------------------

  /** @param {RunSession | null} session */
  run(session) {
    const state = session?.run.state;
    if (!session || state !== "done") {
      this.shown.value = null;
      this.#finding = null;
      this.#show(null);
      this.#say(
        state === "failed" || state === "cancelled"
          ? gettext("This run did not finish. Rounds can be looked up in a finished run only.")
          : gettext("Rounds are available when the run is computed: {progress} so far.", {
              progress: percent(session?.run.progress ?? 0),
            }),
      );
      return;
    }
    const { id } = session.run;
    if (this.shown.value?.id === id || this.#finding === id) return;
    this.#finding = id;
    // The frames on the page may not reach the run's end yet.
    const known = session.store.summary?.counters?.rounds;
    if (known === undefined)
      countRounds(id).then(
        (rounds) => this.#take(id, rounds),
        (error) => {
          this.#finding = null;
          this.#say(this.problem(error));
        },
      );
    else this.#take(id, known);
  }

  /**
   * @param {string} id
   * @param {number} rounds
   */
  #take(id, rounds) {
    if (this.#finding !== id) return;
    this.#finding = null;
    const run = { id, rounds };
    this.#kept.clear();
    this.#forgetWay();
    this.shown.value = run;
    this.policy.describe(this.desk.meta, run);
    if (!rounds) {
      this.#say(gettext("No round of this run had anything to solve."));
      return;
    }
    if (this.wanted) showWay(this, ...this.wanted);
    this.wanted = null;
    if (this.policy.pending) this.#showSwitch();
    else this.goTo(this.follows.value ? this.now() : Math.min(this.round.value, rounds));
  }

  moved() {
    if (!this.shown.value || !this.follows.value || this.now() === this.round.value) return;
    // During playback the page requests networks at a limited rate, not for every round.
    const now = performance.now();
    if (
      this.desk.studio.stage.player.playing &&
      now - this.#asked < PLAYING_MS &&
      !this.#kept.has(`${this.policy.side} ${this.now()}`)
    ) {
      this.#later ??= setTimeout(() => {
        this.#later = null;
        this.moved();
      }, PLAYING_MS);
      return;
    }
    this.#asked = now;
    this.goTo(this.now());
  }

  scene() {
    return {
      marks: this.picture.scene(),
      width: this.picture.width,
      height: this.picture.height,
      about: gettext("round {round}", { round: whole(this.network.value?.round ?? 0) }),
    };
  }

  /** Follow the clock's rounds again. */
  follow() {
    this.follows.value = true;
    this.wanted = null;
    this.#forgetWay();
    if (this.shown.value) this.goTo(this.now());
  }

  /** Draw the arcs of a task alone, with its paths; null draws those of all tasks. @param {Way | null} way */
  choose(way) {
    if (way) this.way = way;
    else this.#forgetWay();
    this.#plan();
  }

  /** @param {number} by */
  step(by) {
    if (this.shown.value) {
      this.follows.value = false;
      this.goTo(this.round.value + by);
    }
  }

  // -- rounds -------------------------------------------------------------------------------------------------------

  now() {
    return roundOf(this.desk.studio.stage.picture?.counters, this.shown.value?.rounds ?? 1);
  }

  /** @param {number} round */
  goTo(round) {
    const shown = this.shown.value;
    if (!shown) return;
    batch(() => {
      this.round.value = Math.min(shown.rounds, Math.max(1, round));
      this.looking.value = true;
      this.#load();
    });
  }

  /** Send one request at a time; the last requested round is shown, and known rounds appear at once. */
  async #load() {
    const [run, round] = [this.shown.value, this.round.value];
    if (!run) return;
    const known = this.#kept.get(`${this.policy.side} ${round}`);
    if (known) {
      this.#show(known);
      return;
    }
    if (this.#loading) return;
    this.#loading = true;
    try {
      const network = await this.#fetch(run, round);
      this.#kept.set(`${this.policy.side} ${network.round}`, network);
      if (this.#kept.size > 40) this.#kept.delete([...this.#kept.keys()][0]);
      if (this.shown.value === run && this.round.value === round) this.#show(network);
    } catch (error) {
      if (this.shown.value === run && this.round.value === round) {
        this.#show(null);
        this.#say(this.problem(error));
      }
    } finally {
      this.#loading = false;
    }
    const isEarlier = this.network.value && this.network.value.round !== round && !this.policy.before;
    if (this.shown.value && (this.shown.value !== run || this.round.value !== round || isEarlier)) this.#load();
  }

  /**
   * @param {FlowRun} run
   * @param {number} round
   */
  async #fetch(run, round) {
    /**
     * @param {string} state
     * @param {number} progress
     */
    const told = (state, progress) => {
      if (!this.network.value)
        this.#say(howFar(state, progress, gettext("Simulating up to round {round} again…", { round: whole(round) })));
    };
    if (!this.network.value) this.#say(gettext("Looking for round {round}…", { round: whole(round) }));
    const { side, before } = this.policy;
    // An example's first network needs no worker: a shipped one of an earlier round is shown until the round's is here.
    const nearest = this.network.value ? null : true;
    if (!before) return asNetwork(await fetchNetwork(run.id, { round, nearest }, { told }));
    const old = asNetwork(await fetchNetwork(before.id, { round: Math.min(round, before.rounds) }, { told }));
    if (side === "before") return old;
    return compareNetworks(old, asNetwork(await fetchNetwork(run.id, { round }, { told })));
  }

  /** After a switch, show the first round under the new policy, beside the same round under the old one. */
  async #showSwitch() {
    const run = this.shown.value;
    const { pending } = this.policy;
    if (!run || !pending) return;
    this.follows.value = false;
    this.#say(gettext("Looking for the first round under the new policy…"));
    try {
      const first = await fetchNetwork(run.id, { not_before_s: pending.at_s });
      if (this.shown.value !== run) return;
      this.policy.compare(first.round);
      this.#kept.clear();
      this.goTo(first.round);
    } catch (error) {
      this.policy.end();
      this.#say(this.problem(error));
      this.goTo(this.now());
    }
  }

  /** @param {unknown} caught */
  problem(caught) {
    const error = /** @type {import("../../contract/api.js").Failure} */ (caught);
    return error.problems?.length ? problemText(error.problems[0]) : error.message;
  }

  /** @param {Network | null} network */
  #show(network) {
    const isMany = (/** @type {Network} */ each) => each.arcs.length > 3 * MANY_ARCS;
    batch(() => {
      if (network && (!this.network.value || isMany(network) !== isMany(this.network.value)))
        this.idle.value = network.arcs.length <= MANY_ARCS;
      if (this.way && network && this.way.round !== network.round && network.round === this.round.value)
        this.#forgetWay();
      this.network.value = network;
      this.looking.value = false;
      if (network) this.#say("");
    });
    this.#plan();
  }

  #plan() {
    const { way } = this;
    const network = this.network.value;
    const part = network && way?.round === network.round ? chosenNetwork(network, way) : null;
    const drawn = part ?? network;
    if (part?.chosen !== this.drawn?.chosen) this.camera = WHOLE;
    this.over = null;
    this.drawn = drawn;
    this.plan = drawn ? networkPlan(drawn) : null;
    this.chosen.value = part?.chosen ?? null;
    this.picture.draw();
  }

  #forgetWay() {
    this.way = null;
    this.told.value = null;
  }

  /** @param {string} words */
  #say(words) {
    this.said.value = words;
  }
}
