/** What can be touched besides machines: queues, masters, and how often a scheduler gets news. */

import { duration } from "../../kit/format.js";
import { gettext } from "../../kit/words.js";
import { nameOf } from "../../run/places.js";
import { offersFor, periodFor } from "../../run/possible_events.js";

/** @import { Scheduler } from "../../contract/api.js" */
/** @import { Meta } from "../../contract/contract" */
/** @import { Experiment } from "../../experiment/experiment.js" */
/** @import { Picture } from "../../run/frames.js" */
/** @import { Target } from "../../run/places.js" */
/** @import { Offer } from "./touch.js" */

/** Masters beyond this number are left out: the menu of a cluster on the map has them. */
const MOST_OF_A_KIND = 8;

/**
 * Return what may happen at `t_s`; each needs another start from the server.
 * @param {{experiment: Experiment, scheduler: Scheduler | undefined, meta: Meta, picture: Picture | null, t_s: number,
 *   end_s: number}} now
 * @returns {Offer[]}
 */
export function touchOffers(now) {
  const { meta } = now;
  /** @type {Target[]} */
  const targets = [
    ...(meta.queues ?? []).map(({ name }) => ({ kind: /** @type {const} */ ("queue"), name })),
    ...meta.owners.map((_, owner) => ({ kind: /** @type {const} */ ("owner"), owner })).slice(0, MOST_OF_A_KIND),
  ];
  const offers = targets.flatMap((target) =>
    offersFor({ ...now, target }).map((offer) => ({
      ...offer,
      id: `${offer.id} ${JSON.stringify(target)}`,
      label: gettext("{name}: {change}", { name: nameOf(meta, target), change: offer.label }),
    })),
  );
  return [...offers, ...newsOffers(now)];
}

/**
 * Offer to let news come seldom for a while, under schedulers that get them at heartbeats.
 * @param {{experiment: Experiment, t_s: number, end_s: number}} now
 * @returns {Offer[]}
 */
function newsOffers({ experiment, t_s, end_s }) {
  const own = experiment.scheduler?.params?.heartbeat_s;
  if (typeof own !== "number") return [];
  const duration_s = Math.max(periodFor(end_s), 10 * own);
  return [
    {
      id: "news",
      label: gettext("No news for {time}", { time: duration(duration_s * 1e9) }),
      help: gettext("After one more heartbeat there is none for this time. Decisions follow what was known before."),
      events: [{ at_s: t_s, kind: "set", target: { scheduler: true }, value: { heartbeat_s: duration_s }, duration_s }],
    },
  ];
}
