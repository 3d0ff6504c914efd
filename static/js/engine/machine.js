/**
 * Run an event loop from its module: the engine of the library, in this page. The arrays lie in the module's memory as
 * scheduler_core/engine/wasm/machine.py lays them out; the module imports this memory and nothing else.
 */

import { rowsOf, writeRows } from "./start_file.js";

/** @import { PackedArray, Start } from "./start_file.js" */

/** Why the loop returned (scheduler_core/engine/events.py). */
const [DONE, REACHED, ENOUGH, LOG_FULL] = [0, 1, 2, 3];
const [PAGE, LINE] = [1 << 16, 64];
/** Where the arrays of a module begin, and in front of them the result and the words of the arrays. */
const HEAP = 1 << 20;
const RESULT = HEAP;
const ERROR = HEAP + 16;
/** Where the words of an array hold its number of rows, and its first side. */
const [ROWS_WORD, SHAPE_WORD] = [16, 40];

/** Return how many rows an array has memory for. */
const roomOf = (/** @type {PackedArray} */ array) => Math.max(array.room ?? 0, rowsOf(array));
const lines = (/** @type {number} */ size) => Math.ceil(size / LINE) * LINE + LINE;

/** @typedef {{place: number, word: number, array: PackedArray}} Placed  `word`: where the array's words begin */

export class Machine {
  /** @type {Map<string, Placed>} arrays by `argument.name`, such as `World.task` */
  #arrays = new Map();
  /** @type {number[]} where the words of each argument begin */
  #arguments = [];
  #word = HEAP + LINE;
  #end = HEAP + PAGE;

  /**
   * @param {Start} start
   * @param {WebAssembly.Memory} memory
   */
  constructor(start, memory) {
    this.start = start;
    this.memory = memory;
    this.view = new DataView(memory.buffer);
    this.bytes = new Uint8Array(memory.buffer);
    for (const { name, arrays } of start.header.arguments) {
      this.#arguments.push(this.#word);
      for (const array of arrays) this.#place(name, array);
    }
  }

  /**
   * Lay out the arrays of a start in new memory, and give the module this memory.
   * @param {Start} start
   * @param {BufferSource | WebAssembly.Module} module
   */
  static async of(start, module) {
    const sizes = start.header.arguments.flatMap(({ arrays }) => arrays.map((each) => lines(roomOf(each) * each.row)));
    const size = sizes.reduce((sum, each) => sum + each, HEAP + PAGE);
    const memory = new WebAssembly.Memory({ initial: Math.ceil(size / PAGE) });
    const machine = new Machine(start, memory);
    const compiled = module instanceof WebAssembly.Module ? module : await WebAssembly.compile(module);
    const instance = await WebAssembly.instantiate(compiled, { env: { memory } });
    machine.loop = /** @type {(...all: (number | bigint)[]) => number} */ (instance.exports.run);
    return machine;
  }

  /** @type {((...all: (number | bigint)[]) => number) | null} */
  loop = null;

  /** Copy an array into the memory; write its words: no owners, rows, bytes of a row, its place, its sides. */
  #place(/** @type {string} */ name, /** @type {PackedArray} */ array) {
    const rows = rowsOf(array);
    const word = this.#word;
    writeRows(this.bytes, this.#end, array, this.start.body);
    for (const word of [0, 0, rows, array.row, this.#end, ...array.shape, ...array.strides]) {
      this.view.setBigInt64(this.#word, BigInt(word), true);
      this.#word += 8;
    }
    this.#arrays.set(`${name}.${array.name}`, { place: this.#end, word, array });
    this.#end += lines(roomOf(array) * array.row);
  }

  /**
   * Process at most `events` events.
   * @param {number} events
   * @returns {boolean} whether the run goes on after them
   */
  advance(events) {
    return this.#advance(BigInt(this.start.header.until_ns), events) >= ENOUGH;
  }

  /**
   * Process at most `events` events up to and including an instant.
   * @param {number} t_ns
   * @param {number} events
   * @returns {"done" | "reached" | "more"} "more" if events remain before the instant
   */
  advanceTo(t_ns, events) {
    const until = BigInt(this.start.header.until_ns);
    const wanted = BigInt(Math.floor(t_ns));
    const reason = this.#advance(wanted < until ? wanted : until, events);
    return reason === DONE ? "done" : reason === REACHED ? "reached" : "more";
  }

  #advance(/** @type {bigint} */ until, /** @type {number} */ events) {
    if (!this.loop) throw new Error("the machine has no module");
    const status = this.loop(RESULT, ERROR, ...this.#arguments, until, BigInt(events));
    if (status !== 0) throw new Error(`the event loop raised an error (status ${status})`);
    const reason = Number(this.view.getBigInt64(RESULT, true));
    if (reason > LOG_FULL) throw new Error(`an array of the run is full (reason ${reason})`);
    this.view.setBigInt64(this.#control("log_size"), 0n, true);
    return reason;
  }

  /** Whether nothing can happen any more: no event is scheduled, and no job is to arrive. */
  get isEmpty() {
    if (this.counted("heap_size") || this.counted("next_job") < rowsOf(this.array("World.job").array)) return false;
    const [head, tail] = ["head", "tail"].map((name) => this.column("World.lane", name));
    for (let lane = 0; lane < head.rows; lane++) {
      const at = lane * head.row;
      if (this.view.getBigInt64(head.place + at, true) !== this.view.getBigInt64(tail.place + at, true)) return false;
    }
    return true;
  }

  /** Return where a column's first value lies, the bytes of a row, and the number of rows. */
  column(/** @type {string} */ name, /** @type {string} */ column) {
    const { place, array } = this.array(name);
    const found = array.columns.find(([each]) => each === column);
    if (!found) throw new Error(`${name} has no column ${column}`);
    return { place: place + found[1], row: array.row, rows: rowsOf(array) };
  }

  /** Return where an array lies. */
  array(/** @type {string} */ name) {
    const found = this.#arrays.get(name);
    if (!found) throw new Error(`the run has no array ${name}`);
    return found;
  }

  /** Let the loop see the first rows of a table alone: there is memory for more of them. */
  showRows(/** @type {string} */ name, /** @type {number} */ rows) {
    const { word } = this.array(name);
    this.view.setBigInt64(word + ROWS_WORD, BigInt(rows), true);
    this.view.setBigInt64(word + SHAPE_WORD, BigInt(rows), true);
  }

  /** Let the loop see an array with other sides: there is memory for them. */
  showSides(/** @type {string} */ name, /** @type {number[]} */ sides) {
    const { word } = this.array(name);
    const rows = sides.reduce((product, side) => product * side, 1);
    this.view.setBigInt64(word + ROWS_WORD, BigInt(rows), true);
    for (const [at, side] of sides.entries()) this.view.setBigInt64(word + SHAPE_WORD + 8 * at, BigInt(side), true);
  }

  #control(/** @type {string} */ column) {
    return this.column("World.control", column).place;
  }

  /** Return a number of the run as a whole, such as `now_ns` or `events`. */
  counted(/** @type {string} */ column) {
    return Number(this.view.getBigInt64(this.#control(column), true));
  }

  /** Set a number of the run as a whole. */
  set(/** @type {string} */ column, /** @type {number} */ value) {
    this.view.setBigInt64(this.#control(column), BigInt(value), true);
  }

  /** Return the part of the run that is done, 0 to 1. */
  get progress() {
    const settled = this.counted("tasks_done") + this.counted("tasks_unschedulable");
    return Math.min(1, settled / Math.max(1, this.counted("tasks_wanted")));
  }
}
