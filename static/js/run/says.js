/**
 * The numbers that sentences beside a picture state, by their `data-says` names. Each comes only from the picture
 * shown. The module does not need a page.
 */

import { valueLayer } from "./sentences.js";

/**
 * @import { Meta } from "../contract/contract"
 * @import { Picture } from "./frames.js"
 */

/** Return how many machines are busy in a picture; null without a load layer. */
export function busyIn(/** @type {Meta} */ meta, /** @type {Pick<Picture, "layers">} */ picture) {
  const load = valueLayer(meta);
  const levels = load ? picture.layers[load.name] : null;
  return levels ? levels.reduce((busy, level) => busy + Number(level > 0), 0) : null;
}

/**
 * Return the numbers of the sentence about an instant.
 *
 * @param {Meta} meta
 * @param {Pick<Picture, "layers" | "counters">} picture
 */
export function nowSays(meta, picture) {
  return { busy: busyIn(meta, picture), machines: meta.machines, waiting: picture.counters.tasks_waiting ?? 0 };
}
