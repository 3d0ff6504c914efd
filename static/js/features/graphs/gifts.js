/**
 * Shares that jobs give away temporarily: which jobs hold less than their fair share although more of their tasks could
 * run, and which tasks run on the leftover. The scheduler keeps one pool, so no job gives to a particular other job.
 */

import { binsOf, leftoverPool, resourcesByUse } from "./job_shares.js";
import { isFromLeftover } from "./job_graphs.js";
import { percent, whole } from "../../kit/format.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Graphs } from "./job_graphs.js"
 * @import { Bins } from "./job_shares.js"
 */

/** Smaller fractions of the datacenter are not reported. */
const LEAST = 0.002;
/** @typedef {NonNullable<ReturnType<typeof giftsOf>>} Gifts */

const MOST_NAMED = 3;

/**
 * Return the given and taken shares over time; null if no task runs on another job's leftover.
 *
 * @param {Graphs} graphs
 * @param {(job: number) => number} weight
 */
export function giftsOf(graphs, weight) {
  if (!graphs.placements.reason.some((_, at) => isFromLeftover(graphs, at))) return null;
  const bins = binsOf(graphs);
  const resource = resourcesByUse(graphs)[0] ?? 0;
  const { gives, takes, given, drawn } = leftoverPool(graphs, bins, resource, weight);
  return { bins, gives, takes, given, drawn, resource };
}

/**
 * Return the bin of an instant.
 * @param {{bins: Bins}} options
 * @param {number} t_ns
 */
const binAt = ({ bins }, t_ns) => Math.min(bins.count - 1, Math.max(0, Math.floor(t_ns / bins.length)));

/**
 * Return the jobs with the most in a bin, the largest first: [job, fraction of the datacenter].
 * @returns {[number, number][]}
 * @param {Map<number, Float64Array>} by
 * @param {number} bin
 */
function largest(by, bin) {
  return [...by]
    .map(([job, parts]) => /** @type {[number, number]} */ ([job, parts[bin]]))
    .filter(([, part]) => part >= LEAST)
    .sort((a, b) => b[1] - a[1] || a[0] - b[0]);
}

/**
 * Return the jobs that give at an instant, and those that take.
 * @param {Gifts} gifts
 * @param {number} t_ns
 */
export function giftsAt(gifts, t_ns) {
  const bin = binAt(gifts, t_ns);
  return { givers: largest(gifts.gives, bin), takers: largest(gifts.takes, bin) };
}

/**
 * Return the time spans in which a job gives a part of its share away: [[from, to]].
 * @param {Gifts} gifts
 * @param {number} job
 */
export function givingSpans(gifts, job) {
  const parts = gifts.gives.get(job);
  /** @type {[from: number, to: number][]} */
  const spans = [];
  if (!parts) return spans;
  const { length, count } = gifts.bins;
  for (let bin = 0; bin < count; bin += 1) {
    if (parts[bin] < LEAST) continue;
    const last = spans[spans.length - 1];
    if (last && last[1] >= bin * length - 1) last[1] = (bin + 1) * length;
    else spans.push([bin * length, (bin + 1) * length]);
  }
  return spans;
}

/**
 * Describe the jobs that give and those that take at an instant.
 * @param {Gifts} gifts
 * @param {number} t_ns
 */
export function tellGifts(gifts, t_ns) {
  const { givers, takers } = giftsAt(gifts, t_ns);
  if (!givers.length && !takers.length) return gettext("Now no job gives a part of its share away.");
  /** @param {[number, number][]} rows */
  const named = (rows) =>
    rows
      .slice(0, MOST_NAMED)
      .map(([job, part]) => gettext("job {job} ({part})", { job: whole(job), part: percent(part) }))
      .join(", ");
  /** @param {[number, number][]} rows */
  const sum = (rows) => percent(rows.reduce((all, [, part]) => all + part, 0));
  const gives = givers.length
    ? gettext(
        "Now {count} give away {part} of the datacenter. The largest parts come from {names}. These jobs do not " +
          "end later because of it.",
        {
          count: givers.length === 1 ? gettext("one job") : gettext("{n} jobs", { n: whole(givers.length) }),
          part: sum(givers),
          names: named(givers),
        },
      )
    : gettext("Now no job gives a part of its share away.");
  if (!takers.length) return gettext("{gives} Nobody uses it yet.", { gives });
  return gettext("{gives} Tasks on leftover shares hold {part}. The largest parts belong to {names}.", {
    gives,
    part: sum(takers),
    names: named(takers),
  });
}
