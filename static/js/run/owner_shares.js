/** What each Global Master deserves, uses, lends and borrows at an instant, from the frame's layers. */

import { hatchHueLayer, hatchLayer, hueLayer, ownerOf, valueLayer } from "./sentences.js";

/**
 * @import { Meta } from "../contract/contract"
 * @import { Picture } from "./frames.js"
 */

/**
 * Return [{owner, deserved, used, borrowed, lent}] as fractions of all machines; null if the frames lack the layers.
 * @param {Meta} meta
 * @param {Picture} picture
 */
export function ownerShares(meta, picture) {
  const load = picture?.layers?.[valueLayer(meta)?.name ?? ""];
  if (!load || !meta.owners?.length || meta.outline) return null;
  const owners = meta.owners.map((_, owner) => ({ owner, deserved: 0, used: 0, borrowed: 0, lent: 0 }));
  const lent = picture.layers[hatchLayer(meta)?.name ?? ""];
  const borrower = picture.layers[hatchHueLayer(meta)?.name ?? ""];
  const hue = picture.layers[hueLayer(meta)?.name ?? ""];
  const each = 1 / (255 * meta.machines);
  for (let machine = 0; machine < meta.machines; machine += 1) {
    const own = owners[hue ? hue[machine] : ownerOf(meta, picture, machine)];
    const away = lent ? Math.min(lent[machine], load[machine]) : 0;
    const to = away > 0 && borrower ? owners[borrower[machine]] : null;
    if (own) {
      own.used += (load[machine] - away) * each;
      own.lent += away * each;
    }
    if (to) {
      to.used += away * each;
      to.borrowed += away * each;
    }
  }
  return owners;
}

/**
 * Add the queues' deserved shares to the masters that serve them. `queues` are the run's, with share and owner.
 * @template {{owner: number}} Owner
 * @param {Owner[]} owners
 * @param {{share: number, owner?: number | null, global_master?: number | null}[]} queues
 */
export function withDeserved(owners, queues) {
  const all = queues.reduce((sum, queue) => sum + queue.share, 0) || 1;
  return owners.map((each) => ({
    ...each,
    deserved:
      queues
        .filter((queue, place) => (queue.owner ?? queue.global_master ?? place % owners.length) === each.owner)
        .reduce((sum, queue) => sum + queue.share, 0) / all,
  }));
}
