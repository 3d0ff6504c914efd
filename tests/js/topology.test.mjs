import assert from "node:assert/strict";
import test from "node:test";

import { machineCount, queuesOf } from "../../static/js/experiment/experiment.js";
import {
  addCluster,
  addQueue,
  changeQueue,
  moveCluster,
  moveGroup,
  serve,
  setQueueShare,
} from "../../static/js/features/design/topology_edits.js";
import { importedWords } from "../../static/js/studio/panels/datacenter.js";
import { duplicate, remove } from "../../static/js/features/design/topology_splits.js";
import {
  halveEach,
  mergeClusters,
  mergeGroups,
  mergeMaster,
  splitCluster,
  splitGroup,
  splitMaster,
  takeOne,
} from "../../static/js/features/design/topology_splits.js";
import {
  changeCluster,
  itemAt,
  itemWords,
  keyOf,
  namesOf,
  neighbour,
  resized,
  setMasters,
  stepped,
  totals,
} from "../../static/js/experiment/topology.js";
import {
  apportioned,
  generated,
  MIXES,
  TEMPLATES,
  withTopology,
} from "../../static/js/features/design/topology_make.js";
import { offersOf } from "../../static/js/features/design/topology_offers.js";
import { copied, exported, imported, pasted, TextError } from "../../static/js/features/design/topology_text.js";

const small = { cpus: 4, memory_gb: 16 };
const large = { cpus: 64, memory_gb: 256 };
const base = Object.freeze({
  topology: {
    global_masters: 2,
    clusters: [
      {
        name: "lm",
        repeat: 4,
        racks: 2,
        constraint_mix: "google-a",
        machines: [
          { count: 100, ...small },
          { count: 10, ...large },
        ],
      },
      { name: "edge", machines: [{ count: 7, ...small }] },
    ],
  },
  queues: [
    { name: "a", share: 0.5, global_master: 0 },
    { name: "b", share: 0.3, global_master: 1 },
    { name: "c", share: 0.2, global_master: 1 },
  ],
  events: [
    { at_s: 5, kind: "fail", target: { cluster: "lm-1" } },
    { at_s: 6, kind: "fail", target: { global_master: 1 } },
    { at_s: 7, kind: "fail", target: { local_master: "edge" } },
  ],
});
const shares = (experiment) => queuesOf(experiment).map((queue) => queue.share);
const sum = (values) => Math.round(values.reduce((all, value) => all + value, 0) * 1e6) / 1e6;
const cluster = (index) => ({ kind: "cluster", cluster: index });
const group = (index, at) => ({ kind: "group", cluster: index, group: at });
const frozen = JSON.stringify(base);
const every = (check) => {
  check();
  assert.equal(JSON.stringify(base), frozen, "the argument was changed");
};

test("splitting and merging clusters neither makes nor loses a machine, and names stay apart", () =>
  every(() => {
    for (const change of [
      () => splitCluster(base, 0),
      () => splitCluster(base, 1),
      () => halveEach(base, 0),
      () => takeOne(base, 0),
      () => mergeClusters(base, [0]),
      () => mergeClusters(base, [0, 1]),
      () => moveCluster(base, 0, 1),
      () => splitGroup(base, group(0, 0)),
      () => mergeGroups(base, group(0, 1)),
      () => moveGroup(base, group(0, 1), 1),
    ]) {
      const { experiment, item } = change();
      const moved = change.toString().includes("moveGroup");
      assert.equal(machineCount(experiment), moved ? 447 - 40 + 10 : 447, change.toString());
      assert.ok(itemAt(experiment, item), change.toString());
      const names = experiment.topology.clusters.flatMap(namesOf);
      assert.equal(new Set(names).size, names.length, change.toString());
    }
    assert.equal(halveEach(base, 1), null); // seven machines have no halves
    assert.equal(takeOne(base, 1), null);
    assert.deepEqual(
      splitCluster(base, 0).experiment.topology.clusters.map((each) => [each.name, each.repeat, each.constraint_mix]),
      [
        ["lm", 2, "google-a"],
        ["lm2", 2, "google-a"],
        ["edge", undefined, undefined],
      ],
    );
    assert.deepEqual(mergeClusters(base, [0, 1]).experiment.topology.clusters, [
      {
        name: "lm",
        racks: 9,
        constraint_mix: "google-a",
        machines: [
          { count: 407, ...small },
          { count: 40, ...large },
        ],
      },
    ]);
  }));

test("events go on naming what they named", () =>
  every(() => {
    const targets = (experiment) => experiment.events.map((event) => event.target);
    assert.deepEqual(targets(changeCluster(base, 0, { name: "north" }))[0], { cluster: "north-1" });
    assert.deepEqual(targets(mergeClusters(base, [0, 1]).experiment), [
      { cluster: "lm" },
      { global_master: 1 },
      { local_master: "lm" },
    ]);
    assert.deepEqual(targets(mergeMaster(base, 1).experiment)[1], { global_master: 0 });
  }));

test("shares of queues add up to one whatever is done to them", () =>
  every(() => {
    const made = addQueue(base, 0).experiment;
    assert.deepEqual(
      made.queues.map((queue) => [queue.name, queue.global_master]),
      [
        ["a", 0],
        ["b", 1],
        ["c", 1],
        ["q3", 0],
      ],
    );
    const later = [
      made,
      setQueueShare(base, 0, 0.9),
      setQueueShare(base, 2, 7),
      remove(base, { kind: "queue", queue: 0 }).experiment,
      splitMaster(base, 0).experiment,
      duplicate(base, { kind: "queue", queue: 1 }).experiment,
    ];
    for (const experiment of later) {
      assert.equal(sum(shares(experiment)), 1);
      assert.ok(shares(experiment).every((share) => share > 0));
    }
    assert.deepEqual(shares(setQueueShare(base, 0, 0.75)), [0.75, 0.15, 0.1]);
    assert.equal(serve(base, 0, 1).queues[0].global_master, 1);
    // Without queues of one's own there is one a master; naming one writes them all down.
    const bare = { topology: base.topology };
    assert.deepEqual(serve(bare, 1, 0).queues, [
      { name: "q0", share: 0.5, global_master: 0 },
      { name: "q1", share: 0.5, global_master: 0 },
    ]);
  }));

test("partitions are split and merged with their queues", () =>
  every(() => {
    const split = splitMaster(base, 1).experiment;
    assert.deepEqual([split.topology.global_masters, split.queues.map((queue) => queue.global_master)], [3, [0, 1, 2]]);
    const alone = splitMaster(base, 0).experiment;
    assert.deepEqual(
      alone.queues.map((queue) => [queue.name, queue.share, queue.global_master]),
      [
        ["a", 0.25, 0],
        ["q3", 0.25, 2],
        ["b", 0.3, 1],
        ["c", 0.2, 1],
      ],
    );
    assert.deepEqual(
      mergeMaster(split, 0).experiment.queues.map((queue) => queue.global_master),
      [0, 0, 1],
    );
    assert.deepEqual(
      setMasters(base, 1).queues.map((queue) => queue.global_master),
      [0, 0, 0],
    );
    assert.equal(mergeMaster(setMasters(base, 1), 0), null);
  }));

test("what is offered is legal: the last of a kind cannot go, and everything offered can be done", () =>
  every(() => {
    for (const item of [
      cluster(0),
      cluster(1),
      group(0, 0),
      group(1, 0),
      { kind: "master", master: 1 },
      { kind: "queue", queue: 2 },
    ]) {
      const offers = offersOf(base, item);
      assert.ok(offers.length > 0);
      for (const offer of offers) assert.ok(offer.act(base).experiment, `${keyOf(item)} ${offer.id}`);
    }
    const ids = (item, options) => offersOf(base, item, options).map((offer) => offer.id);
    assert.ok(!ids(group(1, 0)).includes("delete") && ids(group(0, 0)).includes("delete"));
    assert.ok(!ids(cluster(1)).includes("take") && ids(cluster(0)).includes("take"));
    assert.deepEqual(offersOf(base, { kind: "cluster", cluster: 9 }), []);
    assert.ok(!ids(cluster(0), { also: [1] }).includes("delete"), "all clusters cannot go");
  }));

test("edges and keys reach every size and never nothing", () => {
  assert.deepEqual(
    [resized(4, 0), resized(4, 25), resized(4, -500), resized(250, 110), resized(240, -110), resized(1, 48)],
    [4, 5, 1, 500, 120, 3],
  );
  assert.deepEqual(
    [stepped(1, -1), stepped(9, 1), stepped(20, 1), stepped(250, 1), stepped(5000, -1), stepped(250, 1, true)],
    [1, 10, 21, 260, 4900, 500],
  );
  let value = 1;
  for (let press = 0; press < 200; press += 1) {
    const next = stepped(value, 1);
    assert.ok(next > value);
    value = next;
  }
  assert.ok(value > 1000, String(value));
  for (let press = 0; press < 400; press += 1) value = stepped(value, -1);
  assert.equal(value, 1);
});

test("arrows reach everything and stay inside", () => {
  const seen = new Set();
  const waiting = [cluster(0)];
  while (waiting.length) {
    const item = waiting.pop();
    if (seen.has(keyOf(item))) continue;
    seen.add(keyOf(item));
    assert.ok(itemAt(base, item), keyOf(item));
    assert.ok(itemWords(base, item));
    for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"])
      waiting.push(neighbour(base, item, key, true));
  }
  assert.deepEqual([...seen].sort(), [
    "cluster:0",
    "cluster:1",
    "group:0:0",
    "group:0:1",
    "group:1:0",
    "master:0",
    "master:1",
    "queue:0",
    "queue:1",
    "queue:2",
  ]);
});

test("what is copied is pasted, what is exported is imported, and nonsense is refused in words", () =>
  every(() => {
    const pastedCluster = pasted(base, copied(base, cluster(0)), cluster(1));
    assert.deepEqual(
      [
        pastedCluster.experiment.topology.clusters.length,
        pastedCluster.experiment.topology.clusters[2].name,
        pastedCluster.item,
      ],
      [3, "lm2", cluster(2)],
    );
    assert.equal(
      pasted(base, copied(base, group(0, 1)), cluster(1)).experiment.topology.clusters[1].machines.length,
      2,
    );
    assert.deepEqual(
      pasted(base, copied(base, { kind: "queue", queue: 0 }), { kind: "master", master: 1 }).experiment.queues.at(-1)
        .global_master,
      1,
    );
    const other = { seed: 3, topology: { clusters: [{ machines: [{ count: 1 }] }] } };
    const back = imported(other, exported(base));
    assert.deepEqual([back.seed, back.topology, back.queues], [3, base.topology, base.queues]);
    for (const text of [
      "",
      "{",
      "[]",
      "{}",
      '{"clusters": []}',
      '{"clusters": [1]}',
      '{"clusters": [{"machines": []}]}',
      JSON.stringify({ clusters: Array(1001).fill({ machines: [{}] }) }),
      " ".repeat(4_000_001),
    ])
      assert.throws(() => imported(base, text), TextError, text.slice(0, 40));
    assert.throws(() => pasted(base, '{"other": 1}', cluster(0)), TextError);
  }));

test("templates and generated datacenters have the machines that they say", () => {
  for (const template of TEMPLATES) {
    const made = withTopology(base, template.topology);
    const names = made.topology.clusters.flatMap(namesOf);
    assert.equal(new Set(names).size, names.length, template.id);
    assert.ok(
      made.queues.every((queue) => queue.global_master < made.topology.global_masters),
      template.id,
    );
  }
  assert.equal(machineCount(withTopology(base, TEMPLATES[0].topology)), 10_000);
  for (const spread of ["even", "uneven"])
    for (const mix of MIXES)
      for (const [machines, clusters] of [
        [1, 1],
        [7, 3],
        [50_000, 25],
        [10_007, 40],
        [5, 9],
      ]) {
        const topology = generated({ machines, clusters, racks: 5, masters: 3, mix: mix.id, spread });
        assert.equal(machineCount({ topology }), machines, `${spread} ${mix.id} ${machines} in ${clusters}`);
        assert.equal(totals({ topology }).clusters, Math.min(machines, clusters));
        const names = topology.clusters.flatMap(namesOf);
        assert.equal(new Set(names).size, names.length);
      }
  assert.deepEqual(apportioned(10, [0.6, 0.3, 0.1]), [6, 3, 1]);
  assert.deepEqual(addCluster(base, { name: "lm", machines: [{ count: 1 }] }).item, cluster(2));
});

test("a queue's group and priority are set, and left out again when their field is emptied", () => {
  const one = { topology: { global_masters: 1, clusters: [] }, queues: [{ name: "a", share: 1 }] };
  const set = changeQueue(changeQueue(one, 0, { parent: "x/y" }), 0, { priority: 3 });
  assert.deepEqual(set.queues, [{ name: "a", share: 1, parent: "x/y", priority: 3 }]);
  const emptied = changeQueue(changeQueue(set, 0, { parent: undefined }), 0, { priority: undefined });
  assert.deepEqual(emptied, one);
});

test("an imported cluster is told by its machines and their kinds, wherever a kind is", () => {
  const [small, large] = [
    { cpus: 4, memory_gb: 16 },
    { cpus: 64, gpus: 1 },
  ];
  const clusters = [
    {
      name: "a",
      machines: [
        { count: 10, ...small },
        { count: 2, ...large },
      ],
    },
    { name: "b", machines: [{ count: 12, ...small }] },
  ];
  assert.equal(importedWords({ topology: { clusters } }), "24 machines of 2 kinds, as imported");
  assert.equal(
    importedWords({ topology: { clusters: [{ machines: [{ count: 1, ...small }] }] } }),
    "1 machine of one kind, as imported",
  );
});
