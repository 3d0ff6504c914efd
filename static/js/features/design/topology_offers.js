/**
 * The allowed actions on a part of the datacenter: [{id, label, help, key, act(experiment) -> {experiment, item} |
 * null}].
 */

import { whole } from "../../kit/format.js";
import { addGroup, addMaster, addQueue, moveCluster, moveGroup } from "./topology_edits.js";
import {
  duplicate,
  remove,
  halveEach,
  mergeClusters,
  mergeGroups,
  mergeMaster,
  splitCluster,
  splitGroup,
  splitMaster,
  takeOne,
} from "./topology_splits.js";
import { clustersOf, itemAt, machinesIn, mastersOf, repeatOf, SHAPES } from "../../experiment/topology.js";
import { gettext, midSentence } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Item } from "../../experiment/topology.js"
 * @import { Cluster, GroupItem, Made } from "./topology_edits.js"
 */

/**
 * Return the actions. `also`: further selected clusters; `partitioned`: true if the scheduler has Global Masters.
 * @param {Experiment} experiment
 * @param {Item} item
 * @param {{also?: number[], partitioned?: boolean}} [options]
 */
export function offersOf(experiment, item, { also = [], partitioned = true } = {}) {
  const found = itemAt(experiment, item);
  if (!found) return [];
  /** @type {Offer[]} */
  const all =
    item.kind === "cluster"
      ? ofCluster(item, found, also, partitioned)
      : item.kind === "group"
        ? ofGroup(experiment, item)
        : item.kind === "master"
          ? ofMaster(experiment, item)
          : ofQueue(partitioned);
  /** @type {Offer[]} */
  const common = [];
  if (item.kind !== "master")
    common.push({
      id: "duplicate",
      label: gettext("Duplicate"),
      key: "Ctrl+D",
      act: (/** @type {Experiment} */ one) => duplicate(one, item),
    });
  common.push({
    id: "delete",
    label: gettext("Delete"),
    key: gettext("Del"),
    help: item.kind === "master" ? gettext("The neighboring master serves its queues.") : "",
    act: (/** @type {Experiment} */ one) =>
      item.kind === "cluster" && also.length ? removeAll(one, [item.cluster, ...also]) : remove(one, item),
  });
  return [...all, ...common].filter((offer) => offer.act(experiment) !== null);
}

/**
 * @param {Experiment} experiment
 * @param {number[]} clusters
 * @returns {Made | null}
 */
function removeAll(experiment, clusters) {
  /** @type {Made} */
  let next = { experiment };
  for (const cluster of [...new Set(clusters)].sort((a, b) => b - a)) {
    const made = remove(next.experiment, { kind: "cluster", cluster });
    if (!made) return null;
    next = made;
  }
  return next;
}

/**
 * @param {{cluster: number}} options
 * @param {Cluster} found
 * @param {number[]} also
 * @param {boolean} partitioned
 * @typedef {{id: string, label: string, help?: string, key?: string,
 *   act: (experiment: Experiment) => Made | null}} Offer
 */

function ofCluster({ cluster }, found, also, partitioned) {
  const repeat = repeatOf(found);
  const machines = machinesIn(found);
  /** @type {Offer[]} */
  const offers = SHAPES.map((each) => ({
    id: `add-${each.id}`,
    label: gettext("Add {label}", { label: midSentence(each.label) }),
    act: (/** @type {Experiment} */ one) => addGroup(one, cluster, each.shape),
  }));
  if (repeat > 1) {
    offers.push({
      id: "split",
      label: gettext("Split these clusters into two groups"),
      key: "S",
      help: gettext("{some} and {others} clusters that can be edited separately.", {
        some: whole(Math.ceil(repeat / 2)),
        others: whole(Math.floor(repeat / 2)),
      }),
      act: (/** @type {Experiment} */ one) => splitCluster(one, cluster),
    });
    offers.push({
      id: "take",
      label: gettext("Separate one cluster"),
      help: gettext("One of them becomes a separate cluster."),
      act: (/** @type {Experiment} */ one) => takeOne(one, cluster),
    });
  } else
    offers.push({
      id: "split",
      label: gettext("Split in two"),
      key: "S",
      help: partitioned
        ? gettext("Two clusters with half of the machines each. Each has a Local Master.")
        : gettext("Two clusters with half of the machines each."),
      act: (/** @type {Experiment} */ one) => splitCluster(one, cluster),
    });
  offers.push({
    id: "halve",
    label: repeat > 1 ? gettext("Halve each cluster") : gettext("Halve under one name"),
    help: halvedWords({ clusters: whole(repeat * 2), machines: whole(machines / 2) }, partitioned),
    act: (/** @type {Experiment} */ one) => halveEach(one, cluster),
  });
  offers.push(
    mergeOffer({ cluster, repeat, machines, also, partitioned }),
    {
      id: "left",
      label: gettext("Move to the front"),
      key: "Alt+←",
      act: (/** @type {Experiment} */ one) => moveCluster(one, cluster, -1),
    },
    {
      id: "right",
      label: gettext("Move to the back"),
      key: "Alt+→",
      act: (/** @type {Experiment} */ one) => moveCluster(one, cluster, 1),
    },
  );
  return offers;
}

/**
 * Describe the result of halving each cluster.
 * @param {{clusters: string, machines: string}} made
 * @param {boolean} partitioned
 */
function halvedWords(made, partitioned) {
  return partitioned
    ? gettext("{clusters} clusters of {machines} machines: the same number of machines, twice the Local Masters.", made)
    : gettext("{clusters} clusters of {machines} machines: the same number of machines.", made);
}

/**
 * @param {{cluster: number, repeat: number, machines: number, also: number[], partitioned: boolean}} options
 * @returns {Offer}
 */
function mergeOffer({ cluster, repeat, machines, also, partitioned }) {
  if (also.length)
    return {
      id: "merge",
      label: gettext("Merge the {clusters} selected", { clusters: whole(also.length + 1) }),
      key: "M",
      help: partitioned
        ? gettext("One Local Master manages all their machines.")
        : gettext("One cluster has all their machines."),
      act: (/** @type {Experiment} */ one) => mergeClusters(one, [cluster, ...also]),
    };
  if (repeat > 1)
    return {
      id: "merge",
      label: gettext("Merge all clusters into one"),
      key: "M",
      help: partitioned
        ? gettext("One Local Master manages {machines} machines.", { machines: whole(repeat * machines) })
        : gettext("One cluster has {machines} machines.", { machines: whole(repeat * machines) }),
      act: (/** @type {Experiment} */ one) => mergeClusters(one, [cluster]),
    };
  return {
    id: "merge",
    label: gettext("Merge with the next"),
    key: "M",
    help: partitioned
      ? gettext("One Local Master manages the machines of both clusters.")
      : gettext("One cluster has the machines of both."),
    act: (/** @type {Experiment} */ one) =>
      itemAt(one, { kind: "cluster", cluster: cluster + 1 })
        ? mergeClusters(one, [cluster, cluster + 1])
        : cluster > 0
          ? mergeClusters(one, [cluster - 1, cluster])
          : null,
  };
}

/**
 * @param {Experiment} experiment
 * @param {GroupItem} item
 */
function ofGroup(experiment, item) {
  /** @param {number} way */
  const name = (way) => clustersOf(experiment)[item.cluster + way]?.name ?? "lm";
  /**
   * @param {number} way
   * @param {string} key
   */
  const move = (way, key) => ({
    id: way < 0 ? "left" : "right",
    label: gettext("Move to {cluster}", { cluster: name(way) }),
    key,
    act: (/** @type {Experiment} */ one) =>
      clustersOf(one)[item.cluster + way] ? moveGroup(one, item, item.cluster + way) : null,
  });
  return [
    {
      id: "split",
      label: gettext("Split in two"),
      key: "S",
      help: gettext("Two groups of half the size that can be edited separately."),
      act: (/** @type {Experiment} */ one) => splitGroup(one, item),
    },
    {
      id: "merge",
      label: gettext("Merge with the neighboring one"),
      key: "M",
      help: gettext("Both take this one's machine shape."),
      act: (/** @type {Experiment} */ one) => mergeGroups(one, item),
    },
    move(-1, "Alt+←"),
    move(1, "Alt+→"),
  ];
}

/**
 * @param {Experiment} experiment
 * @param {{master: number}} options
 */
function ofMaster(experiment, { master }) {
  return [
    {
      id: "split",
      label: gettext("Split its partitions"),
      key: "S",
      help: gettext("A new master takes half of its queues. Every cluster is partitioned again."),
      act: (/** @type {Experiment} */ one) => splitMaster(one, master),
    },
    {
      id: "merge",
      label: gettext("Merge with the neighboring one"),
      key: "M",
      help: gettext("One master serves the queues of both."),
      act: (/** @type {Experiment} */ one) => mergeMaster(one, master),
    },
    { id: "add-queue", label: gettext("Add a queue"), act: (/** @type {Experiment} */ one) => addQueue(one, master) },
    {
      id: "add-master",
      label: gettext("Add a Global Master"),
      help: gettext("There are {masters} now.", { masters: mastersOf(experiment) }),
      act: (/** @type {Experiment} */ one) => addMaster(one),
    },
  ];
}

/** @param {boolean} partitioned */
function ofQueue(partitioned) {
  return [
    {
      id: "add-queue",
      label: gettext("Add a queue"),
      help: partitioned ? gettext("The queue goes to the master that serves the fewest.") : "",
      act: (/** @type {Experiment} */ one) => addQueue(one),
    },
  ];
}
