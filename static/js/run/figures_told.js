/** Figures that a scheduler's signature names, computed of a run's summary. */

import { lacks } from "../experiment/needs.js";

/** @typedef {{label: string, of: string[], per: string[], unit: string}} Figure */

/** The sum of the numbers at some paths of a summary; null where one of them is not there. */
function sumOf(summary, paths) {
  let total = 0;
  for (const path of paths) {
    const value = path.split(".").reduce((here, key) => here?.[key], summary);
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
  // Whoever has turned the idea off knows why it does not show.
  const { turn } = signature;
  if (turn && turn.path.split(".").reduce((here, key) => here?.[key], experiment ?? null) === turn.to) return "";
  const nothing = [signature.touched, signature.shown].some((each) => each && figureOf(each, summary) === 0);
  return nothing || lacks(signature.needs, experiment) ? signature.unseen : "";
}
