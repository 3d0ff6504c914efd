/** Simulate a run in this page: start a thread of its own for it, and follow what it tells. */

/**
 * The end of a run in this page: its outcome's digest, the one that the library got, and the milliseconds from
 * unpacking the start to the last event.
 * @typedef {{digest: string, cited: string, tasks: number, events: number, took_ms: number}} End
 * @typedef {{progress: number} | {end: End} | {stand: Stand} | {error: string}} Told
 * @typedef {{start: ArrayBuffer, module: ArrayBuffer}} Given
 * @typedef {Given & {how: Measured & {tasks: number}}} GivenFork
 * @typedef {{picture: Frame} | {frames: Frame[]} | {end: End} | {task: number} | {error: string}} Changed  what a warm
 *   thread tells
 * @typedef {{onPicture?: (frame: Frame) => void, onFrames: (frames: Frame[]) => void, signal?: AbortSignal}} Following
 */

/** @import { Journey, Stand } from "./traveler.js" */
/** @import { Frame } from "../contract/contract" */
/** @import { Forked } from "./forked_run.js" */
/** @import { Measured } from "./measuring.js" */
/** @import { Wish } from "./touched_run.js" */
/** @import { Values } from "./turning.js" */

/** Return whether this browser can run modules and unpack a start. */
export const canSimulate = () =>
  typeof WebAssembly === "object" && typeof Worker === "function" && typeof DecompressionStream === "function";

/**
 * Simulate a run in a thread of its own.
 * @param {string} script  the address of the thread's script
 * @param {Given} given  start and module move to the thread
 * @param {{type?: WorkerType, onProgress?: (part: number) => void, signal?: AbortSignal}} [options]
 * @returns {Promise<End>} rejects where the thread fails
 */
export function simulateHere(script, given, { type = "module", onProgress, signal } = {}) {
  return inThread(script, given, { type, signal, on: (told) => "progress" in told && onProgress?.(told.progress) });
}

/**
 * @param {string} script
 * @param {Given} given
 * @param {{type: WorkerType, signal?: AbortSignal, on: (told: Told) => void}} options
 * @returns {Promise<End>}
 */
function inThread(script, given, { type, signal, on }) {
  const worker = new Worker(script, { type });
  return new Promise((resolve, reject) => {
    const over = (/** @type {() => void} */ act) => {
      worker.terminate();
      act();
    };
    signal?.addEventListener("abort", () => over(() => reject(signal.reason)));
    worker.addEventListener("message", (/** @type {MessageEvent<Told>} */ { data }) => {
      if ("end" in data) over(() => resolve(data.end));
      else if ("error" in data) over(() => reject(new Error(data.error)));
      else on(data);
    });
    worker.addEventListener("error", (event) => over(() => reject(new Error(event.message || "no thread"))));
    worker.postMessage(given, [given.start, given.module]);
  });
}

/** A thread that goes to any event of a run. It stays until `end`. */
export class TravelThread {
  #worker;

  /**
   * @param {string} script
   * @param {{start: ArrayBuffer, module: ArrayBuffer, travel: Journey}} given
   * @param {WorkerType} [type]
   */
  constructor(script, given, type = "module") {
    this.#worker = new Worker(script, { type });
    this.#worker.postMessage(given, [given.start, given.module]);
  }

  /**
   * Go to the state after an event, or after all events up to an instant. One call at a time.
   * @param {{event: number} | {t_ns: number}} where
   * @returns {Promise<Stand>} rejects where the thread fails
   */
  go(where) {
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      worker.onmessage = (/** @type {MessageEvent<Told>} */ { data }) => {
        if ("stand" in data) resolve(data.stand);
        else if ("error" in data) reject(new Error(data.error));
      };
      worker.onerror = (event) => reject(new Error(event.message || "no thread"));
      worker.postMessage({ go: where });
    });
  }

  end() {
    this.#worker.terminate();
  }
}

/** A thread that holds a run and simulates it under one change after the other. It stays until `end`. */
export class WarmThread {
  #worker;
  #number = 0;
  /** The wish that is simulated now. @type {((told: Changed) => void) | null} */
  #told = null;
  /** @type {Error | null} */
  #broken = null;

  /**
   * @param {string} script
   * @param {Given} given
   * @param {WorkerType} [type]
   */
  constructor(script, { start, module }, type = "module") {
    this.#worker = new Worker(script, { type });
    this.#worker.onmessage = (/** @type {MessageEvent<{number: number, told: Changed}>} */ { data }) => {
      if (data.number === this.#number) this.#told?.(data.told);
    };
    this.#worker.onerror = (event) => {
      this.#broken = new Error(event.message || "no thread");
      this.#told?.({ error: this.#broken.message });
    };
    this.#worker.postMessage({ hold: { start, module } }, [start, module]);
  }

  /**
   * Simulate a changed run. What an earlier call asked for ends. If the wish names an instant to see first, its picture
   * comes before all frames; frames come in groups.
   * @param {Wish} wish
   * @param {Following} following
   * @returns {Promise<End>} rejects where the thread fails
   */
  simulate(wish, { onPicture, onFrames, signal }) {
    this.#number += 1;
    return new Promise((resolve, reject) => {
      const hear = (/** @type {Changed} */ told) => {
        if ("picture" in told) onPicture?.(told.picture);
        else if ("frames" in told) onFrames(told.frames);
        else if ("end" in told) resolve(told.end);
        else if ("error" in told) reject(new Error(told.error));
      };
      this.#told = hear;
      signal?.addEventListener("abort", () => {
        // What is still under way belongs to no picture, also if no other call follows.
        if (this.#told === hear) this.#told = null;
        reject(signal.reason);
      });
      if (this.#broken) reject(this.#broken);
      this.#worker.postMessage({ wish, number: this.#number });
    });
  }

  /**
   * Find the task that has run longest on a machine of the datacenter. What an earlier call asked for ends.
   * @param {Wish} wish  the run
   * @param {number} machine
   * @param {number} t_ns  just before this instant
   * @returns {Promise<number>} -1 if none runs there; rejects where the thread fails
   */
  taskOn(wish, machine, t_ns) {
    this.#number += 1;
    return new Promise((resolve, reject) => {
      this.#told = (told) => {
        if ("task" in told) resolve(told.task);
        else if ("error" in told) reject(new Error(told.error));
      };
      if (this.#broken) reject(this.#broken);
      this.#worker.postMessage({ taskOn: { wish, machine, t_ns }, number: this.#number });
    });
  }

  end() {
    this.#number += 1;
    this.#worker.terminate();
  }
}

/** A thread that simulates one run with other values of its parameters, and tells its numbers. It stays until `end`. */
export class ForkThread {
  #worker;
  #number = 0;
  /**
   * The values that are simulated now.
   * @type {{resolve: (forked: Forked) => void, reject: (error: Error) => void} | null}
   */
  #waits = null;

  /**
   * @param {string} script
   * @param {GivenFork} given
   */
  constructor(script, given) {
    this.#worker = new Worker(script, { type: "module" });
    const fail = (/** @type {Error} */ error) => this.#waits?.reject(error);
    this.#worker.onmessage = (/** @type {MessageEvent} */ { data }) => {
      if ("error" in data)
        fail(new Error(data.error)); // the start could not be laid out
      else if (data.number !== this.#number) return;
      else if ("error" in data.told) fail(new Error(data.told.error));
      else this.#waits?.resolve(data.told.forked);
    };
    this.#worker.onerror = (event) => fail(new Error(event.message || "no thread"));
    this.#worker.postMessage({ fork: given }, [given.start, given.module]);
  }

  /**
   * Simulate the run with these values. What an earlier call asked for ends, and its promise is rejected.
   * @param {Values} values
   * @returns {Promise<Forked>}
   */
  simulate(values) {
    this.#number += 1;
    this.#waits?.reject(new Error("newer values have come"));
    return new Promise((resolve, reject) => {
      this.#waits = { resolve, reject };
      this.#worker.postMessage({ values, number: this.#number });
    });
  }

  end() {
    this.#waits?.reject(new Error("the thread has ended"));
    this.#worker.terminate();
  }
}
