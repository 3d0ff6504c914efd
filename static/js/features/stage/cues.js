/** The cues of a presentation: the whole run first, then a tour's steps or the run's most instructive moments. */

import { oneLine } from "../../kit/format.js";

/**
 * @import { Moment } from "../../contract/contract"
 * @import { TourStep } from "../tours/tour.js"
 */

/**
 * @typedef {object} Cue
 * @property {string} title
 * @property {string} text  one or two sentences; empty: the caption of the running playback
 * @property {number | null} t_ns  where to go; null: playback continues
 * @property {Moment} [moment]  a moment in the format of *Jump to an event*
 */

/**
 * @param {{question?: string, tour?: TourStep[], moments?: Moment[]}} told
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
 * Return the index `by` cues further, clamped to both ends.
 * @param {number} at
 * @param {number} by
 * @param {number} count
 */
export function cueAfter(at, by, count) {
  return Math.min(Math.max(0, at + by), Math.max(0, count - 1));
}
