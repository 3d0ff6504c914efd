/**
 * A run that a page changes again and again. The machine stays laid out between the changes, and copies of its memory
 * are kept on the way: a run with another failure begins at the nearest copy before that failure.
 */

import { Machine } from "./machine.js";
import { longestRunning } from "./on_machine.js";
import { withProgramRoom } from "./program.js";
import { headerAt, rowsOf } from "./start_file.js";
import { firstDifference, leftAfter, withRoom, writeIncidents } from "./touch.js";
import { rowsOfRun, TouchedRun } from "./touched_run.js";
import { writeTurns } from "./turning.js";

/** @import { Frame } from "../contract/contract" */
/** @import { Start } from "./start_file.js" */
/** @import { Row } from "./touch.js" */
/** @import { Wish } from "./touched_run.js" */

/**
 * The memory after all events up to an instant. `arrives`: jobs were still to come.
 * @typedef {{t_ns: number, arrives: boolean, bytes: Uint8Array}} Copy
 * @typedef {{key: string, room: number, machine: Machine, fresh: Uint8Array}} Laid  `fresh`: memory before any change
 * @typedef {{picture: Frame} | {frame: Frame} | null} Step  null: nothing to show yet
 */

/** Rows that a page may add to the incidents before the memory is laid out anew. */
const SPARE_ROWS = 256;
/** All copies together take at most this number of bytes, but there may be four. */
const BYTES = 96 * 2 ** 20;
const LEAST = 4;

export class WarmRun {
  /** @type {Laid | null} */
  #laid = null;
  /** The module, compiled once. @type {Promise<WebAssembly.Module> | null} */
  #compiled = null;
  /** Copies of the run simulated last, in order of time. @type {Copy[]} */
  #copies = [];
  /** Memory of copies that are gone: new memory takes longer than the copy itself. @type {Uint8Array[]} */
  #spare = [];
  /** Its incidents, and its values as text. @type {Row[]} */
  #rows = [];
  #values = "";

  /**
   * @param {Start} start
   * @param {BufferSource} module
   */
  constructor(start, module) {
    this.start = start;
    this.module = module;
  }

  /** Lay out the machine, so that the first change does not wait for it. */
  async prepare() {
    await this.#layOut(this.start, JSON.stringify(null), rowsOfRun(this.start.header, []).length);
  }

  /**
   * Simulate the run as it is, for the browser alone: it compiles a module quickly at first, and well after some calls.
   * `prepare` must have ended. The steps may stop at any of them.
   * @returns {Generator<void>}
   */
  *practice() {
    if (!this.#laid) return;
    const { machine } = this.#laid;
    const wish = { failures: [], times_ns: [], step_ns: Number.MAX_SAFE_INTEGER, seq: 0, edges: [] };
    this.#begin(this.#laid, wish, null);
    for (const _ of new TouchedRun(machine, wish).steps()) yield;
  }

  /**
   * Simulate what a wish says. The steps must be taken before the next call.
   * @param {Wish} wish
   * @returns {Promise<{machine: Machine, steps: Generator<Step>, from_ns: number}>} `from_ns`: the instant of the copy
   *   with which it begins, 0 for none
   */
  async go(wish) {
    const laid = await this.#take(wish);
    const from = this.#nearest(wish.times_ns[0] ?? 0);
    return { machine: laid.machine, steps: this.#steps(laid, wish, from), from_ns: from?.t_ns ?? 0 };
  }

  /**
   * Return the task that has run longest on a machine of the datacenter just before an instant, and still runs then;
   * -1 if there is none.
   * @param {Wish} wish  the run
   * @param {number} number  the machine
   * @param {number} t_ns
   */
  async taskOn(wish, number, t_ns) {
    const laid = await this.#take(wish);
    this.#begin(laid, wish, this.#nearest(t_ns - 1));
    const steps = new TouchedRun(laid.machine, wish).reach(t_ns - 1);
    while (!steps.next().done);
    return longestRunning(laid.machine, number, t_ns);
  }

  /** Lay out the run of a wish, and forget copies that are not its own. */
  async #take(/** @type {Wish} */ wish) {
    const header = wish.at ? headerAt(this.start.header, wish.at) : this.start.header;
    const rows = rowsOfRun(header, wish.failures);
    const laid = await this.#layOut({ ...this.start, header }, JSON.stringify(wish.at ?? null), rows.length);
    const values = JSON.stringify(wish.values ?? {});
    const differ_ns = values === this.#values ? firstDifference(this.#rows, rows) : 0n;
    const old = this.#rows;
    [this.#rows, this.#values] = [rows, values];
    this.#forget((copy) => isSame(copy, differ_ns, old, rows));
    return laid;
  }

  /**
   * @param {Start} start
   * @param {string} key
   * @param {number} rows
   * @returns {Promise<Laid>}
   */
  async #layOut(start, key, rows) {
    if (this.#laid?.key === key && rows <= this.#laid.room) return this.#laid;
    const room = rows + SPARE_ROWS;
    const roomy = withProgramRoom(start.header.touch ? withRoom(start, room) : start);
    this.#compiled ??= WebAssembly.compile(this.module);
    const machine = await Machine.of(roomy, await this.#compiled);
    this.#laid = { key, room, machine, fresh: machine.bytes.slice() };
    [this.#copies, this.#spare, this.#rows, this.#values] = [[], [], [], ""];
    return this.#laid;
  }

  /** Keep these copies alone. */
  #forget(/** @type {(copy: Copy) => boolean} */ stays) {
    this.#spare.push(...this.#copies.filter((copy) => !stays(copy)).map(({ bytes }) => bytes));
    this.#copies = this.#copies.filter(stays);
  }

  /** Return the last copy up to an instant. */
  #nearest(/** @type {number} */ t_ns) {
    return this.#copies.findLast((copy) => copy.t_ns <= t_ns) ?? null;
  }

  /**
   * @param {Laid} laid
   * @param {Wish} wish
   * @param {Copy | null} from
   * @returns {Generator<Step>}
   */
  *#steps(laid, wish, from) {
    const { seen, times_ns } = wish;
    if (seen) {
      this.#begin(laid, wish, this.#nearest(seen.t_ns));
      const run = new TouchedRun(laid.machine, { ...wish, seq: 0, edges: seen.edges });
      for (const picture of run.stepsTo(seen.t_ns)) yield picture && { picture };
    }
    this.#begin(laid, wish, from);
    const most = Math.max(LEAST, Math.floor(BYTES / laid.fresh.length));
    const every = Math.ceil(times_ns.length / most);
    let made = 0;
    for (const frame of new TouchedRun(laid.machine, wish).steps()) {
      yield frame && { frame };
      if (frame && made < times_ns.length && ++made % every === 0) this.#keep(laid.machine, Number(frame.t_ns));
    }
  }

  /** Go back to a copy, or to the start, with the changes of a wish. */
  #begin(/** @type {Laid} */ { machine, fresh }, /** @type {Wish} */ wish, /** @type {Copy | null} */ copy) {
    machine.bytes.set(copy?.bytes ?? fresh);
    if (!copy) writeTurns(machine, wish.values ?? {});
    if (machine.start.header.touch) writeIncidents(machine, this.#rows, copy ? BigInt(copy.t_ns) : -1n);
  }

  /** Keep a copy behind those that are there. */
  #keep(/** @type {Machine} */ machine, /** @type {number} */ t_ns) {
    if (t_ns <= (this.#copies.at(-1)?.t_ns ?? 0) || !Number.isSafeInteger(t_ns)) return;
    const arrives = machine.counted("next_job") < rowsOf(machine.array("World.job").array);
    const bytes = this.#spare.pop() ?? new Uint8Array(machine.bytes.length);
    bytes.set(machine.bytes);
    this.#copies.push({ t_ns, arrives, bytes });
  }
}

/**
 * Return whether a run with other incidents has the state of a copy, too. Some loops look whether anything is still to
 * come, an incident or a job: then the answer must have been the same up to the copy.
 * @param {Copy} copy
 * @param {bigint | null} differ_ns  when the incidents first differ
 * @param {Row[]} old
 * @param {Row[]} rows
 */
function isSame({ t_ns, arrives }, differ_ns, old, rows) {
  if (differ_ns === null) return true;
  const at = BigInt(t_ns);
  return at < differ_ns && (arrives || (leftAfter(old, at) > 0 && leftAfter(rows, at) > 0));
}
