import test from "node:test";
import assert from "node:assert/strict";

import {
  asNetwork,
  compareNetworks,
  costKey,
  costRole,
  countMarks,
  roundOf,
  signOf,
  tellArc,
  tellNetwork,
  tellNode,
  tellRace,
} from "../../static/js/features/flow/network.js";
import {
  drawnArcs,
  keepIn,
  networkAt,
  networkHit,
  networkPlan,
  networkPlace,
  networkScene,
  networkStep,
  WHOLE,
  zoomAt,
} from "../../static/js/features/flow/network_scene.js";
import { chosenNetwork } from "../../static/js/features/flow/chosen.js";
import { sceneSvg } from "../../static/js/draw/scenes/scene.js";

const BITS = { new: 1, gone: 2, cost: 4, bounds: 8, flow: 16 };
const node = (id, layer, more = {}) => ({
  id,
  label: id.replace(":", " "),
  kind: id.split(":")[0],
  layer,
  number: Number(id.split(":")[1]),
  members: 1,
  supply: 0,
  ...more,
});

// Two tasks, a slot: the second waits. Columns as the server gives them.
function answer(changes = {}) {
  const nodes = [
    node("task:0", 0, { supply: 1 }),
    node("task:1", 0, { supply: 1 }),
    node("unscheduled:0", 1),
    node("cluster:0", 1),
    node("machine:0", 3),
    node("sink:0", 4, { supply: -2 }),
  ];
  const rows = [
    [0, 4, 0, 1, 1, 0, 0, 0],
    [0, 2, 0, 1, 0, 0, 5, 0],
    [1, 2, 0, 1, 1, 0, 0, 16],
    [1, 3, 0, 1, 0, 2, 2, 4],
    [3, 4, 0, 1, 0, 0, 0, 1],
    [4, 5, 0, 1, 1, 0, -3, 0],
    [2, 5, 1, null, 1, 1_000_000, 0, 8],
  ];
  const column = (at) => rows.map((row) => row[at]);
  return {
    round: 3,
    t_s: 2.5,
    solver_s: 0,
    feasible: true,
    cost: 1_000_000,
    tasks: 2,
    waiting: 1,
    nodes_in_all: 6,
    arcs_in_all: 7,
    visited: 9,
    booked: 3,
    changed: { new: 1, gone: 0, cost: 1, bounds: 1, flow: 1 },
    layers: ["Tasks", "Jobs and aggregators", "Racks", "Machines", "Sink"],
    grouped: [],
    left_out: 0,
    change_bits: BITS,
    nodes,
    arcs: {
      tail: column(0),
      head: column(1),
      members: rows.map(() => 1),
      low: column(2),
      cap: column(3),
      flow: column(4),
      cost: column(5).map((cost) => [cost, cost]),
      reduced: column(6).map((cost) => [cost, cost]),
      changed: column(7),
      changed_members: rows.map(() => 0),
    },
    ...changes,
  };
}
const SIZE = { width: 800, height: 400 };

test("an answer becomes rows that say how they have changed", () => {
  const network = asNetwork(answer());
  assert.deepEqual(network.arcs[3], {
    at: 3,
    tail: 1,
    head: 3,
    members: 1,
    low: 0,
    cap: 1,
    flow: 0,
    cost: [2, 2],
    reduced: [2, 2],
    changedMembers: 0,
    marks: ["cost"],
  });
  assert.deepEqual(
    network.arcs.map((arc) => signOf(arc.marks)),
    ["", "", "~", "≠", "+", "", "≠"],
  );
  assert.equal(signOf(["gone"]), "−");
  assert.equal(signOf(["new", "gone"]), "+");
  assert.deepEqual(countMarks(network), { new: 1, gone: 0, cost: 1, bounds: 1, flow: 1 });
});

test("arcs, nodes and rounds tell bounds, flow, cost, reduced cost and changes", () => {
  const network = asNetwork(answer());
  assert.equal(
    tellArc(network, network.arcs[3]),
    "task 1 → cluster 0: 0 units of 0 to 1. Cost 2, reduced cost 2. In this round: another cost.",
  );
  assert.equal(
    tellArc(network, network.arcs[6]),
    "unscheduled 0 → sink 0: 1 unit of at least 1. Cost 1,000,000, reduced cost 0. In this round: other bounds.",
  );
  assert.equal(
    tellArc(network, { ...network.arcs[0], members: 0, marks: ["gone"] }),
    "task 0 → machine 0: removed in the previous round. Its cost was 0.",
  );
  assert.match(tellArc(network, { ...network.arcs[0], members: 4, cost: [0, 2.5] }), /\(4 arcs\).*Cost 0 to 2\.5/);
  assert.equal(tellNode(network, 1), "Task 1: gives 1 unit, 2 arcs out, most over unscheduled 0.");
  assert.equal(tellNode(network, 4), "Machine 0: 1 unit through it, 1 arc out, most over sink 0.");
  assert.equal(tellNode(network, 5), "Sink 0: takes 2 units, one per task.");
  const words = tellNetwork(network, "2.5 s");
  assert.match(words, /^Round 3 at 2\.5 s: 2 tasks; 1 has a machine, 1 waits\. Cost 1,000,000; 6 nodes, 7 arcs\./);
  assert.match(
    words,
    /previous round: 1 arc added, 1 arc with another cost, 1 arc with other bounds, 1 arc with another flow\. /,
  );
  assert.match(words, /The solver visited 9 arc ends\.$/);
  assert.match(tellNetwork(asNetwork(answer({ round: 1 })), ""), /Everything is new in the first round/);
  assert.match(
    tellNetwork(asNetwork(answer({ grouped: ["9 tasks by their job"], left_out: 2, feasible: false })), ""),
    /No flow keeps within the bounds of every arc.*Combined: 9 tasks by their job\. 2 arcs without flow are not shown/,
  );
});

test("costs are told apart by decade, gains by a colour of their own", () => {
  assert.equal(costRole(-1), "second");
  const levels = [0, 1, 10, 100, 10_000, 1e6].map((cost) => costRole(cost)[1]);
  assert.deepEqual(
    [...levels].sort((a, b) => a - b),
    levels,
  );
  assert.equal(new Set(levels).size, 6);
  assert.deepEqual(
    costKey(asNetwork(answer()).arcs).map((each) => each.words),
    ["0", "up to 10", "more"],
  );
});

test("two runs are compared arc by arc, by what their ends are and not by where they lie", () => {
  const before = asNetwork(answer());
  const other = answer();
  other.nodes = [...other.nodes.slice(2), ...other.nodes.slice(0, 2)]; // the same nodes in another order
  const moved = (at) => (at + 4) % 6;
  other.arcs = { ...other.arcs, tail: other.arcs.tail.map(moved), head: other.arcs.head.map(moved) };
  assert.deepEqual(countMarks(compareNetworks(before, asNetwork(other))), {
    new: 0,
    gone: 0,
    cost: 0,
    bounds: 0,
    flow: 0,
  });
  const changed = answer();
  changed.arcs.cost[3] = [7, 7];
  changed.arcs.flow[2] = 0;
  for (const column of Object.values(changed.arcs)) column.splice(4, 1);
  changed.arcs.tail.push(0);
  changed.arcs.head.push(3);
  for (const [name, value] of Object.entries({
    members: 1,
    low: 0,
    cap: 1,
    flow: 0,
    cost: [0, 0],
    reduced: [0, 0],
    changed: 0,
    changed_members: 0,
  }))
    changed.arcs[name].push(value);
  const found = compareNetworks(before, asNetwork(changed));
  assert.deepEqual(countMarks(found), { new: 1, gone: 1, cost: 1, bounds: 0, flow: 1 });
  assert.match(tellArc(found, found.arcs[3]), /Since the switch: another cost\. Its cost was 2 before\./);
  assert.deepEqual(
    found.arcs.map((arc) => arc.at),
    found.arcs.map((_, at) => at),
  );
  assert.match(
    tellNetwork(found, ""),
    /run: 1 arc added, 1 arc removed, 1 arc with another cost, 1 arc with another flow\. Its cost was 1,000,000\./,
  );
});

test("layers without nodes take no room, and every node lies in the picture", () => {
  const network = asNetwork(answer());
  const plan = networkPlan(network);
  assert.deepEqual(
    plan.columns.map((column) => column.name),
    ["Tasks", "Jobs and aggregators", "Machines", "Sink"],
  );
  for (const width of [340, 800]) {
    const place = networkPlace(plan, WHOLE, width, 400);
    for (let at = 0; at < 6; at += 1) {
      const [x, y] = place.at(at);
      assert.ok(x - place.w / 2 >= 0 && x + place.w / 2 <= width && y > 20 && y < 380, `${at} at ${x}, ${y}`);
    }
  }
});

test("hit and keyboard find nodes and arcs, and a zoom keeps what is under the pointer", () => {
  const network = asNetwork(answer());
  const plan = networkPlan(network);
  const place = networkPlace(plan, WHOLE, 800, 400);
  for (let at = 0; at < 6; at += 1)
    assert.deepEqual(networkHit(network, plan, WHOLE, SIZE, ...place.at(at)), { kind: "node", node: at });
  const [x, y] = networkAt(network, plan, WHOLE, SIZE, { kind: "arc", arc: 5 });
  assert.deepEqual(networkHit(network, plan, WHOLE, SIZE, x, y), { kind: "arc", arc: 5 });
  assert.equal(networkHit(network, plan, WHOLE, SIZE, 400, 5), null);
  let item = networkStep(network, plan, null, 1, 0);
  const seen = [];
  for (let step = 0; step < 4; step += 1) {
    seen.push(item);
    item = networkStep(network, plan, item, 1, 0);
  }
  assert.deepEqual(seen, [
    { kind: "node", node: 0 },
    { kind: "arc", arc: 0 },
    { kind: "node", node: 4 },
    { kind: "arc", arc: 5 },
  ]);
  assert.deepEqual(networkStep(network, plan, { kind: "arc", arc: 0 }, 0, 1), { kind: "arc", arc: 1 });
  assert.deepEqual(networkStep(network, plan, { kind: "arc", arc: 0 }, -1, 0), { kind: "node", node: 0 });
  assert.deepEqual(networkStep(network, plan, { kind: "node", node: 0 }, 0, 1), { kind: "node", node: 1 });
  const near = zoomAt(WHOLE, 3, place.at(1)[1], 400);
  assert.ok(Math.abs(networkPlace(plan, near, 800, 400).at(1)[1] - place.at(1)[1]) < 1e-9);
  assert.deepEqual(keepIn({ scale: 0.2, y: 90 }, 400), { scale: 1, y: 0 });
});

test("wider arcs carry more, what is gone is dashed, changes have signs, ways are drawn over all", () => {
  const one = answer();
  one.arcs.flow[0] = 40;
  one.arcs.members[1] = 0;
  one.arcs.changed[1] = 2;
  const network = asNetwork(one);
  const plan = networkPlan(network);
  const [{ inside }] = networkScene(network, plan, WHOLE, {
    ...SIZE,
    way: {
      task: 0,
      path: [{ from: "task:0", to: "machine:0" }],
      next: {
        path: [
          { from: "task:0", to: "nowhere:1" },
          { from: "task:0", to: "cluster:0" },
        ],
      },
    },
  });
  const lines = inside.filter((mark) => mark.kind === "line");
  assert.equal(lines.length, 7 + 2 * 2);
  assert.deepEqual(
    lines.filter((mark) => mark.stroke === "ink").map((mark) => Boolean(mark.dash)),
    [true, false],
  );
  const wide = lines.filter((mark) => mark.width > 8);
  assert.equal(wide.length, 1);
  assert.deepEqual(lines.filter((mark) => String(mark.dash) === "2,4").length, 1);
  assert.deepEqual(
    inside
      .filter((mark) => mark.kind === "text" && "+−≠~".includes(mark.words))
      .map((mark) => mark.words)
      .sort(),
    ["+", "~", "−", "≠", "≠"].sort(),
  );
  const [first] = networkScene(asNetwork(answer({ round: 1 })), plan, WHOLE, SIZE);
  assert.equal(first.inside.filter((mark) => mark.kind === "dot").length, 0);
  assert.equal(drawnArcs(network, { idle: false }).length, 7);
  assert.equal(drawnArcs(asNetwork(answer({ round: 1 })), { idle: false }).length, 4);
  assert.match(
    sceneSvg(networkScene(network, plan, WHOLE, SIZE), { ...SIZE, title: "Flow", subtitle: "" }),
    /rgb\(\d+ \d+ \d+\)/,
  );
});

test("the round of an instant is what frames count, within the run", () => {
  assert.equal(roundOf({ rounds: 7 }, 20), 7);
  assert.equal(roundOf({}, 20), 1);
  assert.equal(roundOf({ rounds: 0 }, 20), 1);
  assert.equal(roundOf({ rounds: 30 }, 20), 20);
});

test("a race is told by its medians, and a difference in cost is a fault", () => {
  const rows = [1, 2, 3].map((at) => ({
    round: at,
    ssp_s: at * 1e-5,
    scaling_s: at * 1e-4,
    cold_s: at * 1e-3,
    same: true,
  }));
  assert.match(
    tellRace(rows),
    /^3 rounds: shortest paths take 20 µs\. Cost scaling takes 200 µs \(10 times .*2 ms \(100 times/,
  );
  assert.match(tellRace([...rows, { round: 4, ssp_s: 1, scaling_s: 1, cold_s: 2, same: false }]), /a fault/);
  assert.equal(tellRace([]), "");
});

// A task with its data on machine 0, in rack 0; racks 1 and 2 with two machines each; all machines but 4 are full.
function dataNetwork() {
  const nodes = [
    node("task:7", 0, { supply: 1 }),
    node("task:8", 0, { supply: 1 }),
    node("unscheduled:3", 1),
    node("cluster:0", 1),
    node("rack:0", 2),
    node("rack:1", 2),
    node("rack:2", 2),
    ...[0, 1, 2, 3, 4].map((number) => node(`machine:${number}`, 3)),
    node("sink:0", 4, { supply: -2 }),
  ];
  const at = (id) => nodes.findIndex((each) => each.id === id);
  const arc = (tail, head, cost, flow = 0, cap = 1) => [at(tail), at(head), cost, flow, cap];
  const rows = [
    arc("task:7", "machine:0", 0),
    arc("task:7", "rack:0", 3.317, 1),
    arc("task:7", "cluster:0", 6.634),
    arc("task:7", "unscheduled:3", 0),
    arc("task:8", "machine:2", 0, 1),
    arc("unscheduled:3", "sink:0", 1_000_000, 0, null),
    ...[0, 1, 2].map((rack) => arc("cluster:0", `rack:${rack}`, 0, 0, null)),
    arc("rack:0", "machine:0", 0),
    arc("rack:0", "machine:1", 0, 1),
    ...[2, 3, 4].map((machine) => arc(machine === 2 ? "rack:1" : "rack:2", `machine:${machine}`, 0)),
    ...[0, 1, 2, 3].map((machine) => arc(`machine:${machine}`, "sink:0", 0, 1)),
    arc("machine:4", "sink:0", 0, 0),
  ];
  const column = (place) => rows.map((row) => row[place]);
  const same = (value) => rows.map(() => value);
  return asNetwork({
    ...answer(),
    nodes,
    arcs: {
      tail: column(0),
      head: column(1),
      members: same(1),
      low: same(0),
      cap: column(4),
      flow: column(3),
      cost: column(2).map((cost) => [cost, cost]),
      reduced: same([0, 0]),
      changed: same(0),
      changed_members: same(0),
    },
  });
}

const dataWay = {
  task: 7,
  round: 3,
  path: [
    { from: "task:7", to: "rack:0" },
    { from: "rack:0", to: "machine:1" },
    { from: "machine:1", to: "sink:0" },
  ],
  next: null,
};

test("a chosen task's network has its arcs with their costs, and merges what it has no arc to", () => {
  const part = chosenNetwork(dataNetwork(), dataWay);
  assert.equal(part.chosen, 7);
  const labels = part.nodes.map((each) => each.label);
  assert.deepEqual(labels, [
    "task 7",
    "unscheduled 3",
    "cluster 0",
    "rack 0",
    "2 other racks",
    "machine 0",
    "machine 1",
    "3 other machines",
    "sink 0",
  ]);
  const notes = Object.fromEntries(part.nodes.map((each) => [each.label, each.note ?? ""]));
  assert.equal(notes["machine 0"], "full");
  assert.equal(notes["machine 1"], "gets it");
  assert.equal(notes["3 other machines"], "2 of 3 full");
  const named = part.arcs.map((arc) => [part.nodes[arc.tail].label, part.nodes[arc.head].label, arc.flow, arc.cap]);
  assert.ok(named.some((row) => String(row) === "2 other racks,3 other machines,0,3"));
  assert.ok(named.some((row) => String(row) === "3 other machines,sink 0,2,3"));
  const size = { width: 900, height: 400 };
  const marks = networkScene(part, networkPlan(part), WHOLE, { ...size, way: dataWay });
  const svg = sceneSvg(marks, { ...size, title: "Flow", subtitle: "" });
  for (const words of ["3.317", "6.634", "very high", "full", "gets it", "2 of 3 full"])
    assert.ok(svg.includes(`>${words}<`), words);
});

test("a task without a node of its own leaves the network whole", () => {
  assert.equal(chosenNetwork(dataNetwork(), { ...dataWay, task: 99 }), null);
});
