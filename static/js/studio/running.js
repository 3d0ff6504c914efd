/** The run on the screen, the one that is to replace it, and the one before, which stays as a ghost. */

import { createExperiment } from "../contract/api.js";
import { RunSession } from "../run/run_session.js";
import { batch } from "../kit/view.js";

/** @import { Experiment, Stored } from "../experiment/experiment.js" */

const BUSY_MS = 1500;
/** Far longer than a page takes to be replaced; shorter than a viewer waits who did not leave after all. */
const LEAVING_MS = 10_000;

export class Running {
  /**
   * `state`: of the store, of which this sets `session`, `next`, `ghost`, `saved` and `savedFrom`.
   * `on`: status(run), problems(list), failed(error), state(session, whether it is the one that the bar tells of),
   * grew(session), swapped(session, whether it is the first), kept(whether it is a copy of somebody else's) when the
   * server has stored what the page shows.
   */
  constructor(/** @type {import("./store.js").Studio["state"]} */ state, /** @type {any} */ on) {
    this.state = state;
    this.on = on;
    this.change = 0;
    /** The experiment that was asked for last. @type {Experiment | null} */
    this.experiment = null;
    /** What happens after a pause, and the submission that is on its way to the server. */
    this.due = null;
    this.sent = null;
  }

  /** From here on an answer to what was asked before is about something else. */
  supersede() {
    clearTimeout(this.timer);
    this.due = this.sent = null;
    this.change += 1;
  }

  /**
   * The page is being left: send nothing any more. An experiment that the server stores now moves the page's address,
   * and a reload of the former address would no longer find the change. Go on later, if the page is still there.
   */
  putOff() {
    const act = this.sent ?? this.due;
    if (!act) return;
    this.supersede();
    this.abort?.abort();
    this.later(act, LEAVING_MS);
  }

  /**
   * Make the experiment and start its run; the picture on screen stays until the new one has a frame. `fresh`: compute
   * it although its result is known.
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
      const known = !this.state.readOnly.value && this.isMine && this.state.savedFrom.value === experiment;
      const stored = this.state.saved.value;
      const made =
        known && stored
          ? stored
          : await createExperiment(experiment, { signal: this.abort.signal, madeOf: stored?.id });
      if (mine !== this.change) return;
      this.sent = null;
      this.on.problems([]);
      if (!this.state.readOnly.value && !known) this.keep(made, experiment);
      await this.#dropUnfinished();
      if (mine !== this.change) return;
      const session = new RunSession(experiment, made.id);
      this.#listen(session, made.experiment_digest);
      await session.start({ fresh });
    } catch (/** @type {any} */ error) {
      if (error.name === "AbortError" || mine !== this.change) return;
      this.sent = null;
      if (error.status === 429 && tries > 0)
        this.later(() => this.submit(experiment, { tries: tries - 1, fresh }), BUSY_MS);
      else this.on.failed(error);
    }
  }

  /**
   * Do something after a pause, unless something else is asked for until then.
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
   * What the server stored is what the page shows.
   * @param {Stored} made
   * @param {Experiment} experiment
   */
  keep(made, experiment) {
    const copied = this.state.saved.value?.mine === false;
    this.state.saved.value = made;
    this.state.savedFrom.value = experiment;
    this.on.kept(copied);
    window.history.replaceState(null, "", `/studio/${made.id}${window.location.search}`);
  }

  /**
   * Follow a run that exists.
   * @param {Experiment} experiment
   * @param {any} run
   */
  watch(experiment, run) {
    this.experiment = experiment;
    const stored = this.state.saved.value;
    if (!stored) return;
    const session = new RunSession(experiment, stored.id);
    session.borrowed = !this.isMine;
    this.#listen(session, stored.experiment_digest);
    session.follow(run);
  }

  /**
   * Whether what the server stored is the viewer's own, not a recording of the gallery that an edit makes a copy of.
   */
  get isMine() {
    const stored = this.state.saved.value;
    return stored !== null && stored.mine !== false;
  }

  /** The run that a button in the bar means. */
  get current() {
    return this.state.next.value || this.state.session.value;
  }

  /** Runs that nobody will look at any more give their worker back. */
  async #dropUnfinished() {
    const dropped = [this.state.next.value, this.state.session.value]
      .filter((each) => each !== null)
      .filter((each) => !each.final && !each.closed);
    this.state.next.value = null;
    await Promise.all(dropped.filter((each) => !each.borrowed).map((each) => each.cancel().catch(() => {})));
    for (const each of dropped) each.close();
  }

  /**
   * @param {RunSession} session
   * @param {string | undefined} digest
   */
  #listen(session, digest) {
    session.digest = digest ?? "";
    this.state.next.value = session;
    session.addEventListener("state", () => {
      this.on.state(
        session,
        session === this.state.next.value || (session === this.state.session.value && !this.state.next.value),
      );
    });
    session.addEventListener("frame", () => {
      this.#swapWhenReady(session);
      if (session === this.state.session.value) this.on.grew(session);
    });
    session.addEventListener("meta", () => this.#swapWhenReady(session));
    session.addEventListener("gone", () => {
      if (session === this.state.next.value && this.experiment) this.submit(this.experiment);
    });
  }

  #swapWhenReady(/** @type {RunSession} */ session) {
    if (session !== this.state.next.value || !session.meta || !session.store.count) return;
    const before = this.state.session.value;
    if (before?.store.count && before.digest !== session.digest)
      this.state.ghost.value = { store: before.store, session: before };
    // What draws of the run draws once, when all of it is another run's.
    batch(() => {
      this.state.next.value = null;
      this.state.session.value = session;
      this.on.swapped(session, !before);
    });
  }
}
