/**
 * Failures, drains and stops that a viewer adds by touch: entries of an experiment's events. No function changes its
 * argument.
 */

/** @import { Experiment } from "../../experiment/experiment.js" */
/** @import { Failure, Reached } from "../../engine/touch.js" */
/** @import { Target } from "../../run/places.js" */

/** Return the instant of a touch in seconds: the next millisecond, so that all that is on the screen stays. */
export const touchTime = (/** @type {number} */ t_ns) => Math.max(1, Math.ceil(t_ns / 1e6)) / 1e3;

const isAt = (/** @type {Failure} */ each, /** @type {number} */ at_s) =>
  each.kind !== "recover" &&
  each.kind !== "stop" &&
  each.at_s <= at_s &&
  (each.duration_s === undefined || each.at_s + each.duration_s > at_s);

/**
 * Return the index of the touch that keeps a target out of service at an instant, or -1.
 * @param {Failure[]} failures
 * @param {Reached} target
 * @param {number} at_s
 */
export function openTouch(failures, target, at_s) {
  const named = JSON.stringify(target);
  return failures.findLastIndex((each) => JSON.stringify(each.target) === named && isAt(each, at_s));
}

/**
 * Return the failures after a touch of a target: the touch that keeps it out of service ends. Without one, the target
 * fails or drains; `isOut`: it is out of service for another reason, and returns.
 * @param {Failure[]} failures
 * @param {Reached} target
 * @param {number} at_s
 * @param {boolean} isOut
 * @param {"fail" | "drain"} kind
 * @returns {Failure[]}
 */
export function afterTouch(failures, target, at_s, isOut, kind = "fail") {
  const open = openTouch(failures, target, at_s);
  if (open < 0) {
    /** @type {Failure} */
    const made = { kind: isOut ? "recover" : kind, at_s, target };
    return [...failures, made].sort((a, b) => a.at_s - b.at_s);
  }
  const duration_s = Number((at_s - failures[open].at_s).toFixed(3));
  if (duration_s <= 0) return failures.filter((_, place) => place !== open);
  return failures.map((each, place) => (place === open ? { ...each, duration_s } : each));
}

/**
 * Return the failures after a stop of a task.
 * @param {Failure[]} failures
 * @param {number} task
 * @param {number} at_s
 * @returns {Failure[]}
 */
export function afterStop(failures, task, at_s) {
  /** @type {Failure} */
  const made = { kind: "stop", at_s, target: { task } };
  const named = JSON.stringify(made);
  if (failures.some((each) => JSON.stringify(each) === named)) return failures;
  return [...failures, made].sort((a, b) => a.at_s - b.at_s);
}

/** Return the target in the format of events. @returns {Reached} */
export function reachedBy(/** @type {Target} */ target) {
  if (target.kind === "rack") return { rack: target.rack };
  return target.kind === "cluster" ? { cluster: target.name } : { machine: target.machine };
}

/** Return a part of the datacenter, or a task, as the map and the texts name it. @returns {Target} */
export function partOf(/** @type {Reached} */ target) {
  if ("task" in target) return { kind: "task", task: target.task };
  if ("machine" in target) return { kind: "machine", machine: target.machine };
  return "rack" in target ? { kind: "rack", rack: target.rack } : { kind: "cluster", name: target.cluster };
}
