/** Requests about parts of a run. A worker answers the expensive ones. */

import { request } from "../../contract/api.js";
import { found } from "./networks.js";

const of = (/** @type {string} */ runId, /** @type {string} */ what, asked = {}) => {
  const query = new URLSearchParams(
    Object.entries(asked)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );
  return `/runs/${encodeURIComponent(runId)}/${what}?${query}`;
};

/**
 * @typedef {{kind: string, number: number, owner?: number}} Part
 */

/**
 * Fetch the events of a part up to an instant.
 * @param {string} runId
 * @param {Part} part
 * @param {number | null} until_s
 * @param {{signal?: AbortSignal}} [options]
 */
export function fetchPart(runId, { kind, number, owner }, until_s, options) {
  return request("GET", of(runId, `parts/${kind}/${number}`, { owner, until_s, count: 40 }), undefined, options);
}

/**
 * Fetch the counts of messages that a part sent and received up to an instant; a worker counts them.
 * @param {string} runId
 * @param {Part} part
 * @param {number | null} until_s
 * @param {{signal?: AbortSignal, told?: (state: string, progress: number) => void}} [options]
 */
export function fetchPartMessages(runId, { kind, number, owner }, until_s, options) {
  return found(of(runId, `parts/${kind}/${number}/messages`, { owner, until_s }), options);
}

/**
 * Fetch the first decisions after an instant, or (`after` false) the last ones up to it.
 * @param {string} runId
 * @param {number} t_s
 * @param {boolean} after
 */
export function fetchDecisions(runId, t_s, after, count = 50) {
  return request("GET", of(runId, "decisions", after ? { after_s: t_s, count } : { until_s: t_s, count }));
}

/** Fetch the tasks that waited at least as long as the 99th percentile. */
export function fetchSlowest(/** @type {string} */ runId) {
  return request("GET", of(runId, "slowest-tasks"));
}

/**
 * @param {string} runId
 * @param {number} task
 * @param {number | null} at_s
 * @param {{signal?: AbortSignal, told?: (state: string, progress: number) => void}} [options]
 */
export function findChange(runId, task, at_s, options) {
  return found(of(runId, "smallest-change", { task, at_s }), options);
}

/**
 * @param {string} runId
 * @param {string} otherId
 * @param {{signal?: AbortSignal, told?: (state: string, progress: number) => void}} [options]
 */
export function findDifference(runId, otherId, options) {
  return found(of(runId, `first-difference/${encodeURIComponent(otherId)}`), options);
}

/**
 * Fetch the messages from an instant on, or those about a task.
 * @param {string} runId
 * @param {Record<string, unknown>} asked
 * @param {{signal?: AbortSignal, told?: (state: string, progress: number) => void}} [options]
 */
export function fetchMessages(runId, asked, options) {
  return found(of(runId, "messages", asked), options);
}

/**
 * Fetch how a policy scored the machines when a task got one.
 * @param {string} runId
 * @param {number} task
 * @param {number | null} at_s
 * @param {{signal?: AbortSignal, told?: (state: string, progress: number) => void}} [options]
 * @returns {Promise<import("./policy_table.js").PolicyDecision>}
 */
export function fetchPolicyDecision(runId, task, at_s, options) {
  return found(of(runId, "policy-decision", { task, at_s }), options);
}

/**
 * The words of policies at an instant: of each the smallest and largest value, null without a value.
 * @typedef {{t_s: number, task: number | null, waits: boolean,
 *   words: Record<string, [number, number] | null>}} PolicyNow
 */

/**
 * Fetch the value of each word of policies for the task that waits longest at an instant.
 * @param {string} runId
 * @param {number} at_s
 * @param {{signal?: AbortSignal, told?: (state: string, progress: number) => void}} [options]
 * @returns {Promise<PolicyNow>}
 */
export function fetchPolicyWords(runId, at_s, options) {
  return found(of(runId, "policy-words", { at_s }), options);
}
