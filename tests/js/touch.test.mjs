import assert from "node:assert/strict";
import { test } from "node:test";

import { headerAt, isOwn } from "../../static/js/engine/start_file.js";
import { incidentRows, machinesOf, nanoseconds } from "../../static/js/engine/touch.js";
import { afterStop, afterTouch, openTouch, touchTime } from "../../static/js/features/here/failures.js";
import { beginTouched, drawnMeta, possible } from "../../static/js/features/here/touched.js";
import { FrameStore } from "../../static/js/run/frames.js";

const target = { machine: 3 };

test("a machine fails at a touch and returns at the next", () => {
  const failed = afterTouch([], target, 1.5, false);
  assert.deepEqual(failed, [{ kind: "fail", at_s: 1.5, target }]);
  assert.equal(openTouch(failed, target, 1.4), -1);
  assert.equal(openTouch(failed, { rack: 3 }, 2), -1);
  const back = afterTouch(failed, target, 2.1, true);
  assert.deepEqual(back, [{ kind: "fail", at_s: 1.5, target, duration_s: 0.6 }]);
  assert.equal(openTouch(back, target, 2.1), -1);
  assert.equal(afterTouch(back, target, 3, false).length, 2);
  assert.deepEqual(afterTouch(failed, target, 1.5, true), [], "the same instant: as if nothing happened");
});

test("a machine drains at a touch and returns at the next", () => {
  const drains = afterTouch([], target, 1.5, false, "drain");
  assert.deepEqual(drains, [{ kind: "drain", at_s: 1.5, target }]);
  assert.deepEqual(afterTouch(drains, target, 2, true), [{ kind: "drain", at_s: 1.5, target, duration_s: 0.5 }]);
  const touch = { incidents: [], racks: [0, 9], clusters: {}, tasks: 5, layers: [] };
  assert.deepEqual(incidentRows(touch, [{ ...drains[0], duration_s: 0.5 }]), [
    [1_500_000_000n, 1, 3, 4, 2],
    [2_000_000_000n, 2, 3, 4, 2],
  ]);
});

test("a task is stopped once at an instant; a stop keeps nothing out of service", () => {
  const stops = afterStop(afterStop([], 4, 2), 3, 1.5);
  assert.deepEqual(stops, [
    { kind: "stop", at_s: 1.5, target: { task: 3 } },
    { kind: "stop", at_s: 2, target: { task: 4 } },
  ]);
  assert.equal(afterStop(stops, 4, 2), stops);
  assert.equal(openTouch(stops, { task: 3 }, 1.7), -1);
  const touch = { incidents: [], racks: [0, 9], clusters: {}, tasks: 5, layers: [] };
  assert.deepEqual(incidentRows(touch, stops), [
    [1_500_000_000n, 9, 3, 4, 0],
    [2_000_000_000n, 9, 4, 5, 0],
  ]);
  for (const task of [5, -1]) {
    const [missing] = afterStop([], task, 1);
    assert.throws(() => incidentRows(touch, [missing]), /no such task/);
    assert.deepEqual(possible({ touch }, [missing]), []);
  }
});

test("what is out of service for another reason returns at a touch, and touches are in order of time", () => {
  const later = afterTouch([], target, 5, false);
  assert.deepEqual(afterTouch(later, { rack: 1 }, 2, true), [
    { kind: "recover", at_s: 2, target: { rack: 1 } },
    ...later,
  ]);
});

test("a touch is at the next millisecond, never at the start", () => {
  assert.equal(touchTime(0), 0.001);
  assert.equal(touchTime(1_500_000_000), 1.5);
  assert.equal(touchTime(1_500_000_001), 1.501);
});

test("seconds become nanoseconds as Python rounds them", () => {
  assert.equal(nanoseconds(0.0000000005), 0n);
  assert.equal(nanoseconds(0.0000000015), 2n);
  assert.equal(nanoseconds(1.1 + 2.2), 3_300_000_000n);
});

test("own incidents go before touches of the same instant; a rack is its machines", () => {
  const touch = {
    incidents: [["1000000000", 1, 7, 8, 2]],
    racks: [0, 4, 9],
    clusters: { a: [0, 9] },
    tasks: 5,
    layers: [],
  };
  const failures = [
    { kind: "fail", at_s: 1, target: { rack: 1 }, duration_s: 0.5 },
    { kind: "recover", at_s: 1.25, target: { cluster: "a" } },
  ];
  assert.deepEqual(incidentRows(touch, failures), [
    [1_000_000_000n, 1, 7, 8, 2],
    [1_000_000_000n, 0, 4, 9, 1],
    [1_250_000_000n, 2, 0, 9, 3],
    [1_500_000_000n, 2, 4, 9, 1],
  ]);
});

test("a target that the datacenter lacks is never written, and settings that remove it remove its touch", () => {
  const touch = { incidents: [], racks: [0, 4, 9], clusters: { a: [0, 9] }, tasks: 5, layers: [] };
  assert.deepEqual(machinesOf(touch, { rack: 1 }), [4, 9]);
  for (const missing of [{ machine: 9 }, { machine: -1 }, { rack: 2 }, { rack: -1 }, { cluster: "b" }]) {
    assert.equal(machinesOf(touch, missing), null, JSON.stringify(missing));
    assert.throws(() => incidentRows(touch, [{ kind: "fail", at_s: 1, target: missing }]), /no such machine/);
  }
  const failures = [{ machine: 8 }, { machine: 9 }].map((each) => ({ kind: "fail", at_s: 1, target: each }));
  assert.deepEqual(possible({ touch }, failures), failures.slice(0, 1));
  assert.deepEqual(possible({}, failures), [], "a run that cannot be touched");
});

const settings = [
  { path: "a", values: [1, 2], own: 1 },
  { path: "b", values: [3, 4], own: 0 },
];
const header = {
  module: "own.wasm",
  settings,
  touch: { layers: [] },
  variants: [{ at: [0, 0], module: "other.wasm", drawn: [], meta: { machines: 3 } }],
};

test("other values of the settings have a header of their own, with nothing of the run's own", () => {
  assert.ok(isOwn(header, [1, 0]));
  assert.equal(headerAt(header, [1, 0]), header);
  const { module, touch, drawn, meta } = headerAt(header, [0, 0]);
  assert.deepEqual([module, touch, drawn, meta], ["other.wasm", undefined, [], { machines: 3 }]);
  assert.throws(() => headerAt(header, [0, 1]), /does not have these settings/);
});

test("under other settings no frame of the run before stays, and the first frame needs none", () => {
  const before = new FrameStore();
  const hist = { allocation_delay: { edges: [0, 5], idx: [], val: [] } };
  for (const [seq, t_ns] of [0, 100e6, 200e6, 233e6].entries())
    before.append({ seq, from_seq: seq, t_ns, key: seq === 0, state: "running", layers: {}, counters: {}, hist });
  const { store, wish } = beginTouched(before, { failures: [{ kind: "fail", at_s: 0.15, target }], at: [0, 0] });
  assert.equal(store.count, 0);
  assert.deepEqual([wish.at, wish.seq, wish.times_ns, wish.edges], [[0, 0], 0, [0, 100e6, 200e6], [0, 5]]);
});

test("a changed run is described by the layers, counters and series that a page draws", () => {
  const named = (...names) => names.map((name) => ({ name }));
  const meta = drawnMeta(
    {
      machines: 4,
      work: {},
      owners: ["GM 0"],
      layers: named("load", "view"),
      counters: named("events", "probes"),
      series: named("waiting", "probes_waiting"),
    },
    [{ name: "load", by: "load" }],
  );
  assert.deepEqual(meta, {
    machines: 4,
    owners: [],
    layers: named("load"),
    counters: named("events"),
    series: named("waiting"),
  });
});

test("a touched run keeps the frames before the touch and asks for those after it", () => {
  const before = new FrameStore();
  for (const [seq, t_ns] of [0, 100e6, 200e6, 300e6, 333e6].entries())
    before.append({ seq, from_seq: seq, t_ns, key: seq === 0, state: "running", layers: {}, counters: {} });
  const { store, wish } = beginTouched(before, { failures: [{ kind: "fail", at_s: 0.15, target }] });
  assert.deepEqual(store.times, [0, 100e6]);
  assert.deepEqual([wish.times_ns, wish.step_ns, wish.seq], [[150e6, 200e6, 300e6], 100e6, 2]);
  const later = beginTouched(before, { failures: [], extras: [{ at_s: 0.25 }] });
  assert.deepEqual(
    [later.store.times, later.wish.times_ns],
    [
      [0, 100e6, 200e6],
      [250e6, 300e6],
    ],
    "a burst, too",
  );
});
