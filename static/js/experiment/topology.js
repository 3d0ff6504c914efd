/**
 * The datacenter as items that a user can select. Every function returns a changed copy of the experiment; none changes
 * its argument. An item: {kind: "cluster", cluster} | {kind: "group", cluster, group} | {kind: "master", master} |
 * {kind: "queue", queue}.
 */

import { percent, three, whole } from "../kit/format.js";
import { listOf, machineCount, queuesOf } from "./experiment.js";
import { counted } from "../kit/counts.js";
import { bareName, clusterName, queueName } from "../kit/names.js";
import { gettext, ngettext } from "../kit/words.js";

/** @import { Experiment, Queue } from "./experiment.js" */

/**
 * @typedef {{kind: "cluster", cluster: number} | {kind: "group", cluster: number, group: number} |
 *   {kind: "master", master: number} | {kind: "queue", queue: number}} Item
 * @typedef {{count?: number, cpus?: number, memory_gb?: number, gpus?: number, resources?: Record<string, number>,
 *   attributes?: Record<string, string | number | boolean>, constraint_shares?: Record<string, number>}}
 *   Group  a group of equal machines in an experiment
 * @typedef {{name?: string, repeat?: number, racks?: number, machines?: Group[], constraint_mix?: string,
 *   constraint_shares?: Record<string, number>}} Cluster  an entry of an experiment's clusters
 */

export const SHAPES = [
  { id: "small", label: gettext("Small machines"), shape: { count: 100, cpus: 4, memory_gb: 16 } },
  { id: "large", label: gettext("Large machines"), shape: { count: 20, cpus: 64, memory_gb: 256 } },
  { id: "gpu", label: gettext("GPU machines"), shape: { count: 8, cpus: 32, memory_gb: 128, gpus: 4 } },
];

const MOST_NAMES = 2000;
const PX_A_STEP = 24;
const PX_A_DOUBLING = 110;

export const clustersOf = (/** @type {Experiment} */ experiment) => listOf(experiment.topology?.clusters);
export const groupsOf = (/** @type {Cluster | null | undefined} */ cluster) => listOf(cluster?.machines);
export const mastersOf = (/** @type {Experiment} */ experiment) =>
  Math.max(1, Math.floor(Number(experiment.topology?.global_masters ?? 1)) || 1);
const countOf = (/** @type {unknown} */ value) =>
  Number.isFinite(value) && /** @type {number} */ (value) > 0 ? Math.floor(/** @type {number} */ (value)) : 1;
export const repeatOf = (/** @type {Cluster | null | undefined} */ cluster) => countOf(cluster?.repeat);
export const racksOf = (/** @type {Cluster | null | undefined} */ cluster) => countOf(cluster?.racks);

/** Return the number of machines of one cluster of an entry; an entry may repeat. */
export function machinesIn(/** @type {Cluster} */ cluster) {
  return groupsOf(cluster).reduce((sum, group) => sum + countOf(group.count ?? 1), 0);
}

/** Return an item's key, stable until items are added or removed. */
export function keyOf(/** @type {Item} */ item) {
  return item ? [item.kind, numberOf(item), ...(item.kind === "group" ? [item.group] : [])].join(":") : "";
}

function numberOf(/** @type {Item} */ item) {
  if (item.kind === "master") return item.master;
  return item.kind === "queue" ? item.queue : item.cluster;
}

/** Return an item's path in problems. */
export function pathOf(/** @type {Item} */ item) {
  if (item.kind === "cluster") return `topology.clusters[${item.cluster}]`;
  if (item.kind === "group") return `topology.clusters[${item.cluster}].machines[${item.group}]`;
  return item.kind === "queue" ? `queues[${item.queue}]` : "topology.global_masters";
}

/**
 * Return the object of an item, or undefined.
 * @param {Experiment} experiment
 * @param {Item | null} item
 */
export function itemAt(experiment, item) {
  if (item?.kind === "cluster") return clustersOf(experiment)[item.cluster];
  if (item?.kind === "group") return groupsOf(clustersOf(experiment)[item.cluster])[item.group];
  if (item?.kind === "queue") return queuesOf(experiment)[item.queue];
  return item?.kind === "master" && item.master < mastersOf(experiment) ? { master: item.master } : undefined;
}

/**
 * Return all items as rows for arrow keys: masters, queues, clusters, and each cluster's groups below it.
 * @param {Experiment} experiment
 * @param {boolean} partitioned
 */
export function rowsOf(experiment, partitioned) {
  const clusters = clustersOf(experiment);
  /** @type {Item[][]} */
  const rows = [
    ...(partitioned
      ? [
          Array.from(
            { length: Math.min(64, mastersOf(experiment)) },
            (_, master) => /** @type {const} */ ({ kind: "master", master }),
          ),
        ]
      : []),
    queuesOf(experiment)
      .slice(0, 64)
      .map((_, queue) => /** @type {const} */ ({ kind: "queue", queue })),
    clusters.map((_, cluster) => /** @type {const} */ ({ kind: "cluster", cluster })),
    clusters.flatMap((each, cluster) =>
      groupsOf(each).map((_, group) => /** @type {const} */ ({ kind: "group", cluster, group })),
    ),
  ];
  return rows.filter((row) => row.length);
}

/**
 * Return the item that an arrow key selects.
 * @param {Experiment} experiment
 * @param {Item} item
 * @param {string} key
 * @param {boolean} partitioned
 * @returns {Item | null}
 */
export function neighbour(experiment, item, key, partitioned) {
  const rows = rowsOf(experiment, partitioned);
  const at = rows.findIndex((row) => row.some((each) => keyOf(each) === keyOf(item)));
  if (at < 0) return rows.at(-1)?.[0] ?? null;
  const place = rows[at].findIndex((each) => keyOf(each) === keyOf(item));
  if (key === "ArrowRight" || key === "ArrowLeft") return rows[at][place + (key === "ArrowRight" ? 1 : -1)] ?? item;
  // Between a cluster and its groups, up and down enter and leave the box. Elsewhere they go to a similar position in
  // the next row.
  if (item.kind === "cluster" && key === "ArrowDown" && groupsOf(itemAt(experiment, item)).length)
    return { kind: "group", cluster: item.cluster, group: 0 };
  if (item.kind === "group" && key === "ArrowUp") return { kind: "cluster", cluster: item.cluster };
  const row = rows[at + (key === "ArrowDown" ? 1 : -1)];
  return row
    ? row[Math.min(row.length - 1, Math.round((place * (row.length - 1)) / Math.max(1, rows[at].length - 1)))]
    : item;
}

/** The default name of a cluster. */
export const UNNAMED = "lm";

/** Return the display name of a cluster, or of all its copies. */
export function clusterTitle(/** @type {Cluster} */ cluster) {
  const name = cluster.name ?? UNNAMED;
  return name === UNNAMED && repeatOf(cluster) > 1 ? gettext("Clusters") : clusterName(name);
}

/** Return a machine shape in words: "4 CPUs, 16 GB". */
export function shapeWords(/** @type {Group} */ group) {
  const cpus = group.cpus ?? 1;
  const parts = [ngettext("{cpus} CPU", "{cpus} CPUs", cpus, { cpus: three(cpus) })];
  if (group.memory_gb) parts.push(gettext("{memory} GB", { memory: three(group.memory_gb) }));
  if (group.gpus) parts.push(ngettext("{gpus} GPU", "{gpus} GPUs", group.gpus, { gpus: three(group.gpus) }));
  for (const [name, amount] of Object.entries(group.resources ?? {}).slice(0, 3))
    parts.push(`${three(Number(amount))} ${name}`);
  return parts.join(", ");
}

/**
 * Describe an item briefly, for tooltips and screen readers.
 * @param {Experiment} experiment
 * @param {Item} item
 */
export function itemWords(experiment, item, partitioned = true) {
  const found = itemAt(experiment, item);
  if (!found) return "";
  if (item.kind === "group")
    return gettext("{machines} machines of {shape}", {
      machines: whole(countOf(found.count ?? 1)),
      shape: shapeWords(found),
    });
  if (item.kind === "master") {
    const names = servedBy(experiment, item.master).map((queue) => queue.name);
    return gettext("Global Master {master}, {serves}", {
      master: item.master,
      serves: names.length
        ? gettext("serves {names}", { names: names.slice(0, 6).map(queueName).join(", ") })
        : gettext("serves no queue"),
    });
  }
  if (item.kind === "queue")
    return gettext("Queue {name}, {share}{served}", {
      name: bareName(found.name),
      share: percent(found.share),
      served:
        !partitioned || found.global_master === undefined || found.global_master === null
          ? ""
          : gettext(", served by Global Master {master}", { master: found.global_master }),
    });
  const [machines, repeat, racks] = [machinesIn(found), repeatOf(found), racksOf(found)];
  const values = { name: clusterTitle(found), machines: whole(machines), racks: counted.rack(racks) };
  return repeat > 1
    ? gettext("{name}, {repeat} copies: {machines} machines each in {racks}", { repeat: whole(repeat), ...values })
    : gettext("{name}: {machines} machines in {racks}", values);
}

/**
 * Return the queues of a master with their positions.
 * @param {Experiment} experiment
 * @param {number} master
 */
export function servedBy(experiment, master) {
  const masters = mastersOf(experiment);
  return queuesOf(experiment)
    .map((queue, place) => ({ ...queue, place }))
    .filter((queue) => (queue.global_master ?? queue.place % masters) === master);
}

/** Return the totals of the datacenter: {clusters, racks, machines, cpus, memory_gb, gpus}. */
export function totals(/** @type {Experiment} */ experiment) {
  /** @type {Record<"clusters" | "racks" | "machines" | "cpus" | "memory_gb" | "gpus", number>} */
  const sum = { clusters: 0, racks: 0, machines: machineCount(experiment), cpus: 0, memory_gb: 0, gpus: 0 };
  for (const cluster of clustersOf(experiment)) {
    const repeat = repeatOf(cluster);
    sum.clusters += repeat;
    sum.racks += repeat * racksOf(cluster);
    for (const group of groupsOf(cluster))
      for (const key of /** @type {const} */ (["cpus", "memory_gb", "gpus"]))
        sum[key] += repeat * countOf(group.count ?? 1) * (Number(group[key] ?? (key === "cpus" ? 1 : 0)) || 0);
  }
  return sum;
}

/** Return the names of all clusters of an entry, as events name them. */
export function namesOf(/** @type {Cluster | null | undefined} */ cluster) {
  const name = cluster?.name ?? "lm";
  return cluster?.repeat === undefined || cluster?.repeat === null
    ? [name]
    : Array.from({ length: Math.min(MOST_NAMES, repeatOf(cluster)) }, (_, place) => `${name}-${place}`);
}

/**
 * Return a name like `wanted` that no cluster has, neither an entry nor one of its copies.
 * @param {Cluster[]} clusters
 * @param {string} wanted
 */
export function freeName(clusters, wanted) {
  const taken = new Set(clusters.flatMap((each) => [each.name ?? "lm", ...namesOf(each)]));
  if (!taken.has(wanted)) return wanted;
  const stem = wanted.replace(/-?\d+$/, "").slice(0, 56) || "lm";
  for (let number = 2; ; number += 1)
    if (!taken.has(`${stem}${number}`) && ![...taken].some((each) => each.startsWith(`${stem}${number}-`)))
      return `${stem}${number}`;
}

/**
 * Return the experiment with other clusters; everything else stays.
 * @param {Experiment} experiment
 * @param {Cluster[]} clusters
 */
export function withClusters(experiment, clusters) {
  return { ...experiment, topology: { ...experiment.topology, clusters } };
}

/**
 * Change fields of a cluster; undefined removes one. Events that name the cluster are renamed with it.
 * @param {Experiment} experiment
 * @param {number} index
 * @param {Cluster} change
 */
export function changeCluster(experiment, index, change) {
  const before = clustersOf(experiment)[index];
  const after = clean({ ...before, ...change });
  if (after.repeat === 1) delete after.repeat; // a single cluster has its plain name
  if (after.racks === 1) delete after.racks;
  const clusters = clustersOf(experiment).map((each, place) => (place === index ? after : each));
  return renamed(withClusters(experiment, clusters), namesOf(before), namesOf(after));
}

/**
 * Change fields of a group of machines; undefined removes one.
 * @param {Experiment} experiment
 * @param {{cluster: number, group: number}} options
 * @param {Group} change
 */
export function changeGroup(experiment, { cluster, group }, change) {
  const machines = groupsOf(clustersOf(experiment)[cluster]).map((each, place) =>
    place === group ? clean({ ...each, ...change }) : each,
  );
  return changeCluster(experiment, cluster, { machines });
}

function clean(/** @type {object} */ value) {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));
}

/**
 * @param {Experiment} experiment
 * @param {string[]} from
 * @param {string[]} to
 */
function renamed(experiment, from, to) {
  const names = new Map(
    from.flatMap((name, place) => (to[place] && to[place] !== name ? [/** @type {const} */ ([name, to[place]])] : [])),
  );
  if (!names.size || !listOf(experiment.events).length) return experiment;
  const events = experiment.events.map((/** @type {{target?: Record<string, string>}} */ event) => {
    const target = { ...event.target };
    for (const key of ["cluster", "local_master"])
      if (names.has(target[key])) target[key] = /** @type {string} */ (names.get(target[key]));
    return { ...event, target };
  });
  return { ...experiment, events };
}

/**
 * Return the size after dragging an edge by some pixels: single steps for short drags, doublings for long ones, rounded
 * to numbers that a person would type.
 * @param {number} value
 * @param {number} px
 */
export function resized(value, px, least = 1) {
  const steps = Math.trunc(px / PX_A_STEP);
  const scaled = value * 2 ** (px / PX_A_DOUBLING);
  const round = scaled >= 100 ? Number(scaled.toPrecision(2)) : Math.round(scaled);
  return Math.max(least, px >= 0 ? Math.max(value + steps, round) : Math.min(value + steps, round));
}

/**
 * Return the size after + or -: steps of one for small sizes, then steps of a tenth of the size, so that thousands are
 * reachable.
 * @param {number} value
 * @param {number} way
 */
export function stepped(value, way, large = false) {
  if (large) return Math.max(1, way > 0 ? value * 2 : Math.round(value / 2));
  const step = value + (way > 0 ? 0 : -1) < 20 ? 1 : 10 ** Math.floor(Math.log10(value + (way > 0 ? 0 : -1)) - 0.999);
  return Math.max(1, value + way * Math.max(1, Math.round(step)));
}

/**
 * Return the number of an item that its edges and keys change.
 * @param {Experiment} experiment
 * @param {Item} item
 */
export function sizeOf(experiment, item) {
  const found = itemAt(experiment, item);
  if (item.kind === "group") return countOf(found?.count ?? 1);
  if (item.kind === "cluster") return repeatOf(found);
  return item.kind === "master" ? mastersOf(experiment) : found?.share;
}

/**
 * Return the experiment with another size of an item: machines of a group, copies of a cluster, or Global Masters.
 * @param {Experiment} experiment
 * @param {Item} item
 * @param {number} size
 */
export function withSize(experiment, item, size) {
  if (item.kind === "group") return changeGroup(experiment, item, { count: size });
  if (item.kind === "cluster") return changeCluster(experiment, item.cluster, { repeat: size });
  return item.kind === "master" ? setMasters(experiment, size) : experiment;
}

/**
 * Set the number of masters: queues of removed masters move to the remaining ones, round-robin.
 * @param {Experiment} experiment
 * @param {number} masters
 */
export function setMasters(experiment, masters) {
  /** @type {Experiment} */
  const next = { ...experiment, topology: { ...experiment.topology, global_masters: masters } };
  if (listOf(experiment.queues).length)
    next.queues = experiment.queues.map((/** @type {Queue} */ queue) =>
      Number.isInteger(queue.global_master) && /** @type {number} */ (queue.global_master) >= masters
        ? { ...queue, global_master: /** @type {number} */ (queue.global_master) % masters }
        : queue,
    );
  return next;
}
