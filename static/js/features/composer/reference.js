/** The reference architecture, asked for once; and the last decisions of a run. */

import { request } from "../../contract/api.js";

let asked = null;

/** Stages, policies, the matrix and its tables. */
export function fetchReference() {
  asked ??= request("GET", "/reference-architecture").catch((error) => {
    asked = null;
    throw error;
  });
  return asked;
}

/**
 * The last decisions of a run for some reasons, up to an instant: {total, rows}, latest first; while it is computed, of
 * those so far.
 */
export function fetchDecisions(runId, { reasons, until_s = null, count = 8 }, options) {
  const query = new URLSearchParams([
    ...reasons.map((reason) => ["reason", reason]),
    ["count", String(count)],
    ...(until_s === null ? [] : [["until_s", String(until_s)]]),
  ]);
  return request("GET", `/runs/${encodeURIComponent(runId)}/decisions?${query}`, undefined, options);
}
