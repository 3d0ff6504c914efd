/** The picture that a class watches: a run on a map, at the teacher's instant and map position while they present. */

import { getExperiment, getRun } from "../../contract/api.js";
import { PresentationSocket } from "../../contract/presentation_socket.js";
import { applyPlace, applyTime } from "../../draw/stage/apply_state.js";
import { RunSession } from "../../run/run_session.js";
import { boxesOf } from "../../draw/stage/drawn_marks.js";
import { Stage } from "../../draw/stage/stage.js";
import { stateWords } from "../../run/run_words.js";
import { clock } from "../../kit/format.js";
import { gettext } from "../../kit/words.js";
import { targetOf, part } from "../../kit/dom.js";
import { MapPart } from "./map_part.js";

/**
 * @import { ClassShown, PresentationNews } from "../../contract/contract"
 * @import { Stored } from "../../experiment/experiment.js"
 */

const AGAIN_MS = 2000;
const APPLY_MS = 500;
/** Of many boxes of a mark the page tells so many. */
const MOST_TOLD = 400;

export class ClassPicture {
  /**
   * @param {HTMLElement} root  contains the map, the legend and a status line
   * @param {{pin?: (machine: number) => void, apart?: (apart: boolean) => void, moved?: () => void, run?: (session:
   *   RunSession) => void}} on  `run`: a run's frames, or its end, arrived
   * @param {{onScreen?: boolean}} options  `onScreen`: the picture of the projector
   */
  constructor(root, on = {}, { onScreen = false } = {}) {
    this.root = root;
    this.on = on;
    this.status = part("[data-status]", root);
    this.clock = part("[data-clock]", root);
    this.stage = new Stage(root, {
      on: {
        pin: (machine) => this.on.pin?.(machine),
        moved: () => {
          this.#tellTime();
          this.on.moved?.();
        },
        layout: () => this.#lookAtPart(),
      },
      wheel: "ctrl",
    });
    this.part = new MapPart(root, this.stage.map, onScreen);
    /** @type {RunSession | null} */
    this.session = null;
    /** @type {import("../../contract/contract").ClassShown | null} */
    this.opens = null;
    /** True if a lesson's step, or the place of an outage, has chosen the instant. */
    this.chosen = false;
    /** The position opened last. @type {string | undefined} */
    this.place = undefined;
    /** The state applied last. @type {import("../../contract/contract").Shown | null} */
    this.reached = null;
    /** @type {{began: number, rate: number} | null} */
    this.paced = null;
    /** The instant at which the picture is paused. @type {number | null} */
    this.still = null;
    /** @type {PresentationSocket | null} */
    this.socket = null;
    this.presenting = false;
    this.toldAt = 0;
    /** The machine outlined for everybody; -1 for none. */
    this.marked = -1;
    this.wanted = "";
    /** @type {import("../../contract/contract").Shown | null} */
    this.state = null;
    this.apart = false;
    root.addEventListener("pointerdown", (event) => this.#touched(event), { capture: true, passive: true });
    /** What the text beside the picture speaks of. @type {string[]} */
    this.spoken = [];
    setInterval(() => {
      this.#apply();
      this.#tellMarks();
      this.root.dataset.machines = String(this.stage.map.visible?.count ?? 0); // for tests: how many are in view
    }, APPLY_MS);
  }

  /** Stop following the presenter when a viewer touches the picture. */
  #touched(/** @type {PointerEvent} */ event) {
    if (!this.presenting || this.apart || !targetOf(event).closest?.(".map, .zoom, .legend")) return;
    this.#setApart(true);
  }

  #setApart(/** @type {boolean} */ apart) {
    this.apart = apart;
    this.on.apart?.(apart);
  }

  #lookAtPart() {
    if (!this.presenting) this.part.look(this.root.dataset.of, this.marked);
  }

  /** Mark the picture while a presentation or a question holds its instant: then nobody plays or steps here. */
  #tellLed() {
    this.root.classList.toggle("is-led", this.presenting || this.still !== null);
  }

  /** True if a viewer may play and step. */
  get isFree() {
    return !this.root.hidden && !this.root.classList.contains("is-led") && this.stage.player.store.count > 0;
  }

  /** Return to the teacher's view. */
  again() {
    this.#setApart(false);
    this.reached = null;
    this.#apply();
  }

  /**
   * Follow the presentation of the run on screen.
   * @param {import("../../contract/contract").ClassShown | null} shown
   */
  follow(shown) {
    if (this.slug === "" && this.wanted) this.stage.player.chosenRate = null;
    [this.still, this.paced] = [null, null];
    if ((shown?.slug ?? "") !== this.slug) {
      this.slug = shown?.slug ?? "";
      this.socket?.close();
      [this.state, this.presenting, this.reached] = [null, false, null];
      this.socket = shown ? new PresentationSocket(shown.slug, { told: (news) => this.#told(news) }) : null;
    }
    const place = JSON.stringify([shown?.run, shown?.at_s, shown?.layer, shown?.marks, shown?.near]);
    if (place !== this.place) {
      this.place = place;
      this.opens = shown && (shown.at_s !== null || shown.layer) ? shown : null;
      this.chosen = shown !== null && shown.at_s !== null;
    }
    this.spoken = shown?.marks ?? [];
    if (shown) this.part.choose(shown);
    if (shown && !this.state) this.#show(shown.experiment, shown.run);
    this.#apply();
  }

  /** Go once to the instant and layer with which a lesson opens its run, as soon as the run is loaded. */
  #openAt() {
    const { stage, opens } = this;
    if (!opens || this.wanted !== opens.run || !this.session?.store.count) return;
    if (opens.layer && stage.layer !== opens.layer) stage.setLayer(opens.layer);
    if (opens.at_s !== null) {
      stage.player.pause();
      stage.seek(opens.at_s * 1e9);
      if (Math.abs(stage.player.t_ns - opens.at_s * 1e9) > 1e6 && this.session.state !== "done") return;
    }
    this.opens = null;
  }

  /**
   * Pause at an instant of the run on screen, unless a presenter, a question or a lesson has chosen one.
   * @param {string} run  the run's id
   * @param {number} t_ns
   */
  openRun(run, t_ns) {
    const isChosen = this.presenting || this.still !== null || this.paced || this.chosen;
    if (isChosen || this.session?.run.id !== run) return;
    this.stage.player.pause();
    this.stage.seek(t_ns);
  }

  /** Tell where the marks of the step's text are, and the machine that a result names: each is to be seen. */
  #tellMarks() {
    const names = [...this.spoken, ...(this.marked >= 0 ? [`machine:${this.marked}`] : [])];
    if (!names.length || !this.session?.store.count || this.opens) {
      delete this.root.dataset.marks;
      return;
    }
    const marks = names.map((name) => ({ name, boxes: this.#boxesOf(name).slice(0, MOST_TOLD) }));
    this.root.dataset.marks = JSON.stringify(marks);
  }

  #boxesOf(/** @type {string} */ name) {
    const [sort, of = ""] = name.split(":");
    const selectors = { part: "[data-map]", legend: `[data-legend] [data-tells~="${of}"]` };
    const selector = selectors[/** @type {keyof typeof selectors} */ (sort)];
    if (!selector) return boxesOf(this.stage, name);
    const found = /** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll(selector));
    return [...found].filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect().toJSON());
  }

  #told(/** @type {PresentationNews} */ news) {
    // After a presentation the part is shown again.
    if (this.presenting && !news.presenting) this.part.again();
    this.presenting = news.presenting;
    if (!news.presenting && this.apart) this.#setApart(false);
    if (news.state && JSON.stringify(news.state) !== JSON.stringify(this.state)) {
      this.state = news.state;
      this.toldAt = performance.now();
    }
    this.#apply();
  }

  /**
   * Pause at an instant of a run, to point at a machine.
   * @param {ClassShown} shown
   * @param {number} t_s
   */
  stand(shown, t_s) {
    this.#leave();
    this.still = t_s;
    this.spoken = shown.marks ?? [];
    this.part.choose(shown, true);
    this.#show(shown.experiment, shown.run);
    this.#apply();
  }

  /**
   * Play a run from its beginning to its end, at a rate in simulated seconds per second.
   * @param {import("../../contract/contract").ClassShown} shown
   * @param {number} rate
   */
  playFrom(shown, rate) {
    this.#leave();
    this.paced = { began: performance.now(), rate };
    this.part.choose(shown);
    this.#show(shown.experiment, shown.run);
    this.#apply();
  }

  /** Go to the current instant of a run that plays from its beginning, once its frames are loaded. */
  #pace() {
    const { player } = this.stage;
    if (!this.paced || this.session?.run.id !== this.wanted || !this.session.store.count) return;
    const { began, rate } = this.paced;
    this.paced = null;
    player.chosenRate = rate;
    this.stage.seek(((performance.now() - began) / 1000) * rate * 1e9);
    player.play();
  }

  /** Stop following a presentation. */
  #leave() {
    this.socket?.close();
    this.slug = "";
    // The run of the next step opens at its own instant, even if it is the former one's.
    this.place = undefined;
    this.still = null;
    this.spoken = [];
    [this.state, this.presenting, this.opens, this.paced] = [null, false, null, null];
  }

  /** Outline a machine, such as the answer to a question, and bring it into view; -1 for none. */
  mark(/** @type {number} */ machine) {
    if (machine >= 0 || this.marked >= 0) this.#pin(machine);
    if (machine >= 0 && machine !== this.marked) this.part.again();
    this.marked = machine;
    this.#lookAtPart();
  }

  /** Deselect the viewer's machine. */
  unpin() {
    this.#pin(-1);
  }

  #pin(/** @type {number} */ machine) {
    const { map } = this.stage;
    if (map.pinned === machine) return;
    map.pinned = machine;
    map.overDrawn = false;
  }

  /** Show the current instant, because the picture has no play bar. */
  #tellTime() {
    const { player } = this.stage;
    const time = clock(player.t_ns, player.store.endNs, !player.playing);
    const said = [
      gettext("Simulated time: {time}.", { time }),
      player.rests ? gettext("The map stands at the run's busiest moment.") : "",
    ];
    const text = player.store.count ? said.filter(Boolean).join(" ") : "";
    if (this.clock.textContent !== text) this.clock.textContent = text;
    this.clock.dataset.at = String(player.t_ns);
  }

  /** Play on from the paused instant to the run's end. */
  playOn() {
    if (this.still === null || this.still === undefined) return;
    this.still = null;
    this.spoken = [];
    this.stage.player.play();
  }

  #apply() {
    const { stage, state } = this;
    this.#tellLed();
    this.#lookAtPart();
    this.#pace();
    if (this.still !== null && this.still !== undefined) {
      if (!this.session?.store.count) return;
      stage.player.pause();
      if (Math.abs(stage.player.t_ns - this.still * 1e9) > 1e3) stage.seek(this.still * 1e9);
      return;
    }
    if (!this.presenting) this.#openAt();
    if (!state || this.apart || !this.presenting) return;
    if (this.wanted !== state.run) {
      this.#show(state.experiment, state.run);
      return;
    }
    if (!this.session?.store.count) return;
    applyTime(stage, state, performance.now() - this.toldAt);
    if (this.reached === state) return;
    this.reached = state;
    applyPlace(stage, state);
    this.#pin(state.pinned ?? -1);
  }

  /**
   * @param {string} experimentId
   * @param {string} runId
   */
  async #show(experimentId, runId) {
    if (this.wanted === runId) return;
    this.wanted = runId;
    try {
      const [stored, run] = await Promise.all([getExperiment(experimentId), getRun(runId)]);
      if (this.wanted === runId) this.#load(stored, run);
    } catch {
      setTimeout(() => {
        if (this.wanted !== runId) return;
        this.wanted = "";
        this.#show(experimentId, runId);
      }, AGAIN_MS);
    }
  }

  /**
   * @param {Stored} stored
   * @param {import("../../contract/api.js").Run} run
   */
  #load(stored, run) {
    const session = new RunSession(stored.experiment ?? {}, stored.id);
    this.session?.close();
    this.session = session;
    session.addEventListener("frame", () => this.#framed(session));
    session.addEventListener("state", () => {
      if (this.session !== session) return;
      this.stage.player.setProgress(session.run.progress || 0);
      this.#say(session.store.count ? "" : stateWords({ ...session.run, state: session.state }));
      this.on.run?.(session);
    });
    session.follow(run);
  }

  #framed(/** @type {RunSession} */ session) {
    const { stage } = this;
    if (!session.meta || this.session !== session) return;
    if (stage.meta !== session.meta) stage.setMeta(session.meta);
    if (stage.player.store !== session.store) stage.setStore(session.store, { sameRun: false });
    this.root.dataset.of = session.run.id; // for tests: the run that is drawn
    this.on.run?.(session);
    this.#say("");
    if (this.marked >= 0) this.#pin(this.marked);
    this.reached = null;
    this.#apply();
  }

  #say(/** @type {string} */ text) {
    this.status.textContent = text;
    this.status.hidden = !text;
  }
}
