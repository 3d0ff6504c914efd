/** Adding, taking away, copying, splitting and merging parts of the datacenter. Nothing here changes its argument. */

import { listOf, queuesOf } from "../../experiment/experiment.js";
import {
  changeCluster,
  clustersOf,
  freeName,
  groupsOf,
  itemAt,
  machinesIn,
  mastersOf,
  namesOf,
  racksOf,
  repeatOf,
  servedBy,
  setMasters,
  withClusters,
} from "../../experiment/topology.js";

const round4 = (value) => Math.round(value * 1e4) / 1e4;
const insert = (list, at, ...added) => [...list.slice(0, at), ...added, ...list.slice(at)];
const without = (list, at) => list.filter((_, place) => place !== at);

/** Shares that add up to what they added up to before; a sum of one stays one to the last digit. */
export function normalised(queues, whole = 1) {
  const sum = queues.reduce((total, queue) => total + queue.share, 0) || 1;
  const scaled = queues.map((queue) => ({ ...queue, share: round4((queue.share * whole) / sum) }));
  const off = round4(whole - scaled.reduce((total, queue) => total + queue.share, 0));
  const largest = scaled.reduce((best, queue, place) => (queue.share > scaled[best].share ? place : best), 0);
  if (scaled.length) scaled[largest] = { ...scaled[largest], share: round4(scaled[largest].share + off) };
  return scaled;
}

/** {experiment, item}: with a cluster after the one at `after` (at the end without one). */
export function addCluster(experiment, cluster, after = Infinity) {
  const clusters = clustersOf(experiment);
  const at = Math.min(clusters.length, after + 1);
  const made = { ...structuredClone(cluster), name: freeName(clusters, cluster.name ?? "lm") };
  return { experiment: withClusters(experiment, insert(clusters, at, made)), item: { kind: "cluster", cluster: at } };
}

/** {experiment, item}: with a group of machines in a cluster, after the one at `after`. */
export function addGroup(experiment, cluster, group, after = Infinity) {
  const machines = groupsOf(clustersOf(experiment)[cluster]);
  const at = Math.min(machines.length, after + 1);
  return {
    experiment: changeCluster(experiment, cluster, { machines: insert(machines, at, structuredClone(group)) }),
    item: { kind: "group", cluster, group: at },
  };
}

export function addMaster(experiment) {
  const masters = mastersOf(experiment);
  return { experiment: setMasters(experiment, masters + 1), item: { kind: "master", master: masters } };
}

/**
 * {experiment, item}: with one queue more, which gets as much as each has on average; the others give in proportion.
 */
export function addQueue(experiment, master = null) {
  const queues = queuesOf(experiment);
  const names = new Set(queues.map((queue) => queue.name));
  let number = queues.length;
  while (names.has(`q${number}`)) number += 1;
  const sum = queues.reduce((total, queue) => total + queue.share, 0);
  const fresh = { name: `q${number}`, share: sum / Math.max(1, queues.length) };
  fresh.global_master = master ?? fewest(experiment);
  return {
    experiment: { ...experiment, queues: normalised([...queues, fresh], Math.min(1, round4(sum))) },
    item: { kind: "queue", queue: queues.length },
  };
}

function fewest(experiment) {
  const counts = Array.from({ length: mastersOf(experiment) }, (_, master) => servedBy(experiment, master).length);
  return counts.indexOf(Math.min(...counts));
}

/** Which master serves a queue. */
export function serve(experiment, queue, master) {
  return {
    ...experiment,
    queues: queuesOf(experiment).map((each, place) => (place === queue ? { ...each, global_master: master } : each)),
  };
}

export function changeQueue(experiment, queue, change) {
  const before = queuesOf(experiment);
  const next = {
    ...experiment,
    queues: before.map((each, place) => (place === queue ? { ...each, ...change } : each)),
  };
  if (change.name === undefined || !listOf(experiment.events).length) return next;
  return {
    ...next,
    events: experiment.events.map((event) =>
      event.target?.queue === before[queue].name
        ? { ...event, target: { ...event.target, queue: change.name } }
        : event,
    ),
  };
}

/** Give one queue a share; the others keep their proportions, so that the sum stays. */
export function setQueueShare(experiment, queue, share) {
  const queues = queuesOf(experiment);
  const sum = Math.min(1, round4(queues.reduce((total, each) => total + each.share, 0)));
  if (queues.length < 2)
    return { ...experiment, queues: [{ ...queues[0], share: Math.min(1, Math.max(0.0001, share)) }] };
  const kept = Math.min(sum - 0.01 * (queues.length - 1), Math.max(0.01, share));
  const others = normalised(without(queues, queue), sum - kept);
  return { ...experiment, queues: insert(others, queue, { ...queues[queue], share: round4(kept) }) };
}

/** {experiment, item} without an item; null where the last one has to stay. */
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

/** {experiment, item} with a copy beside it. */
export function duplicate(experiment, item) {
  const found = itemAt(experiment, item);
  if (item.kind === "cluster") return addCluster(experiment, found, item.cluster);
  if (item.kind === "group") return addGroup(experiment, item.cluster, found, item.group);
  return item.kind === "master"
    ? splitMaster(experiment, item.master)
    : addQueue(experiment, found.global_master ?? null);
}

/** Halves of every group; the second half may lack groups of one machine. */
function halves(machines) {
  const first = machines.map((group) => ({ ...group, count: Math.ceil((group.count ?? 1) / 2) }));
  const second = machines
    .map((group) => ({ ...group, count: Math.floor((group.count ?? 1) / 2) }))
    .filter((group) => group.count > 0);
  return [first, second];
}

/** Split a cluster: one into two halves, several alike into two entries of half as many. */
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

function trimmed(cluster) {
  const { repeat, racks, ...rest } = cluster;
  return { ...rest, ...(repeat > 1 ? { repeat } : {}), ...(racks > 1 ? { racks } : {}) };
}

/** The same machines under twice as many Local Masters; null where they cannot be halved evenly. */
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

/** One of several alike becomes an entry of its own, to be changed by itself. */
export function takeOne(experiment, index) {
  const clusters = clustersOf(experiment);
  const cluster = clusters[index];
  const repeat = repeatOf(cluster);
  if (repeat < 2) return null;
  const next = changeCluster(experiment, index, { repeat: repeat - 1 });
  return addCluster(next, trimmed({ ...cluster, name: freeName(clusters, cluster.name ?? "lm"), repeat: 1 }), index);
}

/** All machines of these entries in one cluster, under one Local Master. */
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

/** Groups of one shape become one group. */
export function joined(machines) {
  const found = new Map();
  for (const { count, ...shape } of machines) {
    const key = JSON.stringify(Object.entries(shape).sort());
    found.set(key, { count: (found.get(key)?.count ?? 0) + (count ?? 1), ...shape });
  }
  return [...found.values()];
}

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

/** A group takes the machines of the one after it (before it, for the last one); its own shape holds. */
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

/** A group goes to another cluster. */
export function moveGroup(experiment, { cluster, group }, to) {
  const from = clustersOf(experiment)[cluster];
  const machines = groupsOf(from);
  if (to === cluster || machines.length < 2) return null;
  const next = changeCluster(experiment, cluster, { machines: without(machines, group) });
  return addGroup(next, to, machines[group]);
}

/** A cluster takes another place in the order, in which machines are numbered. */
export function moveCluster(experiment, index, way) {
  const clusters = clustersOf(experiment);
  const to = index + way;
  if (to < 0 || to >= clusters.length) return null;
  return {
    experiment: withClusters(experiment, insert(without(clusters, index), to, clusters[index])),
    item: { kind: "cluster", cluster: to },
  };
}

/** One partition more in each cluster: the new master takes half of the queues, or half of the only one's share. */
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

/** One partition fewer: the neighbour serves its queues too. */
export function mergeMaster(experiment, master) {
  const masters = mastersOf(experiment);
  if (masters < 2) return null;
  const into = master > 0 ? master - 1 : 0;
  const after = (number) => (number === master ? into : number > master ? number - 1 : number);
  const next = { ...experiment, topology: { ...experiment.topology, global_masters: masters - 1 } };
  if (listOf(experiment.queues).length)
    next.queues = queuesOf(experiment).map((queue, place) => ({
      ...queue,
      global_master: after(queue.global_master ?? place % masters),
    }));
  if (listOf(experiment.events).length)
    next.events = experiment.events.map((event) =>
      Number.isInteger(event.target?.global_master)
        ? { ...event, target: { ...event.target, global_master: after(event.target.global_master) } }
        : event,
    );
  return { experiment: next, item: { kind: "master", master: into } };
}
