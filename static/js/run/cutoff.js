/** What to say of a scheduler's cutoff that does not separate the work's short jobs from its long ones. */

import { decimals, duration, whole } from "../kit/format.js";
import { gettext, language, sentences } from "../kit/words.js";

/** @import { Summary } from "../contract/contract" */

/**
 * The jobs by the scheduler's classes, and by those of the work.
 * @typedef {{short: number, long: number, work_short: number, work_long: number, cutoff_s: number | null}} Counts
 *   `cutoff_s`: the boundary of the work's own classes; null where the work has none
 */

/** The share of the work's smaller class on the wrong side that is worth a word; the library's notes have the same. */
const ASTRAY = 0.1;

/**
 * Return what makes a job short. The library's own English has details that the summary does not give apart; another
 * language has the sentence of the rule that gave the cutoff.
 * @param {NonNullable<Summary["by_work_class"]>} work
 */
export function definitionWords(work) {
  if (language().startsWith("en")) return work.definition;
  const seconds = decimals(work.cutoff_s);
  if (work.rule === "declared")
    return gettext(
      "A job is short if its mean task duration is at most {seconds} s: the boundary of the workload's two classes.",
      { seconds },
    );
  if (work.rule === "modes")
    return gettext(
      "A job is short if its mean task duration is at most {seconds} s: the gap between two modes of the jobs' " +
        "durations (two log-normal modes fitted).",
      { seconds },
    );
  return gettext(
    "A job is short if its mean task duration is at most {seconds} s: Yahoo's cut-off, not of this work.",
    { seconds },
  );
}

/**
 * Return the jobs by the scheduler's classes and by the work's; null if the scheduler has no cutoff.
 * @param {Partial<Summary> | null | undefined} summary
 * @returns {Counts | null}
 */
function countsOf(summary) {
  const { by_class: own, by_work_class: work } = summary ?? {};
  if (!own || !work) return null;
  return {
    short: own.short.jobs,
    long: own.long.jobs,
    work_short: work.short.jobs,
    work_long: work.long.jobs,
    cutoff_s: work.rule === "yahoo" ? null : work.cutoff_s,
  };
}

/**
 * Return the sentences about a cutoff; "" if it separates the work, the scheduler has none, or the work has no classes.
 * @param {Partial<Summary> | null | undefined} summary
 * @param {boolean} [isPreview]  true for the summary of a preview, which may have a part of the jobs
 */
export function cutoffWords(summary, isPreview = false) {
  const counts = countsOf(summary);
  if (!counts || counts.cutoff_s === null) return "";
  const said = astrayWords(counts);
  return said && isPreview ? gettext("In the preview: {said}", { said }) : said;
}

/**
 * Return the sentences about a cutoff beside other schedulers: also where the work has no classes and the scheduler has
 * all jobs in one, because two schedulers may then be equal.
 * @param {Partial<Summary> | null | undefined} summary
 */
export function besideWords(summary) {
  const counts = countsOf(summary);
  return counts ? astrayWords(counts) : "";
}

/** Return the sentences about a cutoff that puts jobs into the wrong class; "" for one that does not. */
export function astrayWords(/** @type {Counts} */ { short, long, work_short, work_long, cutoff_s }) {
  const all = short + long;
  const astray = Math.abs(short - work_short); // one boundary is above the other, so all these jobs lie between
  if (cutoff_s === null) return oneClassWords(short, long);
  if (!astray) return "";
  const isAstray = astray > ASTRAY * Math.min(work_short, work_long);
  if (short && long && !isAstray) return "";
  const told = { count: whole(astray), all: whole(all) };
  const said = !long
    ? gettext("The scheduler's cutoff does not separate this work: all {all} jobs are short.", told)
    : !short
      ? gettext("The scheduler's cutoff does not separate this work: all {all} jobs are long.", told)
      : gettext("The scheduler's cutoff puts {count} of {all} jobs into the other class than the work does.", told);
  return sentences([said, gettext("By the work, the cutoff is {cutoff}.", { cutoff: duration(cutoff_s * 1e9) })]);
}

/** Return the sentence about work without classes of which the scheduler has all jobs in one class; else "". */
function oneClassWords(/** @type {number} */ short, /** @type {number} */ long) {
  if (short && !long) return gettext("To the scheduler, all {all} jobs are short.", { all: whole(short) });
  if (long && !short) return gettext("To the scheduler, all {all} jobs are long.", { all: whole(long) });
  return "";
}
