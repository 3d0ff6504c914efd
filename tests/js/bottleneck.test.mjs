import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { bottleneckWords, neverStarted, stuckWords, waitCurves, waitRows } from "../../static/js/run/bottleneck.js";
import { fullPart, waitsNow } from "../../static/js/run/bottleneck_now.js";
import { FrameStore } from "../../static/js/run/frames.js";
import { parseRecording } from "../../static/js/contract/recording.js";
import { overOfDensity, overOfTrack, peakOf, soFar, worstOf } from "../../static/js/draw/charts/waits_over.js";
import { overCaption } from "../../static/js/studio/panels/waits_chart.js";
import { toldOf } from "../../static/js/studio/panels/bottleneck.js";
import { wireOf } from "./tracks.mjs";

const sumOf = (values) => values.reduce((sum, each) => sum + each, 0);

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
const studioWith = (store, final = true) => ({
  meta: { value: null },
  session: { value: { final, store: { frames: [], times: [], ...store } } },
  touched: { value: null },
  wholeRun: () => store.summary ?? null,
});
const MASTERS = { role: "owner", label: "Global Master" };

test("the sentence names what holds tasks up, and how much was free meanwhile", () => {
  const queued = summary(group("all", "", { framework_queuing: 90, processing: 10 }));
  assert.match(bottleneckWords(queued, MASTERS), /^Global Masters are the bottleneck: .* 90.% .* 69.% of the capacity/);
  assert.match(bottleneckWords(queued, undefined), /^The scheduler is the bottleneck/);
  assert.match(bottleneckWords({ ...queued, graphs: {} }, undefined), /^Tasks wait for other stages/);
  const busy = summary(group("all", "", { worker_queuing: 90 }, 0.02));
  assert.match(bottleneckWords(busy, undefined), /machines are nearly full: .* only 2.%/);
  const full = summary(group("all", "", { framework_queuing: 90 }, 0.02));
  assert.match(bottleneckWords(full, undefined), /machines are the bottleneck: .* only 2.%/);
  const some = (parts) => bottleneckWords(summary(group("all", "", parts, 0.14)), undefined);
  assert.match(
    some({ worker_queuing: 90 }),
    /100.% of their wait in queues at machines, while on average 14.% .* on other machines/,
  );
  assert.match(
    some({ framework_queuing: 90 }),
    /in queues of schedulers, while on average 14.% of the capacity is free/,
  );
  const behind = summary(group("all", "", { worker_queuing: 90 }));
  assert.match(bottleneckWords(behind, undefined), /queues at machines are the bottleneck/);
  assert.match(bottleneckWords(summary(group("all", "", { processing: 9 })), undefined), /^Deciding/);
  assert.match(bottleneckWords(summary(group("all", "", { communication: 9 })), undefined), /^Messages/);
  assert.match(bottleneckWords(summary(group("all", "", { communication: 0.01 })), undefined), /^Tasks hardly wait/);
});

test("a run that is stuck names the groups that wait, with their reasons", () => {
  const group_ = { queue: "batch", tasks: 20000, first_task: 7, reason: "No machine can run them." };
  const stuck = { finished: "stuck", waiting_groups: [group_, { ...group_, queue: "web", tasks: 1 }] };
  const [heading, first, second] = stuckWords(stuck);
  assert.match(heading, /at its end 20,001 tasks wait, and nothing will ever change/);
  assert.match(first, /Queue batch, 20,000 tasks \(the first is task 7\): No machine can run them\./);
  assert.match(second, /Queue web, 1 task \(task 7\)/);
  assert.match(stuckWords({ ...stuck, waiting_groups: [{ ...group_, queue: "q0" }] })[1], /^Queue 0, 20,000 tasks/);
  for (const other of [{ finished: "drained" }, { finished: "stopped-at" }, {}, null])
    assert.deepEqual(stuckWords(other), []);
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

test("waits over time add up to all waits, by queue too, and name when most tasks wait", () => {
  const tasks = [
    { arrival: 0, framework: 10, communication: 5, worker: 25, ran: 60, machine: 0 },
    { arrival: 20, framework: 40, processing: 20, ran: 10, machine: 1, queue: 1 },
    { arrival: 25, framework: 75, machine: -1, queue: 1 },
  ];
  const wire = { ...wireOf(tasks), until_ns: 100_000 };
  const over = overOfTrack(wire, [{ name: "prod" }, { name: "batch" }]);
  const spent = (group) => group.parts.map((part) => Math.round((sumOf(part) * over.span_ns) / 1000));
  assert.deepEqual(spent(over.groups[0]), [125, 20, 5, 25]);
  assert.deepEqual(
    over.groups.map(({ name, tasks: count }) => [name, count]),
    [
      ["", 3],
      ["prod", 1],
      ["batch", 2],
    ],
  );
  assert.deepEqual(spent(over.groups[2]), [115, 20, 0, 0]);
  const worst = worstOf(over, null);
  assert.ok(worst.t_ns >= 25_000 && worst.t_ns <= 42_000, JSON.stringify(worst));
  assert.equal(worst.tasks, 3);
  const told = soFar(over);
  assert.match(bottleneckWords({ ...told }, undefined), /^Tasks (hardly wait|spend)/);
  assert.equal(waitRows(told)[0].tasks, 3);
  assert.equal(soFar({ ...over, groups: [] }), null);
});

test("a density tells the same waits over time as the frames' own summary", () => {
  const file = new URL("../../fixtures/known/gallery-old-news.zip", import.meta.url);
  const { density, summary: told } = parseRecording(new Uint8Array(readFileSync(file)));
  const over = overOfDensity(density);
  const parts = waitRows(told)[0].parts_s;
  Object.values(parts).forEach((seconds, part) => {
    const spent = (sumOf(over.groups[0].parts[part]) * over.span_ns) / 1e9;
    assert.ok(Math.abs(spent - seconds) <= 0.01 * seconds + 5, `${part}: ${spent} for ${seconds}`);
  });
});

test("the peak is never below a count that a frame of the run has", () => {
  const none = Float64Array.of(0, 0);
  const all = { kind: "all", name: "", tasks: 9, parts: [Float64Array.of(79.2, 3), none, none, none] };
  const over = { of: "track", span_ns: 1e9, until_ns: 2e9, groups: [all] };
  const frames = [5, 95, 60, 2].map((tasks_waiting) => ({ counters: { tasks_waiting } }));
  const peak = peakOf({ frames, times: [0, 0.4e9, 0.8e9, 1.5e9] });
  assert.deepEqual(peak, { tasks: 95, t_ns: 0.4e9 });
  assert.match(
    overCaption(over, peak),
    /^Peak, at about 400.ms: 95 tasks wait\. Around this moment, nearly all wait in/,
  );
  // No frame lies near the peak: the mean over the fullest span is a lower bound.
  assert.deepEqual(worstOf(over, { tasks: 60, t_ns: 0.8e9 }), { tasks: 80, t_ns: 0.5e9, span: 0 });
  assert.deepEqual(worstOf(over, null).tasks, 80);
  assert.equal(peakOf({ frames: [], times: [] }), null);
  // A frame of every recording that comes with the product.
  const file = new URL("../../fixtures/known/gallery-old-news.zip", import.meta.url);
  const known = parseRecording(new Uint8Array(readFileSync(file)));
  const store = new FrameStore();
  for (const frame of known.frames) store.append(frame);
  const told = worstOf(overOfDensity(known.density), peakOf(store)).tasks;
  for (let at = 0; at < store.count; at += 1) assert.ok(store.pictureAt(at).counters.tasks_waiting <= told, `${at}`);
});

test("a run whose outcome is known shows its own waits or none, and never those of the run before", () => {
  const waited = summary(group("all", "", { worker_queuing: 90 }));
  const before = toldOf(studioWith({ summary: waited }), null, null);
  assert.match(before.parts.words, /bottleneck/);
  const nothing = { tasks: { unschedulable: 0 }, allocation_delay_s: { mean: null } };
  const stuck = {
    ...nothing,
    finished: "stuck",
    waiting_groups: [{ queue: "a", tasks: 2, first_task: 0, reason: "No." }],
  };
  for (const ended of [stuck, nothing]) assert.equal(toldOf(studioWith({ summary: ended }), null, before).parts, null);
  // While a run is computed, the panel keeps its space: the parts are hidden.
  const going = toldOf(studioWith({}, false), null, before);
  assert.deepEqual([going.parts, going.expected], [before.parts, true]);
});

test("a touched run has no waits of its own, and does not show those of the run before", () => {
  const waited = summary(group("all", "", { worker_queuing: 10 }, 0.5));
  const before = toldOf(studioWith({ summary: waited }), null, null);
  assert.ok(before.parts);
  const touched = { at_ns: 1 };
  const told = toldOf(
    { ...studioWith({ summary: waited }), touched: { value: touched }, wholeRun: () => null },
    null,
    before,
  );
  assert.deepEqual([told.of, told.parts, told.peak, told.stuck, told.expected], [touched, null, null, [], false]);
  assert.ok(toldOf(studioWith({ summary: waited }), null, told).parts, "after it was undone");
});

test("the sentence of the instant names how many wait, where, whose they are, and how full the machines are", () => {
  const parts = (...rows) => rows.map((row) => Float64Array.from(row));
  const none = [0, 0, 0];
  const over = {
    span_ns: 1e9,
    until_ns: 3e9,
    groups: [
      { kind: "all", name: "", tasks: 30, parts: parts([0, 18, 2], none, none, [0, 2, 0]) },
      { kind: "queue", name: "service", tasks: 10, parts: parts([0, 2, 2], none, none, none) },
      { kind: "queue", name: "batch", tasks: 20, parts: parts([0, 16, 0], none, none, [0, 2, 0]) },
    ],
  };
  assert.equal(waitsNow(over, 0.5e9, 0), "No task waits now.");
  // The picture counts the tasks; parts of a wait around the instant tell where.
  const told = /^Now 23 tasks wait\. .* 90.% wait in .*Most of them \(90.%\) .* queue batch\. .*no machine/;
  assert.match(waitsNow(over, 1.5e9, 23, 1), told);
  assert.match(
    waitsNow(over, 2.9e9, 1, 0.5),
    /^Now 1 task waits\. .* nearly all wait in.queues.* Nearly all belong to the queue service\. .*50.%/,
  );
  // Parts of waits are known of tasks that start: where most of those that wait never do, nothing says where.
  assert.match(waitsNow(over, 2.9e9, 43, null, 43), /^Now 43 tasks wait\.$/);
  assert.match(waitsNow(over, 2.9e9, 43, null, 21), /nearly all wait in/);
  const never = { finished: "stuck", tasks: { unschedulable: 2 }, waiting_groups: [{ tasks: 3 }, { tasks: 4 }] };
  assert.deepEqual([neverStarted(never), neverStarted({ tasks: { unschedulable: 2 } }), neverStarted(null)], [7, 2, 0]);
  assert.equal(waitsNow(null, 0, 5), "");
  assert.equal(fullPart(Uint8Array.of(255, 0, 255, 200)), 0.5);
});
