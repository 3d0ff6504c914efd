/** Split, merge, copy and remove parts of a datacenter. No function changes its arguments. */

import { listOf, queuesOf } from "../../experiment/experiment.js";
import {
  changeCluster,
  clustersOf,
  freeName,
  groupsOf,
  machinesIn,
  mastersOf,
  namesOf,
  racksOf,
  repeatOf,
  servedBy,
  setMasters,
  withClusters,
  itemAt,
} from "../../experiment/topology.js";
import { round4, insert, without, addCluster, normalised, addGroup, addQueue } from "./topology_edits.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Item } from "../../experiment/topology.js"
 * @import { Cluster, GroupItem, Made, MachineGroup } from "./topology_edits.js"
 */

/**
 * Return halves of every group; the second half may lack groups of one machine.
 * @param {MachineGroup[]} machines
 */
function halves(machines) {
  const first = machines.map((group) => ({ ...group, count: Math.ceil((group.count ?? 1) / 2) }));
  const second = machines
    .map((group) => ({ ...group, count: Math.floor((group.count ?? 1) / 2) }))
    .filter((group) => group.count > 0);
  return [first, second];
}

/**
 * Split a cluster into two halves, or an entry of several equal clusters into two entries.
 * @param {Experiment} experiment
 * @param {number} index
 * @returns {Made | null}
 */
export function splitCluster(experiment, index) {
  const clusters = clustersOf(experiment);
  const cluster = clusters[index];
  const repeat = repeatOf(cluster);
  const name = freeName(clusters, cluster.name ?? "lm");
  if (repeat > 1) {
    const next = changeCluster(experiment, index, { repeat: Math.ceil(repeat / 2) });
    return addCluster(next, trimmed({ ...cluster, name, repeat: Math.floor(repeat / 2) }), index);
  }
  if (machinesIn(cluster) < 2) return null;
  const [first, second] = halves(groupsOf(cluster));
  const racks = racksOf(cluster);
  const next = changeCluster(experiment, index, { machines: first, racks: Math.ceil(racks / 2) });
  return addCluster(
    next,
    trimmed({ ...cluster, name, machines: second, racks: Math.max(1, Math.floor(racks / 2)) }),
    index,
  );
}

/** @param {Cluster & {repeat: number, racks: number}} cluster */
function trimmed(cluster) {
  const { repeat, racks, ...rest } = cluster;
  return { ...rest, ...(repeat > 1 ? { repeat } : {}), ...(racks > 1 ? { racks } : {}) };
}

/**
 * Put the same machines under twice as many Local Masters; null if they cannot be halved evenly.
 * @param {Experiment} experiment
 * @param {number} index
 * @returns {Made | null}
 */
export function halveEach(experiment, index) {
  const cluster = clustersOf(experiment)[index];
  if (groupsOf(cluster).some((group) => (group.count ?? 1) % 2)) return null;
  const machines = groupsOf(cluster).map((group) => ({ ...group, count: group.count / 2 }));
  return {
    experiment: changeCluster(experiment, index, {
      machines,
      repeat: 2 * repeatOf(cluster),
      racks: Math.max(1, Math.ceil(racksOf(cluster) / 2)),
    }),
    item: { kind: "cluster", cluster: index },
  };
}

/**
 * Turn one of several equal clusters into an entry of its own, to be edited separately.
 * @param {Experiment} experiment
 * @param {number} index
 * @returns {Made | null}
 */
export function takeOne(experiment, index) {
  const clusters = clustersOf(experiment);
  const cluster = clusters[index];
  const repeat = repeatOf(cluster);
  if (repeat < 2) return null;
  const next = changeCluster(experiment, index, { repeat: repeat - 1 });
  return addCluster(next, trimmed({ ...cluster, name: freeName(clusters, cluster.name ?? "lm"), repeat: 1 }), index);
}

/**
 * Merge all machines of these entries into one cluster under one Local Master.
 * @param {Experiment} experiment
 * @param {number[]} indexes
 * @returns {Made | null}
 */
export function mergeClusters(experiment, indexes) {
  const chosen = [...new Set(indexes)].sort((a, b) => a - b);
  const clusters = clustersOf(experiment);
  const parts = chosen.map((index) => clusters[index]).filter(Boolean);
  if (!parts.length || (parts.length === 1 && repeatOf(parts[0]) < 2)) return null;
  const machines = joined(
    parts.flatMap((part) => groupsOf(part).map((group) => ({ ...group, count: (group.count ?? 1) * repeatOf(part) }))),
  );
  const racks = parts.reduce((sum, part) => sum + racksOf(part) * repeatOf(part), 0);
  const merged = trimmed({
    ...parts[0],
    machines,
    racks: Math.min(
      racks,
      machines.reduce((sum, group) => sum + group.count, 0),
    ),
    repeat: 1,
  });
  const rest = clusters
    .map((each, place) => (place === chosen[0] ? merged : each))
    .filter((_, place) => place === chosen[0] || !chosen.includes(place));
  const names = new Set(parts.flatMap(namesOf));
  const events = listOf(experiment.events).map((event) => ({
    ...event,
    target: Object.fromEntries(
      Object.entries(event.target ?? {}).map(([key, name]) => [
        key,
        ["cluster", "local_master"].includes(key) && names.has(name) ? (merged.name ?? "lm") : name,
      ]),
    ),
  }));
  const next = withClusters(experiment, rest);
  return { experiment: events.length ? { ...next, events } : next, item: { kind: "cluster", cluster: chosen[0] } };
}

/**
 * Merge groups of the same shape.
 * @param {MachineGroup[]} machines
 */
export function joined(machines) {
  const found = new Map();
  for (const { count, ...shape } of machines) {
    const key = JSON.stringify(Object.entries(shape).sort());
    found.set(key, { count: (found.get(key)?.count ?? 0) + (count ?? 1), ...shape });
  }
  return [...found.values()];
}

/**
 * @param {Experiment} experiment
 * @param {GroupItem} options
 * @returns {Made | null}
 */
export function splitGroup(experiment, { cluster, group }) {
  const machines = groupsOf(clustersOf(experiment)[cluster]);
  const count = machines[group].count ?? 1;
  if (count < 2) return null;
  const halved = [
    { ...machines[group], count: Math.ceil(count / 2) },
    { ...machines[group], count: Math.floor(count / 2) },
  ];
  return {
    experiment: changeCluster(experiment, cluster, { machines: insert(without(machines, group), group, ...halved) }),
    item: { kind: "group", cluster, group: group + 1 },
  };
}

/**
 * Merge a group with the next one (the previous one for the last group); its own shape applies.
 * @param {Experiment} experiment
 * @param {GroupItem} options
 * @returns {Made | null}
 */
export function mergeGroups(experiment, { cluster, group }) {
  const machines = groupsOf(clustersOf(experiment)[cluster]);
  if (machines.length < 2) return null;
  const other = group + 1 < machines.length ? group + 1 : group - 1;
  const both = machines.map((each, place) =>
    place === group ? { ...each, count: (each.count ?? 1) + (machines[other].count ?? 1) } : each,
  );
  return {
    experiment: changeCluster(experiment, cluster, { machines: without(both, other) }),
    item: { kind: "group", cluster, group: Math.min(group, other) },
  };
}

/**
 * Add a partition to each cluster: the new master takes half of the queues, or half of the only queue's share.
 * @param {Experiment} experiment
 * @param {number} master
 * @returns {Made}
 */
export function splitMaster(experiment, master) {
  const fresh = mastersOf(experiment);
  const next = setMasters(experiment, fresh + 1);
  if (!listOf(experiment.queues).length) return { experiment: next, item: { kind: "master", master: fresh } };
  const own = servedBy(experiment, master);
  const fixed = queuesOf(experiment).map((queue, place) => ({
    ...queue,
    global_master: queue.global_master ?? place % fresh,
  }));
  if (own.length > 1) {
    const moved = new Set(own.slice(Math.ceil(own.length / 2)).map((queue) => queue.place));
    return {
      experiment: {
        ...next,
        queues: fixed.map((queue, place) => (moved.has(place) ? { ...queue, global_master: fresh } : queue)),
      },
      item: { kind: "master", master: fresh },
    };
  }
  if (!own.length) return { experiment: { ...next, queues: fixed }, item: { kind: "master", master: fresh } };
  const { place, share } = own[0];
  const names = new Set(fixed.map((queue) => queue.name));
  let number = fixed.length;
  while (names.has(`q${number}`)) number += 1;
  const first = round4(share / 2);
  const queues = insert(
    fixed.map((queue, at) => (at === place ? { ...queue, share: first } : queue)),
    place + 1,
    { name: `q${number}`, share: round4(share - first), global_master: fresh },
  );
  return { experiment: { ...next, queues }, item: { kind: "master", master: fresh } };
}

/**
 * Remove a partition: the neighboring master also serves its queues.
 * @param {Experiment} experiment
 * @param {number} master
 * @returns {Made | null}
 */
export function mergeMaster(experiment, master) {
  const masters = mastersOf(experiment);
  if (masters < 2) return null;
  const into = master > 0 ? master - 1 : 0;
  /** @param {number} number */
  const after = (number) => (number === master ? into : number > master ? number - 1 : number);
  /** @type {Experiment} */
  const next = { ...experiment, topology: { ...experiment.topology, global_masters: masters - 1 } };
  if (listOf(experiment.queues).length)
    next.queues = queuesOf(experiment).map((queue, place) => ({
      ...queue,
      global_master: after(queue.global_master ?? place % masters),
    }));
  if (listOf(experiment.events).length)
    next.events = experiment.events.map((/** @type {{target?: {global_master?: number}}} */ event) =>
      Number.isInteger(event.target?.global_master)
        ? { ...event, target: { ...event.target, global_master: after(Number(event.target?.global_master)) } }
        : event,
    );
  return { experiment: next, item: { kind: "master", master: into } };
}

/**
 * Remove an item: {experiment, item}; null if it is the last one and must stay.
 * @param {Experiment} experiment
 * @param {Item} item
 * @returns {Made | null}
 */
export function remove(experiment, item) {
  if (item.kind === "master") return mastersOf(experiment) > 1 ? mergeMaster(experiment, item.master) : null;
  if (item.kind === "queue") {
    const queues = queuesOf(experiment);
    if (queues.length < 2) return null;
    const sum = Math.min(1, round4(queues.reduce((total, each) => total + each.share, 0)));
    return {
      experiment: { ...experiment, queues: normalised(without(queues, item.queue), sum) },
      item: { kind: "queue", queue: Math.max(0, item.queue - 1) },
    };
  }
  const clusters = clustersOf(experiment);
  if (item.kind === "group") {
    const machines = groupsOf(clusters[item.cluster]);
    if (machines.length < 2) return null;
    return {
      experiment: changeCluster(experiment, item.cluster, { machines: without(machines, item.group) }),
      item: { ...item, group: Math.max(0, item.group - 1) },
    };
  }
  if (clusters.length < 2) return null;
  return {
    experiment: withClusters(experiment, without(clusters, item.cluster)),
    item: { kind: "cluster", cluster: Math.max(0, item.cluster - 1) },
  };
}

/**
 * Add a copy beside an item: {experiment, item}.
 * @param {Experiment} experiment
 * @param {Item} item
 * @returns {Made}
 */
export function duplicate(experiment, item) {
  const found = itemAt(experiment, item);
  if (item.kind === "cluster") return addCluster(experiment, found, item.cluster);
  if (item.kind === "group") return addGroup(experiment, item.cluster, found, item.group);
  return item.kind === "master"
    ? splitMaster(experiment, item.master)
    : addQueue(experiment, found.global_master ?? null);
}
