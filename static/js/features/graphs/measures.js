/**
 * By what a scheduler puts jobs or queues in order, by the names of the reasons with which it starts tasks. Adding one
 * is a line here.
 *
 * `counts`: "dominant" (the largest part of any resource), "one" (the resource of the parameter `resource`), or
 * "capacity" (a queue's largest part of any resource, beside its promised part). `first` says why the first goes next,
 * `after` why others wait.
 */

import { gettext } from "../../kit/words.js";

/**
 * @typedef {object} Measure
 * @property {"jobs" | "queues"} of
 * @property {"dominant" | "one" | "capacity"} counts
 * @property {string} first
 * @property {(name: string) => string} after
 * @property {Pick<Measure, "first" | "after">} [weighed]  the same where jobs differ in weight
 * @property {boolean} [local]  whether a job may let others go first until a machine with its data has room
 * @property {boolean} [fits]  whether the best fit goes first, of as many jobs as the parameter `fairness` lets choose
 * @property {boolean} [picky]  whether tasks may run on some machines only
 */

const LEAST = {
  /** @type {"jobs"} */
  of: "jobs",
  first: gettext("next: holds the least of the waiting jobs"),
  after: (/** @type {string} */ name) => gettext("{name} holds less", { name }),
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
  packed: {
    ...LEAST,
    counts: "dominant",
    fits: true,
    weighed: undefined,
    first: gettext("next: its best fit starts"),
  },
  fewest: {
    ...LEAST,
    counts: "one",
    local: true,
    weighed: undefined,
    first: gettext("next: fewest running tasks"),
    after: (name) => gettext("{name} runs fewer", { name }),
  },
  least_queue: {
    of: "queues",
    counts: "capacity",
    first: gettext("next: it uses least of its share"),
    after: (name) => gettext("{name} comes first", { name }),
  },
};

/** The measure of a run's scheduler; null where it has another order. @param {{reasons: {name: string}[]}} meta */
export function measureOf(meta) {
  const name = meta.reasons.map((reason) => reason.name).find((each) => each in MEASURES);
  return name ? MEASURES[name] : null;
}
