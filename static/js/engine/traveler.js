/**
 * Go to any event of a run, forward and back. Copies of the memory are kept on the way; the way back begins at the
 * nearest one.
 */

import { FrameMaker } from "./painting.js";
import { headerAt } from "./start_file.js";
import { machineOf } from "./touched_run.js";

/** @import { Frame } from "../contract/contract" */
/** @import { Machine } from "./machine.js" */
/** @import { Start } from "./start_file.js" */
/** @import { Failure } from "./touch.js" */
/** @import { Values } from "./turning.js" */

/**
 * @typedef {{frame: Frame, event: number, t_ns: number, over: boolean}} Stand  where a run stands: how many events it
 *   has processed, and whether none follows
 * @typedef {{failures: Failure[], edges: number[], at: number[] | null, values?: Values}} Journey  which run: its
 *   failures, the bins of its waits, the places of its settings' values, and the parameters that the page turned
 */

/** All copies together take at most this number of bytes, but there are at least four. */
const BYTES = 192 * 2 ** 20;
const LEAST = 4;
const FIRST_EVERY = 500;

export class Traveler {
  /** Copies in order of events. @type {{event: number, t_ns: number, bytes: Uint8Array}[]} */
  #copies = [];
  #every = FIRST_EVERY;
  #over = false;

  /**
   * @param {Machine} machine
   * @param {number[]} edges  the bins of the waits
   */
  constructor(machine, edges) {
    this.machine = machine;
    this.edges = edges;
    this.most = Math.max(LEAST, Math.floor(BYTES / machine.bytes.length));
    this.#keep();
  }

  /**
   * @param {Start} start
   * @param {BufferSource} module
   * @param {Journey} journey
   */
  static async of(start, module, { failures, edges, at, values }) {
    const header = at ? headerAt(start.header, at) : start.header;
    return new Traveler(await machineOf({ ...start, header }, module, failures, values), edges);
  }

  /** How many events the run has processed. */
  get event() {
    return this.machine.counted("events");
  }

  /** Go to the state after this number of events, or to the end of the run. @returns {Stand} */
  to(/** @type {number} */ event) {
    if (event < this.event) this.#back((copy) => copy.event <= event);
    while (this.event < event && this.#advance(event - this.event));
    return this.#stand();
  }

  /** Go to the state after all events up to an instant. @returns {Stand} */
  toInstant(/** @type {number} */ t_ns) {
    this.#back((copy) => copy.t_ns < t_ns);
    let reason = this.machine.advanceTo(t_ns, this.#every);
    while (reason === "more") {
      this.#keep();
      reason = this.machine.advanceTo(t_ns, this.#every);
    }
    return this.#stand();
  }

  /** Process at most so many events, and keep a copy where it is time; return whether the run goes on. */
  #advance(/** @type {number} */ events) {
    const { event } = this;
    const goesOn = this.machine.advance(Math.min(events, this.#every));
    this.#over = !goesOn;
    this.#keep();
    return goesOn && this.event > event;
  }

  #back(/** @type {(copy: {event: number, t_ns: number}) => boolean} */ isBefore) {
    const copy = this.#copies.findLast(isBefore) ?? this.#copies[0];
    this.machine.bytes.set(copy.bytes);
    this.#over = false;
  }

  /** Copy the memory if the last copy is far enough behind; with too many copies, every other one goes. */
  #keep() {
    const { event, machine } = this;
    const last = this.#copies.at(-1);
    if (last && event < last.event + this.#every) return;
    this.#copies.push({ event, t_ns: machine.counted("now_ns"), bytes: machine.bytes.slice() });
    if (this.#copies.length <= this.most) return;
    this.#copies = this.#copies.filter((_, place) => place % 2 === 0);
    this.#every *= 2;
  }

  /** @returns {Stand} */
  #stand() {
    const { machine, edges, event } = this;
    const { touch, drawn } = machine.start.header;
    const t_ns = machine.counted("now_ns");
    const frame = new FrameMaker(machine, touch?.layers ?? drawn ?? [], 0, edges).frame(t_ns);
    return { frame, event, t_ns, over: this.#over || machine.isEmpty };
  }
}
