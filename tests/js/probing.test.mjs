/**
 * What the pictures of probing schedulers are made of: shades of queues, shapes of marks, groups, probes, heat maps.
 */

import assert from "node:assert/strict";
import test from "node:test";

import { duration } from "../../static/js/kit/format.js";
import { FrameStore } from "../../static/js/run/frames.js";
import { heatPlace, heatRows, heatScene, heatTop, onTimes, valueAt } from "../../static/js/draw/scenes/heat_scene.js";
import { tellWhole, wholeNear } from "../../static/js/run/jumps.js";
import { over, pack, shade } from "../../static/js/kit/palette.js";
import { probeRows, tellCounts } from "../../static/js/run/why/probe_rows.js";
import { countOf, depths, edgesOf, groupOf, groupsOf, markShape, numberOn } from "../../static/js/run/roles.js";
import { describeMachine, machineRows } from "../../static/js/run/sentences.js";

const QUEUE = { name: "queue", label: "Queue length", kind: "level", unit: "waiting", full: 32, role: "backlog" };
const LOAD = { name: "load", label: "Load", kind: "level", role: "load" };
const LONG = { name: "long", label: "Long tasks", kind: "level", unit: "long tasks", full: 8, role: "pattern" };
const FIRST = { name: "short_only", label: "Short jobs only", kind: "level", role: "reserved" };
const META = {
  machines: 6,
  owners: [],
  marks: [],
  layers: [LOAD, QUEUE, LONG, FIRST],
  clusters: [{ name: "c", first: 0, machines: 6, partitions: [{ owner: 255, first: 0, machines: 6 }] }],
};
const PICTURE = {
  layers: {
    load: [0, 255, 255, 0, 0, 0],
    queue: [0, 0, 24, 255, 0, 0],
    long: [0, 32, 0, 0, 0, 0],
    short_only: [255, 0, 0, 0, 0, 0],
  },
};

test("a shade goes deeper from idle to busy to ever longer queues, and stays as it was without queues", () => {
  const { filled, deepened } = depths(QUEUE);
  assert.equal(filled[0], 0);
  assert.ok(filled[255] < deepened[8] && deepened[8] < deepened[32] && deepened[32] < deepened[255]);
  assert.equal(deepened[255], 255);
  assert.deepEqual(
    [...depths(null).filled],
    Array.from({ length: 256 }, (_, load) => load),
  );
  for (const dark of [false, true]) {
    const light = (load) => shade(0, load, dark, true).reduce((sum, channel) => sum + channel, 0) * (dark ? 1 : -1);
    for (let step = 1; step <= 10; step += 1) assert.ok(light(step / 10) > light((step - 1) / 10), `step ${step}`);
  }
  assert.equal(over(pack([0, 0, 0]), pack([255, 255, 255]), 0.5), pack([128, 128, 128]));
});

test("numbers stand on cells where something waits, or for the layer shown alone if that counts", () => {
  assert.deepEqual(
    [0, 1, 2, 3].map((machine) => numberOn(META, PICTURE, null, machine)),
    ["", "", "3", "32+"],
  );
  assert.equal(numberOn(META, PICTURE, "long", 1), "1");
  assert.equal(numberOn(META, PICTURE, "load", 1), "");
  assert.equal(countOf(QUEUE, 8), 1);
});

test("what belongs to a master is told once a group", () => {
  const groups = { label: "Group", help: "", first: [0, 2, 5] };
  const meta = { ...META, groups, layers: [LOAD, { ...QUEUE, role: "group_backlog" }] };
  assert.deepEqual(
    [0, 1, 2, 4, 5].map((machine) => groupOf(meta, machine)),
    [0, 0, 1, 1, 2],
  );
  assert.equal(groupOf(META, 3), -1);
  assert.deepEqual([[...groupsOf(meta)], groupsOf(META)], [[0, 0, 1, 1, 1, 2], null]);
  const queued = { layers: { load: PICTURE.layers.load, queue: [8, 8, 24, 24, 24, 0] } };
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map((machine) => numberOn(meta, queued, null, machine)),
    ["", "1", "", "", "3", ""],
  );
  assert.deepEqual(machineRows(meta, queued, 4)[0], { label: "Group", value: "1", help: "" });
  assert.match(describeMachine(meta, queued, 1), /is full; 1 waiting in its group\.$/);
  const clustered = { ...meta, groups: null };
  assert.deepEqual(
    [4, 5].map((machine) => numberOn(clustered, { layers: { queue: [8, 8, 8, 8, 8, 8] } }, null, machine)),
    ["", "1"],
  );
  assert.match(describeMachine(clustered, queued, 1), /is full; 1 waiting in its cluster\.$/);
});

test("a machine says what waits there, what it runs and what it is for", () => {
  assert.match(describeMachine(META, PICTURE, 2), /is full; 3 waiting there\.$/);
  assert.match(describeMachine(META, PICTURE, 1), /is full; long tasks\.$/);
  assert.match(describeMachine(META, PICTURE, 0), /is idle; short jobs only\.$/);
  assert.equal(machineRows(META, PICTURE, 0).find((row) => row.label === "Short jobs only").value, "yes");
});

test("edges run around machines that belong together, over rows", () => {
  const sides = [];
  edgesOf(
    { first: 0, machines: 6, across: 3 },
    (machine) => (machine < 2 ? 1 : 0),
    (machine, side) => sides.push(`${machine} ${side}`),
  );
  assert.deepEqual(sides, ["0 left", "0 top", "0 bottom", "1 right", "1 top", "1 bottom"]);
  sides.length = 0;
  edgesOf(
    { first: 0, machines: 6, across: 3 },
    () => 1,
    (machine, side) => sides.push(`${machine} ${side}`),
  );
  assert.equal(sides.length, 10);
  sides.length = 0;
  edgesOf(
    { first: 0, machines: 8, across: 3 },
    () => 1,
    (machine, side) => sides.push(`${machine} ${side}`),
    1,
    2,
  );
  assert.deepEqual(sides, ["3 left", "5 right", "5 bottom"], "of one row only, the last cell with nothing below it");
});

test("kinds of marks have shapes of their own, and quiet ones are no events to step to", () => {
  const meta = {
    marks: [
      { kind: "rejected", role: "refusal" },
      { kind: "probe", role: "", quiet: true },
      { kind: "steal", role: "" },
      { kind: "reorder", role: "" },
    ],
  };
  assert.deepEqual(
    meta.marks.map((mark) => markShape(meta, mark.kind)),
    ["dot", "point", "ring", "triangle"],
  );
  const store = new FrameStore();
  store.quiet = new Set(["probe"]);
  store.append({
    seq: 0,
    key: true,
    t_ns: 50,
    marks: [
      [10, "probe", 0, 0],
      [20, "steal", 1, 0],
      [30, "probe", 2, 0],
    ],
  });
  assert.equal(store.nextMark(0).t_ns, 20);
  assert.equal(store.nextMark(20), null);
  assert.equal(store.previousMark(40).t_ns, 20);
});

test("probes are told stop by stop, with what became of them", () => {
  const stop = (worker, from_s, ahead, end, waited_s) => ({ worker, from_s, ahead, end, waited_s });
  const probes = {
    total: 3,
    counts: { given: 1, "in vain": 2 },
    why: "",
    rows: [
      {
        worker: 1,
        outcome: "given",
        won: true,
        tasks: [3],
        stops: [stop(0, 1, 2, "taken over", 20), stop(1, 21, 0, "given", 0)],
      },
      { worker: 2, outcome: "in vain", won: false, tasks: [], stops: [stop(2, 1, 0, "in vain", 10)] },
      {
        worker: 4,
        outcome: "waiting",
        won: false,
        tasks: [],
        stops: [stop(3, 1, 5, "refused", 0), stop(4, 2, 1, "waiting", null)],
      },
    ],
  };
  const rows = probeRows(probes);
  assert.deepEqual(
    rows.map((row) => [row.worker, row.first, row.won]),
    [
      [0, true, false],
      [1, false, true],
      [2, true, false],
      [3, true, false],
      [4, false, false],
    ],
  );
  assert.deepEqual(
    rows.map((row) => row.share),
    [1, 0, 0.5, 0, 0],
  );
  assert.deepEqual(
    rows.map((row) => row.what),
    ["taken over", "task 3", "no task left", "refused", "waits there"],
  );
  assert.deepEqual(
    rows.map((row) => row.behind),
    ["2", "0", "0", "", "1"],
  );
  assert.equal(rows[4].waited, "still");
  assert.equal(tellCounts(probes), "3 probes: 2 found no task left, 1 fetched a task.");
});

test("workers that were compared for a task stand beside those that it was sent to", () => {
  const row = (worker, won, expected_s, ...stops) => ({
    worker,
    won,
    expected_s,
    tasks: won ? [7] : [],
    stops: stops.map(([from_s, ahead, end, waited_s]) => ({ worker, from_s, ahead, end, waited_s })),
  });
  const probes = {
    of: "task",
    total: 3,
    counts: { given: 1, full: 1, compared: 1 },
    rows: [
      row(4, true, 2, [1, null, "upgraded", 3], [4, 2, "given", 6]),
      row(5, false, 2.5, [1, null, "compared", null]),
      row(6, false, null, [1, null, "full", null]),
    ],
  };
  const rows = probeRows(probes);
  assert.deepEqual(
    rows.map((each) => each.what),
    ["got a token", "started", "compared", "queue full, according to the last report"],
  );
  assert.deepEqual(
    rows.map((each) => each.expected),
    [duration(2e9), "", duration(2.5e9), ""],
  );
  assert.deepEqual(
    rows.map((each) => [each.behind, each.waited]),
    [
      ["", duration(3e9)],
      ["2", duration(6e9)],
      ["", ""],
      ["", ""],
    ],
  );
  assert.deepEqual(
    rows.map((each) => each.won),
    [false, true, false, false],
  );
  assert.equal(tellCounts(probes), "3 workers: 1 started it, 1 believed to be full, 1 only compared.");
});

test("a mark of the whole datacenter is told in words, and is found near an instant", () => {
  const meta = {
    marks: [
      { kind: "steal", label: "Stolen", help: "A." },
      { kind: "crv_on", label: "Scarcest first (CRV): on", help: "The load rose.", whole: true },
      { kind: "shed" },
    ],
  };
  const marks = [
    { t_ns: 10, kind: "steal" },
    { t_ns: 20, kind: "crv_on" },
    { t_ns: 40, kind: "crv_on" },
  ];
  assert.equal(tellWhole(meta, marks[1]), "Scarcest first (CRV): on: the load rose.");
  assert.equal(tellWhole(meta, marks[0]), "");
  assert.equal(wholeNear(meta, marks, 12, 10).t_ns, 20);
  assert.equal(wholeNear(meta, marks, 12, 5), null);
  assert.equal(markShape(meta, "shed"), "triangle", "what never flashes takes no shape from the others");
});

const MAP = { name: "crv", label: "CRV", prefix: "crv_", switch: "crv_on", threshold: 2 };
const SERIES_META = {
  series: [
    { name: "utilisation", label: "In use" },
    { name: "crv_on", label: "Reordering by CRV" },
    { name: "crv_cpu", label: "CRV: CPU clock" },
    { name: "crv_disk", label: "Disks" },
  ],
};
const SERIES = {
  crv_on: { t: [0, 10, 20, 30, 40], v: [0, 1, 1, 0, 1] },
  crv_cpu: { t: [0, 10, 20, 30, 40], v: [0, 1, 3.2, 1, 0] },
  crv_disk: { t: [0, 10, 20, 30, 40], v: [0, 0, 0, 0, 0] },
};

test("series of one prefix are the rows of a heat map, the switch is a band above them", () => {
  const rows = heatRows(SERIES_META, MAP);
  assert.deepEqual(rows, [
    { name: "crv_cpu", label: "CPU clock" },
    { name: "crv_disk", label: "Disks" },
  ]);
  assert.equal(heatTop(rows, SERIES, MAP), 4);
  assert.equal(heatTop(rows, {}, MAP), 2);
  assert.deepEqual(onTimes(SERIES.crv_on), [
    [10, 30],
    [40, 40],
  ]);
  assert.deepEqual(
    [valueAt(SERIES.crv_cpu, 25), valueAt(SERIES.crv_cpu, -1), valueAt(undefined, 5)],
    [3.2, null, null],
  );
  const size = { width: 284, height: 47, end_ns: 40, known_ns: 40, cursor_ns: 20, most: 4 };
  const marks = heatScene(rows, SERIES, MAP, size);
  const place = heatPlace(rows, 40, 284, 47, true);
  const band = marks.filter((mark) => mark.kind === "rect" && mark.fill === "second");
  assert.deepEqual(
    band.map((mark) => [mark.x, mark.w]),
    [
      [place.x(10), place.x(30) - place.x(10)],
      [place.x(40), 1],
    ],
  );
  const heat = marks.filter((mark) => Array.isArray(mark.fill));
  assert.ok(heat.length > 30 && heat.every((mark) => place.row(mark.y + 1) === 0), "only the first row has values");
  assert.ok(heat.every((mark) => mark.x + mark.w > place.x(10) && mark.x <= place.x(40)));
  assert.equal(Math.max(...heat.map((mark) => mark.fill[1])), 0.8125);
  const marked = marks.filter((mark) => mark.fill === "alarm");
  assert.ok(marked.every((mark) => mark.x + 3 >= place.x(20) && mark.x <= place.x(30)) && marked.length > 10);
  assert.equal(marks.at(-1).points[0][0], place.x(20));
});

test("a map without a switch has no band, and half a run fills half of it", () => {
  const rows = heatRows(SERIES_META, MAP);
  const marks = heatScene(
    rows,
    SERIES,
    { ...MAP, switch: "", threshold: 0 },
    { width: 284, height: 40, end_ns: 80, known_ns: 40, cursor_ns: 0, most: 4 },
  );
  const heat = marks.filter((mark) => Array.isArray(mark.fill));
  assert.ok(
    heat.length > 10 && heat.every((mark) => mark.x + mark.w <= heatPlace(rows, 80, 284, 40, false).x(40) + 1e-9),
  );
  assert.ok(marks.every((mark) => mark.fill !== "second" && mark.fill !== "alarm"));
});
