/** The parts of a datacenter: racks and groups of machines by number, and their state at an instant. */

import { hatchLayer, machineName, outageLayer, ownerOf, serviceWords, valueLayer } from "./sentences.js";
import { whole } from "../kit/format.js";
import { countUpTo } from "../kit/search.js";
import { gettext } from "../kit/words.js";
import { bareName, clusterName } from "../kit/names.js";

/**
 * @import { Meta } from "../contract/contract"
 * @import { Picture } from "./sentences.js"
 */

export { outageLayer };

/** @typedef {{kind: string, [more: string]: any}} Target  a machine, a task, a cluster, an owner ... */

/** Return the first machine of every rack, ascending. Racks are numbered across the datacenter. */
export function rackStarts(/** @type {Meta} */ meta) {
  const starts = [];
  for (const cluster of meta.clusters) {
    let first = cluster.first;
    for (const machines of cluster.racks?.length ? cluster.racks : [cluster.machines]) {
      starts.push(first);
      first += machines;
    }
  }
  return starts;
}

/**
 * Return the number of a machine's rack.
 * @param {number[]} starts
 * @param {number} machine
 */
export function rackOf(starts, machine) {
  return Math.max(0, countUpTo(starts, machine) - 1);
}

/**
 * Return "in service", "draining" or "failed".
 * @param {Meta} meta
 * @param {Picture | null} picture
 * @param {number} machine
 */
export function serviceOf(meta, picture, machine) {
  const layer = outageLayer(meta);
  return serviceWords(layer && picture?.layers[layer.name] ? picture.layers[layer.name][machine] : 0);
}

/**
 * Return a target's machines as [first, end, member]: `member` tests a machine, for owners.
 * @param {Meta} meta
 * @param {Target} target
 * @returns {[first: number, after: number, member: (machine: number, picture: Picture) => boolean]}
 */
function membership(meta, target) {
  if (target.kind === "machine") return [target.machine, target.machine + 1, () => true];
  if (target.kind === "cluster") {
    const cluster = meta.clusters.find((each) => each.name === target.name);
    if (!cluster) return [0, 0, () => false];
    return [cluster.first, cluster.first + cluster.machines, () => true];
  }
  if (target.kind === "rack") {
    const starts = rackStarts(meta);
    return [starts[target.rack], starts[target.rack + 1] ?? meta.machines, () => true];
  }
  return [
    0,
    meta.machines,
    (/** @type {number} */ machine, /** @type {Picture} */ picture) => ownerOf(meta, picture, machine) === target.owner,
  ];
}

/**
 * Return a group's totals at an instant: {machines, busy, load (0..1), lent (0..1 of the machines), failed, draining}.
 * @param {Meta} meta
 * @param {Picture | null} picture
 * @param {Target} target
 */
export function groupState(meta, picture, target) {
  const [first, after, member] = membership(meta, target);
  const load = picture?.layers[valueLayer(meta)?.name ?? ""];
  const lent = picture?.layers[hatchLayer(meta)?.name ?? ""];
  const sums = { machines: 0, busy: 0, load: 0, lent: 0, failed: 0, draining: 0 };
  for (let machine = first; machine < after; machine += 1) {
    if (!member(machine, picture ?? { layers: {} })) continue;
    sums.machines += 1;
    if (load) {
      sums.load += load[machine] / 255;
      if (load[machine] > 0) sums.busy += 1;
    }
    if (lent && lent[machine] > 0) sums.lent += 1;
    const service = serviceOf(meta, picture, machine);
    if (service === "failed") sums.failed += 1;
    else if (service === "draining") sums.draining += 1;
  }
  sums.load = sums.machines ? sums.load / sums.machines : 0;
  return sums;
}

/**
 * Return a target's name.
 * @param {Meta} meta
 * @param {Target} target
 */
export function nameOf(meta, target) {
  if (target.kind === "machine") return machineName(meta, target.machine);
  if (target.kind === "rack") return gettext("Rack {rack}", { rack: whole(target.rack) });
  if (target.kind === "cluster") return gettext("Cluster {name}", { name: bareName(target.name) });
  if (target.kind === "owner") return meta.owners[target.owner] ?? gettext("Owner {owner}", { owner: target.owner });
  if (target.kind === "task") return gettext("Task {task}", { task: whole(target.task) });
  if (target.kind === "job") return gettext("Job {job}", { job: whole(target.job) });
  if (target.kind === "partition")
    return gettext("Partition of {owner} in {cluster}", {
      owner: meta.owners[target.owner] ?? gettext("owner {owner}", { owner: target.owner }),
      cluster: clusterName(meta.clusters[target.cluster]?.name),
    });
  return gettext("Queue {name}", { name: bareName(target.name) });
}
