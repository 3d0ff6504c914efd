/** The run on screen, the run that will replace it, and the previous run, which stays as a ghost. */

import { createExperiment } from "../contract/api.js";
import { RunSession } from "../run/run_session.js";
import { batch, untracked } from "../kit/view.js";

/**
 * @import { Failure } from "../contract/api.js"
 * @import { Experiment, Stored } from "../experiment/experiment.js"
 * @import { Problem } from "../experiment/problems.js"
 * @import { StudioState } from "./state.js"
 */

/** @typedef {"readOnly" | "session" | "next" | "ghost" | "first" | "saved" | "savedFrom"} Held */
/** @typedef {Pick<StudioState, Held>} RunState */

/**
 * @typedef {object} RunHooks
 * @property {(run: import("../run/run_session.js").ToldState) => void} status
 * @property {(problems: Problem[]) => void} problems
 * @property {(error: Error) => void} failed
 * @property {(session: RunSession, isCurrent: boolean) => void} state  isCurrent: true if the bar shows it
 * @property {(session: RunSession) => void} grew
 * @property {(session: RunSession, isFirst: boolean) => void} swapped
 * @property {(copied: boolean) => void} kept  copied: true if it is a copy of another user's
 */

const BUSY_MS = 1500;
/** Much longer than leaving a page takes, and short enough for a user who stays on the page after all. */
const LEAVING_MS = 10_000;

export class Running {
  /**
   * `studio`: the store; this class sets its `session`, `next`, `ghost`, `first`, `saved` and `savedFrom`. `on`:
   * status(run), problems(list), failed(error), state(session, true if the bar shows it), grew(session),
   * swapped(session, true if it is the first), kept(true if it is a copy of another user's) when the server has stored
   * the experiment on the page.
   */
  constructor(/** @type {RunState} */ studio, /** @type {RunHooks} */ on) {
    this.studio = studio;
    this.on = on;
    this.change = 0;
    /** The experiment requested last. @type {Experiment | null} */
    this.experiment = null;
    /** The action after a pause, and the submission in progress. */
    this.due = null;
    this.sent = null;
  }

  /** Invalidate earlier requests: their answers concern something else from now on. */
  supersede() {
    clearTimeout(this.timer);
    this.due = this.sent = null;
    this.change += 1;
  }

  /**
   * Send nothing while the page is being left: storing an experiment now would change the page's address, and a reload
   * of the former address would not find the change. Continue later if the page still exists.
   */
  putOff() {
    const act = this.sent ?? this.due;
    if (!act) return;
    this.supersede();
    this.abort?.abort();
    this.later(act, LEAVING_MS);
  }

  /**
   * Store the experiment and start its run; the picture on screen stays until the new run has a frame. `fresh`: compute
   * it even if its result is known.
   */
  async submit(/** @type {Experiment} */ experiment, { tries = 3, fresh = false } = {}) {
    this.supersede();
    const mine = this.change;
    this.experiment = experiment;
    this.on.status({ state: "starting" });
    this.abort?.abort();
    this.abort = new AbortController();
    this.sent = () => this.submit(experiment, { tries, fresh });
    try {
      const known = !this.studio.readOnly.value && this.isMine && this.studio.savedFrom.value === experiment;
      const stored = this.studio.saved.value;
      const made =
        known && stored
          ? stored
          : await createExperiment(experiment, { signal: this.abort.signal, madeOf: stored?.id });
      if (mine !== this.change) return;
      this.sent = null;
      this.on.problems([]);
      if (!this.studio.readOnly.value && !known) this.keep(made, experiment);
      await this.#dropUnfinished();
      if (mine !== this.change) return;
      const session = new RunSession(experiment, made.id);
      this.#listen(session, made.experiment_digest);
      await session.start({ fresh });
    } catch (caught) {
      const error = /** @type {Failure} */ (caught);
      if (error.name === "AbortError" || mine !== this.change) return;
      this.sent = null;
      if (error.status === 429 && tries > 0)
        this.later(() => this.submit(experiment, { tries: tries - 1, fresh }), BUSY_MS);
      else this.on.failed(error);
    }
  }

  /**
   * Run an action after a pause, unless another request replaces it.
   * @param {() => void} act
   * @param {number} pause_ms
   */
  later(act, pause_ms) {
    clearTimeout(this.timer);
    this.due = act;
    this.timer = setTimeout(() => {
      this.due = null;
      act();
    }, pause_ms);
  }

  /**
   * Record that the server stored the experiment on the page.
   * @param {Stored} made
   * @param {Experiment} experiment
   */
  keep(made, experiment) {
    const copied = this.studio.saved.value?.mine === false;
    this.studio.saved.value = made;
    this.studio.savedFrom.value = experiment;
    this.on.kept(copied);
    window.history.replaceState(null, "", `/studio/${made.id}${window.location.search}`);
  }

  /**
   * Follow an existing run.
   * @param {Experiment} experiment
   * @param {import("../contract/api.js").Run} run
   */
  watch(experiment, run) {
    this.experiment = experiment;
    const stored = this.studio.saved.value;
    if (!stored) return;
    const session = new RunSession(experiment, stored.id);
    session.borrowed = !this.isMine;
    this.#listen(session, stored.experiment_digest);
    session.follow(run);
  }

  /** True if the viewer owns the stored experiment; an edit of a gallery recording makes a copy. */
  get isMine() {
    const stored = this.studio.saved.value;
    return stored !== null && stored.mine !== false;
  }

  /** The run that the bar's buttons control. */
  get current() {
    return this.studio.next.value || this.studio.session.value;
  }

  /** Cancel and close unfinished runs of the previous experiment, which frees their workers. */
  async #dropUnfinished() {
    const dropped = [this.studio.next.value, this.studio.session.value]
      .filter((each) => each !== null)
      .filter((each) => !each.final && !each.closed);
    this.studio.next.value = null;
    await Promise.all(dropped.filter((each) => !each.borrowed).map((each) => each.cancel().catch(() => {})));
    for (const each of dropped) each.close();
  }

  /**
   * @param {RunSession} session
   * @param {string | undefined} digest
   */
  #listen(session, digest) {
    session.digest = digest ?? "";
    this.studio.next.value = session;
    session.addEventListener("state", () => {
      this.on.state(
        session,
        session === this.studio.next.value || (session === this.studio.session.value && !this.studio.next.value),
      );
    });
    session.addEventListener("frame", () => {
      this.#swapWhenReady(session);
      if (session === this.studio.session.value) this.on.grew(session);
    });
    session.addEventListener("meta", () => this.#swapWhenReady(session));
    // While playback is paused, nothing else makes the panels read what the track tells.
    session.addEventListener("track", () => {
      if (session === this.studio.session.value) this.on.state(session, false);
    });
    session.addEventListener("gone", () => {
      if (session === this.studio.next.value && this.experiment) this.submit(this.experiment);
    });
  }

  #swapWhenReady(/** @type {RunSession} */ session) {
    if (session !== this.studio.next.value || !session.meta || !session.store.count) return;
    const before = this.studio.session.value;
    if (before?.store.count && before.digest !== session.digest) {
      this.studio.ghost.value = { store: before.store, session: before };
      const isDone = before.run.id && before.run.state === "done";
      if (isDone && !untracked(() => this.studio.first.value))
        this.studio.first.value = { id: before.run.id, label: before.meta?.scheduler.label ?? "" };
    }
    // Views of the run render once, after everything has switched to the other run.
    batch(() => {
      this.studio.next.value = null;
      this.studio.session.value = session;
      this.on.swapped(session, !before);
    });
  }
}
