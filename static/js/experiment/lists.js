/**
 * Lists for experiments that the server keeps. Each is fetched once; after a failure the next call fetches it again.
 */

import { listCatalogues, listPresets } from "../contract/api.js";

/** The constraint catalogues. */
export const catalogues = once(() => listCatalogues().then((found) => found.catalogues));

/** The workload presets. */
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
