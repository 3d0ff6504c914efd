/** What to say of a scheduler's cutoff that does not separate the work's short jobs from its long ones. */

import { duration, whole } from "../kit/format.js";
import { gettext, sentences } from "../kit/words.js";

/** @import { Summary } from "../contract/contract" */

/**
 * The jobs by the scheduler's classes, and by those of the work.
 * @typedef {{short: number, long: number, work_short: number, work_long: number, cutoff_s: number | null}} Counts
 *   `cutoff_s`: the boundary of the work's own classes; null where the work has none
 */

/** The share of the work's smaller class on the wrong side that is worth a word; the library's notes have the same. */
const ASTRAY = 0.1;

/**
 * Return the sentences about a cutoff; "" if it separates the work, or the scheduler has none.
 * @param {Partial<Summary> | null | undefined} summary
 */
export function cutoffWords(summary) {
  const { by_class: own, by_work_class: work } = summary ?? {};
  if (!own || !work) return "";
  return astrayWords({
    short: own.short.jobs,
    long: own.long.jobs,
    work_short: work.short.jobs,
    work_long: work.long.jobs,
    cutoff_s: work.rule === "yahoo" ? null : work.cutoff_s,
  });
}

/** Return the sentences about a cutoff that puts jobs into the wrong class; "" for one that does not. */
export function astrayWords(/** @type {Counts} */ { short, long, work_short, work_long, cutoff_s }) {
  const all = short + long;
  if (!all) return "";
  const astray = Math.abs(short - work_short); // one boundary is above the other, so all these jobs lie between
  const isAstray = cutoff_s !== null && astray > ASTRAY * Math.min(work_short, work_long);
  if (short && long && !isAstray) return "";
  const told = { count: whole(astray), all: whole(all) };
  const said = !long
    ? gettext("The scheduler's cutoff does not separate this work: all {all} jobs are short.", told)
    : !short
      ? gettext("The scheduler's cutoff does not separate this work: all {all} jobs are long.", told)
      : gettext("The scheduler's cutoff puts {count} of {all} jobs into the other class than the work does.", told);
  const better =
    cutoff_s === null ? "" : gettext("By the work, the cutoff is {cutoff}.", { cutoff: duration(cutoff_s * 1e9) });
  return sentences([said, better].filter(Boolean));
}
