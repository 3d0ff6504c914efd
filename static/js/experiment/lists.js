/** Lists that the server keeps for experiments. Each is asked for once; after a failure it may be asked for again. */

import { listCatalogues, listPresets } from "../contract/api.js";

/** The catalogues of constraints. */
export const catalogues = once(() => listCatalogues().then((found) => found.catalogues));

/** The presets of workloads. */
export const presets = once(() => listPresets().then((found) => found.presets ?? found));

/**
 * @template T
 * @param {() => Promise<T>} ask
 * @returns {() => Promise<T>}
 */
function once(ask) {
  /** @type {Promise<T> | null} */
  let answer = null;
  return () => {
    answer ??= ask().catch((error) => {
      answer = null;
      throw error;
    });
    return answer;
  };
}
