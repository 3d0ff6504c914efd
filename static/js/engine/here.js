/** Simulate a run in this page: start a thread of its own for it, and follow what it tells. */

/**
 * The end of a run in this page: its outcome's digest, the one that the library got, and the milliseconds from
 * unpacking the start to the last event.
 * @typedef {{digest: string, cited: string, tasks: number, events: number, took_ms: number}} End
 * @typedef {{progress: number} | {end: End} | {error: string}} Told
 */

/** Return whether this browser can run modules and unpack a start. */
export const canSimulate = () =>
  typeof WebAssembly === "object" && typeof Worker === "function" && typeof DecompressionStream === "function";

/**
 * Simulate a run in a thread of its own.
 * @param {string} script  the address of the thread's script
 * @param {{start: ArrayBuffer, module: ArrayBuffer}} given  both move to the thread
 * @param {{type?: WorkerType, onProgress?: (part: number) => void, signal?: AbortSignal}} [options]
 * @returns {Promise<End>} rejects where the thread fails
 */
export function simulateHere(script, given, { type = "module", onProgress, signal } = {}) {
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
      else onProgress?.(data.progress);
    });
    worker.addEventListener("error", (event) => over(() => reject(new Error(event.message || "no thread"))));
    worker.postMessage(given, [given.start, given.module]);
  });
}
