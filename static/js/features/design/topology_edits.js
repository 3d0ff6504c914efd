/** Add, remove, copy, split and merge parts of the datacenter. No function changes its argument. */

import { listOf, queuesOf } from "../../experiment/experiment.js";
import {
  changeCluster,
  clustersOf,
  freeName,
  groupsOf,
  mastersOf,
  servedBy,
  setMasters,
  withClusters,
} from "../../experiment/topology.js";

/**
 * @import { Experiment, Queue } from "../../experiment/experiment.js"
 * @import { Item } from "../../experiment/topology.js"
 * @import { PlannedEvent } from "./events.js"
 */

/**
 * @typedef {{experiment: Experiment, item?: Item | null}} Made  a changed experiment, and the item selected afterwards
 * @typedef {{cluster: number, group: number}} GroupItem
 */

/**
 * @typedef {{count?: number, cpus?: number, memory_gb?: number, gpus?: number, [more: string]: unknown}} MachineGroup
 * @typedef {{name?: string, repeat?: number, racks?: number, machines?: MachineGroup[], constraint_mix?: string,
 *   [more: string]: unknown}} Cluster  an entry of the topology: one cluster, or several that are alike
 * @typedef {{global_masters?: number, clusters: Cluster[], [more: string]: unknown}} Topology
 */

/** @param {number} value */
export const round4 = (value) => Math.round(value * 1e4) / 1e4;
/**
 * @template T
 * @param {T[]} list
 * @param {number} at
 * @param {...T} added
 */
export const insert = (list, at, ...added) => [...list.slice(0, at), ...added, ...list.slice(at)];
/**
 * @template T
 * @param {T[]} list
 * @param {number} at
 */
export const without = (list, at) => list.filter((_, place) => place !== at);

/**
 * Scale shares to their previous sum; a sum of one stays exactly one.
 * @param {Queue[]} queues
 */
export function normalised(queues, whole = 1) {
  const sum = queues.reduce((total, queue) => total + queue.share, 0) || 1;
  const scaled = queues.map((queue) => ({ ...queue, share: round4((queue.share * whole) / sum) }));
  const off = round4(whole - scaled.reduce((total, queue) => total + queue.share, 0));
  const largest = scaled.reduce((best, queue, place) => (queue.share > scaled[best].share ? place : best), 0);
  if (scaled.length) scaled[largest] = { ...scaled[largest], share: round4(scaled[largest].share + off) };
  return scaled;
}

/**
 * Add a cluster after the one at `after` (at the end without one): {experiment, item}.
 * @param {Experiment} experiment
 * @param {Cluster} cluster
 * @returns {Made}
 */
export function addCluster(experiment, cluster, after = Infinity) {
  const clusters = clustersOf(experiment);
  const at = Math.min(clusters.length, after + 1);
  const made = { ...structuredClone(cluster), name: freeName(clusters, cluster.name ?? "lm") };
  return { experiment: withClusters(experiment, insert(clusters, at, made)), item: { kind: "cluster", cluster: at } };
}

/**
 * Add a group of machines to a cluster, after the one at `after`: {experiment, item}.
 * @param {Experiment} experiment
 * @param {number} cluster
 * @param {MachineGroup} group
 * @returns {Made}
 */
export function addGroup(experiment, cluster, group, after = Infinity) {
  const machines = groupsOf(clustersOf(experiment)[cluster]);
  const at = Math.min(machines.length, after + 1);
  return {
    experiment: changeCluster(experiment, cluster, { machines: insert(machines, at, structuredClone(group)) }),
    item: { kind: "group", cluster, group: at },
  };
}

/**
 * @param {Experiment} experiment
 * @returns {Made}
 */
export function addMaster(experiment) {
  const masters = mastersOf(experiment);
  return { experiment: setMasters(experiment, masters + 1), item: { kind: "master", master: masters } };
}

/**
 * Add a queue with the mean share; the others shrink in proportion: {experiment, item}.
 * @param {Experiment} experiment
 * @param {number | null} [master]  the master that serves it; by default the one with the fewest queues
 * @returns {Made}
 */
export function addQueue(experiment, master) {
  const queues = queuesOf(experiment);
  const names = new Set(queues.map((queue) => queue.name));
  let number = queues.length;
  while (names.has(`q${number}`)) number += 1;
  const sum = queues.reduce((total, queue) => total + queue.share, 0);
  const share = sum / Math.max(1, queues.length);
  const fresh = { name: `q${number}`, share, global_master: master ?? fewest(experiment) };
  return {
    experiment: { ...experiment, queues: normalised([...queues, fresh], Math.min(1, round4(sum))) },
    item: { kind: "queue", queue: queues.length },
  };
}

/** @param {Experiment} experiment */
function fewest(experiment) {
  const counts = Array.from({ length: mastersOf(experiment) }, (_, master) => servedBy(experiment, master).length);
  return counts.indexOf(Math.min(...counts));
}

/**
 * Set the master that serves a queue.
 * @param {Experiment} experiment
 * @param {number} queue
 * @param {number} master
 */
export function serve(experiment, queue, master) {
  return {
    ...experiment,
    queues: queuesOf(experiment).map((each, place) => (place === queue ? { ...each, global_master: master } : each)),
  };
}

/** @param {Record<string, unknown>} queue */
const given = (queue) => Object.fromEntries(Object.entries(queue).filter(([, value]) => value !== undefined));

/**
 * @param {Experiment} experiment
 * @param {number} queue
 * @param {Record<string, unknown>} change
 */
export function changeQueue(experiment, queue, change) {
  const before = queuesOf(experiment);
  const next = {
    ...experiment,
    queues: before.map((each, place) => (place === queue ? given({ ...each, ...change }) : each)),
  };
  if (change.name === undefined || !listOf(experiment.events).length) return next;
  return {
    ...next,
    events: experiment.events.map((/** @type {PlannedEvent} */ event) =>
      event.target?.queue === before[queue].name
        ? { ...event, target: { ...event.target, queue: change.name } }
        : event,
    ),
  };
}

/**
 * Set a queue's share; the others keep their proportions, so that the sum stays.
 * @param {Experiment} experiment
 * @param {number} queue
 * @param {number} share
 */
export function setQueueShare(experiment, queue, share) {
  const queues = queuesOf(experiment);
  const sum = Math.min(1, round4(queues.reduce((total, each) => total + each.share, 0)));
  if (queues.length < 2)
    return { ...experiment, queues: [{ ...queues[0], share: Math.min(1, Math.max(0.0001, share)) }] };
  const kept = Math.min(sum - 0.01 * (queues.length - 1), Math.max(0.01, share));
  const others = normalised(without(queues, queue), sum - kept);
  return { ...experiment, queues: insert(others, queue, { ...queues[queue], share: round4(kept) }) };
}

/**
 * Move a group to another cluster.
 * @param {Experiment} experiment
 * @param {GroupItem} options
 * @param {number} to
 * @returns {Made | null}
 */
export function moveGroup(experiment, { cluster, group }, to) {
  const from = clustersOf(experiment)[cluster];
  const machines = groupsOf(from);
  if (to === cluster || machines.length < 2) return null;
  const next = changeCluster(experiment, cluster, { machines: without(machines, group) });
  return addGroup(next, to, machines[group]);
}

/**
 * Move a cluster in the order, which numbers the machines.
 * @param {Experiment} experiment
 * @param {number} index
 * @param {number} way
 * @returns {Made | null}
 */
export function moveCluster(experiment, index, way) {
  const clusters = clustersOf(experiment);
  const to = index + way;
  if (to < 0 || to >= clusters.length) return null;
  return {
    experiment: withClusters(experiment, insert(without(clusters, index), to, clusters[index])),
    item: { kind: "cluster", cluster: to },
  };
}
