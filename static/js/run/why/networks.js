/**
 * The flow networks of a run's rounds, the paths of tasks, and the solvers' race. A worker computes each answer; the
 * page polls for it.
 */

import { ApiError, request } from "../../contract/api.js";
import { gettext } from "../../kit/words.js";

const AGAIN_MS = 200;
const SLOWER_MS = 600;

const pause = (/** @type {number} */ ms, /** @type {AbortSignal | undefined} */ signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        reject(new DOMException(gettext("given up"), "AbortError"));
      },
      { once: true },
    );
  });

/**
 * @param {string} runId
 * @param {string} what
 * @param {Record<string, unknown>} asked
 */
function of(runId, what, asked) {
  const query = new URLSearchParams(
    Object.entries(asked)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );
  return `/runs/${encodeURIComponent(runId)}/network${what}?${query}`;
}

/**
 * @typedef {{signal?: AbortSignal, told?: (state: string, progress: number) => void}} Waiting
 */

/**
 * Poll until a worker's answer is ready; `told(state, progress)` receives its progress.
 * @param {string} path
 * @param {Waiting} [options]
 */
export async function found(path, { signal, told } = {}) {
  for (let tries = 0; ; tries += 1) {
    const look = await request("GET", path, undefined, { signal });
    if (look.state === "done") return look.answer;
    if (look.state === "failed")
      throw new ApiError(
        422,
        look.problems,
        look.problems[0]?.message ?? gettext("The server gave no answer and no reason."),
      );
    told?.(look.state, look.progress);
    await pause(tries < 10 ? AGAIN_MS : SLOWER_MS, signal);
  }
}

/**
 * Describe a worker's progress.
 * @param {string} state
 * @param {number} progress
 * @param {string} doing
 */
export function howFar(state, progress, doing) {
  if (state === "waiting") return gettext("Waiting for a worker…");
  return state === "compiling"
    ? gettext("Compiling the solver, once on this machine…")
    : `${doing} ${Math.round(progress * 100)}\u202f%`;
}

/** Return the number of rounds of a finished run. */
export async function countRounds(/** @type {string} */ runId) {
  return (await request("GET", `/runs/${encodeURIComponent(runId)}/summary`)).counters?.rounds ?? 0;
}

/**
 * Fetch the network after a round, {round}, or after the first round that begins at or after an instant,
 * {not_before_s}.
 * @param {string} runId
 * @param {Record<string, unknown>} asked
 * @param {Waiting} [options]
 */
export function fetchNetwork(runId, asked, options) {
  return found(of(runId, "", asked), options);
}

/**
 * Fetch the path of a task's unit of flow: {task} and {round} or {at_s}.
 * @param {string} runId
 * @param {Record<string, unknown>} asked
 * @param {Waiting} [options]
 */
export function fetchWay(runId, asked, options) {
  return found(of(runId, "/way", asked), options);
}

/**
 * @typedef {{state: string, progress: number, problems: {message?: string}[], every?: number, over?: string}} Race
 */

/**
 * Start the solvers' race. `row` receives each round's row, `told` the race's state. Return the race at its end.
 * @template Row
 * @param {string} runId
 * @param {{signal?: AbortSignal, row?: (row: Row) => void,
 *   told?: (race: Race & {cancel: () => Promise<unknown>}) => void}} [options]
 * @returns {Promise<Race>}
 */
export async function raceSolvers(runId, { signal, row, told } = {}) {
  let race = await request("POST", `/runs/${encodeURIComponent(runId)}/network/races`, {}, { signal });
  const token = race.owner_token;
  let first = 0;
  for (;;) {
    first += race.rows.length;
    if (row) race.rows.forEach(row);
    told?.({ ...race, cancel: () => request("POST", `/network-races/${race.id}/cancel`, {}, { token }) });
    if (["done", "failed", "cancelled"].includes(race.state) && !race.rows.length) return race;
    if (!race.rows.length) await pause(AGAIN_MS, signal);
    race = await request("GET", `/network-races/${race.id}?first=${first}`, undefined, { signal });
  }
}
