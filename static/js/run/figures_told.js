/** Compute the numbers that a scheduler's signature names, from a run's summary. */

import { lacks } from "../experiment/needs.js";

/**
 * @import { Experiment } from "../experiment/experiment.js"
 * @import { Summary } from "../contract/contract"
 */

/** @typedef {{label: string, of: string[], per: string[], unit: string}} Figure */

/**
 * @typedef {object} Signature  a scheduler's card, with the experiment that shows its idea
 * @property {string} name  the scheduler's name
 * @property {string} label
 * @property {string} family_label
 * @property {string[]} says  the idea and its effect
 * @property {string} waits  why a task waits
 * @property {Figure} number  the number to watch
 * @property {Figure} compared  the number compared with the neighbor's
 * @property {{name: string, label: string, short: string}} neighbour
 * @property {{path: string, from: unknown, to: unknown, says: string}} turn  the setting to change
 * @property {{view: string, layer: string, moment: string, then: string, label: string}} opens
 * @property {{compared: [number, number], digest: string} | null} [recorded]
 * @property {string[]} [controls]  paths of the most influential settings
 * @property {Experiment} [experiment]
 */

/**
 * A scheduler's signature in the list of schedulers.
 * @typedef {object} ListedSignature
 * @property {string} unseen  the sentence for a run that does not show the idea; "" without one
 * @property {Figure | null} touched
 * @property {Figure | null} shown
 * @property {string | null} needs  what the experiment must have
 * @property {{path: string, to: unknown}} turn
 * @property {string} still  the address of the example's picture
 * @property {string} moves  the address of the example's recorded movements
 * @property {string[]} [controls]  paths of the most influential settings
 * @property {string} address  the page of the example
 */

/** Return the value of a field; undefined if there is none. */
const stepInto = (/** @type {unknown} */ here, /** @type {string} */ key) =>
  /** @type {Record<string, unknown> | null | undefined} */ (here)?.[key];

/**
 * Return the sum of the numbers at some paths of a summary; null if one is missing.
 * @param {Partial<Summary> | null | undefined} summary
 * @param {string[]} paths
 */
function sumOf(summary, paths) {
  let total = 0;
  for (const path of paths) {
    const value = path.split(".").reduce(stepInto, /** @type {unknown} */ (summary));
    if (typeof value !== "number") return null;
    total += value;
  }
  return total;
}

/**
 * Return a figure's value: the sum at `of` divided by the sum at `per`; null if the summary lacks a part of it.
 * @param {Figure} figure
 * @param {Partial<Summary> | null | undefined} summary
 */
export function figureOf(figure, summary) {
  const above = sumOf(summary, figure.of);
  const below = figure.per.length ? sumOf(summary, figure.per) : 1;
  return above === null || !below ? null : above / below;
}

/**
 * Explain in one sentence why a finished run does not show its scheduler's idea. Return "" if it does, if the user
 * changed the signature's setting, or if nothing is known.
 * @param {{name: string, signature?: Partial<ListedSignature> | null}[]} schedulers  in the API's format
 * @param {Partial<Summary> | null | undefined} summary  the run's summary, or null while it runs
 * @param {Experiment | null} [experiment]  the run's experiment
 */
export function unseen(schedulers, summary, experiment) {
  const signature = schedulers.find((each) => each.name === summary?.scheduler)?.signature;
  if (!signature?.unseen) return "";
  // A user who switched the idea off knows why the run does not show it.
  const { turn } = signature;
  if (turn && turn.path.split(".").reduce(stepInto, /** @type {unknown} */ (experiment ?? null)) === turn.to) return "";
  const nothing = [signature.touched, signature.shown].some((each) => each && figureOf(each, summary) === 0);
  return nothing || lacks(signature.needs, experiment) ? signature.unseen : "";
}
