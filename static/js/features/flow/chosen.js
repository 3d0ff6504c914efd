/** The part of a network that one task can use: its arcs with their costs, its paths, and all other nodes merged. */

import { whole } from "../../kit/format.js";
import { gettext, ngettext } from "../../kit/words.js";

/** @import { Arc, Network, NetworkNode, Way } from "./network.js" */

/** Kinds of nodes that stay as they are, because a network has few of them. */
const KEPT = new Set(["cluster", "unscheduled", "sink"]);

/**
 * Return the network of a task's arcs, or null if the picture has no node of its own for the task. Nodes that neither
 * an arc of the task nor one of its paths reaches are merged, machines by their rack. Each machine says in `note`
 * whether it is full after the round.
 *
 * @param {Network} network
 * @param {Way} way
 * @returns {Network | null}
 */
export function chosenNetwork(network, way) {
  const start = network.nodes.findIndex((node) => node.id === `task:${way.task}`);
  if (start < 0) return null;
  const arcs = network.arcs.filter((arc) => arc.members > 0);
  const reached = reachedFrom(arcs, start);
  const named = new Set([start, ...arcs.filter((arc) => arc.tail === start).map((arc) => arc.head)]);
  const ids = new Set([way.path, way.next?.path ?? [], way.elsewhere?.path ?? []].flat().map((step) => step.to));
  network.nodes.forEach((node, at) => {
    if (reached.has(at) && (KEPT.has(node.kind) || ids.has(node.id))) named.add(at);
  });
  const keyOf = keys(network, arcs, named);
  /** @type {Map<string, number[]>} */
  const groups = new Map();
  for (const at of [...reached].sort((a, b) => a - b)) groups.set(keyOf(at), [...(groups.get(keyOf(at)) ?? []), at]);
  const order = [...groups.entries()].sort(([, one], [, other]) => rank(network, named, one, other));
  const of = new Map(order.flatMap(([, members], place) => members.map((at) => [at, place])));
  return {
    ...network,
    nodes: order.map(([, members]) => merged(network, arcs, members, way)),
    arcs: between(arcs, of),
    chosen: way.task,
  };
}

/** @param {Arc[]} arcs @param {number} start */
function reachedFrom(arcs, start) {
  const found = new Set([start]);
  for (const at of found) for (const arc of arcs) if (arc.tail === at) found.add(arc.head);
  return found;
}

/**
 * Return the function that gives each node the name of its group: named nodes stay alone.
 *
 * @param {Network} network
 * @param {Arc[]} arcs
 * @param {Set<number>} named
 */
function keys(network, arcs, named) {
  const rackOf = new Map();
  for (const arc of arcs) if (network.nodes[arc.tail].kind === "rack") rackOf.set(arc.head, arc.tail);
  return (/** @type {number} */ at) => {
    const { kind } = network.nodes[at];
    if (named.has(at)) return `${at}`;
    const rack = rackOf.get(at);
    return kind !== "machine" || rack === undefined ? kind : `${kind} ${named.has(rack) ? rack : "rack"}`;
  };
}

/**
 * Order groups by layer, with merged ones behind the others.
 *
 * @param {Network} network
 * @param {Set<number>} named
 * @param {number[]} one
 * @param {number[]} other
 */
function rank(network, named, [one], [other]) {
  const last = (/** @type {number} */ at) => (named.has(at) ? 0 : 1);
  return network.nodes[one].layer - network.nodes[other].layer || last(one) - last(other) || one - other;
}

/**
 * @param {Network} network
 * @param {Arc[]} arcs
 * @param {number[]} members
 * @param {Way} way
 * @returns {NetworkNode}
 */
function merged(network, arcs, members, way) {
  const node = network.nodes[members[0]];
  const note = node.kind === "machine" ? roomOf(network, arcs, members, way) : "";
  const count = members.reduce((sum, at) => sum + network.nodes[at].members, 0);
  if (members.length === 1) return { ...node, note };
  /** @type {Record<string, () => string>} */
  const words = {
    machine: () => ngettext("{n} other machine", "{n} other machines", count, { n: whole(count) }),
    rack: () => ngettext("{n} other rack", "{n} other racks", count, { n: whole(count) }),
  };
  const label = words[node.kind]?.() ?? ngettext("{n} other node", "{n} other nodes", count, { n: whole(count) });
  return {
    ...node,
    id: `others:${node.id}`,
    label,
    brief: gettext("{n} others", { n: whole(count) }),
    number: -1,
    members: count,
    note,
  };
}

/** Say whether a machine gets the task, or how many of these machines are full after the round. */
function roomOf(
  /** @type {Network} */ network,
  /** @type {Arc[]} */ arcs,
  /** @type {number[]} */ members,
  /** @type {Way} */ way,
) {
  const out = arcs.filter((arc) => members.includes(arc.tail));
  const full = out.filter((arc) => arc.cap !== null && arc.flow >= arc.cap).length;
  if (members.length > 1)
    return full ? gettext("{full} of {n} full", { full: whole(full), n: whole(members.length) }) : "";
  if (way.path.some((step) => step.to === network.nodes[members[0]].id)) return gettext("gets it");
  return full && full === out.length ? gettext("full") : "";
}

/**
 * Return the arcs between groups: the sums of their flows and bounds, and the least and the largest cost.
 *
 * @param {Arc[]} arcs
 * @param {Map<number, number>} of  the group of each node
 * @returns {Arc[]}
 */
function between(arcs, of) {
  /** @type {Map<string, Arc>} */
  const found = new Map();
  const span = (/** @type {number[]} */ a, /** @type {number[]} */ b) => [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
  for (const arc of arcs) {
    const [tail, head] = [of.get(arc.tail), of.get(arc.head)];
    if (tail === undefined || head === undefined || tail === head) continue;
    const key = `${tail} ${head}`;
    const known = found.get(key);
    if (!known) found.set(key, { ...arc, at: found.size, tail, head, marks: [] });
    else
      Object.assign(known, {
        members: known.members + arc.members,
        flow: known.flow + arc.flow,
        low: known.low + arc.low,
        cap: known.cap === null || arc.cap === null ? null : known.cap + arc.cap,
        cost: span(known.cost, arc.cost),
        reduced: known.reduced && arc.reduced ? span(known.reduced, arc.reduced) : null,
      });
  }
  return [...found.values()];
}
