/**
 * The studio's state as signals, and its parts. The actions that change the state are in store.js.
 *
 * An effect() that reads a signal's `value` runs again when the signal changes.
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
 * @import { Touch, Touched } from "../features/here/touch.js"
 * @import { Turning } from "../features/here/turning.js"
 * @import { Entry } from "../features/tours/tour.js"
 * @import { Signature } from "../run/figures_told.js"
 * @import { FrameStore, Picture } from "../run/frames.js"
 * @import { Target } from "../run/places.js"
 * @import { RunSession } from "../run/run_session.js"
 * @import { Signal } from "../../vendor/signals/signals-core.mjs"
 */

/**
 * @typedef {Meta & {outline?: boolean}} ShownMeta  the metadata of a run, or of the machines alone before a run exists
 * @typedef {{store: FrameStore, session: RunSession}} Ghost  the previous run, which stays as a dashed curve
 * @typedef {{mode?: string, experiment?: Stored, gallery?: Entry & {experiment?: Experiment},
 *   signature?: Signature, scheduler?: Scheduler, follows?: boolean, version?: string,
 *   outside?: string, controls?: import("./telling.js").Swept[], fixed?: boolean,
 *   limits?: {upload_bytes?: number}, [more: string]: unknown}} Boot  the template's data
 */

/**
 * The parts that pages/studio.js creates once.
 * @typedef {object} Parts
 * @property {import("../draw/stage/stage.js").Stage} stage  the map with its play bar
 * @property {import("./running.js").Running} running  starts runs and follows them
 * @property {import("../run/run_messages.js").Messages} messages  the bar's state and the notices over the map
 * @property {import("./trouble.js").Trouble} trouble  problems, refusals, an unreachable server
 * @property {import("../experiment/json_editor.js").JsonEditor} editor
 * @property {import("./live_preview.js").LivePreview} livePreview
 * @property {import("./drafts.js").Drafts} drafts
 * @property {import("./editing.js").Editing} editing  opens the editors over the studio
 * @property {import("./pictures.js").Pictures} pictures  opens the pictures beside the map
 * @property {import("./jumps.js").Jumps} jumps
 * @property {import("../features/moments/moments.js").MomentsPanel} moments
 * @property {Touch} touching  touches of the run on the screen
 * @property {Turning} turning  settings that act in the page
 * @property {{locked(control: string): boolean}} lesson  returns true if a lesson's link hides or locks a control
 */

/**
 * @template T
 * @returns {Signal<T | null>}
 */
const unset = () => signal(/** @type {T | null} */ (null));

/** The value of a part until the page has created it. */
const MISSING = /** @type {never} */ (undefined);

/** The shared state of the studio's modules: signals and parts. */
export class StudioState {
  // The parts, which pages/studio.js creates one after the other.
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
  /** @type {Parts["touching"]} */
  touching = MISSING;
  /** @type {Parts["turning"]} */
  turning = MISSING;
  /** @type {Parts["lesson"]} */
  lesson = MISSING;

  // The state. Only the studio's own modules set it; other modules read it and call actions.
  /** The experiment on the page, with every edit; null until there is one. @type {Signal<Experiment | null>} */
  experiment = unset();
  /** The problems that the server found in the experiment. @type {Signal<Problem[]>} */
  problems = signal([]);
  /**
   * The earlier version's rules that the experiment had when it was opened, or null.
   * @type {Signal<FormerRules | null>}
   */
  formerRules = unset();
  /** The experiment stored last, or null. @type {Signal<Stored | null>} */
  saved = unset();
  /** The experiment on the page from which `saved` was made. @type {Signal<Experiment | null>} */
  savedFrom = unset();
  /** The run on screen, or null. @type {Signal<RunSession | null>} */
  session = unset();
  /** The run that will replace it, or null. @type {Signal<RunSession | null>} */
  next = unset();
  /** The previous run, or null. @type {Signal<Ghost | null>} */
  ghost = unset();
  /**
   * The first finished run that another replaced on this page, or null: what an edited policy began with.
   * @type {Signal<{id: string, label: string} | null>}
   */
  first = unset();
  /**
   * The run that this page simulated with touches, while the map shows it; null while the map shows the session's.
   * @type {Signal<Touched | null>}
   */
  touched = unset();
  /** The pictures beside the map, or null until a run has some. @type {Signal<Desk | null>} */
  desk = unset();
  /** The inspector's target, or null. @type {Signal<Target | null>} */
  shown = unset();
  /** The metadata of the run on screen, or null. @type {Signal<Meta | null>} */
  meta = unset();
  /**
   * The picture of the page's numbers; it changes several times a second while playback runs.
   * @type {Signal<Picture | null>}
   */
  figures = unset();
  /**
   * The run with the latest state change: a new object at each change.
   * @type {Signal<{session: RunSession} | null>}
   */
  news = unset();
  /** The known instructive moments, and their run. @type {Signal<{moments: Moment[], of: string | null}>} */
  instructive = signal({ moments: [], of: null });
  /** The studio's level: "watch", "play" or "lab". */
  level = signal(levelNow());
  /** The open experiment; its value throws if there is none. */
  opened = computed(() => {
    const experiment = this.experiment.value;
    if (!experiment) throw new Error("No experiment is open yet.");
    return experiment;
  });
  /** The experiment's scheduler in the server's list, or undefined. */
  chosen = computed(() => this.schedulers.value.find((each) => each.name === this.experiment.value?.scheduler?.name));

  /**
   * @param {Boot} boot
   * @param {import("../run/view_state.js").ViewState} view  the address's view state: view_state.js
   */
  constructor(boot, view) {
    this.boot = boot;
    this.view = view;
    this.history = new History();
    /** Settles when the server has listed its schedulers, or failed to. */
    this.listed = Promise.resolve();
    /**
     * True if the page follows a presentation, so that the experiment must be forked before changes. Every other link
     * is editable, and the first change makes a copy.
     */
    this.readOnly = signal(Boolean(boot.follows || boot.fixed));
    /**
     * The server's schedulers; before its answer, only the one with which the page was opened.
     * @type {Signal<Scheduler[]>}
     */
    this.schedulers = signal(boot.scheduler ? [boot.scheduler] : []);
  }

  // -- parts --------------------------------------------------------------------------------------------------------

  /**
   * Add parts as they are created; a panel may use the parts created before it.
   * @param {Partial<Parts>} parts
   */
  connect(parts) {
    Object.assign(this, parts);
  }
}
