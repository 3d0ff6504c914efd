/**
 * Send a file in pieces with tus 1.0.0 (tus.io). After a lost connection, or on another visit, the server reports how
 * much it has, and sending resumes there. (fetch does not report upload progress, so pieces use XMLHttpRequest.)
 */

import { ApiError, problemsOf } from "../../contract/api.js";
import { gettext } from "../../kit/words.js";

/** @import { Failure } from "../../contract/api.js" */

const BASE = "/api/v1/uploads";
const VERSION = { "Tus-Resumable": "1.0.0" };
const PIECE_BYTES = 4_000_000;
const MOST_FAILURES = 30;
const LONGEST_WAIT_MS = 8000;
const KEPT = "playground.uploads";

/**
 * Send a file: `on.sent(share)` reports progress, `on.waiting(seconds)` a wait for the server. Resolve with the
 * upload's id.
 * @param {File} file
 * @param {{on?: {sent?: (share: number) => void, waiting?: (seconds: number) => void}, signal?: AbortSignal}} [options]
 */
export async function sendFile(file, { on = {}, signal } = {}) {
  const known = remembered(file);
  const reached = known ? await offsetOf(known, signal) : null;
  const id = reached === null ? await begin(file, signal) : known;
  let offset = reached ?? 0;
  if (reached === null) remember(file, id);
  let failures = 0;
  while (offset < file.size) {
    on.sent?.(offset / file.size);
    try {
      offset = await piece(id, file, offset, (extra) => on.sent?.((offset + extra) / file.size), signal);
      failures = 0;
    } catch (caught) {
      const error = /** @type {Failure} */ (caught);
      failures += 1;
      if (!worthWaiting(error) || failures > MOST_FAILURES) {
        if (error.name !== "AbortError") forget(file);
        throw error;
      }
      const wait = Math.min(LONGEST_WAIT_MS, 250 * 2 ** failures);
      on.waiting?.(wait / 1000);
      await pause(wait, signal);
      const there = await offsetOf(id, signal).catch((again) => {
        if (again.name === "AbortError") throw again;
        return undefined;
      });
      if (there === null) {
        forget(file);
        throw new ApiError(404, [], gettext("The server no longer has this upload. Send the file again."));
      }
      if (there !== undefined) offset = there;
    }
  }
  on.sent?.(1);
  forget(file);
  return id;
}

/**
 * Return true if a retry may help: the server is away or busy, or disagrees about the offset.
 * @param {unknown} error
 */
function worthWaiting(error) {
  return error instanceof ApiError && [0, 409, 423, 429, 502, 503, 504].includes(error.status);
}

/**
 * @param {File} file
 * @param {AbortSignal | undefined} signal
 */
async function begin(file, signal) {
  const name = btoa(String.fromCharCode(...new TextEncoder().encode(file.name.slice(0, 200))));
  const answer = await ask(
    "POST",
    BASE,
    { ...VERSION, "Upload-Length": String(file.size), "Upload-Metadata": `filename ${name}` },
    signal,
  );
  return new URL(answer.headers.get("Location") ?? "", window.location.href).pathname.split("/").pop() ?? "";
}

/**
 * Return how many bytes the server has; null if it no longer knows the upload.
 * @param {string} id
 * @param {AbortSignal | undefined} signal
 */
async function offsetOf(id, signal) {
  try {
    const answer = await ask("HEAD", `${BASE}/${id}`, VERSION, signal);
    return Number(answer.headers.get("Upload-Offset"));
  } catch (caught) {
    const error = /** @type {Failure} */ (caught);
    if (error.status === 404 || error.status === 403) return null;
    throw error;
  }
}

/** @param {string} id */
export function dropUpload(id) {
  return ask("DELETE", `${BASE}/${id}`, VERSION, undefined).catch(() => {});
}

/**
 * @param {string} method
 * @param {string} path
 * @param {Record<string, string>} headers
 * @param {AbortSignal | undefined} signal
 */
async function ask(method, path, headers, signal) {
  let answer;
  try {
    answer = await fetch(path, { method, headers, signal, credentials: "same-origin" });
  } catch (caught) {
    const error = /** @type {Failure} */ (caught);
    if (error.name === "AbortError") throw error;
    throw away();
  }
  if (!answer.ok) throw await problem(answer.status, await answer.text().catch(() => ""));
  return answer;
}

/**
 * @param {string} id
 * @param {File} file
 * @param {number} offset
 * @param {(bytes: number) => void} sent
 * @param {AbortSignal | undefined} signal
 */
function piece(id, file, offset, sent, signal) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PATCH", `${BASE}/${id}`);
    for (const [name, value] of Object.entries({
      ...VERSION,
      "Upload-Offset": String(offset),
      "Content-Type": "application/offset+octet-stream",
    }))
      request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", (event) => sent(event.loaded));
    request.addEventListener("load", () => {
      if (request.status === 204) resolve(Number(request.getResponseHeader("Upload-Offset")));
      else reject(problem(request.status, request.responseText));
    });
    request.addEventListener("error", () => reject(away()));
    request.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError")));
    if (signal?.aborted) {
      reject(new DOMException("stopped", "AbortError"));
      return;
    }
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file.slice(offset, offset + PIECE_BYTES));
  });
}

function away() {
  return new ApiError(
    0,
    [],
    gettext("The server cannot be reached. The part already sent is kept: send the file again to continue."),
  );
}

/**
 * @param {number} status
 * @param {string} text
 */
function problem(status, text) {
  let body = null;
  try {
    body = JSON.parse(text);
  } catch {
    body = null;
  }
  return new ApiError(status, problemsOf(body), body?.title || gettext("The server answered {status}.", { status }));
}

/**
 * @param {number} ms
 * @param {AbortSignal | undefined} signal
 */
function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        reject(new DOMException("stopped", "AbortError"));
      },
      { once: true },
    );
  });
}

/**
 * Return the key of an unfinished upload, which identifies its file.
 * @param {File} file
 */
const keyOf = (file) => `${file.name}:${file.size}:${file.lastModified}`;

function readKept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) || "{}");
  } catch {
    return {};
  }
}

/** @param {Record<string, string>} kept */
function write(kept) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(Object.entries(kept).slice(-20))));
  } catch {
    /* Storage is unavailable in a private window. */
  }
}

/** @param {File} file */
function remembered(file) {
  return readKept()[keyOf(file)] ?? null;
}

/**
 * @param {File} file
 * @param {string} id
 */
function remember(file, id) {
  write({ ...readKept(), [keyOf(file)]: id });
}

/** @param {File} file */
function forget(file) {
  const kept = readKept();
  delete kept[keyOf(file)];
  write(kept);
}
