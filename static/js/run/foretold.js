/** A preview's estimate of the whole run: ranges, growth without limit, or the reason why there is none. */

import { duration, durationRange, measured } from "../kit/format.js";
import { gettext } from "../kit/words.js";

/**
 * @typedef {import("../contract/contract").PreviewForetold} Foretold
 * @typedef {import("../contract/contract").PreviewGrowth} Growth
 * @typedef {import("../contract/contract").WaitRange} WaitRange
 */

const NS = 1e9;
const KEYS = ["p50", "p90", "p99", "p99.9"];

/** Why the preview gives no estimate, by the server's name of the reason. @type {Record<string, () => string>} */
const REASONS = {
  few: () => gettext("Too few tasks have started so far."),
  filling: () => gettext("The machines are still filling up."),
  uneven: () => gettext("Some tasks are passed over, and their waits are not known yet."),
  wide: () => gettext("The waits still change too much."),
  stages: () => gettext("Tasks of this workload wait for other tasks."),
  constraints: () => gettext("Constraints keep tasks from some of the machines."),
  events: () => gettext("Planned events change the rest of the run."),
  stop: () => gettext("The experiment ends before its workload does."),
};

/** @param {WaitRange} range */
export function rangeWords({ low_s: low, high_s: high }) {
  return durationRange(low * NS, high * NS);
}

/**
 * Return the texts for the percentile cells.
 * @param {Foretold} foretold
 * @returns {Record<string, string>}
 */
export function foretoldCells(foretold) {
  const told = (/** @type {WaitRange | null | undefined} */ range) =>
    range ? rangeWords(range) : gettext("cannot tell");
  return Object.fromEntries(KEYS.map((key) => [key, told(foretold.allocation_delay[key])]));
}

/** @param {Growth} growth */
function growthWords({ of, cause, in_a_minute: told }) {
  if (!told) return gettext("At this load, the wait grows without limit. Its rate is not known yet.");
  const rate = rangeWords(told);
  if (of === "backlog") {
    return cause === "machines"
      ? gettext(
          "At this load, the wait grows without limit: each minute brings {rate} more work than all machines " +
            "together can do.",
          {
            rate,
          },
        )
      : gettext("The scheduler falls behind: each minute brings {rate} more work than all machines together can do.", {
          rate,
        });
  }
  return cause === "machines"
    ? gettext("At this load, the wait grows without limit: by {rate} each minute.", { rate })
    : gettext("The scheduler starts fewer tasks than arrive: the wait grows by {rate} each minute.", { rate });
}

/**
 * Describe the lower bound that follows from the load alone, shown while the preview compiles. It holds for every
 * scheduler. Return "" without a bound.
 * @param {number | null | undefined} seconds
 */
export function atLeastWords(seconds) {
  if (!seconds) return "";
  return gettext(
    "At this load, the wait grows without limit: each minute brings at least {time} more work than all machines " +
      "together can do.",
    {
      time: duration(seconds * NS),
    },
  );
}

/**
 * Describe the estimate: growth without limit, the median and the tail, or why there is none.
 * @param {Foretold} foretold
 */
export function foretoldWords({ allocation_delay: ranges, growth, reason }) {
  const why = (reason && REASONS[reason]?.()) || "";
  if (growth) return growthWords(growth);
  const [p50, p99] = [ranges.p50, ranges.p99];
  if (!p50 && !p99) return gettext("No estimate of the waits yet. {why}", { why });
  if (!p50) return gettext("No estimate of the median wait yet. {why}", { why });
  const median = gettext("The median wait will be {range}.", { range: rangeWords(p50) });
  return p99 ? median : `${median} ${gettext("No estimate of the longest waits yet. {why}", { why })}`;
}

/**
 * Compare the full run with the estimated ranges in one sentence.
 * @param {Foretold} foretold
 * @param {Record<string, number | null>} full the full run's percentiles in nanoseconds
 */
export function foretoldConfirmed(foretold, full) {
  const shown = ["p50", "p99"].filter((key) => foretold.allocation_delay[key] && full[key] !== null);
  const inside = (/** @type {string} */ key) => {
    const { low_s: low, high_s: high } = /** @type {WaitRange} */ (foretold.allocation_delay[key]);
    return low * NS <= Number(full[key]) && Number(full[key]) <= high * NS;
  };
  const missed = shown.find((key) => !inside(key));
  if (missed) {
    return gettext("Full run: {percentile} is {full}. The preview said {range}.", {
      percentile: missed,
      full: measured(full[missed]),
      range: rangeWords(/** @type {WaitRange} */ (foretold.allocation_delay[missed])),
    });
  }
  const [p50, p99] = [measured(full.p50), measured(full.p99)];
  return shown.length
    ? gettext("Full run: p50 is {p50}, p99 is {p99}. The preview was right.", { p50, p99 })
    : gettext("Full run: p50 is {p50}, p99 is {p99}.", { p50, p99 });
}
