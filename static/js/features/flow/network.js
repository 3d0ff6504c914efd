/** The network of a round: what its answer means, in rows and in words, and how two of them differ. */

import { three, whole } from "../../kit/format.js";

/** Costs are told apart by decade: [most, words]. A cost below 0 is a gain. */
export const DECADES = [
  [0, "0"],
  [1, "up to 1"],
  [10, "up to 10"],
  [100, "up to 100"],
  [10_000, "up to 10,000"],
  [Infinity, "more"],
];

/** The colour of a cost, as a role of scenes. */
export function costRole(cost) {
  if (cost < 0) return "second";
  const at = DECADES.findIndex(([most]) => cost <= most);
  return ["level", 0.3 + (0.7 * at) / (DECADES.length - 1)];
}

/** The costs that occur, for a legend: [{role, words}]. */
export function costKey(arcs) {
  const roles = new Map();
  for (const { cost } of arcs) roles.set(String(costRole(middle(cost))), costRole(middle(cost)));
  /** @type {[words: string, role: any][]} */
  const all = [
    ["below 0", "second"],
    ...DECADES.map(([most, words]) => /** @type {[string, any]} */ ([words, costRole(most === Infinity ? 1e9 : most)])),
  ];
  return all.filter(([, role]) => roles.has(String(role))).map(([words, role]) => ({ role, words }));
}

export function middle([least, most]) {
  return (least + most) / 2;
}

/** An answer with its arcs as rows that know their ends; `arc.marks` says how it differs from the round before. */
export function asNetwork(answer) {
  const { arcs, change_bits: bits } = answer;
  const rows = arcs.tail.map((tail, at) => ({
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

/** What of the graph itself has changed at an arc, as one sign; "~" where only the flow has. */
export function signOf(marks) {
  if (marks.includes("new")) return "+";
  if (marks.includes("cost") || marks.includes("bounds")) return "≠";
  if (marks.includes("gone")) return "−";
  return marks.includes("flow") ? "~" : "";
}

/** The network `after` with marks that say how it differs from `before`, another run's; arcs that went are added. */
export function compareNetworks(before, after) {
  const named = (network) =>
    new Map(
      network.arcs
        .filter((arc) => arc.members)
        .map((arc) => [`${network.nodes[arc.tail].id} ${network.nodes[arc.head].id}`, arc]),
    );
  const old = named(before);
  const fresh = named(after);
  const same = (a, b) => a[0] === b[0] && a[1] === b[1];
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

/** How many arcs of each kind of change there are. */
export function countMarks(network) {
  const counted = { new: 0, gone: 0, cost: 0, bounds: 0, flow: 0 };
  for (const arc of network.arcs) for (const mark of arc.marks) counted[mark] += 1;
  return counted;
}

const number = (value) => (Number.isInteger(value) ? whole(value) : Number(value.toFixed(3)).toLocaleString("en"));
const span = ([least, most]) => (least === most ? number(least) : `${number(least)} to ${number(most)}`);
const WORDS = { new: "new", gone: "gone", cost: "another cost", bounds: "other bounds", flow: "another flow" };
const several = (count, one, many = `${one}s`) => `${whole(count)} ${count === 1 ? one : many}`;

/** One arc, in a sentence: ends, bounds, flow, cost, reduced cost, and what has changed. */
export function tellArc(network, arc) {
  const ends = `${network.nodes[arc.tail].label} → ${network.nodes[arc.head].label}`;
  const marks = arc.marks.map((mark) => WORDS[mark]).join(", ");
  if (!arc.members)
    return `${ends}: gone since ${network.before ? "the switch" : "the round before"}. It cost ${span(arc.cost)}.`;
  const bounds = arc.cap === null ? `at least ${whole(arc.low)}` : `${whole(arc.low)} to ${whole(arc.cap)}`;
  const many = arc.members > 1 ? ` (${whole(arc.members)} arcs)` : "";
  const since = network.before ? "Since the switch" : "In this round";
  const was = arc.was && arc.marks.includes("cost") ? ` It cost ${span(arc.was.cost)} before.` : "";
  return (
    `${ends}${many}: ${several(arc.flow, "unit")} of ${bounds}. Cost ${span(arc.cost)}, reduced cost ` +
    `${span(arc.reduced)}.${marks ? ` ${since}: ${marks}.` : ""}${was}`
  );
}

/** One node, in a sentence: what flows through it. */
export function tellNode(network, at) {
  const node = network.nodes[at];
  const into = network.arcs.filter((arc) => arc.head === at);
  const out = network.arcs.filter((arc) => arc.tail === at);
  const units = (arcs) => arcs.reduce((sum, arc) => sum + arc.flow, 0);
  const best = out.filter((arc) => arc.flow > 0).sort((a, b) => b.flow - a.flow)[0];
  const label = `${node.label[0].toUpperCase()}${node.label.slice(1)}`;
  if (node.kind === "sink") return `${label}: takes ${several(units(into), "unit")}, one a task.`;
  const from = node.supply > 0 ? `gives ${several(node.supply, "unit")}` : `${several(units(into), "unit")} through it`;
  return (
    `${label}: ${from}, ${several(out.length, "arc")} out` +
    `${best ? `, most over ${network.nodes[best.head].label}` : ""}.`
  );
}

/** A whole round, in sentences: for the eye and for screen readers. */
export function tellNetwork(network, time) {
  const { tasks, waiting } = network;
  const parts = [
    `Round ${whole(network.round)}${time ? ` at ${time}` : ""}: ${several(tasks, "task")}, of which ` +
      `${whole(tasks - waiting)} ${tasks - waiting === 1 ? "has" : "have"} a machine and ${whole(waiting)} ` +
      `${waiting === 1 ? "waits" : "wait"}.`,
  ];
  if (!network.feasible) parts.push("No flow keeps all bounds.");
  parts.push(
    `Cost ${number(network.cost)}; ${several(network.nodes_in_all, "node")}, ${several(network.arcs_in_all, "arc")}.`,
  );
  if (network.before) {
    const marks = countMarks(network);
    const said = Object.entries(marks)
      .filter(([, count]) => count)
      .map(
        ([mark, count]) =>
          `${several(count, "arc")} ${mark === "gone" ? "went" : mark === "new" ? "came" : `with ${WORDS[mark]}`}`,
      );
    parts.push(
      said.length
        ? `Against the run before: ${said.join(", ")}; cost ${number(network.before.cost)} there.`
        : "Nothing differs from the run before.",
    );
  } else {
    const { changed } = network;
    if (network.round === 1) parts.push("Everything is new in the first round.");
    else {
      const said = Object.entries({
        new: "came",
        gone: "went",
        cost: "with another cost",
        bounds: "with other bounds",
        flow: "with another flow",
      })
        .filter(([mark]) => changed[mark])
        .map(([mark, words]) => `${several(changed[mark], "arc")} ${words}`);
      parts.push(
        `Since the round before: ${said.join(", ") || "no arc has changed"}. The solver looked at ` +
          `${several(network.visited, "arc end")}.`,
      );
    }
  }
  if (network.grouped.length) parts.push(`Put together: ${network.grouped.join("; ")}.`);
  if (network.left_out) parts.push(`${several(network.left_out, "arc")} without flow are not drawn.`);
  return parts.join(" ");
}

/** The round at an instant, by what frames count; never before the first. */
export function roundOf(counters, rounds) {
  return Math.min(Math.max(1, counters?.rounds ?? 1), Math.max(1, rounds));
}

/** A race in words: medians, how often which was faster. */
export function tellRace(rows) {
  if (!rows.length) return "";
  const median = (values) => {
    const sorted = [...values].sort((a, b) => a - b);
    return sorted[sorted.length >> 1];
  };
  const ics = median(rows.map((row) => row.ics_s));
  const cold = median(rows.map((row) => row.cold_s));
  const same = rows.every((row) => row.same);
  const told = (seconds) =>
    seconds >= 1
      ? `${three(seconds)} s`
      : seconds >= 1e-3
        ? `${three(seconds * 1e3)} ms`
        : `${three(seconds * 1e6)} µs`;
  return (
    `${several(rows.length, "round")}: repaired in ${told(ics)}, from nothing in ${told(cold)} (medians), ` +
    `${three(cold / ics)} times as long. ` +
    (same ? "Both came to the same cost every time." : "They differ in cost: that is a fault, please report it.")
  );
}
