/** The network that the scheduler solved, round by round: what flows where, at which cost, and what has changed. */

import { problemText } from "../../experiment/problems.js";
import { clock, percent, whole } from "../../kit/format.js";
import { asNetwork, compareNetworks, roundOf, tellNetwork } from "./network.js";
import { networkPlan, WHOLE } from "./network_scene.js";
import { countRounds, fetchNetwork, howFar } from "../../run/why/networks.js";
import { CanvasPicture } from "../../draw/scenes/canvas_picture.js";
import { PolicySwitch } from "./policy.js";
import { gettext } from "../../kit/words.js";
import { buildFlow } from "./flow_tools.js";
import { showWay, tellWay } from "./flow_asking.js";
import { flowModel } from "./flow_model.js";

/**
 * @import { Meta } from "../../contract/contract"
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
      ready: () => Boolean(picture.network),
      scene: () => picture.scene(),
    };
  },
};

/** The picture of the networks of a run, round by round. */
export class FlowPicture {
  /**
   * @param {HTMLElement} body
   * @param {Desk} desk
   */
  constructor(body, desk) {
    this.desk = desk;
    /** The run that is shown. @type {FlowRun | null} */
    this.run_ = null;
    /** The run whose rounds are counted. @type {string | null} */
    this.finding = null;
    /** @type {Network | null} */
    this.network = null;
    /** @type {NetworkPlan | null} */
    this.plan = null;
    this.camera = WHOLE;
    /** @type {NetworkItem | null} */
    this.over = null;
    /** @type {Way | null} */
    this.way = null;
    this.loading = false;
    this.asked = -Infinity;
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.later = null;
    this.round = 1;
    this.follows = true;
    this.idle = true;
    /** @type {Map<string, Network>} */
    this.kept = new Map();
    this.policy = new PolicySwitch(desk, {
      compared: () => {
        this.follows = false;
        this.goTo(this.policy.round ?? this.round);
      },
    });
    /** @type {Record<string, any>} The elements that buildFlow makes. */
    this.parts = {};
    buildFlow(this, body);
    this.picture = new CanvasPicture(this.parts.place, LABEL, flowModel(this));
  }

  // -- what the desk tells ------------------------------------------------------------------------------------------

  /** @param {RunSession | null} session */
  run(session) {
    const state = session?.run.state;
    if (!session || state !== "done") {
      this.run_ = null;
      this.finding = null;
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
    if (this.run_?.id === id || this.finding === id) return;
    this.finding = id;
    // The frames on the page may not reach the run's end yet.
    const known = session.store.summary?.counters?.rounds;
    if (known === undefined)
      countRounds(id).then(
        (rounds) => this.#take(id, rounds),
        (error) => {
          this.finding = null;
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
    if (this.finding !== id) return;
    this.finding = null;
    this.run_ = { id, rounds };
    this.kept.clear();
    this.way = null;
    tellWay(this, null);
    this.parts.slider.max = String(Math.max(1, rounds));
    this.policy.describe(this.desk.meta, this.run_);
    if (!rounds) {
      this.#say(gettext("No round of this run had anything to solve."));
      return;
    }
    if (this.policy.pending) this.#showSwitch();
    else this.goTo(this.follows ? this.now() : Math.min(this.round, rounds));
  }

  moved() {
    if (!this.run_ || !this.follows || this.now() === this.round) return;
    // While it plays a worker is asked now and then, not for every round.
    const now = performance.now();
    if (
      this.desk.studio.stage.player.playing &&
      now - this.asked < PLAYING_MS &&
      !this.kept.has(`${this.policy.side} ${this.now()}`)
    ) {
      this.later ??= setTimeout(() => {
        this.later = null;
        this.moved();
      }, PLAYING_MS);
      return;
    }
    this.asked = now;
    this.goTo(this.now());
  }

  scene() {
    return {
      marks: this.picture.scene(),
      width: this.picture.width,
      height: this.picture.height,
      about: gettext("round {round}", { round: whole(this.network?.round ?? 0) }),
    };
  }

  /** Show the rounds of the clock again. */
  follow() {
    this.follows = true;
    if (this.run_) this.goTo(this.now());
  }

  /** @param {number} by */
  step(by) {
    if (this.run_) {
      this.follows = false;
      this.goTo(this.round + by);
    }
  }

  // -- rounds -------------------------------------------------------------------------------------------------------

  now() {
    return roundOf(this.desk.studio.stage.picture?.counters, this.run_?.rounds ?? 1);
  }

  /** @param {number} round */
  goTo(round) {
    if (!this.run_) return;
    this.round = Math.min(this.run_.rounds, Math.max(1, round));
    this.parts.slider.value = String(this.round);
    this.parts.slider.setAttribute(
      "aria-valuetext",
      gettext("Round {round} of {rounds}", { round: whole(this.round), rounds: whole(this.run_.rounds) }),
    );
    this.parts.follow.setAttribute("aria-pressed", String(this.follows));
    this.parts.where.textContent = gettext("Round {round} of {rounds}", {
      round: whole(this.round),
      rounds: whole(this.run_.rounds),
    });
    this.#load();
  }

  /** One request at a time; what was asked for last is shown, and rounds that are known come at once. */
  async #load() {
    const { run_: run, round } = this;
    if (!run) return;
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
      if (this.kept.size > 40) this.kept.delete([...this.kept.keys()][0]);
      if (this.run_ === run && this.round === round) this.#show(network);
    } catch (error) {
      if (this.run_ === run && this.round === round) {
        this.#show(null);
        this.#say(this.problem(error));
      }
    } finally {
      this.loading = false;
    }
    if (this.run_ && (this.run_ !== run || this.round !== round)) this.#load();
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
    const { pending } = this.policy;
    if (!run || !pending) return;
    this.follows = false;
    this.#say(gettext("Looking for the first round under the new policy…"));
    try {
      const first = await fetchNetwork(run.id, { not_before_s: pending.at_s });
      if (this.run_ !== run) return;
      this.policy.compare(first.round);
      this.kept.clear();
      this.goTo(first.round);
    } catch (error) {
      this.policy.end();
      this.#say(this.problem(error));
      this.goTo(this.now());
    }
  }

  /** @param {any} error */
  problem(error) {
    return error.problems?.length ? problemText(error.problems[0]) : error.message;
  }

  /** @param {Network | null} network */
  #show(network) {
    if (network && (!this.network || network.arcs.length > 3 * MANY_ARCS !== this.network.arcs.length > 3 * MANY_ARCS))
      this.idle = network.arcs.length <= MANY_ARCS;
    if (this.way && network && this.way.round !== network.round && network.round === this.round) {
      this.way = null;
      tellWay(this, null);
    }
    this.network = network;
    this.over = null;
    this.plan = network ? networkPlan(network) : null;
    if (network) this.#say("");
    this.draw();
  }

  draw() {
    const { network } = this;
    this.parts.idleButton.setAttribute("aria-pressed", String(this.idle));
    const end_ns = this.desk.studio.stage.player.store.endNs;
    const time = network ? clock(network.t_s * 1e9, end_ns) : "";
    if (network)
      this.parts.where.textContent = gettext("Round {round} of {rounds}, {time}", {
        round: whole(network.round),
        rounds: whole(this.run_?.rounds ?? network.round),
        time,
      });
    const words = network ? tellNetwork(network, time) : "";
    if (this.parts.about.textContent !== words) this.parts.about.textContent = words;
    this.parts.key.textContent = network
      ? gettext(
          "The width of an arc shows how many tasks flow through it. {marks}. A framed box holds several nodes.",
          {
            marks:
              network.round > 1 || network.before
                ? gettext("+ added, − removed, ≠ cost or bound changed, ~ flow changed")
                : gettext("Everything is new in round 1"),
          },
        )
      : "";
    this.parts.ask.disabled = !network;
    // A clock that runs would never stop talking.
    this.parts.about.setAttribute("aria-live", this.follows ? "off" : "polite");
    this.picture.draw();
  }

  /**
   * While the first network is looked for, the map stays in sight.
   * @param {string} words
   */
  #say(words) {
    this.picture?.element.closest(".picture-flow")?.classList.toggle("is-looking", Boolean(words) && !this.network);
    this.parts.empty.textContent = words;
    this.parts.empty.hidden = !words;
  }

  // -- why here -----------------------------------------------------------------------------------------------------
}
