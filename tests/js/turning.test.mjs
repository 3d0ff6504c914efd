import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { firstDifference, leftAfter } from "../../static/js/engine/touch.js";
import { canTurn, whole } from "../../static/js/engine/turning.js";
import { Starts, valuesFor } from "../../static/js/features/here/starts.js";
import { beginTouched, keptFrames } from "../../static/js/features/here/touched.js";
import { differences, Turning } from "../../static/js/features/here/turning.js";
import { FrameStore } from "../../static/js/run/frames.js";

const scaled = (most = null) => ({ most, writes: [{ array: "A.rules", column: "c", per: 1000, least: null }] });
const header = {
  format: 1,
  module: "m.wasm",
  turns: [
    { path: "scheduler.params.ratio", ...scaled(8) },
    { path: "scheduler.params.wait_s", ...scaled() },
    {
      path: "scheduler.params.late",
      most: null,
      writes: [
        {
          array: "A.rules",
          column: "late",
          numbers: [
            [false, 0],
            [true, 1],
          ],
        },
      ],
    },
  ],
};

test("half ones go to the even neighbor, as Python rounds them", () => {
  assert.deepEqual([0.5, 1.5, 2.5, 2.4, 2.6].map(whole), [0n, 2n, 2n, 2n, 3n]);
});

test("a page turns what the start names, up to the value for which there is room", () => {
  assert.ok(canTurn(header, "scheduler.params.ratio", 8));
  assert.ok(!canTurn(header, "scheduler.params.ratio", 8.5));
  assert.ok(!canTurn(header, "scheduler.params.ratio", "8"));
  assert.ok(canTurn(header, "scheduler.params.wait_s", 1e6));
  assert.ok(!canTurn(header, "scheduler.params.wait_s", -1));
  assert.ok(!canTurn(header, "scheduler.params.wait_s", null));
  assert.ok(canTurn(header, "scheduler.params.late", false));
  assert.ok(!canTurn(header, "scheduler.params.late", 0));
  assert.ok(!canTurn(header, "seed", 2));
  assert.ok(!canTurn({ ...header, turns: undefined }, "scheduler.params.ratio", 2));
});

test("experiments differ by values at paths; what is only told makes no difference", () => {
  const own = {
    name: "One",
    seed: 1,
    topology: { clusters: [{ name: "a", machines: [{ count: 4 }] }] },
    scheduler: { name: "sparrow", params: { ratio: 2, late: true } },
  };
  const other = structuredClone(own);
  other.name = "Other";
  other.question = "Why?";
  assert.deepEqual(differences(own, other), {});
  other.topology.clusters[0].machines[0].count = 5;
  other.scheduler.params = { ratio: 3 };
  other.events = [{ kind: "fail" }];
  assert.deepEqual(differences(own, other), {
    "topology.clusters[0].machines[0].count": 5,
    "scheduler.params.ratio": 3,
    "scheduler.params.late": "absent",
    events: [{ kind: "fail" }],
  });
  other.topology.clusters.push({ name: "b" });
  assert.deepEqual(differences(own, other)["topology.clusters"], other.topology.clusters);
  assert.deepEqual(differences({ a: { "x y": 1 } }, { a: { "x y": 2 } }), { a: { "x y": 2 } });
  assert.equal(differences(own, { ...own, text: "x".repeat(9_000) }), null);
});

test("a start serves a change if the page can write all that differs", () => {
  const own = (path) => ({ "scheduler.params.ratio": 2, seed: 1 })[path];
  assert.deepEqual(valuesFor(header, {}, { "scheduler.params.ratio": 4 }, own), { "scheduler.params.ratio": 4 });
  assert.deepEqual(valuesFor(header, {}, { "scheduler.params.ratio": 2 }, own), {});
  assert.equal(valuesFor(header, {}, { seed: 2 }, own), null);
  assert.deepEqual(valuesFor(header, { seed: 2 }, { seed: 2, "scheduler.params.ratio": 5 }, own), {
    "scheduler.params.ratio": 5,
  });
  assert.equal(valuesFor(header, { seed: 2 }, { "scheduler.params.ratio": 5 }, own), null, "the seed is back");
});

/** Answer with a start of this header; note what was asked. */
function server() {
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  const asked = [];
  const fetch = async (one) => {
    asked.push(one);
    return { start: gzipSync(Buffer.concat([length, text])), module: async (name) => new TextEncoder().encode(name) };
  };
  return { asked, fetch };
}

test("the server is asked for other arrays only, once for each, and for larger ones where they are full", async () => {
  const { asked, fetch } = server();
  const starts = new Starts();
  const run = { own: (path) => (path === "seed" ? 1 : 2), signal: new AbortController().signal };
  const turned = await starts.withChanges(fetch, [], { "scheduler.params.ratio": 4 }, run);
  assert.deepEqual([turned.values, asked.length], [{ "scheduler.params.ratio": 4 }, 1]);
  const seeded = await starts.withChanges(fetch, [], { seed: 7 }, run);
  assert.deepEqual([seeded.values, asked[1]], [{}, { events: [], changes: { seed: 7 }, full: [] }]);
  const both = await starts.withChanges(fetch, [], { seed: 7, "scheduler.params.ratio": 8 }, run);
  assert.deepEqual([both.values, both.start, asked.length], [{ "scheduler.params.ratio": 8 }, seeded.start, 2]);
  const full = new Error("an array of the run is full (reason 6)");
  await starts.enlarge(fetch, [], { seed: 7 }, full);
  await starts.enlarge(fetch, [], { seed: 7 }, full);
  assert.deepEqual(asked.at(-1), { events: [], changes: { seed: 7 }, full: [6, 6] });
  await assert.rejects(starts.enlarge(fetch, [], {}, full), /array of the run is full/, "the run itself has room");
  await assert.rejects(starts.enlarge(fetch, [], { seed: 7 }, new Error("other")), /other/);
});

test("a change that another one overtakes asks the server for nothing", async () => {
  const { asked, fetch } = server();
  const starts = new Starts();
  const own = () => 1;
  const [first, second] = [new AbortController(), new AbortController()];
  await starts.plain(fetch);
  const one = starts.withChanges(fetch, [], { seed: 2 }, { own, signal: first.signal });
  first.abort();
  const other = starts.withChanges(fetch, [], { seed: 3 }, { own, signal: second.signal });
  await assert.rejects(one, { name: "AbortError" });
  await other;
  assert.deepEqual(
    asked.map(({ changes }) => changes),
    [{}, { seed: 3 }],
  );
});

test("incidents of two runs are the same up to the first that differs", () => {
  const [a, b, c] = [
    [1n, 0, 1, 2, 1],
    [5n, 2, 1, 2, 1],
    [7n, 0, 3, 4, 1],
  ];
  assert.equal(firstDifference([a, b], [a, b]), null);
  assert.equal(firstDifference([a], [a, c]), 7n);
  assert.equal(firstDifference([a, b], [a, c]), 5n);
  assert.equal(firstDifference([], [a]), 1n);
  assert.equal(leftAfter([a, b, c], 5n), 1);
});

const touch = { incidents: [], racks: [0, 9], clusters: {}, layers: [] };

function storeTo(end_ns) {
  const store = new FrameStore();
  for (let t_ns = 0, seq = 0; t_ns <= end_ns; t_ns += 1e9, seq++)
    store.append({ seq, from_seq: seq, t_ns, key: seq === 0, state: "running", layers: {}, counters: {} });
  return store;
}

test("another touch leaves the frames of the changed run before it, if they are there", () => {
  const fail = (at_s) => ({ kind: "fail", at_s, target: { machine: 3 } });
  const shown = { store: storeTo(9e9), failures: [fail(2)], of: "x" };
  const both = [fail(2), { ...fail(6), target: { machine: 4 } }];
  const kept = keptFrames(shown, { failures: both, of: "x" }, { touch });
  assert.deepEqual([kept.from_ns, kept.store], [6e9, shown.store]);
  assert.equal(keptFrames(shown, { failures: both, of: "other settings" }, { touch }), null);
  assert.equal(keptFrames(shown, { failures: shown.failures, of: "x" }, { touch }), null);
  assert.equal(keptFrames({ ...shown, store: storeTo(4e9) }, { failures: both, of: "x" }, { touch }), null);
  assert.equal(keptFrames(null, { failures: both, of: "x" }, { touch }), null);
  const { store, wish } = beginTouched(storeTo(9e9), { failures: both, turned: { seed: 2 } }, kept);
  assert.deepEqual([store.endNs, wish.times_ns[0], wish.times_ns[1], wish.seq], [5e9, 6e9, 7e9, 6]);
  const whole = beginTouched(storeTo(9e9), { failures: both, turned: { seed: 2 } });
  assert.deepEqual([whole.store.count, whole.wish.times_ns[0], whole.wish.edges], [0, 0, []]);
});

test("settings act in the page while that is on, and what it cannot simulate goes to the server", async () => {
  const sent = [];
  let [works, can] = [true, true];
  const asked = [];
  const run = { experiment: { name: "a", seed: 1 } };
  const change = async (one) => {
    asked.push(one);
    return works;
  };
  const touched = { run: () => run, prepare: async () => can, change };
  const turning = new Turning(touched, (experiment) => sent.push(experiment));
  assert.equal(turning.take({ seed: 2 }), null, "off");
  await turning.toggle();
  assert.equal(turning.take({ name: "b", seed: 2 }), "changed");
  assert.equal(turning.take({ name: "b", seed: 1 }), "same");
  assert.deepEqual(asked, [{ turned: { seed: 2 } }, { turned: null }]);
  works = false;
  turning.take({ seed: 3 });
  const last = { seed: 4 };
  turning.take(last);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(sent, [last], "the newest alone");
  run.experiment = undefined;
  assert.equal(turning.take({ seed: 5 }), null);
  can = false;
  await turning.prepare();
  assert.equal(turning.on.value, false, "a run that the page cannot simulate");
});
