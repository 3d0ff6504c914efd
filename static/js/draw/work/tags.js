/**
 * Words on cells that distinguish machines: racks, if the scheduler considers racks, and types, if an experiment has
 * several.
 */

import { rackStarts } from "../../run/places.js";
import { whole } from "../../kit/format.js";
import { gettext } from "../../kit/words.js";

/** @typedef {import("../../contract/contract").Meta} Meta */

/** Parameters of schedulers that consider racks. */
const OF_RACKS = ["rack_cost", "rack_gb_s", "rack_wait_s"];

/**
 * @typedef {{count?: number, attributes?: Record<string, unknown>, cpus?: number, memory_gb?: number,
 *   gpus?: number}} Group
 */

/** Return the name of a group of machines: what it offers, else its size. */
function nameOf(/** @type {Group} */ { attributes = {}, gpus = 0, cpus = 1 }) {
  const offers = Object.entries(attributes)
    .filter(([, value]) => value)
    .map(([name, value]) => (value === true ? name : String(value)));
  if (gpus) offers.push(gettext("{gpus} GPUs", { gpus: whole(gpus) }));
  return offers.length ? offers.join(", ") : gettext("{cpus} CPUs", { cpus: whole(cpus) });
}

const typeOf = (/** @type {Group} */ { count: _count, ...rest }) => JSON.stringify(rest);

/**
 * Return the word for each machine that is not of the most common type; empty if all are alike.
 *
 * @param {Meta} meta
 * @returns {Map<number, string>}
 */
export function typeTags(meta) {
  /** @type {Map<number, string>} */
  const tags = new Map();
  const clusters = meta.experiment?.topology?.clusters ?? [];
  const groups = clusters.flatMap((/** @type {import("../../experiment/topology.js").Cluster} */ each) =>
    Array.from({ length: each.repeat ?? 1 }, () => each.machines ?? []).flat(),
  );
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const group of groups) counts.set(typeOf(group), (counts.get(typeOf(group)) ?? 0) + (group.count ?? 1));
  if (counts.size < 2) return tags;
  const [usual] = [...counts].sort((a, b) => b[1] - a[1])[0];
  let machine = 0;
  for (const group of groups)
    for (let number = 0; number < (group.count ?? 1); number += 1, machine += 1)
      if (typeOf(group) !== usual) tags.set(machine, nameOf(group));
  return machine === meta.machines ? tags : new Map();
}

/** Return the first machines of racks with their names, if the scheduler considers racks. @param {Meta} meta */
export function rackTags(meta) {
  const params = meta.experiment?.scheduler?.params ?? {};
  const starts = rackStarts(meta);
  const matter = OF_RACKS.some((name) => params[name]) || (meta.experiment?.constraints?.racks?.length ?? 0) > 0;
  if (!matter || starts.length < 2) return new Map();
  return new Map(starts.map((first, rack) => [first, gettext("rack {rack}", { rack: whole(rack) })]));
}

/** Return the first machines of the scheduler's groups, with their names. @param {Meta} meta */
function groupTags({ groups }) {
  return new Map((groups?.first ?? []).map((first, group) => [first, `${groups?.label} ${whole(group)}`]));
}

/** Return all words on cells: racks, groups and types. @param {Meta} meta */
export function tagsOf(meta) {
  return { racks: rackTags(meta), groups: groupTags(meta), types: typeTags(meta) };
}
