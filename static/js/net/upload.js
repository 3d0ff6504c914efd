/** Sending a trace: progress while it goes, and a way to stop. (fetch tells nothing about what was sent.) */

import { ApiError, problemsOf } from "./api.js";

/** `on.sent(share)` while the bytes go; resolves with the trace. `signal` stops it. */
export function uploadTrace(file, { on = {}, signal } = {}) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/api/v1/traces?name=${encodeURIComponent(file.name.slice(0, 200))}`);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.setRequestHeader("Accept", "application/json");
    request.upload.addEventListener("progress", (event) => { if (event.lengthComputable) on.sent?.(event.loaded / event.total); });
    request.upload.addEventListener("load", () => on.sent?.(1));
    request.addEventListener("load", () => {
      let body = null;
      try { body = JSON.parse(request.responseText); } catch { body = null; }
      if (request.status === 201 && body) resolve(body);
      else reject(new ApiError(request.status, problemsOf(body), body?.title || `The server answered ${request.status}.`));
    });
    request.addEventListener("error", () => reject(new ApiError(0, [], "The server cannot be reached, or stopped listening. Send the file again.")));
    request.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError")));
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}
