/**
 * The studio's store: its state as signals, its parts, and the actions that change it. Whatever the studio's modules
 * share is declared here; nothing is added from outside. The module needs no page, so node can test it.
 *
 * A member that reads a signal can be read in an effect(): the effect runs again when the signal changes.
 */

import { computed, effect, signal, untracked } from "../../vendor/signals/signals-core.mjs";
import { autoName, setAt } from "../experiment/experiment.js";
import { History } from "../kit/history.js";

/**
 * @import { RunSession } from "../run/run_session.js"
 * @import { FrameStore } from "../run/frames.js"
 * @import { Desk } from "../features/graphs/desk.js"
 */

/**
 * @typedef {Record<string, any>} Experiment  what the API calls ExperimentModel; nobody changes one in place
 * @typedef {{id: string, slug: string, mine?: boolean, share_url?: string, experiment?: Experiment, data?: Experiment,
 *   experiment_digest?: string, owner_token?: string, runs?: any[]}} Stored  an experiment as the server stores it
 * @typedef {{path: string, message: string, allowed?: string, remedy?: string}} Problem
 * @typedef {{name: string, label: string, [more: string]: any}} Scheduler  a scheduler as the API describes it
 * @typedef {{store: FrameStore, session: RunSession}} Ghost  the run before, which stays as a dashed curve
 * @typedef {{kind: string, [more: string]: any}} Target  a machine, a task, a cluster, an owner ...
 * @typedef {{mode?: string, experiment?: Stored, gallery?: any, [more: string]: any}} Boot  what the template hands
 *   over
 */

/**
 * What a panel may be told.
 * @typedef {object} Hooks
 * @property {(experiment: Experiment) => void} [experiment]  another experiment is open, or schedulers are known
 * @property {(problems: Problem[]) => void} [problems]  what the server found wrong
 * @property {(meta: any) => void} [meta]  another run is on the screen
 * @property {(picture: any) => void} [picture]  some times a second
 * @property {(session: RunSession) => void} [state]  a run's state has changed
 * @property {(machine: number) => void} [pin]  a machine was pinned; -1: none
 * @property {(target: Target) => void} [follow]  something other than a machine is to be kept in sight
 * @property {(preview: Parts["livePreview"]) => void} [preview]  what the preview tells has changed
 */

/**
 * The parts that draw and ask, made once by pages/studio.js.
 * @typedef {object} Parts
 * @property {import("../run/stage.js").Stage} stage  the map with its play bar
 * @property {import("./running.js").Running} running  asks for runs and follows them
 * @property {import("../run/run_messages.js").Messages} messages  the bar's state and the notices over the map
 * @property {import("./trouble.js").Trouble} trouble  problems, refusals, a server out of reach
 * @property {import("../experiment/json_editor.js").JsonEditor} editor
 * @property {import("./live_preview.js").LivePreview} livePreview
 * @property {import("./drafts.js").Drafts} drafts
 * @property {import("./editing.js").Editing} editing  opens the editors over the studio
 * @property {import("./pictures.js").Pictures} pictures  opens the pictures beside the map
 * @property {import("./jumps.js").Jumps} jumps
 * @property {{locked(control: string): boolean}} lesson  which controls a lesson's link takes away
 */

const DEBOUNCE_MS = 350;

/** @returns {import("../../vendor/signals/signals-core.mjs").Signal<any>} */
const unset = () => signal(null);

export class Studio {
  /** @type {Hooks[]} */
  #panels = [];
  /** @type {Partial<Parts>} */
  #parts = {};

  /**
   * @param {Boot} boot
   * @param {Record<string, any>} view  what the address says of the view: view_state.js
   */
  constructor(boot, view) {
    this.boot = boot;
    this.view = view;
    this.history = new History();
    /** Settles when the server has said which schedulers there are, or has failed to. */
    this.listed = Promise.resolve();
    /** The state. Modules of the studio's own set it; all others read the members below, and call actions. */
    this.state = {
      /** @type {import("../../vendor/signals/signals-core.mjs").Signal<Experiment | null>} */
      experiment: unset(),
      readOnly: signal(boot.mode === "shared"),
      /** @type {import("../../vendor/signals/signals-core.mjs").Signal<Scheduler[]>} */
      schedulers: signal([]),
      /** @type {import("../../vendor/signals/signals-core.mjs").Signal<Problem[]>} */
      problems: signal([]),
      /** @type {import("../../vendor/signals/signals-core.mjs").Signal<Stored | null>} */
      saved: unset(),
      /** @type {import("../../vendor/signals/signals-core.mjs").Signal<Experiment | null>} */
      savedFrom: unset(),
      /** @type {import("../../vendor/signals/signals-core.mjs").Signal<RunSession | null>} */
      session: unset(),
      /** @type {import("../../vendor/signals/signals-core.mjs").Signal<RunSession | null>} */
      next: unset(),
      /** @type {import("../../vendor/signals/signals-core.mjs").Signal<Ghost | null>} */
      ghost: unset(),
      /** @type {import("../../vendor/signals/signals-core.mjs").Signal<Desk | null>} */
      desk: unset(),
      /** @type {import("../../vendor/signals/signals-core.mjs").Signal<Target | null>} */
      shown: unset(),
    };
    this.chosenScheduler = computed(() =>
      this.schedulers.find((each) => each.name === this.experiment?.scheduler?.name),
    );
    effect(() => {
      const { experiment, schedulers: _known, readOnly: _held } = this;
      if (experiment) untracked(() => this.tell("experiment", experiment));
    });
    effect(() => {
      const { problems, schedulers: _known } = this;
      if (this.state.experiment.peek()) untracked(() => this.tell("problems", problems));
    });
  }

  // -- state --------------------------------------------------------------------------------------------------------

  /** The experiment on the page, with every edit; null until there is one. */
  get experiment() {
    return this.state.experiment.value;
  }
  /** Whether the experiment is somebody else's, so that nothing can be changed before it is forked. */
  get readOnly() {
    return this.state.readOnly.value;
  }
  /** The schedulers that the server has; empty until it has answered. */
  get schedulers() {
    return this.state.schedulers.value;
  }
  /** The scheduler of the experiment as the server describes it, or undefined. */
  get chosen() {
    return this.chosenScheduler.value;
  }
  /** What the server found wrong with the experiment. */
  get problems() {
    return this.state.problems.value;
  }
  /** What the server stored last, or null. */
  get saved() {
    return this.state.saved.value;
  }
  /** The experiment on the page that `saved` was made from. */
  get savedFrom() {
    return this.state.savedFrom.value;
  }
  /** The run on the screen, or null. */
  get session() {
    return this.state.session.value;
  }
  /** The run that is to replace it, or null. */
  get next() {
    return this.state.next.value;
  }
  /** The run before, or null. */
  get ghost() {
    return this.state.ghost.value;
  }
  /** The pictures beside the map, or null until a run has some. */
  get desk() {
    return this.state.desk.value;
  }
  /** What the inspector shows, or null. */
  get shown() {
    return this.state.shown.value;
  }
  /** The meta of the run on the screen. */
  get meta() {
    return this.stage.meta;
  }
  /** The picture at the viewer's instant. */
  get picture() {
    return this.stage.picture;
  }

  // -- parts --------------------------------------------------------------------------------------------------------

  /**
   * Take parts as they are made; the first panel may ask for those that were made before it.
   * @param {Partial<Parts>} parts
   */
  connect(parts) {
    Object.assign(this.#parts, parts);
  }

  get stage() {
    return this.#parts.stage;
  }
  get running() {
    return this.#parts.running;
  }
  get messages() {
    return this.#parts.messages;
  }
  get trouble() {
    return this.#parts.trouble;
  }
  get editor() {
    return this.#parts.editor;
  }
  get livePreview() {
    return this.#parts.livePreview;
  }
  get drafts() {
    return this.#parts.drafts;
  }
  get editing() {
    return this.#parts.editing;
  }
  get pictures() {
    return this.#parts.pictures;
  }
  get jumps() {
    return this.#parts.jumps;
  }
  get lesson() {
    return this.#parts.lesson;
  }

  /**
   * Tell a panel from here on.
   * @param {Hooks} hooks
   */
  addPanel(hooks) {
    if (!this.#panels.includes(hooks)) this.#panels.push(hooks);
  }

  /**
   * Call a hook of every panel that has it.
   * @template {keyof Hooks} K
   * @param {K} hook
   * @param {Parameters<Hooks[K]>[0]} value
   */
  tell(hook, value) {
    for (const panel of this.#panels) /** @type {any} */ (panel)[hook]?.(value);
  }

  // -- actions ------------------------------------------------------------------------------------------------------

  /**
   * Have this experiment on the page.
   * @param {Experiment} experiment
   */
  show(experiment) {
    this.state.experiment.value = experiment;
  }

  /**
   * Take what the server stored as the experiment that is open.
   * @param {Stored} stored
   */
  adopt(stored) {
    this.show(stored.experiment ?? stored.data);
    this.state.saved.value = stored;
    this.state.savedFrom.value = this.experiment;
  }

  /**
   * Look at another stored experiment and a run of it, at the same instant.
   * @param {Stored} stored
   * @param {any} run
   */
  look(stored, run) {
    this.adopt(stored);
    this.running.watch(this.experiment, run);
  }

  /** From here on the experiment is the viewer's own, to change. */
  own() {
    this.state.readOnly.value = false;
  }

  /**
   * The server has said which schedulers there are.
   * @param {Scheduler[]} schedulers
   */
  know(schedulers) {
    this.state.schedulers.value = schedulers;
  }

  /**
   * Change one field; the run that belongs to it starts after a short pause.
   * @param {string} path
   * @param {unknown} value
   * @param {((experiment: Experiment, value: any) => Experiment) | null} [write]  where the path alone is not enough
   */
  edit(path, value, write) {
    if (this.readOnly) return;
    this.replace(write ? write(this.experiment, value) : setAt(this.experiment, path, value), false, path);
  }

  /**
   * Show another experiment and run it, `now` or after a pause; edits of one `key` that follow at once are one step
   * back.
   * @param {Experiment} changed
   */
  replace(changed, now = false, key = "") {
    this.history.record(this.experiment, key);
    this.change(changed, now);
  }

  undo() {
    this.#return(this.history.undo(this.experiment));
  }

  redo() {
    this.#return(this.history.redo(this.experiment));
  }

  /** @param {Experiment | undefined} experiment */
  #return(experiment) {
    if (experiment) this.change(experiment, false);
  }

  /**
   * The same without a step back.
   * @param {Experiment} changed
   * @param {boolean} now
   */
  change(changed, now) {
    // A name that the page gave keeps describing; one that a person gave stays.
    const before = this.experiment;
    const named = before.name !== autoName(before, this.schedulers) || changed.name !== before.name;
    const next = named ? changed : { ...changed, name: autoName(changed, this.schedulers) };
    this.livePreview.changed(before, next);
    this.drafts.keep(next);
    this.show(next);
    this.running.supersede();
    this.status({ state: "starting" });
    if (now) this.submit();
    else this.running.later(() => this.submit(), DEBOUNCE_MS);
  }

  /** Back to what the server last took, from an experiment that it refused. */
  revert() {
    if (!this.problems.length) return;
    this.trouble.show([]);
    if (this.savedFrom) this.replace(this.savedFrom, true);
  }

  /** Run the experiment as it stands. */
  submit() {
    return this.running.submit(this.experiment);
  }

  /**
   * Say in the bar how the run is.
   * @param {{state: string, [more: string]: any}} run
   */
  status(run) {
    this.messages.status(run, {
      hasPicture: Boolean(this.session),
      readOnly: this.readOnly || Boolean(this.running.current?.borrowed),
    });
  }

  /** What the preview tells has changed, or charts follow the run again. */
  previewed() {
    this.tell("preview", this.livePreview);
    if (!this.livePreview.holding && this.picture) this.tell("picture", this.picture);
  }

  /** The picture of the run before, at the same instant or at its end. */
  ghostPicture() {
    return this.ghost ? this.ghost.store.pictureAtTime(Math.max(this.stage.player.t_ns, 0)) : null;
  }

  /** Exact values of the whole run, when the viewer stands at its end. */
  exactAtEnd() {
    return this.stage.player.ended ? this.session?.store.summary : null;
  }

  /**
   * Pin a machine; -1: none.
   * @param {number} machine
   */
  pin(machine) {
    this.stage.map.pinned = machine;
    this.stage.map.overDrawn = false;
    this.tell("pin", machine);
  }

  /**
   * Keep a part in sight.
   * @param {Target} target
   */
  follow(target) {
    if (target.kind === "machine") this.pin(target.machine);
    else this.tell("follow", target);
  }

  /**
   * The inspector shows another part.
   * @param {Target | null} target
   */
  inspect(target) {
    this.state.shown.value = target;
  }

  /**
   * Say why something that was asked for is not done; the run goes on.
   * @param {Error} error
   */
  refused(error) {
    this.trouble.refused(error);
  }

  /**
   * Say why the experiment does not run.
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
