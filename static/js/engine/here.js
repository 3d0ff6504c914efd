/** Simulate a run in this page: start a thread of its own for it, and follow what it tells. */

/**
 * The end of a run in this page: its outcome's digest, the one that the library got, and the milliseconds from
 * unpacking the start to the last event.
 * @typedef {{digest: string, cited: string, tasks: number, events: number, took_ms: number}} End
 * @typedef {{progress: number} | {frames: Frame[]} | {end: End} | {stand: Stand} | {error: string}} Told
 * @typedef {{start: ArrayBuffer, module: ArrayBuffer, wish?: Wish}} Given
 */

/** @import { Journey, Stand } from "./traveler.js" */
/** @import { Frame } from "../contract/contract" */
/** @import { Wish } from "./touched_run.js" */

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
 * Simulate a changed run in a thread of its own. Its frames come in groups, while it is simulated.
 * @param {string} script
 * @param {Given & {wish: Wish}} given
 * @param {{type?: WorkerType, onFrames: (frames: Frame[]) => void, signal?: AbortSignal}} options
 * @returns {Promise<End>}
 */
export function touchHere(script, given, { type = "module", onFrames, signal }) {
  return inThread(script, given, { type, signal, on: (told) => "frames" in told && onFrames(told.frames) });
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
