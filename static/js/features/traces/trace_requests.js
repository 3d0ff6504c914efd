/** Requests about traces; imports are followed to their end. */

import { ApiError, request } from "../../contract/api.js";
import { gettext } from "../../kit/words.js";

/** @import { Failure } from "../../contract/api.js" */

/**
 * @typedef {{format: string | null, columns: string[], rows: string[][],
 *   guess: Record<string, string>}} Looked  the server's view of an upload
 * @typedef {{state: string, progress?: number, rows: number}} Import  how far an import is
 */

const EVERY_MS = [150, 250, 400, 700];

/**
 * Fetch the format of an upload, or its columns, first rows and a guess of their meaning.
 * @param {string} id
 * @param {{signal?: AbortSignal}} [options]
 */
export function lookAtUpload(id, options) {
  return request("GET", `/uploads/${encodeURIComponent(id)}/rows`, undefined, options);
}

/** @param {string} id */
export function getTrace(id) {
  return request("GET", `/traces/${encodeURIComponent(id)}`);
}

/** @param {string} id */
export function getStatistics(id) {
  return request("GET", `/traces/${encodeURIComponent(id)}/statistics`);
}

/**
 * @param {string} id
 * @param {number} cutoff_s
 */
export function fitTrace(id, cutoff_s) {
  return request("POST", `/traces/${encodeURIComponent(id)}/fit`, { cutoff_s });
}

/**
 * Import an upload, or a part of a trace, as a trace. `on.progress({state, progress, rows})`; `signal` cancels it.
 * @param {Record<string, unknown>} asked
 * @param {{on?: {progress?: (now: Import) => void}, signal?: AbortSignal}} [options]
 */
export async function importTrace(asked, { on = {}, signal } = {}) {
  const begun = await request("POST", "/traces/imports", asked);
  const place = `/traces/imports/${begun.id}`;
  signal?.addEventListener("abort", () => request("POST", `${place}/cancel`, {}).catch(() => {}), { once: true });
  if (signal?.aborted) request("POST", `${place}/cancel`, {}).catch(() => {});
  for (let tries = 0; ; tries += 1) {
    await new Promise((resolve) => {
      setTimeout(resolve, EVERY_MS[Math.min(tries, EVERY_MS.length - 1)]);
    });
    let now;
    try {
      now = await request("GET", place);
    } catch (caught) {
      const error = /** @type {Failure} */ (caught);
      if (error.status === 0) continue;
      throw error;
    }
    if (now.state === "done") return now.trace;
    if (now.state === "cancelled") throw new DOMException("stopped", "AbortError");
    if (now.state === "failed") throw new ApiError(422, now.problems, gettext("The trace cannot be used."));
    on.progress?.(now);
  }
}
