/**
 * The studio's store: its state (state.js) and the actions that change it. Everything that the studio's modules share
 * is declared here. The module does not need a page, so node can test it.
 */

import { autoName, machineCount, setAt } from "../experiment/experiment.js";
import { StudioState } from "./state.js";

/**
 * @import { KnobSpec } from "../kit/knob.js"
 * @import { FormerRules } from "../experiment/former_rules.js"
 * @import { RunSession } from "../run/run_session.js"
 */

/**
 * @typedef {import("../experiment/experiment.js").Experiment} Experiment
 * @typedef {import("../experiment/experiment.js").Stored} Stored
 * @typedef {import("../experiment/problems.js").Problem} Problem
 * @typedef {import("../experiment/experiment.js").Scheduler} Scheduler
 * @typedef {import("./state.js").ShownMeta} ShownMeta
 * @typedef {import("./state.js").Ghost} Ghost
 * @typedef {import("../run/places.js").Target} Target
 * @typedef {import("./state.js").Boot} Boot
 * @typedef {import("./state.js").Parts} Parts
 */

const DEBOUNCE_MS = 350;

export class Studio extends StudioState {
  // -- actions ------------------------------------------------------------------------------------------------------

  /**
   * Put an experiment on the page.
   * @param {Experiment} experiment
   */
  show(experiment) {
    this.experiment.value = experiment;
  }

  /**
   * Make a stored experiment the open one.
   * @param {Stored} stored
   */
  adopt(stored) {
    const experiment = stored.experiment ?? stored.data;
    if (experiment) this.show(experiment);
    if (stored.former_rules !== undefined) this.keepRules(stored.former_rules);
    this.saved.value = stored;
    this.savedFrom.value = this.experiment.value;
  }

  /**
   * Record the rules of an earlier version that the open experiment keeps, or null.
   * @param {FormerRules | null} former
   */
  keepRules(former) {
    this.formerRules.value = former;
  }

  /**
   * Show another stored experiment and a run of it, at the same instant.
   * @param {Stored} stored
   * @param {import("../contract/api.js").Run} run
   */
  look(stored, run) {
    this.adopt(stored);
    this.running.watch(this.opened.value, run);
  }

  /** Make the experiment editable: from now on it is the viewer's own. */
  own() {
    this.readOnly.value = Boolean(this.boot.fixed);
  }

  /**
   * Record the schedulers that the server has listed.
   * @param {Scheduler[]} schedulers
   */
  know(schedulers) {
    this.schedulers.value = schedulers;
  }

  /**
   * Change one field; its run starts after a short pause.
   * @param {string} path
   * @param {unknown} value
   * @param {KnobSpec["write"] | null} [write]  if the path alone is not enough
   */
  edit(path, value, write) {
    if (this.readOnly.value) return;
    this.replace(write ? write(this.opened.value, value) : setAt(this.opened.value, path, value), false, path);
  }

  /**
   * Show another experiment and run it, `now` or after a pause. Edits of one `key` in quick succession are one undo
   * step.
   * @param {Experiment} changed
   */
  replace(changed, now = false, key = "") {
    this.history.record(this.opened.value, key);
    this.change(changed, now);
  }

  undo() {
    this.#return(this.history.undo(this.opened.value));
  }

  redo() {
    this.#return(this.history.redo(this.opened.value));
  }

  /** @param {Experiment | undefined} experiment */
  #return(experiment) {
    if (experiment) this.change(experiment, false);
  }

  /**
   * Change the experiment without an undo step.
   * @param {Experiment} changed
   * @param {boolean} now
   */
  change(changed, now) {
    // A generated name keeps describing the experiment; a user's name stays.
    const before = this.opened.value;
    // A datacenter without machines is rejected, so its number stays out of the name.
    const named =
      !machineCount(changed) || before.name !== autoName(before, this.schedulers.value) || changed.name !== before.name;
    const next = named ? changed : { ...changed, name: autoName(changed, this.schedulers.value) };
    const here = now ? null : this.turning?.take(next);
    if (!here) this.livePreview.changed(before, next);
    this.drafts.keep(next);
    this.show(next);
    this.running.supersede();
    if (here) {
      this.#simulatedHere(here === "same");
      return;
    }
    this.status({ state: "starting" });
    if (now) this.submit();
    else this.running.later(() => this.submit(), DEBOUNCE_MS);
  }

  /** Record that the page simulates the experiment; `same`: it is the run on screen, and nothing is simulated. */
  #simulatedHere(/** @type {boolean} */ same) {
    const session = this.session.value;
    const stored = this.savedFrom.value;
    this.livePreview.release();
    this.status(same && session ? { ...session.run, state: session.state } : { state: "here" });
    if (same && stored && JSON.stringify(stored) === JSON.stringify(this.experiment.value)) this.show(stored);
  }

  /** Return to the experiment that the server last accepted, from one that it rejected. */
  revert() {
    if (!this.problems.value.length) return;
    this.trouble.show([]);
    if (this.savedFrom.value) this.replace(this.savedFrom.value, true);
  }

  /** Run the current experiment; `fresh`: even if its result is known. */
  submit({ fresh = false } = {}) {
    return this.running.submit(this.opened.value, { fresh });
  }

  /**
   * Show the run's state in the bar.
   * @param {import("../run/run_session.js").ToldState} run
   */
  status(run) {
    this.messages.status(run, {
      hasPicture: Boolean(this.session.value),
      readOnly: this.readOnly.value || Boolean(this.running.current?.borrowed),
    });
  }

  /**
   * Show a run that this page has simulated with touches, or the session's run again.
   * @param {import("../features/here/touch.js").Touched | null} touched
   */
  touch(touched) {
    this.touched.value = touched;
  }

  /** Return the previous run's picture at the instant that is shown; its last one where numbers are of whole runs. */
  ghostPicture() {
    const before = this.touching?.branches.other.value ?? this.session.value;
    const ghost = this.touched.value ? before : this.ghost.value;
    if (!ghost) return null;
    const { player } = this.stage;
    return player.ended ? ghost.store.growing : ghost.store.pictureAtTime(Math.max(player.shownNs, 0));
  }

  /** Return true if playback is at its end: charts of waits show the whole run, and the map may show one instant. */
  isAtEnd() {
    return this.stage.player.ended;
  }

  /** Return the summary of the run on screen: null before its end, and for a touched run, which has none. */
  wholeRun() {
    return this.touched.value ? null : (this.session.value?.store.summary ?? null);
  }

  /** Return exact values of the whole run if playback is at its end. */
  exactAtEnd() {
    return this.isAtEnd() ? this.wholeRun() : null;
  }

  /**
   * Pin a machine; -1: none.
   * @param {number} machine
   */
  pin(machine) {
    this.stage.map.pinned = machine;
    this.stage.map.overDrawn = false;
    this.pinned(machine);
  }

  /**
   * Inspect the machine that was pinned on the map; -1: none.
   * @param {number} machine
   */
  pinned(machine) {
    this.inspect(machine < 0 ? null : { kind: "machine", machine });
  }

  /**
   * Follow a part.
   * @param {Target} target
   */
  follow(target) {
    if (target.kind === "machine") this.pin(target.machine);
    else this.inspect(target);
  }

  /**
   * Show a part in the inspector.
   * @param {Target | null} target
   */
  inspect(target) {
    this.shown.value = target;
  }

  /**
   * Report why a request is not done; the run continues.
   * @param {Error} error
   */
  refused(error) {
    this.trouble.refused(error);
  }

  /**
   * Report why the experiment does not run.
   * @param {Error} error
   */
  fail(error) {
    this.trouble.fail(error);
  }

  /**
   * Open an editor over the studio: "topology", "events", "workload" or "constraints".
   * @param {string} name
   * @param {{keyed?: boolean}} [options]
   */
  openEditor(name, options) {
    return this.editing.open(name, options);
  }
}
