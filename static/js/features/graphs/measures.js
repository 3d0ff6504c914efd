/**
 * The criteria by which schedulers order jobs or queues, by the names of the reasons with which they start tasks. A new
 * one is a line here.
 *
 * `counts`: "dominant" (the largest fraction of any resource), "one" (the resource of the parameter `resource`), or
 * "capacity" (a queue's largest fraction of any resource, compared with its guaranteed share). `first` explains why the
 * first goes next, `after` why others wait.
 */

import { gettext } from "../../kit/words.js";

/**
 * @typedef {object} Measure
 * @property {"jobs" | "queues"} of
 * @property {"dominant" | "one" | "capacity"} counts
 * @property {string} first
 * @property {(name: string) => string} after
 * @property {(name: string) => string} [equal]  why one of two that are equal waits
 * @property {Pick<Measure, "first" | "after">} [weighed]  the same texts if jobs have different weights
 * @property {boolean} [local]  true if a job may let others go first until a machine with its data has room
 * @property {boolean} [fits]  true if the best fit for a machine's room goes first (fits_now.js)
 * @property {string} [moment]  the kind of the moment that shows a choice
 * @property {boolean} [picky]  true if tasks may run only on some machines
 */

const LEAST = {
  /** @type {"jobs"} */
  of: "jobs",
  first: gettext("next: holds the least of the waiting jobs"),
  after: (/** @type {string} */ name) => gettext("{name} holds less", { name }),
  equal: (/** @type {string} */ name) => gettext("equal, {name} came first", { name }),
  moment: "several_jobs",
  weighed: {
    first: gettext("next: holds the least for its weight"),
    after: (/** @type {string} */ name) => gettext("{name} holds less for its weight", { name }),
  },
};

/** @type {Record<string, Measure>} */
export const MEASURES = {
  least_share: { ...LEAST, counts: "dominant" },
  least_of_one: { ...LEAST, counts: "one" },
  poorest: {
    ...LEAST,
    counts: "dominant",
    weighed: undefined,
    first: gettext("next on a machine that suits it"),
    picky: true,
  },
  packed: { ...LEAST, counts: "dominant", fits: true },
  fewest: {
    ...LEAST,
    counts: "one",
    local: true,
    moment: "skipped_turn",
    weighed: undefined,
    first: gettext("next: fewest running tasks"),
    after: (name) => gettext("{name} runs fewer", { name }),
    equal: (name) => gettext("equal, {name} came first", { name }),
  },
  least_queue: {
    of: "queues",
    counts: "capacity",
    first: gettext("next: it uses least of its share"),
    after: (name) => gettext("{name} comes first", { name }),
  },
};

/**
 * Return the criterion of a run's scheduler; null if it orders in another way.
 * @param {{reasons: {name: string}[]}} meta
 */
export function measureOf(meta) {
  const name = meta.reasons.map((reason) => reason.name).find((each) => each in MEASURES);
  return name ? MEASURES[name] : null;
}
