/** The HTTP API. Each failure throws an ApiError; its problems carry field paths. */

import { gettext } from "../kit/words.js";

/**
 * @import { FormerRules } from "../experiment/former_rules.js"
 * @import { ListedSignature } from "../run/figures_told.js"
 * @import { CounterMeta, LayerMeta, Meta, Moment } from "./contract"
 */

/**
 * @typedef {Record<string, any>} Experiment  the API's ExperimentModel; treat it as immutable
 * @typedef {{path: string, message: string, allowed?: string, remedy?: string, label?: string}} Problem
 * @typedef {Error & {status?: number, problems?: Problem[]}} Failure  an ApiError, or an error without a status
 * @typedef {{signal?: AbortSignal, token?: string}} Asking  options of a request
 * @typedef {{id: string, slug: string, mine?: boolean, share_url?: string, experiment?: Experiment, data?: Experiment,
 *   experiment_digest?: string, core_version?: string, owner_token?: string, former_rules?: FormerRules | null,
 *   runs?: Run[]}} Stored  an experiment as the server stores it
 */

/**
 * A run in the API's format.
 * @typedef {object} Run
 * @property {string} id
 * @property {string} experiment_id
 * @property {number} seed
 * @property {string} state  queued, compiling, running, paused, done, failed or cancelled
 * @property {number} progress  0 to 1
 * @property {number | null} eta_s
 * @property {number | null} queue_position
 * @property {{done: number, known: number} | null} compiled
 * @property {boolean} pausing
 * @property {{code: string, message: string} | null} error
 * @property {number} frames
 * @property {string} recording  none, kept or removed
 * @property {string | null} outcome_digest
 * @property {boolean} known
 * @property {boolean | null} agrees
 * @property {string} live_url
 */

/**
 * A parameter in the JSON Schema of a scheduler's parameters.
 * @typedef {object} Field
 * @property {string} [type]
 * @property {string} [title]
 * @property {string} [description]
 * @property {string} [unit]
 * @property {string} [evidence]
 * @property {unknown} [default]
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {number} [exclusiveMinimum]
 * @property {number} [exclusiveMaximum]
 * @property {(string | number | boolean)[]} [enum]
 * @property {string | number | boolean} [const]
 * @property {Record<string, {label: string, help?: string}>} [options]  labels of the choices
 * @property {string[]} [examples]
 * @property {string[]} [acts_with]
 * @property {string} [speaks_of]
 * @property {string} [$ref]
 * @property {Field[]} [allOf]
 * @property {Field[]} [anyOf]
 * @property {Record<string, Record<string, unknown>>} [sets]  the sets that a choice names
 * @property {unknown} [otherwise]  the choice for no set
 * @property {unknown} [alike]  whether it means the same under every scheduler
 * @property {unknown} [formerly]  the default of earlier versions
 * @property {string} [role]
 * @typedef {{properties?: Record<string, Field>, [more: string]: unknown}} Schema
 */

/**
 * A scheduler in the API's format; `params` is the JSON Schema of its parameters.
 * @typedef {{name: string, label: string, family?: string, family_label?: string, composes?: boolean,
 *   queue_note?: string, summary?: string, signature?: ListedSignature, params?: Schema, params_schema?: Schema,
 *   fixed?: string[], supports?: string[], supports_under?: Record<string, string[]>, layers?: LayerMeta[],
 *   counters?: CounterMeta[], reasons?: {name: string, template: string}[], [more: string]: unknown}} Scheduler
 */

const BASE = "/api/v1";
const TOKENS = "playground.owner-tokens";

export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {Problem[]} problems
   * @param {string} message
   */
  constructor(status, problems, message) {
    super(message);
    this.status = status;
    this.problems = problems;
  }
}

/** Return true if the same request may succeed soon: the server is unreachable or starting. */
export function isAway(/** @type {unknown} */ error) {
  return error instanceof ApiError && (error.status === 0 || error.status === 503);
}

/** @returns {Record<string, string>} */
function readTokens() {
  try {
    return JSON.parse(localStorage.getItem(TOKENS) || "{}");
  } catch {
    return {};
  }
}

/**
 * Store an experiment's token, so that its author still owns it after the session cookie expires.
 * @param {string} id
 * @param {string | undefined} token
 */
function keepToken(id, token) {
  if (!token) return;
  const entries = Object.entries(readTokens()).slice(-199);
  try {
    localStorage.setItem(TOKENS, JSON.stringify({ ...Object.fromEntries(entries), [id]: token }));
  } catch {
    /* Storage is unavailable in a private window. */
  }
}

/**
 * Return the token of an experiment that this browser owns.
 * @param {string} id
 * @returns {string | undefined}
 */
export function ownToken(id) {
  return readTokens()[id];
}

/**
 * Store the token of an experiment that the server has just created; return the experiment.
 * @template {{id: string, owner_token?: string}} T
 * @param {T} made
 */
export function forkToken(made) {
  keepToken(made.id, made.owner_token);
  return made;
}

/**
 * Return the problems in a problem object, whichever of the known shapes it has.
 * @param {unknown} body
 * @returns {Problem[]}
 */
export function problemsOf(body) {
  const told = /** @type {{problems?: unknown, errors?: unknown, detail?: unknown} | null | undefined} */ (body);
  const listed = told?.problems ?? told?.errors ?? (Array.isArray(told?.detail) ? told.detail : null);
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
 * @param {Asking} [options]
 * @returns {Promise<any>} the server's answer as JSON
 */
export async function request(method, path, body, { signal, token } = {}) {
  /** @type {Record<string, string>} */
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
    if (error instanceof Error && error.name === "AbortError") throw error;
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
 * Store an experiment. `madeOf` is the stored experiment it derives from, for the tree of forks.
 * @param {Experiment} experiment
 * @param {{madeOf?: string} & Asking} [options]
 * @returns {Promise<Stored>}
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
 * Return an experiment with the rules of its version written out, and the rules that differ today. The server stores
 * nothing.
 *
 * @param {Experiment} experiment
 * @returns {Promise<{experiment: Experiment, former_rules: FormerRules | null}>}
 */
export function writeOutRules(experiment) {
  return request("POST", "/former-rules", experiment);
}

/**
 * Return the metadata that the map needs before any frame.
 * @param {string} runId
 * @returns {Promise<Meta>}
 */
export function getMeta(runId) {
  return request("GET", `/runs/${encodeURIComponent(runId)}/meta`);
}

/**
 * Start a run; `fresh` computes it again even if its result is known.
 * @param {string} experimentId
 * @param {{fresh?: boolean} & Asking} [options]
 * @returns {Promise<Run>}
 */
export function startRun(experimentId, { fresh = false, ...options } = {}) {
  const token = readTokens()[experimentId];
  const body = fresh ? { fresh } : {};
  return request("POST", `/experiments/${encodeURIComponent(experimentId)}/runs`, body, { ...options, token });
}

/**
 * @param {string} id
 * @param {Asking} [options]
 * @returns {Promise<Run>}
 */
export function getRun(id, options) {
  return request("GET", `/runs/${encodeURIComponent(id)}`, undefined, options);
}

export function cancelRun(/** @type {string} */ id, /** @type {string} */ experimentId) {
  return request("POST", `/runs/${encodeURIComponent(id)}/cancel`, {}, { token: readTokens()[experimentId] });
}

/**
 * Pause or resume a run; `what` is "pause" or "resume".
 * @param {string} id
 * @param {string} experimentId
 * @param {string} what
 */
export function pauseRun(id, experimentId, what) {
  return request("POST", `/runs/${encodeURIComponent(id)}/${what}`, {}, { token: readTokens()[experimentId] });
}

/**
 * Copy an experiment, with changes by path; this browser owns the copy.
 * @param {string} id
 * @param {Record<string, unknown>} [changes]
 * @returns {Promise<Stored>}
 */
export async function forkExperiment(id, changes = {}) {
  const made = await request("POST", `/experiments/${encodeURIComponent(id)}/fork`, changes);
  keepToken(made.id, made.owner_token);
  return made;
}

/**
 * Return a stored experiment with its runs.
 * @param {string} id
 * @returns {Promise<Stored>}
 */
export function getExperiment(id) {
  return request("GET", `/experiments/${encodeURIComponent(id)}`);
}

/**
 * Return why a task of a run is in its state, at the end or at an instant.
 * @param {string} runId
 * @param {number} task
 * @param {number | null} [at_s]
 */
export function explainTask(runId, task, at_s = null) {
  return request(
    "GET",
    `/runs/${encodeURIComponent(runId)}/explain?task=${task}${at_s === null ? "" : `&at_s=${at_s}`}`,
  );
}

/**
 * Return a finished run's last decisions about one machine up to an instant, latest first: {total, rows}.
 * @param {string} runId
 * @param {number} machine
 * @param {number} until_s
 */
export function decisionsAt(runId, machine, until_s, count = 12) {
  return request(
    "GET",
    `/runs/${encodeURIComponent(runId)}/decisions?machine=${machine}&until_s=${until_s}&count=${count}`,
  );
}

export function deleteExperiment(/** @type {string} */ id) {
  return request("DELETE", `/experiments/${encodeURIComponent(id)}`, undefined, { token: readTokens()[id] });
}

export function restoreExperiment(/** @type {string} */ id) {
  return request("POST", `/experiments/${encodeURIComponent(id)}/restore`, {}, { token: readTokens()[id] });
}

/** List the traces that an experiment may name: this browser's uploads, the server's traces, and the bundled ones. */
export function listTraces() {
  return request("GET", "/traces");
}

export function deleteTrace(/** @type {string} */ id) {
  return request("DELETE", `/traces/${encodeURIComponent(id)}`);
}

/**
 * Delete a trace or cluster together with the experiments that use it, their forks and their runs.
 * @param {string} id
 * @returns {Promise<{experiments: number}>}
 */
export function deleteEverything(id) {
  return request("DELETE", `/traces/${encodeURIComponent(id)}/everything`);
}

/** List the constraint catalogues; each number comes with its evidence. */
export function listCatalogues() {
  return request("GET", "/constraint-catalogues");
}

export function listPresets() {
  return request("GET", "/workload-presets");
}

/**
 * Return a preview of an experiment's constraints or workload without running it.
 * @param {"constraint" | "workload"} what
 * @param {Experiment} experiment
 * @param {Record<string, unknown>} [more]
 */
export function previewOf(what, experiment, more = {}) {
  return request("POST", `/${what}-previews`, { experiment, ...more });
}

/** @returns {Promise<Scheduler[]>} */
/**
 * The words and functions that a policy may use.
 * @typedef {object} PolicyLanguage
 * @property {{name: string, objects: string[], help: string}[]} hooks
 * @property {{word: string, of: string, unit: string, help: string, known: string}[]} words
 * @property {{name: string, least: number, help: string}[]} functions
 * @property {{name: string, about: string, policy: string}[]} templates
 * @property {import("../engine/policy/lines.js").Limits} limits
 */

/** @returns {Promise<PolicyLanguage>} */
export function policyLanguage() {
  return request("GET", "/policy-language");
}

/**
 * A policy's problems; for a valid policy also its declarations.
 * @typedef {{line: number, column: number, width: number, message: string, allowed: string, remedy: string,
 *   mend: string | null}} PolicyProblem
 * @typedef {{name: string, default: number, low: number, high: number}} PolicySetting
 * @typedef {{kept: boolean, depends: string[], once: number, each: number}} PolicyChoice
 * @typedef {{valid: boolean, problems: PolicyProblem[], settings?: PolicySetting[], words?: {word: string}[],
 *   hooks?: {name: string}[], choice?: PolicyChoice}} PolicyCheck
 */

/** @returns {Promise<PolicyCheck>} */
export function checkPolicy(/** @type {string} */ policy) {
  return request("POST", "/policy-checks", { policy });
}

export function listSchedulers() {
  return request("GET", "/schedulers");
}

/**
 * Return the most instructive moments of a finished run.
 * @param {string} runId
 * @returns {Promise<Moment[]>}
 */
export async function getMoments(runId) {
  return (await request("GET", `/runs/${encodeURIComponent(runId)}/moments`)).moments;
}

/**
 * Return the URL of a track: the whole run, or some machines during a window.
 * @param {string} runId
 * @param {{from_s: number, until_s: number, first: number, machines: number} | null} [window]
 */
export function trackUrl(runId, window = null) {
  const query = window
    ? `?${new URLSearchParams(Object.entries(window).map(([name, value]) => [name, String(value)]))}`
    : "";
  return `${BASE}/runs/${encodeURIComponent(runId)}/track${query}`;
}

/**
 * Get a file of the API.
 * @param {string} path
 * @returns {Promise<ArrayBuffer>} rejects with ApiError
 */
async function requestBytes(path) {
  const response = await fetch(`${BASE}${path}`, { credentials: "same-origin" }).catch(() => null);
  if (!response)
    throw new ApiError(0, [], gettext("The server cannot be reached. Check the connection; nothing is lost."));
  if (response.ok) return response.arrayBuffer();
  const data = await response.json().catch(() => null);
  const message = data?.title || gettext("The server answered {status}.", { status: response.status });
  throw new ApiError(response.status, problemsOf(data), message);
}

/**
 * Get the packed start of a finished run; `touchable`: one to which the page may add failures; `events`: some that the
 * run does not have.
 * @param {string} runId
 * @param {{touchable?: boolean, events?: object[], changes?: Record<string, unknown>, full?: number[]}} how
 */
export function runStart(runId, { touchable = false, events = [], changes = {}, full = [] } = {}) {
  const query = new URLSearchParams();
  if (touchable) query.set("touchable", "true");
  if (events.length) query.set("events", JSON.stringify(events));
  if (Object.keys(changes).length) query.set("changes", JSON.stringify(changes));
  if (full.length) query.set("full", JSON.stringify(full));
  return requestBytes(`/runs/${encodeURIComponent(runId)}/start${query.size ? `?${query}` : ""}`);
}

/**
 * Get a finished run as a page that plays and simulates it; `settings` has the values that its readers may choose.
 * @param {string} runId
 * @param {Record<string, unknown[]>} settings
 */
export const runPage = (runId, settings) =>
  requestBytes(`/runs/${encodeURIComponent(runId)}/page.html?settings=${encodeURIComponent(JSON.stringify(settings))}`);

/** Get the module of an event loop. */
/** Get the packed start that the phones of a class share; the browser keeps it for good. */
export const classStart = (/** @type {string} */ url) => requestBytes(url.slice(BASE.length));

export const engineModule = (/** @type {string} */ name) => requestBytes(`/engine/${encodeURIComponent(name)}`);

export function recordingUrl(/** @type {string} */ runId) {
  return `${BASE}/runs/${encodeURIComponent(runId)}/recording`;
}
