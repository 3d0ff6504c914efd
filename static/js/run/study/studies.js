/** Studies: one experiment over a grid of values, schedulers and seeds. Workers run them. */

import { createExperiment, request } from "../../contract/api.js";
import { gettext } from "../../kit/words.js";

/** @import { Cell, Study } from "./study.js" */

const EVERY_MS = 800;
const OVER = new Set(["done", "failed", "cancelled"]);

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
 * Return estimates of one metric for each cell, from the completed runs.
 * @param {string} id
 * @param {string} metric
 * @param {AbortSignal | undefined} signal
 */
function resultsOf(id, metric, signal) {
  return request("GET", `/studies/${encodeURIComponent(id)}/results?metric=${encodeURIComponent(metric)}`, undefined, {
    signal,
  });
}

/**
 * Run a study of an experiment. `told(study, results)` receives its progress, with the known cells of each metric by
 * name. `signal` cancels the study.
 * @param {import("../../contract/api.js").Experiment} experiment
 * @param {object} plan
 * @param {string[]} metrics
 * @param {{signal?: AbortSignal, told?: (study: Study, results: Record<string, Cell[]>) => void}} [options]
 */
export async function runStudy(experiment, plan, metrics, { signal, told } = {}) {
  const made = await createExperiment(experiment, { signal });
  const token = made.owner_token;
  let study = await request("POST", `/experiments/${encodeURIComponent(made.id)}/studies`, plan, { signal, token });
  signal?.addEventListener(
    "abort",
    () => request("POST", `/studies/${study.id}/cancel`, {}, { token }).catch(() => {}),
    { once: true },
  );
  let known = -1;
  for (;;) {
    /** @type {Record<string, Cell[]>} */
    const results = {};
    if (study.done > known && study.done > 0)
      for (const metric of metrics) results[metric] = (await resultsOf(study.id, metric, signal)).cells;
    if (study.done > 0) known = study.done;
    told?.(study, results);
    if (OVER.has(study.state)) return study;
    await pause(EVERY_MS, signal);
    study = await request("GET", `/studies/${encodeURIComponent(study.id)}`, undefined, { signal });
  }
}
