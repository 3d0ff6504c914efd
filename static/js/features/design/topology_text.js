/** Parts of a datacenter as text, for copy, paste, import and export. Sizes are limited before parsing. */

import { listOf, queuesOf } from "../../experiment/experiment.js";
import { addCluster, addGroup, addQueue, changeQueue } from "./topology_edits.js";
import { clustersOf, groupsOf, itemAt } from "../../experiment/topology.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Item } from "../../experiment/topology.js"
 * @import { Made } from "./topology_edits.js"
 */

const MOST_CHARACTERS = 4_000_000;
const MOST_CLUSTERS = 1000;

/** Explains why a text is rejected. */
export class TextError extends Error {}

/**
 * Return an item as JSON text; "" for an item that cannot be copied.
 * @param {Experiment} experiment
 * @param {Item} item
 */
export function copied(experiment, item) {
  const found = itemAt(experiment, item);
  if (!found || item.kind === "master") return "";
  const key = { cluster: "cluster", group: "machines", queue: "queue" }[item.kind];
  return JSON.stringify({ [key]: found }, null, 2);
}

/**
 * Return the datacenter as a file: its topology, and its queues if they are explicit.
 * @param {Experiment} experiment
 */
export function exported(experiment) {
  const given = listOf(experiment.queues);
  return `${JSON.stringify({ topology: experiment.topology, ...(given.length ? { queues: given } : {}) }, null, 2)}\n`;
}

/** @param {string} text */
function parse(text) {
  if (text.length > MOST_CHARACTERS)
    throw new TextError(gettext("This is larger than the limit for an experiment (4 MB)."));
  let data;
  try {
    data = JSON.parse(text);
  } catch (caught) {
    const error = /** @type {Error} */ (caught);
    throw new TextError(gettext("This is not JSON: {message}.", { message: error.message }));
  }
  if (typeof data !== "object" || data === null || Array.isArray(data))
    throw new TextError(gettext("A part of a datacenter is one JSON object, in { }."));
  return data;
}

/**
 * Import a topology from a file: {"topology": {...}}, a whole experiment, or the topology itself. Queues in the file
 * are imported too.
 * @param {Experiment} experiment
 * @param {string} text
 */
export function imported(experiment, text) {
  const data = parse(text);
  const topology = data.topology ?? data;
  if (!Array.isArray(topology.clusters) || !topology.clusters.length)
    throw new TextError(gettext("It contains no clusters. Paste an exported topology or any experiment."));
  if (topology.clusters.length > MOST_CLUSTERS)
    throw new TextError(
      gettext("It lists {clusters} clusters; the limit is {most}. Combine identical clusters with “repeat”.", {
        clusters: topology.clusters.length,
        most: MOST_CLUSTERS,
      }),
    );
  if (
    listOf(topology.clusters).length !== topology.clusters.length ||
    topology.clusters.some((/** @type {import("./topology_edits.js").Cluster} */ cluster) => !groupsOf(cluster).length)
  )
    throw new TextError(gettext("Each cluster must be an object with a list “machines”."));
  /** @type {Experiment} */
  const next = { ...experiment, topology };
  if (Array.isArray(data.queues)) next.queues = data.queues;
  else delete next.queues;
  return next;
}

/**
 * Paste copied text beside `item`: {experiment, item}.
 * @param {Experiment} experiment
 * @param {string} text
 * @param {Item | null} item
 * @returns {Made}
 */
export function pasted(experiment, text, item) {
  const data = parse(text);
  if (Array.isArray((data.topology ?? data).clusters))
    return { experiment: imported(experiment, text), item: { kind: "cluster", cluster: 0 } };
  if (data.cluster) {
    if (!groupsOf(data.cluster).length) throw new TextError(gettext("The copied cluster has no machines."));
    return addCluster(experiment, data.cluster, item && "cluster" in item ? item.cluster : Infinity);
  }
  if (data.machines && !Array.isArray(data.machines)) {
    const cluster = item && "cluster" in item ? item.cluster : clustersOf(experiment).length - 1;
    return addGroup(experiment, cluster, data.machines, item?.kind === "group" ? item.group : Infinity);
  }
  if (data.queue?.name) {
    const made = addQueue(experiment, item?.kind === "master" ? item.master : (data.queue.global_master ?? null));
    const taken = new Set(queuesOf(experiment).map((queue) => queue.name));
    return taken.has(data.queue.name)
      ? made
      : { ...made, experiment: changeQueue(made.experiment, queuesOf(experiment).length, { name: data.queue.name }) };
  }
  throw new TextError(gettext("The clipboard holds no cluster, machine group, queue or topology."));
}
