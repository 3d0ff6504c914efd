/** The HTTP API. Every failure is an ApiError whose problems carry field paths. */

import { gettext } from "../kit/words.js";

const BASE = "/api/v1";
const TOKENS = "playground.owner-tokens";

export class ApiError extends Error {
  constructor(status, problems, message) {
    super(message);
    this.status = status;
    this.problems = problems;
  }
}

/** Whether the same question may well be answered soon: the server could not be reached, or is starting. */
export function isAway(error) {
  return error instanceof ApiError && (error.status === 0 || error.status === 503);
}

function readTokens() {
  try {
    return JSON.parse(localStorage.getItem(TOKENS) || "{}");
  } catch {
    return {};
  }
}

/** Keep the token of an experiment, so that its maker still owns it after the session's cookie is gone. */
function keepToken(id, token) {
  if (!token) return;
  const entries = Object.entries(readTokens()).slice(-199);
  try {
    localStorage.setItem(TOKENS, JSON.stringify({ ...Object.fromEntries(entries), [id]: token }));
  } catch {
    /* private window */
  }
}

/** The token of an experiment of this browser's, if it is one. */
export function ownToken(id) {
  return readTokens()[id];
}

/** Keep what an answer says of a new experiment, and give it on. */
export function forkToken(made) {
  keepToken(made.id, made.owner_token);
  return made;
}

/** Problems out of any of the shapes in which a problem object may list them. */
export function problemsOf(body) {
  const listed = body?.problems ?? body?.errors ?? (Array.isArray(body?.detail) ? body.detail : null);
  if (!Array.isArray(listed)) return [];
  return listed.map((each) => ({
    path: String(each.path ?? each.field ?? (Array.isArray(each.loc) ? each.loc.join(".") : "")),
    message: String(each.message ?? each.msg ?? each.detail ?? gettext("not valid")),
    allowed: each.allowed ? String(each.allowed) : "",
    remedy: each.remedy ? String(each.remedy) : "",
    ...(each.label ? { label: String(each.label) } : {}),
  }));
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {{signal?: AbortSignal, token?: string}} [options]
 */
export async function request(method, path, body, { signal, token } = {}) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers.Authorization = `Bearer ${token}`;
  let response;
  try {
    response = await fetch(`${BASE}${path}`, {
      method,
      headers,
      signal,
      credentials: "same-origin",
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, [], gettext("The server cannot be reached. Check the connection; nothing is lost."));
  }
  const text = await response.text();
  let data = null;
  try {
    data = text ? JSON.parse(text) : null;
  } catch {
    data = null;
  }
  if (!response.ok) {
    const message =
      data?.message ||
      data?.title ||
      (typeof data?.detail === "string" ? data.detail : "") ||
      gettext("The server answered {status}.", { status: response.status });
    throw new ApiError(response.status, problemsOf(data), message);
  }
  return data;
}

/**
 * Store an experiment. `madeOf`: the stored one that it was made of, for the tree of forks.
 * @param {any} experiment
 * @param {{madeOf?: string, signal?: AbortSignal, token?: string}} [options]
 */
export async function createExperiment(experiment, { madeOf = "", ...options } = {}) {
  const made = await request(
    "POST",
    `/experiments${madeOf ? `?made_of=${encodeURIComponent(madeOf)}` : ""}`,
    experiment,
    options,
  );
  keepToken(made.id, made.owner_token);
  return made;
}

/**
 * An experiment with the rules of the version that it names written out, and which of them are others today; nothing
 * is stored.
 *
 * @returns {Promise<{experiment: any, former_rules: import("../experiment/former_rules.js").FormerRules | null}>}
 */
export function writeOutRules(experiment) {
  return request("POST", "/former-rules", experiment);
}

/** What the map needs before any frame. */
export function getMeta(runId) {
  return request("GET", `/runs/${encodeURIComponent(runId)}/meta`);
}

/** Start a run; `fresh` has it computed although its result is known. */
export function startRun(experimentId, { fresh = false, ...options } = {}) {
  const token = readTokens()[experimentId];
  const body = fresh ? { fresh } : {};
  return request("POST", `/experiments/${encodeURIComponent(experimentId)}/runs`, body, { ...options, token });
}

export function getRun(id, options) {
  return request("GET", `/runs/${encodeURIComponent(id)}`, undefined, options);
}

export function cancelRun(id, experimentId) {
  return request("POST", `/runs/${encodeURIComponent(id)}/cancel`, {}, { token: readTokens()[experimentId] });
}

/** `what` is "pause" or "resume". */
export function pauseRun(id, experimentId, what) {
  return request("POST", `/runs/${encodeURIComponent(id)}/${what}`, {}, { token: readTokens()[experimentId] });
}

/** The same experiment as one's own. */
export async function forkExperiment(id, changes = {}) {
  const made = await request("POST", `/experiments/${encodeURIComponent(id)}/fork`, changes);
  keepToken(made.id, made.owner_token);
  return made;
}

/** An experiment as the server stores it, with its runs. */
export function getExperiment(id) {
  return request("GET", `/experiments/${encodeURIComponent(id)}`);
}

/** Why one task of a run is where it is: at its end, or at an instant. */
export function explainTask(runId, task, at_s = null) {
  return request(
    "GET",
    `/runs/${encodeURIComponent(runId)}/explain?task=${task}${at_s === null ? "" : `&at_s=${at_s}`}`,
  );
}

/** The last decisions of a finished run about one machine up to an instant, latest first: {total, rows}. */
export function decisionsAt(runId, machine, until_s, count = 12) {
  return request(
    "GET",
    `/runs/${encodeURIComponent(runId)}/decisions?machine=${machine}&until_s=${until_s}&count=${count}`,
  );
}

export function deleteExperiment(id) {
  return request("DELETE", `/experiments/${encodeURIComponent(id)}`, undefined, { token: readTokens()[id] });
}

export function restoreExperiment(id) {
  return request("POST", `/experiments/${encodeURIComponent(id)}/restore`, {}, { token: readTokens()[id] });
}

/** Traces that an experiment may name: uploads of this browser, the server's, the bundled ones. */
export function listTraces() {
  return request("GET", "/traces");
}

export function deleteTrace(id) {
  return request("DELETE", `/traces/${encodeURIComponent(id)}`);
}

/** What constraints there are to ask for, and ready-made workloads: each number with its evidence. */
export function listCatalogues() {
  return request("GET", "/constraint-catalogues");
}

export function listPresets() {
  return request("GET", "/workload-presets");
}

/** What an experiment's constraints or workload mean, without running it. `what`: "constraint" or "workload". */
export function previewOf(what, experiment, more = {}) {
  return request("POST", `/${what}-previews`, { experiment, ...more });
}

export function listSchedulers() {
  return request("GET", "/schedulers");
}

/** The most instructive moments of a finished run. */
export async function getMoments(runId) {
  return (await request("GET", `/runs/${encodeURIComponent(runId)}/moments`)).moments;
}

/** Of the whole run, or of some machines for a while: {from_s, until_s, first, machines}. */
export function trackUrl(runId, window = null) {
  const query = window
    ? `?${new URLSearchParams(Object.entries(window).map(([name, value]) => [name, String(value)]))}`
    : "";
  return `${BASE}/runs/${encodeURIComponent(runId)}/track${query}`;
}

export function recordingUrl(runId) {
  return `${BASE}/runs/${encodeURIComponent(runId)}/recording`;
}
