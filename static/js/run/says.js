/**
 * What the numbers beside a picture count, by the names that `data-says` has. Each is read from the picture that is
 * drawn, and from nothing else. The module needs no page.
 */

import { valueLayer } from "./sentences.js";

/**
 * @import { Meta } from "../contract/contract"
 * @import { Picture } from "./frames.js"
 */

/** How many machines have any work in a picture; null where no layer tells. */
export function busyIn(/** @type {Meta} */ meta, /** @type {Pick<Picture, "layers">} */ picture) {
  const load = valueLayer(meta);
  const levels = load ? picture.layers[load.name] : null;
  return levels ? levels.reduce((busy, level) => busy + Number(level > 0), 0) : null;
}

/**
 * The numbers of the sentence about an instant.
 *
 * @param {Meta} meta
 * @param {Pick<Picture, "layers" | "counters">} picture
 */
export function nowSays(meta, picture) {
  return { busy: busyIn(meta, picture), machines: meta.machines, waiting: picture.counters.tasks_waiting ?? 0 };
}
