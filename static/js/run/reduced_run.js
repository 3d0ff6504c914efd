/**
 * The result of a quick, reduced run: its waits and shares for the charts, and its error compared with the full run.
 */

import { measured, percent, whole } from "../kit/format.js";
import { gettext } from "../kit/words.js";
import { foretoldConfirmed } from "./foretold.js";

/** @typedef {Partial<import("../contract/contract").PreviewDone>} Preview  the server's answer, or a part of it */

/**
 * Return the answer's histogram with a count for each bin, in the format of frames; null if nothing has started.
 * @param {Preview | null | undefined} answer
 * @param {string} name
 */
export function histOf(answer, name) {
  const sparse = answer?.hist?.[name];
  if (!sparse?.edges || !sparse.idx.length) return null;
  const counts = new Float64Array(sparse.edges.length);
  sparse.idx.forEach((bin, place) => {
    counts[bin] = sparse.val[place];
  });
  return { edges: sparse.edges, counts };
}

/**
 * Return exact percentiles in nanoseconds: {p50, p90, ...}; null for values missing in the summary.
 * @param {Partial<import("../contract/contract").Summary> | null | undefined} summary
 * @param {string} name
 */
export function percentilesOf(summary, name) {
  const found = percentilesIn(summary, name) ?? {};
  return Object.fromEntries(
    ["p50", "p90", "p99", "p99.9"].map((key) => [key, typeof found[key] === "number" ? found[key] * 1e9 : null]),
  );
}

/**
 * @param {Partial<import("../contract/contract").Summary> | null | undefined} summary
 * @param {string} name
 */
const percentilesIn = (summary, name) =>
  /** @type {Record<string, Record<string, number | null> | undefined> | null | undefined} */ (summary)?.[`${name}_s`];

/** Describe what was simulated, for the picture itself. Never claim more than was simulated. */
export function reducedWords(/** @type {Preview} */ answer) {
  const { reduced } = answer;
  if (!reduced) return gettext("the whole run");
  return gettext("the first {time}: {tasks} of {all} tasks, same seed and machines", {
    time: measured(reduced.simulated_s * 1e9),
    tasks: whole(reduced.tasks),
    all: whole(reduced.of_tasks),
  });
}

/**
 * Return a preview's relative error; 0 if both values are 0.
 * @param {number | null | undefined} told
 * @param {number | null | undefined} full
 */
export function offBy(told, full) {
  if (told === null || full === null || told === undefined || full === undefined) return null;
  if (told === full) return 0;
  return full === 0 ? Infinity : Math.abs(told - full) / full;
}

/**
 * Report the preview's error in one sentence once the full run is known.
 * @param {Preview} answer
 * @param {Partial<import("../contract/contract").Summary> | null | undefined} summary
 * @param {string} name
 */
export function confirmWords(answer, summary, name) {
  const [told, full] = [percentilesOf(answer.summary, name), percentilesOf(summary, name)];
  if (told.p50 !== null && summary && percentilesIn(summary, name)?.p50 === null)
    return gettext("Full run: no task started.");
  if (answer.foretold && full.p50 !== null) return foretoldConfirmed(answer.foretold, full);
  const part = (/** @type {string} */ key) => {
    const off = offBy(told[key], full[key]);
    if (off === null) return null;
    if (off < 0.005)
      return gettext("{percentile} is {full}, as in the preview", { percentile: key, full: measured(full[key]) });
    const by = Number.isFinite(off) && off <= 10 ? gettext("{off} off", { off: percent(off) }) : gettext("far off");
    return gettext("{percentile} is {full}, not {told} ({by})", {
      percentile: key,
      full: measured(full[key]),
      told: measured(told[key]),
      by,
    });
  };
  const parts = ["p50", "p99"].map(part).filter(Boolean);
  return parts.length ? gettext("Full run: {parts}, at its end.", { parts: parts.join("; ") }) : "";
}
