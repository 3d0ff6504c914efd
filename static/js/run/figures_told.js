/** Figures that a scheduler's signature names, computed of a run's summary. */

import { lacks } from "../experiment/needs.js";

/**
 * @import { Experiment } from "../experiment/experiment.js"
 * @import { Summary } from "../contract/contract"
 */

/** @typedef {{label: string, of: string[], per: string[], unit: string}} Figure */

/**
 * @typedef {object} Signature  a scheduler's card, with the experiment that shows its idea
 * @property {string} name  of the scheduler
 * @property {string} label
 * @property {string} family_label
 * @property {string[]} says  the idea, and its effect
 * @property {string} waits  why a task waits
 * @property {Figure} number  the number to watch
 * @property {Figure} compared  the number that stands beside the neighbor's
 * @property {{name: string, label: string, short: string}} neighbour
 * @property {{path: string, from: any, to: any, says: string}} turn  the setting to turn
 * @property {{view: string, layer: string, moment: string, then: string, label: string}} opens
 * @property {{compared: [number, number], digest: string} | null} [recorded]
 * @property {string[]} [controls]  paths of the settings that move the most
 * @property {Experiment} [experiment]
 */

/**
 * The sum of the numbers at some paths of a summary; null where one of them is not there.
 * @param {Summary} summary
 * @param {string[]} paths
 */
function sumOf(summary, paths) {
  let total = 0;
  for (const path of paths) {
    const value = path.split(".").reduce((/** @type {any} */ here, key) => here?.[key], summary);
    if (typeof value !== "number") return null;
    total += value;
  }
  return total;
}

/**
 * The value of a figure: the sum at `of`, divided by the sum at `per`; null where the summary lacks a part of it.
 * @param {Figure} figure
 * @param {any} summary
 */
export function figureOf(figure, summary) {
  const above = sumOf(summary, figure.of);
  const below = figure.per.length ? sumOf(summary, figure.per) : 1;
  return above === null || !below ? null : above / below;
}

/**
 * Why a run that has ended does not show its scheduler's idea, in a sentence; empty where it does, where the setting of
 * the signature is turned, or where nothing is known.
 * @param {{name: string, signature?: any}[]} schedulers  as the API describes them
 * @param {any} summary  of the run, or null while it goes on
 * @param {any} [experiment]  of the run
 */
export function unseen(schedulers, summary, experiment) {
  const signature = schedulers.find((each) => each.name === summary?.scheduler)?.signature;
  if (!signature?.unseen) return "";
  // A user who has switched the idea off knows why the run does not show it.
  const { turn } = signature;
  if (
    turn &&
    turn.path
      .split(".")
      .reduce((/** @type {any} */ here, /** @type {string} */ key) => here?.[key], experiment ?? null) === turn.to
  )
    return "";
  const nothing = [signature.touched, signature.shown].some((each) => each && figureOf(each, summary) === 0);
  return nothing || lacks(signature.needs, experiment) ? signature.unseen : "";
}
