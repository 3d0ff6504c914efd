/** Simulate a run that the page has changed: with failures added, or under other values of its settings. */

import { Machine } from "./machine.js";
import { outcomeDigest } from "./outcome.js";
import { FrameMaker } from "./painting.js";
import { withProgramRoom } from "./program.js";
import { headerAt } from "./start_file.js";
import { incidentRows, withRoom, writeIncidents } from "./touch.js";
import { writeTurns } from "./turning.js";

/** @import { Frame } from "../contract/contract" */
/** @import { Start } from "./start_file.js" */
/** @import { Failure } from "./touch.js" */
/** @import { Values } from "./turning.js" */

/**
 * What to simulate: the failures, the places of the settings' values (none: the run's own), the parameters that the
 * page turns, and the times of the frames wanted. After the last of them, `step_ns` leads on, and it doubles every 75
 * frames. `seq` is the number of the first frame. `edges`, the bins of the waits, is there if no frame of the run
 * before goes ahead. `seen`: make the picture at this instant first, with these bins.
 * @typedef {{failures: Failure[], at?: number[], values?: Values, times_ns: number[], step_ns: number, seq: number,
 *   edges?: number[], seen?: {t_ns: number, edges: number[]}}} Wish
 */

/** Between two slices a thread hears whether a newer change has come: a few milliseconds. */
const SLICE_EVENTS = 10_000;
const STEADY = 75;

/** @returns {Generator<number>} the times of the frames, without an end */
function* times(/** @type {Wish} */ { times_ns, step_ns }) {
  yield* times_ns;
  let [t_ns, step, left] = [times_ns[times_ns.length - 1] ?? 0, step_ns, STEADY];
  for (;;) {
    t_ns += step;
    yield t_ns;
    left -= 1;
    if (left) continue;
    [step, left] = [2 * step, STEADY];
  }
}

/** Return the rows of these failures, and of the run's own. */
export function rowsOfRun(/** @type {Start["header"]} */ { touch }, /** @type {Failure[]} */ failures) {
  if (!touch && failures.length) throw new Error("this start has no table of incidents");
  return touch ? incidentRows(touch, failures) : [];
}

/**
 * Lay out a start with these failures and values.
 * @param {Start} start
 * @param {BufferSource} module
 * @param {Failure[]} failures
 * @param {Values} [values]
 */
export async function machineOf(start, module, failures, values = {}) {
  const rows = rowsOfRun(start.header, failures);
  const { touch } = start.header;
  const machine = await Machine.of(withProgramRoom(touch ? withRoom(start, rows.length) : start), module);
  writeTurns(machine, values);
  if (touch) writeIncidents(machine, rows);
  return machine;
}

/** A run with the changes of a wish. */
export class TouchedRun {
  /**
   * @param {Machine} machine
   * @param {Wish} wish
   */
  constructor(machine, wish) {
    const { touch, drawn } = machine.start.header;
    const layers = touch?.layers ?? drawn;
    if (!layers) throw new Error("this start does not say how the run is drawn");
    this.machine = machine;
    this.wish = wish;
    this.maker = new FrameMaker(machine, layers, wish.seq, wish.edges);
  }

  /**
   * @param {Start} start
   * @param {BufferSource} module
   * @param {Wish} wish
   */
  static async of(start, module, wish) {
    const header = wish.at ? headerAt(start.header, wish.at) : start.header;
    return new TouchedRun(await machineOf({ ...start, header }, module, wish.failures, wish.values), wish);
  }

  /** @returns {Generator<Frame>} a frame at each time, and one at the run's end */
  *frames() {
    for (const frame of this.steps()) if (frame) yield frame;
  }

  /** @returns {Generator<Frame | null>} the frames, and null after each slice of events between them */
  *steps() {
    const until = this.#until;
    for (const t_ns of times(this.wish)) {
      if (t_ns >= until || !(yield* this.reach(t_ns))) break;
      yield this.maker.frame(t_ns);
    }
    yield* this.reach(until);
    yield this.maker.frame(this.#endNs(until));
  }

  /** @returns {Generator<Frame | null>} null after each slice, then the frame at an instant, or at the run's end */
  *stepsTo(/** @type {number} */ t_ns) {
    const until = this.#until;
    const goesOn = t_ns < until && (yield* this.reach(t_ns));
    if (!goesOn) yield* this.reach(until);
    yield this.maker.frame(goesOn ? t_ns : this.#endNs(until));
  }

  get #until() {
    return Number(this.machine.start.header.until_ns);
  }

  /**
   * Simulate up to an instant; return whether the run goes on.
   * @param {number} t_ns
   * @returns {Generator<null, boolean>}
   */
  *reach(t_ns) {
    let reason = this.machine.advanceTo(t_ns, SLICE_EVENTS);
    while (reason === "more") {
      yield null;
      reason = this.machine.advanceTo(t_ns, SLICE_EVENTS);
    }
    return reason === "reached" && !this.machine.isEmpty;
  }

  /** Return the time of the last frame: the stop time where it ended the run, and never before an earlier frame. */
  #endNs(/** @type {number} */ until) {
    const { machine } = this;
    const now = machine.counted("now_ns");
    return machine.progress < 1 && until < Number.MAX_SAFE_INTEGER ? until : now;
  }

  get digest() {
    return outcomeDigest(this.machine);
  }
}
