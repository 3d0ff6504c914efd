/** The reference architecture, fetched once; and a run's last decisions. */

import { request } from "../../contract/api.js";

/**
 * @typedef {{id: string, name: string}} Group  a group of stages
 * @typedef {{name: string, label: string, help: string, work: string, needs: {stage: string, what: string}[]}} Policy
 * @typedef {{id: string, group: string, name: string, mode: string, meaning: string, inputs: string[],
 *   outputs: string[], effects: string, keeps: boolean, inferred: string[], param: string | null, always: boolean,
 *   policies: Policy[]}} Stage  `param`: the parameter that chooses the policy
 * @typedef {"full" | "partial" | "none"} Symbol  how much of a stage a scheduler has
 * @typedef {{stage: string, candidates: Symbol[], evidence: string}} Cell
 * @typedef {{stage: string, policy: string, ours: boolean, note: string}} PresetStage
 * @typedef {{scheduler: string, params: Record<string, unknown>, about: string, basis: string, instead: string[],
 *   stages: PresetStage[], open: {stage: string, choices: string[]}[]}} Pipeline
 * @typedef {{name: string, year: number, origin: string, era: string, clusters: string, pipeline: Pipeline,
 *   cells: Cell[]}} System  a published scheduler
 * @typedef {{system: string, group: string, published: number, recomputed: number, agrees: boolean}} GroupFigure
 * @typedef {{stage: string, published: number[], bounds: number[][], exact: boolean[], agrees: boolean}} DifferenceRow
 * @typedef {{id: string, halves: string[], rows: DifferenceRow[]}} DifferenceTable
 * @typedef {{groups: Group[], stages: Stage[], default_pipeline: Record<string, string>, systems: System[],
 *   groups_table: GroupFigure[], difference_tables: DifferenceTable[]}} Reference
 * @typedef {{t_s: number, task: number, machine: number, reason: string, x: number, y: number}} Decision
 */

/** @type {Promise<Reference> | null} */
let asked = null;

/**
 * Fetch the stages, policies, the matrix and its tables.
 * @returns {Promise<Reference>}
 */
export function fetchReference() {
  asked ??= /** @type {Promise<Reference>} */ (
    request("GET", "/reference-architecture").catch((error) => {
      asked = null;
      throw error;
    })
  );
  return asked;
}

/**
 * Fetch a run's last decisions for some reasons, up to an instant: {total, rows}, latest first. During a run, only the
 * decisions so far.
 * @param {string} runId
 * @param {{reasons: string[], until_s?: number | null, count?: number}} options
 * @param {{signal?: AbortSignal}} [options]
 * @returns {Promise<{total: number, rows: Decision[]}>}
 */
export function fetchDecisions(runId, { reasons, until_s = null, count = 8 }, options) {
  const query = new URLSearchParams([
    ...reasons.map((reason) => ["reason", reason]),
    ["count", String(count)],
    ...(until_s === null ? [] : [["until_s", String(until_s)]]),
  ]);
  return request("GET", `/runs/${encodeURIComponent(runId)}/decisions?${query}`, undefined, options);
}
