/** The cues of a stage: the whole run first, then a tour's steps or the run's most instructive moments. */

import { oneLine } from "../../kit/format.js";

/**
 * @typedef {object} Cue
 * @property {string} title
 * @property {string} text  one sentence or two; empty: the caption of the run as it plays
 * @property {number | null} t_ns  where to go; null: the run plays on
 * @property {any} [moment]  what *Jump to an event* shows
 */

/**
 * @param {{question?: string, tour?: any[], moments?: any[]}} told
 * @returns {Cue[]}
 */
export function cuesOf({ question = "", tour = [], moments = [] }) {
  const steps = tour.map((step) => ({
    title: step.title,
    text: step.text,
    t_ns: typeof step.t_s === "number" ? step.t_s * 1e9 : null,
  }));
  const shown = moments.map((moment) => ({
    title: moment.label,
    text: moment.sentence,
    t_ns: moment.t_ns,
    moment,
  }));
  return [{ title: oneLine(question), text: "", t_ns: null }, ...steps, ...shown];
}

/**
 * The cue that many further on; it stops at both ends.
 * @param {number} at
 * @param {number} by
 * @param {number} count
 */
export function cueAfter(at, by, count) {
  return Math.min(Math.max(0, at + by), Math.max(0, count - 1));
}
