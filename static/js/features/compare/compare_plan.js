/** What the dialog of comparisons knows without a page: what was asked last, places in words, what an axis changes. */

import { getAt, setAt } from "../../experiment/experiment.js";
import { gettext } from "../../kit/words.js";

/** @import { Experiment } from "../../experiment/experiment.js" */

const LAST = "playground:last-study";
const MACHINES = /^topology\./;

/** What the last study of this tab varied: who looks for a value asks again and again, a little further each time. */
export function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(LAST) ?? "null");
  } catch {
    return null;
  }
}

export function keep(/** @type {any} */ asked) {
  try {
    sessionStorage.setItem(LAST, JSON.stringify(asked));
  } catch {
    /* a browser that keeps nothing asks anew */
  }
}

/**
 * Problems of a plan name its parts by place; people know them by name.
 * @param {string} path
 * @param {{label: string}[]} chosen
 */
export function placeWords(path, chosen) {
  const scheduler = /^schedulers\[(\d+)\]/.exec(path);
  if (scheduler) return `${chosen[Number(scheduler[1])]?.label ?? gettext("A scheduler")}:`;
  const axis = /^axes\[(\d+)\](\.along\[0\])?(?:\.values\[(\d+)\])?/.exec(path);
  if (axis)
    return [
      Number(axis[1]) ? gettext("Second parameter") : gettext("First parameter"),
      axis[2] ? gettext(", the parameter together with it") : "",
      axis[3] ? gettext(", value {place}", { place: Number(axis[3]) + 1 }) : "",
      ":",
    ].join("");
  return path ? `${path}:` : "";
}

/**
 * Whether more machines come with more work or with the same, which an axis asks: it changes machines and nothing of
 * the workload, and arrivals are a load of the machines.
 * @param {Experiment} experiment
 * @param {string[]} paths
 */
export function asksWhatHolds(experiment, paths) {
  const load = getAt(experiment, "workload.arrivals.offered_load") ?? getAt(experiment, "workload.offered_load");
  return typeof load === "number" && MACHINES.test(paths[0] ?? "") && !paths.some((each) => /^workload\./.test(each));
}

/**
 * Whether seeds leave the jobs of an experiment alike, which resampling of its trace would change.
 * @param {Experiment} experiment
 */
export const isFixedTrace = (experiment) =>
  experiment.workload?.kind === "trace" && !getAt(experiment, "workload.resampling");

/**
 * An experiment whose seeds draw other jobs from its trace.
 * @param {Experiment} experiment
 */
export const resampled = (experiment) => setAt(experiment, "workload.resampling", { method: "circular_blocks" });
