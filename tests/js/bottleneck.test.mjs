import assert from "node:assert/strict";
import { test } from "node:test";
import { bottleneckWords, waitCurves, waitRows } from "../../static/js/run/bottleneck.js";

const CURVE = [
  [0.5, 1],
  [1, 100],
];
const group = (kind, name, parts, free = 0.69) => ({
  kind,
  name,
  tasks: 10,
  free,
  curve_s: CURVE,
  parts_s: { framework_queuing: 0, processing: 0, communication: 0, worker_queuing: 0, ...parts },
});
const summary = (...groups) => ({
  tasks: { unschedulable: 0 },
  allocation_delay_s: { mean: 1 },
  waits: { groups },
});
const MASTERS = { role: "owner", label: "Global Master" };

test("the sentence names what holds tasks up, and how much was free meanwhile", () => {
  const queued = summary(group("all", "", { framework_queuing: 90, processing: 10 }));
  assert.match(bottleneckWords(queued, MASTERS), /^Global Masters are the bottleneck: .* 90.% .* 69.% of the capacity/);
  assert.match(bottleneckWords(queued, undefined), /^The scheduler is the bottleneck/);
  assert.match(bottleneckWords({ ...queued, graphs: {} }, undefined), /^Tasks wait for other stages/);
  const busy = summary(group("all", "", { worker_queuing: 90 }, 0.02));
  assert.match(bottleneckWords(busy, undefined), /^Machines are the bottleneck: .* only 2.%/);
  const behind = summary(group("all", "", { worker_queuing: 90 }));
  assert.match(bottleneckWords(behind, undefined), /^Queues at machines are the bottleneck/);
  assert.match(bottleneckWords(summary(group("all", "", { processing: 9 })), undefined), /^Deciding/);
  assert.match(bottleneckWords(summary(group("all", "", { communication: 9 })), undefined), /^Messages/);
  assert.match(bottleneckWords(summary(group("all", "", { communication: 0.01 })), undefined), /^Hardly any/);
});

test("tasks that no machine may run are told besides", () => {
  const barred = { ...summary(group("all", "", { worker_queuing: 90 })), tasks: { unschedulable: 2 } };
  assert.match(bottleneckWords(barred, undefined), /2 tasks fit no machine\.$/);
});

test("a summary of an earlier version has one row, and a run in which nothing started none", () => {
  const parts = ["framework_queuing", "processing", "communication", "worker_queuing"];
  const delay_components_s = Object.fromEntries(parts.map((part, at) => [part, { mean: at }]));
  const old = { tasks: { unschedulable: 0 }, allocation_delay_s: { mean: 6 }, delay_components_s };
  assert.deepEqual(waitRows(old)[0].shares, [0, 1 / 6, 2 / 6, 3 / 6]);
  assert.deepEqual(waitRows({ ...old, allocation_delay_s: { mean: null } }), []);
  assert.deepEqual(waitRows({}), []);
});

test("curves are drawn where there are several groups, on one axis", () => {
  const all = group("all", "", { worker_queuing: 90 });
  assert.equal(waitCurves(waitRows(summary(all, group("queue", "a", {})))), null);
  const found = waitCurves(waitRows(summary(all, group("queue", "a", {}), group("queue", "b", {}))));
  assert.equal(found.curves.length, 2);
  assert.deepEqual(found.curves[0].points[1], [1, 1]);
});
