/** Jobs with their starts and recorded starts, as text. No DOM. */

import { clock, duration, whole } from "../kit/format.js";
import { gettext } from "../kit/words.js";

/** @import { RecordedStarts } from "../contract/contract" */

/**
 * Some jobs of a run in the API's format.
 * @typedef {{total: number, first: number, next: number | null, job: number[], start_s: number[],
 *   recorded_start_s: number[], shift_s: number[]}} Page
 * @typedef {"job" | "difference"} Order
 * @typedef {{job: number, words: string[], shift_s: number}} Row  `words`: number, recorded, simulated, difference
 */

/** Format the time from the recorded start to the start, with its sign: "+3 min", "−20 s", "0 s". */
export function shiftWords(/** @type {number} */ shift_s) {
  return `${shift_s > 0 ? "+" : ""}${duration(shift_s * 1e9)}`;
}

/** Return the rows of a page as text. @returns {Row[]} */
export function rowsOf(/** @type {Page} */ page) {
  return page.job.map((job, at) => ({
    job,
    words: [
      whole(job),
      clock(page.recorded_start_s[at] * 1e9),
      clock(page.start_s[at] * 1e9),
      shiftWords(page.shift_s[at]),
    ],
    shift_s: page.shift_s[at],
  }));
}

/** Return how far the starts are from the recorded ones. */
export function startsWords(/** @type {RecordedStarts} */ found) {
  const numbers = {
    jobs: whole(found.jobs),
    within: whole(found.within_60_s),
    earlier: whole(found.earlier),
    later: whole(found.later),
    mean: duration((found.error_s.mean ?? 0) * 1e9),
  };
  return gettext(
    "{within} of {jobs} jobs start at most 60 s from their recorded start. {earlier} start earlier than recorded, " +
      "{later} later. The mean distance is {mean}.",
    numbers,
  );
}
