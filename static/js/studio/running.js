/** The run on the screen, the one that is to replace it, and the one before, which stays as a ghost. */

import { createExperiment } from "../kit/api.js";
import { RunSession } from "../run/run_session.js";

const BUSY_MS = 1500;

export class Running {
  /**
   * `on`: status(run), problems(list), failed(error), state(session, whether it is the one that the bar tells of),
   * grew(session), swapped(session, whether it is the first), kept(whether it is a copy of somebody else's) when the server has stored what the page shows.
   */
  constructor(on) {
    this.on = on;
    this.session = null;
    this.next = null;
    this.ghost = null;
    this.saved = null; // what the server stored, and the experiment on the page that it was made from
    this.savedFrom = null;
    this.readOnly = false;
    this.change = 0;
  }

  /** From here on an answer to what was asked before is about something else. */
  supersede() {
    clearTimeout(this.timer);
    this.change += 1;
  }

  /** Make the experiment and start its run; the picture on screen stays until the new one has a frame. */
  async submit(experiment, tries = 3) {
    this.supersede();
    const mine = this.change;
    this.experiment = experiment;
    this.on.status({ state: "starting" });
    this.abort?.abort();
    this.abort = new AbortController();
    try {
      const known = !this.readOnly && this.isMine && this.savedFrom === experiment;
      const made = known
        ? this.saved
        : await createExperiment(experiment, { signal: this.abort.signal, madeOf: this.saved?.id });
      if (mine !== this.change) return;
      this.on.problems([]);
      if (!this.readOnly && !known) this.keep(made, experiment);
      await this.#dropUnfinished();
      if (mine !== this.change) return;
      const session = new RunSession(experiment, made.id);
      this.#listen(session, made.experiment_digest);
      await session.start();
    } catch (error) {
      if (error.name === "AbortError" || mine !== this.change) return;
      if (error.status === 429 && tries > 0) this.later(() => this.submit(experiment, tries - 1), BUSY_MS);
      else this.on.failed(error);
    }
  }

  /** Do something after a pause, unless something else is asked for until then. */
  later(act, pause_ms) {
    clearTimeout(this.timer);
    this.timer = setTimeout(act, pause_ms);
  }

  /** What the server stored is what the page shows. */
  keep(made, experiment) {
    const copied = this.saved?.mine === false;
    this.saved = made;
    this.savedFrom = experiment;
    this.on.kept(copied);
    window.history.replaceState(null, "", `/studio/${made.id}${window.location.search}`);
  }

  /** Follow a run that exists. */
  watch(experiment, run) {
    this.experiment = experiment;
    const session = new RunSession(experiment, this.saved.id);
    session.borrowed = !this.isMine;
    this.#listen(session, this.saved.experiment_digest);
    session.follow(run);
  }

  /** Whether what the server stored is the viewer's own, not a recording of the gallery that an edit makes a copy of. */
  get isMine() {
    return Boolean(this.saved) && this.saved.mine !== false;
  }

  /** The run that a button in the bar means. */
  get current() {
    return this.next || this.session;
  }

  /** Runs that nobody will look at any more give their worker back. */
  async #dropUnfinished() {
    const dropped = [this.next, this.session].filter((each) => each && !each.final && !each.closed);
    this.next = null;
    await Promise.all(dropped.filter((each) => !each.borrowed).map((each) => each.cancel().catch(() => {})));
    for (const each of dropped) each.close();
  }

  #listen(session, digest) {
    session.digest = digest;
    this.next = session;
    session.addEventListener("state", () => {
      this.on.state(session, session === this.next || (session === this.session && !this.next));
    });
    session.addEventListener("frame", () => {
      this.#swapWhenReady(session);
      if (session === this.session) this.on.grew(session);
    });
    session.addEventListener("meta", () => this.#swapWhenReady(session));
    session.addEventListener("gone", () => {
      if (session === this.next) this.submit(this.experiment);
    });
  }

  #swapWhenReady(session) {
    if (session !== this.next || !session.meta || !session.store.count) return;
    const before = this.session;
    if (before?.store.count && before.digest !== session.digest) this.ghost = { store: before.store, session: before };
    this.next = null;
    this.session = session;
    this.on.swapped(session, !before);
  }
}
