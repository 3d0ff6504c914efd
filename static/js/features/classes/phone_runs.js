/**
 * A student's fork, simulated by the student's own phone: the class shares one packed start, and a thread simulates it
 * with the student's values. Wherever that is not possible, the server computes the fork.
 */

import { classStart, engineModule } from "../../contract/api.js";
import { canSimulate, ForkThread } from "../../engine/here.js";
import { readHeader } from "../../engine/start_file.js";
import { canTurn } from "../../engine/turning.js";

/**
 * @import { ClassStart } from "../../contract/contract"
 * @import { Forked } from "../../engine/forked_run.js"
 * @import { Header } from "../../engine/start_file.js"
 * @import { Value } from "./class_api.js"
 */

/** @typedef {Forked & {start: string}} OwnRun  `start`: the digest of the start */
/** @typedef {{header: Header, thread: ForkThread}} Ready */

/** The part of the device's memory that a run may take, with a copy of its arrays and the unpacked file. */
const PART = 1 / 16;
const COPIES = 3;
/** What is taken to be there where a browser does not tell. */
const USUAL_GIB = 2;
/** A phone that takes longer leaves its forks to the server. */
const PATIENCE_MS = 20_000;

class TooSlow extends Error {}

/** Return whether a run of this size fits into this device; `gib` is its memory as the browser tells it. */
export const hasRoom = (/** @type {number} */ bytes, /** @type {number | undefined} */ gib) =>
  bytes * COPIES <= (gib ?? USUAL_GIB) * 2 ** 30 * PART;

/** Reject if a promise takes too long. */
function patiently(/** @type {Promise<Forked>} */ promise) {
  return new Promise((/** @type {(forked: Forked) => void} */ resolve, reject) => {
    const timer = setTimeout(() => reject(new TooSlow()), PATIENCE_MS);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

export class PhoneRuns {
  /** The start that the class shares now. @type {ClassStart | null} */
  #start = null;
  /** The thread that holds it; null where the server computes. @type {Promise<Ready | null>} */
  #ready = Promise.resolve(null);

  /** @param {string} script  the address of the thread's script; empty where this page has none */
  constructor(script) {
    this.script = script;
  }

  /** Fetch the class's start if it is a new one. */
  take(/** @type {ClassStart | null} */ start) {
    if (start?.digest === this.#start?.digest) return;
    this.#drop();
    this.#start = start;
    if (start) this.#ready = this.#fetched(start).catch(() => null);
  }

  #drop() {
    this.#ready.then((ready) => ready?.thread.end());
    this.#ready = Promise.resolve(null);
  }

  /** @returns {Promise<Ready | null>} */
  async #fetched(/** @type {ClassStart} */ { url, module: name, memory_bytes, ...how }) {
    const { deviceMemory } = /** @type {Navigator & {deviceMemory?: number}} */ (navigator);
    if (!this.script || !canSimulate() || !hasRoom(memory_bytes, deviceMemory)) return null;
    const [start, module] = await Promise.all([classStart(url), engineModule(name)]);
    const header = await readHeader(start);
    return { header, thread: new ForkThread(this.script, { start, module, how }) };
  }

  /**
   * Simulate a fork. Returns null if it is the server's turn: without a start, for values that the start does not hold,
   * after a failure, and if newer values come
   * meanwhile.
   * @param {Record<string, Value>} values  of all open parameters
   * @param {Record<string, Value>} own  the teacher's
   * @returns {Promise<OwnRun | null>}
   */
  async simulate(values, own) {
    const start = this.#start;
    const ready = await this.#ready;
    if (!start || !ready || start !== this.#start) return null;
    const changed = Object.fromEntries(Object.entries(values).filter(([path, value]) => value !== own[path]));
    if (!Object.entries(changed).every(([path, value]) => canTurn(ready.header, path, value))) return null;
    try {
      return { ...(await patiently(ready.thread.simulate(changed))), start: start.digest };
    } catch (error) {
      if (error instanceof TooSlow) this.#drop();
      return null;
    }
  }
}
