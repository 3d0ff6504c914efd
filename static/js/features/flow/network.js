/** The network of a round: its data as rows and in words, and the difference of two networks. */

import { decimals, factor, three, whole } from "../../kit/format.js";
import { counted } from "../../kit/counts.js";
import { capital, gettext, ngettext } from "../../kit/words.js";

/** @import { RaceRow } from "./race_chart.js" */

/**
 * @typedef {{id: string, label: string, kind: string, number: number, layer: number, supply: number,
 *   members: number, note?: string, brief?: string}} NetworkNode  `members`: the number of merged nodes; `note`: a
 *   machine's room; `brief`: a short label
 * @typedef {{at: number, tail: number, head: number, members: number, low: number, cap: number | null, flow: number,
 *   cost: number[], reduced: number[] | null, changedMembers?: number, marks: string[], was?: Arc}} Arc  `was`: the arc
 *   in the previous run
 * @typedef {object} Network  the network of a round
 * @property {number} round
 * @property {number} t_s
 * @property {NetworkNode[]} nodes
 * @property {Arc[]} arcs
 * @property {string[]} layers
 * @property {number} tasks
 * @property {number} waiting
 * @property {boolean} feasible
 * @property {number} cost
 * @property {number} nodes_in_all
 * @property {number} arcs_in_all
 * @property {Record<string, number>} changed
 * @property {number} visited
 * @property {string[]} grouped
 * @property {number} left_out
 * @property {Network} [before]  the same round of another run
 * @property {number} [chosen]  the task whose arcs alone are shown (chosen.js)
 * @typedef {"tail" | "head" | "members" | "low" | "flow" | "changed_members" | "changed"} ArcColumn
 * @typedef {Omit<Network, "arcs"> & {change_bits: Record<string, number>, arcs: Record<ArcColumn, number[]> &
 *   {cap: (number | null)[], cost: number[][], reduced: (number[] | null)[]}}} NetworkAnswer  in the server's format
 * @typedef {{from: string, to: string}} WayStep
 * @typedef {{task: number, round: number, path: WayStep[], next: {path: WayStep[]} | null,
 *   elsewhere?: {path: WayStep[]} | null, [more: string]: unknown}} Way  the path of a task's unit
 */

/** Cost classes by decade: [most, words]. A cost below 0 is a gain. @type {[most: number, words: string][]} */
export const DECADES = [
  [0, "0"],
  [1, gettext("up to 1")],
  [10, gettext("up to 10")],
  [100, gettext("up to 100")],
  [10_000, gettext("up to 10,000")],
  [Infinity, "more"],
];

/**
 * Return the color of a cost, as a scene role.
 * @param {number} cost
 */
export function costRole(cost) {
  if (cost < 0) return "second";
  const at = DECADES.findIndex(([most]) => cost <= most);
  return ["level", 0.3 + (0.7 * at) / (DECADES.length - 1)];
}

/**
 * Return the occurring costs for a legend: [{role, words}].
 * @param {Arc[]} arcs
 */
export function costKey(arcs) {
  const roles = new Map();
  for (const { cost } of arcs) roles.set(String(costRole(middle(cost))), costRole(middle(cost)));
  /** @type {[words: string, role: ReturnType<typeof costRole>][]} */
  const all = [
    ["below 0", "second"],
    ...DECADES.map(
      ([most, words]) =>
        /** @type {[string, ReturnType<typeof costRole>]} */ ([words, costRole(most === Infinity ? 1e9 : most)]),
    ),
  ];
  return all.filter(([, role]) => roles.has(String(role))).map(([words, role]) => ({ role, words }));
}

/** @param {number[]} parts */
export function middle([least, most]) {
  return (least + most) / 2;
}

/**
 * Convert an answer: arcs become rows with their ends; `arc.marks` lists the differences from the previous round.
 * @param {NetworkAnswer} answer
 * @returns {Network}
 */
export function asNetwork(answer) {
  const { arcs, change_bits: bits } = answer;
  /** @type {Arc[]} */
  const rows = arcs.tail.map((/** @type {number} */ tail, /** @type {number} */ at) => ({
    at,
    tail,
    head: arcs.head[at],
    members: arcs.members[at],
    low: arcs.low[at],
    cap: arcs.cap[at],
    flow: arcs.flow[at],
    cost: arcs.cost[at],
    reduced: arcs.reduced[at],
    changedMembers: arcs.changed_members[at],
    marks: Object.keys(bits).filter((name) => arcs.changed[at] & bits[name]),
  }));
  return { ...answer, arcs: rows };
}

/**
 * Return the sign of a change to the graph at an arc; "~" if only the flow changed.
 * @param {string[]} marks
 */
export function signOf(marks) {
  if (marks.includes("new")) return "+";
  if (marks.includes("cost") || marks.includes("bounds")) return "≠";
  if (marks.includes("gone")) return "−";
  return marks.includes("flow") ? "~" : "";
}

/**
 * Return the network `after` with marks for its differences from `before`, another run's network; removed arcs are
 * included.
 * @param {Network} before
 * @param {Network} after
 * @returns {Network}
 */
export function compareNetworks(before, after) {
  /** @param {Network} network */
  const named = (network) =>
    new Map(
      network.arcs
        .filter((arc) => arc.members)
        .map((arc) => [`${network.nodes[arc.tail].id} ${network.nodes[arc.head].id}`, arc]),
    );
  const old = named(before);
  const fresh = named(after);
  /**
   * @param {number[]} a
   * @param {number[]} b
   */
  const same = (a, b) => a[0] === b[0] && a[1] === b[1];
  /** @type {Arc[]} */
  const arcs = after.arcs
    .filter((arc) => arc.members)
    .map((arc) => {
      const was = old.get(`${after.nodes[arc.tail].id} ${after.nodes[arc.head].id}`);
      if (!was) return { ...arc, marks: ["new"] };
      return {
        ...arc,
        was,
        marks: [
          ...(same(was.cost, arc.cost) ? [] : ["cost"]),
          ...(was.low === arc.low && was.cap === arc.cap ? [] : ["bounds"]),
          ...(was.flow === arc.flow ? [] : ["flow"]),
        ],
      };
    });
  const place = new Map(after.nodes.map((node, at) => [node.id, at]));
  for (const [name, arc] of old) {
    const [tail, head] = name.split(" ").map((id) => place.get(id));
    if (!fresh.has(name) && tail !== undefined && head !== undefined)
      arcs.push({ ...arc, tail, head, members: 0, low: 0, cap: 0, flow: 0, reduced: null, marks: ["gone"] });
  }
  return { ...after, arcs: arcs.map((arc, at) => ({ ...arc, at })), before };
}

/**
 * Return the number of arcs by kind of change.
 * @param {Network} network
 */
export function countMarks(network) {
  /** @type {Record<string, number>} */
  const counted = { new: 0, gone: 0, cost: 0, bounds: 0, flow: 0 };
  for (const arc of network.arcs) for (const mark of arc.marks) counted[mark] += 1;
  return counted;
}

const number = decimals;
/** @param {number[]} parts */
const span = ([least, most]) =>
  least === most ? number(least) : gettext("{least} to {most}", { least: number(least), most: number(most) });
/** @type {Record<string, string>} */
const WORDS = {
  new: gettext("new"),
  gone: gettext("gone"),
  cost: gettext("another cost"),
  bounds: gettext("other bounds"),
  flow: gettext("another flow"),
};

/** Changed arcs in words: "3 arcs added". @type {Record<string, (arcs: string) => string>} */
const CHANGED = {
  new: (arcs) => gettext("{arcs} added", { arcs }),
  gone: (arcs) => gettext("{arcs} removed", { arcs }),
  cost: (arcs) => gettext("{arcs} with another cost", { arcs }),
  bounds: (arcs) => gettext("{arcs} with other bounds", { arcs }),
  flow: (arcs) => gettext("{arcs} with another flow", { arcs }),
};

/**
 * Describe an arc in a sentence: ends, bounds, flow, cost, reduced cost, and changes.
 * @param {Network} network
 * @param {Arc} arc
 */
export function tellArc(network, arc) {
  const ends = `${network.nodes[arc.tail].label} → ${network.nodes[arc.head].label}`;
  const marks = arc.marks.map((mark) => WORDS[mark]).join(", ");
  if (!arc.members)
    return gettext("{ends}: removed in {since}. Its cost was {cost}.", {
      ends,
      since: network.before ? gettext("the switch") : gettext("the previous round"),
      cost: span(arc.cost),
    });
  const bounds =
    arc.cap === null
      ? gettext("at least {low}", { low: whole(arc.low) })
      : gettext("{low} to {cap}", { low: whole(arc.low), cap: whole(arc.cap) });
  const many = arc.members > 1 ? gettext(" ({members} arcs)", { members: whole(arc.members) }) : "";
  const since = network.before ? gettext("Since the switch") : gettext("In this round");
  const was =
    arc.was && arc.marks.includes("cost") ? gettext(" Its cost was {cost} before.", { cost: span(arc.was.cost) }) : "";
  return gettext("{ends}{many}: {units} of {bounds}. Cost {cost}, reduced cost {reduced}.{marks}{was}", {
    ends,
    many,
    units: counted.unit(arc.flow),
    bounds,
    cost: span(arc.cost),
    reduced: span(arc.reduced ?? []),
    marks: marks ? ` ${since}: ${marks}.` : "",
    was,
  });
}

/**
 * Describe a node in a sentence: the flow through it.
 * @param {Network} network
 * @param {number} at
 */
export function tellNode(network, at) {
  const node = network.nodes[at];
  const into = network.arcs.filter((arc) => arc.head === at);
  const out = network.arcs.filter((arc) => arc.tail === at);
  /** @param {Arc[]} arcs */
  const units = (arcs) => arcs.reduce((sum, arc) => sum + arc.flow, 0);
  const best = out.filter((arc) => arc.flow > 0).sort((a, b) => b.flow - a.flow)[0];
  const label = capital(node.label);
  if (node.kind === "sink")
    return gettext("{label}: takes {units}, one per task.", { label, units: counted.unit(units(into)) });
  const from =
    node.supply > 0
      ? gettext("gives {units}", { units: counted.unit(node.supply) })
      : gettext("{units} through it", { units: counted.unit(units(into)) });
  return gettext("{label}: {from}, {arcs} out{most}.", {
    label,
    from,
    arcs: counted.arc(out.length),
    most: best ? gettext(", most over {label}", { label: network.nodes[best.head].label }) : "",
  });
}

/**
 * Describe a whole round in sentences, also for screen readers.
 * @param {Network} network
 * @param {string} time
 */
export function tellNetwork(network, time) {
  const { tasks, waiting } = network;
  const parts = [
    gettext("Round {round}{at}: {tasks}; {placed}, {waiting}.", {
      round: whole(network.round),
      at: time ? gettext(" at {time}", { time }) : "",
      tasks: counted.task(tasks),
      placed: ngettext("{count} has a machine", "{count} have a machine", tasks - waiting, {
        count: whole(tasks - waiting),
      }),
      waiting: counted.wait(waiting),
    }),
  ];
  if (!network.feasible) parts.push(gettext("No flow keeps within the bounds of every arc."));
  parts.push(
    gettext("Cost {cost}; {nodes}, {arcs}.", {
      cost: number(network.cost),
      nodes: counted.node(network.nodes_in_all),
      arcs: counted.arc(network.arcs_in_all),
    }),
  );
  if (network.before) {
    const marks = countMarks(network);
    const said = Object.entries(marks)
      .filter(([, count]) => count)
      .map(([mark, count]) => CHANGED[mark](counted.arc(count)));
    parts.push(
      said.length
        ? gettext("Compared with the previous run: {changes}. Its cost was {cost}.", {
            changes: said.join(", "),
            cost: number(network.before.cost),
          })
        : gettext("Nothing differs from the previous run."),
    );
  } else {
    const { changed } = network;
    if (network.round === 1) parts.push(gettext("Everything is new in the first round."));
    else {
      const said = Object.entries(CHANGED)
        .filter(([mark]) => changed[mark])
        .map(([mark, words]) => words(counted.arc(changed[mark])));
      parts.push(
        gettext("Since the previous round: {changes}. The solver visited {visited}.", {
          changes: said.join(", ") || gettext("no arc has changed"),
          visited: counted.arcEnd(network.visited),
        }),
      );
    }
  }
  if (network.grouped.length) parts.push(gettext("Combined: {grouped}.", { grouped: network.grouped.join("; ") }));
  if (network.left_out)
    parts.push(gettext("{arcs} without flow are not shown.", { arcs: counted.arc(network.left_out) }));
  return parts.join(" ");
}

/**
 * Return the round at an instant from the frame's counters; at least 1.
 * @param {Record<string, number> | undefined} counters
 * @param {number} rounds
 */
export function roundOf(counters, rounds) {
  return Math.min(Math.max(1, counters?.rounds ?? 1), Math.max(1, rounds));
}

/**
 * Describe a race: medians, and how often each solver was faster.
 * @param {RaceRow[]} rows
 */
export function tellRace(rows) {
  if (!rows.length) return "";
  /** @param {number[]} values */
  const median = (values) => {
    const sorted = [...values].sort((a, b) => a - b);
    return sorted[sorted.length >> 1];
  };
  const paths = median(rows.map((row) => row.ssp_s));
  const scaling = median(rows.map((row) => row.scaling_s));
  const cold = median(rows.map((row) => row.cold_s));
  const same = rows.every((row) => row.same);
  /** @param {number} seconds */
  const told = (seconds) =>
    seconds >= 1
      ? gettext("{time} s", { time: three(seconds) })
      : seconds >= 1e-3
        ? gettext("{time} ms", { time: three(seconds * 1e3) })
        : gettext("{time} µs", { time: three(seconds * 1e6) });
  return gettext(
    "{rounds}: shortest paths take {paths}. Cost scaling takes {scaling} ({slower} times as long), OR-tools from " +
      "scratch {scratch} ({times} times as long); all are medians. {costs}",
    {
      rounds: counted.round(rows.length),
      paths: told(paths),
      scaling: told(scaling),
      scratch: told(cold),
      slower: factor(scaling / paths),
      times: factor(cold / paths),
      costs: same
        ? gettext("All found the same cost in every round.")
        : gettext("Their costs differ. This is a fault: please report it."),
    },
  );
}
