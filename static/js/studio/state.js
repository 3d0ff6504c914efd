/**
 * The studio's state as signals, the parts that draw and ask, and the panels that are told. The actions that change it
 * are in store.js.
 *
 * A member that reads a signal can be read in an effect(): the effect runs again when the signal changes.
 */

import { computed, effect, signal, untracked } from "../../vendor/signals/signals-core.mjs";
import { History } from "../kit/history.js";

/**
 * @import { Meta, Moment } from "../contract/contract"
 * @import { Experiment, Scheduler, Stored } from "../experiment/experiment.js"
 * @import { FormerRules } from "../experiment/former_rules.js"
 * @import { Problem } from "../experiment/problems.js"
 * @import { Signature } from "../run/figures_told.js"
 * @import { Target } from "../run/places.js"
 * @import { RunSession } from "../run/run_session.js"
 * @import { FrameStore, Picture } from "../run/frames.js"
 * @import { Desk } from "../features/graphs/desk.js"
 */

/**
 * @typedef {Meta & {outline?: boolean}} ShownMeta  of a run, or of the machines alone before there is one
 * @typedef {{store: FrameStore, session: RunSession}} Ghost  the run before, which stays as a dashed curve
 * @typedef {{mode?: string, experiment?: Stored, gallery?: {name: string, experiment?: Experiment,
 *   [more: string]: any}, signature?: Signature, scheduler?: Scheduler, follows?: boolean, version?: string,
 *   outside?: string, controls?: import("./telling.js").Swept[], [more: string]: any}} Boot  what the template hands
 *   over
 */

/**
 * What a panel may be told.
 * @typedef {object} Hooks
 * @property {(experiment: Experiment) => void} [experiment]  another experiment is open, or schedulers are known
 * @property {(problems: Problem[]) => void} [problems]  what the server found wrong
 * @property {(meta: ShownMeta) => void} [meta]  another run is on the screen
 * @property {(picture: Picture) => void} [picture]  some times a second
 * @property {(session: RunSession) => void} [state]  a run's state has changed
 * @property {(moments: Moment[]) => void} [instructive]  moments of the run are known
 * @property {(machine: number) => void} [pin]  a machine was pinned; -1: none
 * @property {(target: Target) => void} [follow]  something other than a machine is to be kept in sight
 * @property {(level: string) => void} [level]  the studio is at another level: "watch", "play" or "lab"
 * @property {(preview: Parts["livePreview"]) => void} [preview]  what the preview tells has changed
 */

/**
 * The parts that draw and ask, made once by pages/studio.js.
 * @typedef {object} Parts
 * @property {import("../draw/stage/stage.js").Stage} stage  the map with its play bar
 * @property {import("./running.js").Running} running  asks for runs and follows them
 * @property {import("../run/run_messages.js").Messages} messages  the bar's state and the notices over the map
 * @property {import("./trouble.js").Trouble} trouble  problems, refusals, a server out of reach
 * @property {import("../experiment/json_editor.js").JsonEditor} editor
 * @property {import("./live_preview.js").LivePreview} livePreview
 * @property {import("./drafts.js").Drafts} drafts
 * @property {import("./editing.js").Editing} editing  opens the editors over the studio
 * @property {import("./pictures.js").Pictures} pictures  opens the pictures beside the map
 * @property {import("./jumps.js").Jumps} jumps
 * @property {import("../features/moments/moments.js").MomentsPanel} moments
 * @property {{locked(control: string): boolean}} lesson  which controls a lesson's link takes away
 */

/** @returns {import("../../vendor/signals/signals-core.mjs").Signal<any>} */
const unset = () => signal(null);

/** What the studio's modules share: the state as signals, the parts, the panels that are told. */
export class StudioState {
  /** @type {Hooks[]} */
  #panels = [];
  /** Made one after the other while the page is put together. */
  #parts = /** @type {Parts} */ ({});

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
      // Who follows a presentation looks; every other link opens live, and the first change makes a copy.
      readOnly: signal(Boolean(boot.follows)),
      /** @type {import("../../vendor/signals/signals-core.mjs").Signal<Scheduler[]>} */
      schedulers: signal(boot.scheduler ? [boot.scheduler] : []),
      /** @type {import("../../vendor/signals/signals-core.mjs").Signal<Problem[]>} */
      problems: signal([]),
      /** @type {import("../../vendor/signals/signals-core.mjs").Signal<FormerRules | null>} */
      formerRules: unset(),
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
  /** The same where one must be open. */
  get opened() {
    const { experiment } = this;
    if (!experiment) throw new Error("No experiment is open yet.");
    return experiment;
  }
  /** Whether the page follows a presentation, so that nothing can be changed before the experiment is forked. */
  get readOnly() {
    return this.state.readOnly.value;
  }
  /** The schedulers that the server has; until it has answered, the one that the page was opened with. */
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
  /** The rules of an earlier version that the experiment had when it was opened, or null. */
  get formerRules() {
    return this.state.formerRules.value;
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
  /** The meta of the run on the screen. @returns {ShownMeta | null} */
  get meta() {
    return this.stage.meta;
  }
  /** The picture at the viewer's instant. @returns {Picture | null} */
  get picture() {
    return this.stage.picture ?? null;
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
  get moments() {
    return this.#parts.moments;
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
   * @param {Parameters<NonNullable<Hooks[K]>>[0]} value
   */
  tell(hook, value) {
    for (const panel of this.#panels) /** @type {any} */ (panel)[hook]?.(value);
  }
}
