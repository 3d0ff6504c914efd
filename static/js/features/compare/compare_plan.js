/** The compare dialog's logic without a page: the last input, names of a plan's parts, and what an axis changes. */

import { getAt, setAt } from "../../experiment/experiment.js";
import { gettext } from "../../kit/words.js";

/** @import { Experiment } from "../../experiment/experiment.js" */

const LAST = "playground:last-study";
const MACHINES = /^topology\./;

/** Return what this tab's last study varied. A user who searches for a value repeats studies with small changes. */
export function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(LAST) ?? "null");
  } catch {
    return null;
  }
}

export function keep(/** @type {unknown} */ asked) {
  try {
    sessionStorage.setItem(LAST, JSON.stringify(asked));
  } catch {
    /* Without storage the dialog starts empty. */
  }
}

/**
 * Return the name of a plan's part; problems contain only its index.
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
 * Return true if the dialog must ask whether more machines get more work or the same work: the axis changes machines
 * only, and arrivals are a load of the machines.
 * @param {Experiment} experiment
 * @param {string[]} paths
 */
export function asksWhatHolds(experiment, paths) {
  return changesOnlyMachines(paths) && isOfLoad(experiment);
}

/**
 * Return true if the dialog must say that all machines get the same work: the axis changes machines only, and arrivals
 * are times, those of a trace or a rate.
 * @param {Experiment} experiment
 * @param {string[]} paths
 */
export const keepsWork = (experiment, paths) => changesOnlyMachines(paths) && !isOfLoad(experiment);

const changesOnlyMachines = (/** @type {string[]} */ paths) =>
  MACHINES.test(paths[0] ?? "") && !paths.some((each) => /^workload\./.test(each));

function isOfLoad(/** @type {Experiment} */ experiment) {
  const load = getAt(experiment, "workload.arrivals.offered_load") ?? getAt(experiment, "workload.offered_load");
  return typeof load === "number";
}

/**
 * Return true if all seeds have the same jobs, because a trace is not resampled.
 * @param {Experiment} experiment
 */
export const isFixedTrace = (experiment) =>
  experiment.workload?.kind === "trace" && !getAt(experiment, "workload.resampling");

/**
 * Return the experiment with resampling, so that seeds draw different jobs from its trace.
 * @param {Experiment} experiment
 */
export const resampled = (experiment) => setAt(experiment, "workload.resampling", { method: "circular_blocks" });
