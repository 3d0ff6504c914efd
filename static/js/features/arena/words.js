/** The texts and numbers of a challenge and its board. */

import { duration, percent, three, whole } from "../../kit/format.js";
import { gettext, ngettext } from "../../kit/words.js";

/**
 * @typedef {{value: number, low: number | null, high: number | null}} Estimate
 * @typedef {{says: string, value?: number | null, unit: string, at_least?: number | null, at_most?: number | null,
 *   holds?: boolean}} Limit  a challenge's bound; for an entry, with the entry's value
 * @typedef {{difference: Estimate, verdict: string}} Compared  an entry compared with another, seed by seed
 * @typedef {{label: string, before_words: string, after_words: string}} Change  a change to the baseline
 * @typedef {string | number | boolean | null} Value  a value of an open parameter
 * @typedef {{path: string, label: string, unit?: string, help?: string, start: Value, least: number | null,
 *   most: number | null, choices: Value[], choice_labels?: string[]}} Offered  an open parameter or value
 * @typedef {{name: string, label: string, params: Record<string, unknown>, open: Offered[]}} Offer  a scheduler of a
 *   challenge
 */

/**
 * A row of a board.
 * @typedef {object} Row
 * @property {string} id
 * @property {string} role  entry, baseline or reference
 * @property {string} state
 * @property {string} author
 * @property {string} [note]
 * @property {string} [scheduler]
 * @property {string} experiment_id
 * @property {boolean} [mine]
 * @property {boolean} [hidden]
 * @property {boolean} [may_fork]
 * @property {number | null} [place]
 * @property {string} [out]  why the entry is last
 * @property {string} reason
 * @property {number} unfinished_runs
 * @property {number} runs
 * @property {number} done
 * @property {Estimate | null} estimate
 * @property {Change[]} changes
 * @property {Limit[]} limits
 * @property {Compared | null} [against_leader]
 * @property {Compared | null} [against_baseline]
 */

/**
 * @typedef {{says: string, value?: string, unit: string, better: string}} Objective
 * @typedef {{id: string, title: string, state: string, objective: Objective, limits: Limit[], seeds: number,
 *   schedulers: Offer[], values: Offered[], baseline: string, closes_at: string | null, mine?: boolean,
 *   shipped?: boolean}} Challenge
 * @typedef {{rows: Row[], state: string, final: boolean, running: boolean}} Board
 */

/**
 * Format a number with the challenge's unit: "s", "%" (of a fraction) or none.
 * @param {number | null | undefined} value
 * @param {string} unit
 */
export function figure(value, unit) {
  if (value === null || value === undefined) return "–";
  if (unit === "s") return duration(value * 1e9);
  return unit === "%" ? percent(value) : three(value);
}

/** Format an estimate: "1.2 s (1.1 s to 1.3 s)". */
export function interval(/** @type {Estimate} */ { value, low, high }, /** @type {string} */ unit) {
  if (low === null) return figure(value, unit);
  const values = { value: figure(value, unit), low: figure(low, unit), high: figure(high, unit) };
  return gettext("{value} ({low} to {high})", values);
}

/**
 * Compare one entry with another, seed by seed: better, worse, or not distinguishable.
 * @param {Compared} comparison
 * @param {string} better
 * @param {string} unit
 * @param {string} name
 */
export function against(comparison, better, unit, name) {
  const { difference, verdict } = comparison;
  const size = figure(Math.abs(difference.value), unit);
  if (verdict === "same") return gettext("The same as {name} under every seed.", { name });
  if (verdict !== "more" && verdict !== "less") return gettext("Not distinguishable from {name}.", { name });
  const ends = [difference.low, difference.high].map((end) => Math.abs(end ?? 0)).sort((one, other) => one - other);
  const values = { size, name, low: figure(ends[0], unit), high: figure(ends[1], unit) };
  return verdict === better
    ? gettext("{size} better than {name} (95 % interval: {low} to {high}).", values)
    : gettext("{size} worse than {name} (95 % interval: {low} to {high}).", values);
}

/** Return a limit with the entry's value. */
export function limitWords(/** @type {Limit} */ limit) {
  const values = {
    says: limit.says,
    value: figure(limit.value, limit.unit),
    bound: figure(limit.at_least ?? limit.at_most, limit.unit),
  };
  if (limit.holds)
    return limit.at_least !== null
      ? gettext("{says}: {value}, allowed: at least {bound}", values)
      : gettext("{says}: {value}, allowed: at most {bound}", values);
  return limit.at_least !== null
    ? gettext("{says}: {value}, below the limit of {bound}", values)
    : gettext("{says}: {value}, above the limit of {bound}", values);
}

/** Return a challenge's bound without a value. */
export function boundWords(/** @type {Limit} */ limit) {
  const values = { says: limit.says, bound: figure(limit.at_least ?? limit.at_most, limit.unit) };
  return limit.at_least !== null && limit.at_least !== undefined
    ? gettext("{says}: at least {bound}", values)
    : gettext("{says}: at most {bound}", values);
}

/** Return why an entry is last; "" for an entry ranked by its number. */
export function outWords(/** @type {Row} */ row) {
  const of = { n: row.unfinished_runs, runs: whole(row.runs) };
  if (row.out === "failed") return gettext("A run failed: {reason}", { reason: row.reason });
  if (row.out === "unfinished")
    return ngettext(
      "{n} of {runs} runs left tasks unfinished.",
      "{n} of {runs} runs left tasks unfinished.",
      row.unfinished_runs,
      of,
    );
  return row.out === "no-value" ? gettext("A run has no value for the objective.") : "";
}

/** Return an entry's progress. */
export function stateWords(/** @type {Row} */ row) {
  if (row.state === "waiting") return gettext("Waits for another entry of this person.");
  if (row.state !== "running") return "";
  return gettext("{done} of {runs} runs", { done: whole(row.done), runs: whole(row.runs) });
}

/** Return the author of an entry, or its role. */
export function roleWords(/** @type {Row} */ row) {
  if (row.role === "baseline") return gettext("Baseline");
  return row.role === "reference" ? gettext("Reference") : row.author;
}

/**
 * Describe a change: "Heartbeat interval: 10 s → 2 s". A text of several lines, such as a policy, stands below its
 * name.
 */
export function changeWords(
  /** @type {{label: string, before_words: string, after_words: string}} */ {
    label,
    before_words: before,
    after_words: after,
  },
) {
  if (after.includes("\n")) return `${label}:\n${after}`;
  return gettext("{name}: {before} → {after}", { name: label, before, after });
}

/** Return the board's status line. */
export function standingWords(/** @type {Board} */ board) {
  const entries = board.rows.filter((row) => row.role === "entry").length;
  const count = ngettext("{n} entry", "{n} entries", entries);
  if (board.state === "closing") return gettext("{count}. The final runs are under way.", { count });
  if (board.final) return gettext("{count}. Final ranking.", { count });
  if (board.running) return gettext("{count}. Runs are under way.", { count });
  return entries ? count : gettext("No entries yet. The rows show what you can beat.");
}

const SHARED = gettext(
  "In parentheses: 95 % intervals. Entries that do not differ clearly from the leader share the leader's place.",
);

const ROLES = gettext(
  "The baseline is where all entries start. The reference is a better entry that comes with the challenge.",
);

/**
 * Explain how the ranking is computed, and how reliable it is now.
 * @param {Challenge} challenge
 * @param {Board} board
 */
export function noteWords(challenge, board) {
  if (board.final)
    return gettext("The ranking is over {n} seeds that were drawn when the challenge closed.", { n: challenge.seeds });
  const values = board.running
    ? gettext("Values are means over the runs so far; each entry runs under {n} hidden seeds.", { n: challenge.seeds })
    : gettext("Values are means over {n} hidden seeds.", { n: challenge.seeds });
  const rule = `${values} ${SHARED}`;
  if (challenge.shipped) return `${rule} ${ROLES}`;
  return board.state === "closing"
    ? gettext("The challenge is closed. New seeds were drawn, and every entry runs under them for the final ranking.")
    : `${rule} ${gettext("When the challenge closes, new seeds decide the final ranking.")}`;
}
