/**
 * The studio's state as signals, and the parts that draw and ask. The actions that change it are in store.js.
 *
 * A member that reads a signal can be read in an effect(): the effect runs again when the signal changes.
 */

import { History } from "../kit/history.js";
import { levelNow } from "../kit/level_now.js";
import { computed, signal } from "../kit/view.js";

/**
 * @import { Meta, Moment } from "../contract/contract"
 * @import { Experiment, Scheduler, Stored } from "../experiment/experiment.js"
 * @import { FormerRules } from "../experiment/former_rules.js"
 * @import { Problem } from "../experiment/problems.js"
 * @import { Desk } from "../features/graphs/desk.js"
 * @import { Entry } from "../features/tours/tour.js"
 * @import { Signature } from "../run/figures_told.js"
 * @import { FrameStore, Picture } from "../run/frames.js"
 * @import { Target } from "../run/places.js"
 * @import { RunSession } from "../run/run_session.js"
 */

/**
 * @typedef {Meta & {outline?: boolean}} ShownMeta  of a run, or of the machines alone before there is one
 * @typedef {{store: FrameStore, session: RunSession}} Ghost  the run before, which stays as a dashed curve
 * @typedef {{mode?: string, experiment?: Stored, gallery?: Entry & {experiment?: Experiment},
 *   signature?: Signature, scheduler?: Scheduler, follows?: boolean, version?: string,
 *   outside?: string, controls?: import("./telling.js").Swept[], [more: string]: any}} Boot  what the template hands
 *   over
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

/** What stands for a part until the page has made it. @type {any} */
const MISSING = undefined;

/** What the studio's modules share: the state as signals, and the parts. */
export class StudioState {
  // The parts, which pages/studio.js makes one after the other.
  /** @type {Parts["stage"]} */
  stage = MISSING;
  /** @type {Parts["running"]} */
  running = MISSING;
  /** @type {Parts["messages"]} */
  messages = MISSING;
  /** @type {Parts["trouble"]} */
  trouble = MISSING;
  /** @type {Parts["editor"]} */
  editor = MISSING;
  /** @type {Parts["livePreview"]} */
  livePreview = MISSING;
  /** @type {Parts["drafts"]} */
  drafts = MISSING;
  /** @type {Parts["editing"]} */
  editing = MISSING;
  /** @type {Parts["pictures"]} */
  pictures = MISSING;
  /** @type {Parts["jumps"]} */
  jumps = MISSING;
  /** @type {Parts["moments"]} */
  moments = MISSING;
  /** @type {Parts["lesson"]} */
  lesson = MISSING;

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
      readOnly: signal(Boolean(boot.follows || boot.fixed)),
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
      /** @type {import("../../vendor/signals/signals-core.mjs").Signal<Meta | null>} */
      meta: unset(),
      /** @type {import("../../vendor/signals/signals-core.mjs").Signal<Picture | null>} */
      figures: unset(),
      /** @type {import("../../vendor/signals/signals-core.mjs").Signal<{session: RunSession} | null>} */
      news: unset(),
      /** @type {import("../../vendor/signals/signals-core.mjs").Signal<{moments: Moment[], of: string | null}>} */
      instructive: signal({ moments: [], of: null }),
      level: signal(levelNow()),
    };
    this.chosenScheduler = computed(() =>
      this.schedulers.find((each) => each.name === this.experiment?.scheduler?.name),
    );
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
  /** The meta of the run on the screen, or null. */
  get meta() {
    return this.state.meta.value;
  }
  /** The picture that figures show: another one some times a second while the viewer's instant moves. */
  get figures() {
    return this.state.figures.value;
  }
  /** The run whose state changed last: another object at each change. */
  get news() {
    return this.state.news.value;
  }
  /** The instructive moments that are known, and the run that they are of. */
  get instructive() {
    return this.state.instructive.value;
  }
  /** How much of the studio is shown: "watch", "play" or "lab". */
  get level() {
    return this.state.level.value;
  }

  // -- parts --------------------------------------------------------------------------------------------------------

  /**
   * Take parts as they are made; a panel may ask for those that were made before it.
   * @param {Partial<Parts>} parts
   */
  connect(parts) {
    Object.assign(this, parts);
  }
}
