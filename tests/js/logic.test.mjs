import assert from "node:assert/strict";
import test from "node:test";

import { DEFAULT_EXPERIMENT } from "../../static/js/experiment/default_experiment.js";
import {
  autoName,
  getAt,
  knobsFromSchema,
  machineCount,
  moveShare,
  outline,
  parsePath,
  queuesOf,
  setAt,
  withMasters,
} from "../../static/js/experiment/experiment.js";
import {
  axisSeconds,
  clock,
  duration,
  factor,
  glued,
  measured,
  oneLine,
  percent,
  short,
  three,
  times,
  withUnit,
} from "../../static/js/kit/format.js";
import { locate } from "../../static/js/kit/json_place.js";
import { HUES, levelTable, ownerTable, shade } from "../../static/js/kit/palette.js";
import { FrameStore } from "../../static/js/run/frames.js";
import { Player, rateFromSlider, sliderFromRate } from "../../static/js/run/player.js";
import { pickRun } from "../../static/js/run/runs.js";
import { sliderFor, stepped, zoomSpan } from "../../static/js/kit/scales.js";
import { listedTime } from "../../static/js/kit/time_axis.js";
import { describeMachine, machineRows } from "../../static/js/run/sentences.js";
import { stateWords } from "../../static/js/run/run_words.js";
import { readViewState, writeViewState } from "../../static/js/run/view_state.js";

const plain = (text) => text.replaceAll("\u202f", " ");

test("a ratio far from 1 is only bounded", () => {
  assert.deepEqual(
    [2.5, 1000, 986_000, 0.001, 0.0000011].map((ratio) => plain(times(ratio))),
    ["2.5 ×", "1,000 ×", "> 1,000 ×", "0.001 ×", "< 0.001 ×"],
  );
  assert.deepEqual(
    [0.5, 3_062, 1e-6].map((ratio) => factor(ratio)),
    ["0.5", "more than 1,000", "less than 0.001"],
  );
  assert.equal(times(3, true), "3.00\u202f×");
});

test("numbers of a sentence keep their units on the line, and nothing else is glued", () => {
  const said = "Task 5 waited 1.5 s, 20 % of 3 CPUs, on 1 CPU 3 ms; 5 stages came, 2 sent 40 µs later.";
  assert.equal(
    glued(said),
    "Task 5 waited 1.5_s, 20_% of 3_CPUs, on 1_CPU 3_ms; 5 stages came, 2 sent 40_µs later.".replaceAll("_", "\u202f"),
  );
});

test("a title of one line is a long text's first sentence", () => {
  const idea =
    "Four masters (GM 0 to GM 3) decide at once, each after 2.5 s on its own copy. Each master owns some machines.";
  assert.equal(oneLine(`${idea} ${idea}`), idea.slice(0, idea.indexOf(" Each master")));
  assert.equal(
    oneLine("No master may borrow now. Is the mean wait shorter?"),
    "No master may borrow now. Is the mean wait shorter?",
  );
  assert.equal(oneLine("x".repeat(200)).length, 200);
});

test("numbers have three significant digits and a unit that fits", () => {
  assert.deepEqual(
    [0, 1, 1.2345, 12.345, 123.45, 1234.5, 0.012345, -5.678].map((value) => three(value)),
    ["0", "1", "1.23", "12.3", "123", "1,235", "0.0123", "−5.68"],
  );
  assert.deepEqual(
    [0, 1500, 1.25e6, 2.246e9, 999.7e6, 125e9, 3600e9, 9000e9].map((ns) => plain(duration(ns))),
    ["0 s", "1.5 µs", "1.25 ms", "2.25 s", "1 s", "125 s", "60 min", "2.5 h"],
  );
  assert.equal(duration(null), "–");
  assert.deepEqual(
    [1.9e6, 2e6, 32e9, 296e6].map((ns) => plain(measured(ns))),
    ["1.90 ms", "2.00 ms", "32.0 s", "296 ms"],
  );
  assert.deepEqual(
    [1e-3, 1, 1000, 1e5, 750, 19_200, 10_000.5].map((seconds) => axisSeconds(seconds).replaceAll("\u00a0", " ")),
    ["1 ms", "1 s", "1,000 s", "100,000 s", "12.5 min", "5 h 20 min", "2 h 47 min"],
  );
  assert.deepEqual(
    [5990, 11_980].map((seconds) => listedTime(seconds, 28_800).replaceAll("\u00a0", " ")),
    ["1 h 40 min", "3 h 20 min"],
  );
  assert.equal(plain(listedTime(5990, 5990)), plain(axisSeconds(5990)));
  assert.deepEqual([950, 12_345, 2_500_000].map(short), ["950", "12.3k", "2.5M"]);
  assert.equal(clock(761e9), "00:12:41");
  assert.equal(clock(61.25e9, 300e9), "00:01:01.2");
  assert.equal(clock(61.0259e9, 300e9, true), "00:01:01.025");
  assert.equal(clock(761.5e9, 900e9), "00:12:41");
  assert.equal(clock(761.5e9, 900e9, true), "00:12:41.500");
  assert.equal(plain(percent(0.925)), "92.5 %");
  assert.deepEqual(
    [
      [10, "s"],
      [5, "ns"],
      [2, "probes per task"],
      [1, "workers"],
      [3, ""],
    ].map(([value, unit]) => plain(withUnit(value, unit))),
    ["10 s", "5 ns", "2 probes per task", "1 worker", "3"],
  );
});

test("paths are read as problems write them", () => {
  assert.deepEqual(parsePath("topology.clusters[0].machines[12].cpus"), [
    "topology",
    "clusters",
    0,
    "machines",
    12,
    "cpus",
  ]);
  const before = { a: { b: [{ c: 1 }] } };
  const after = setAt(before, "a.b[0].c", 2);
  assert.equal(getAt(after, "a.b[0].c"), 2);
  assert.equal(before.a.b[0].c, 1);
  assert.deepEqual(setAt({}, "x.y[0].z", 1), { x: { y: [{ z: 1 }] } });
  assert.deepEqual(setAt({ x: 1 }, "x", undefined), {});
  assert.equal(getAt({}, "a.b.c"), undefined);
});

test("shares move across one border and stay whole", () => {
  const queues = [
    { name: "a", share: 0.5 },
    { name: "b", share: 0.3 },
    { name: "c", share: 0.2 },
  ];
  const moved = moveShare(queues, 0, 0.1);
  assert.deepEqual(
    moved.map((queue) => queue.share),
    [0.6, 0.2, 0.2],
  );
  for (const delta of [-9, 9]) {
    const far = moveShare(queues, 1, delta);
    assert.ok(far.every((queue) => queue.share >= 0.01));
    assert.ok(Math.abs(far.reduce((sum, queue) => sum + queue.share, 0) - 1) < 1e-9);
  }
});

test("fewer masters drop queues of masters that are gone", () => {
  const experiment = { ...DEFAULT_EXPERIMENT, queues: queuesOf(DEFAULT_EXPERIMENT) };
  assert.equal(withMasters(experiment, 2).queues, undefined);
  assert.equal(withMasters(experiment, 2).topology.global_masters, 2);
  assert.equal(withMasters(experiment, 4).queues.length, 4);
});

test("the outline has every machine of the experiment once", () => {
  const meta = outline(DEFAULT_EXPERIMENT, true);
  assert.equal(meta.machines, machineCount(DEFAULT_EXPERIMENT));
  const held = meta.clusters.flatMap((cluster) => cluster.partitions).reduce((sum, part) => sum + part.machines, 0);
  assert.equal(held, meta.machines);
  assert.equal(outline(DEFAULT_EXPERIMENT, false).clusters[0].partitions[0].owner, 255);
});

test("an experiment is named after what it is", () => {
  assert.equal(autoName(DEFAULT_EXPERIMENT, [{ name: "megha", label: "Megha" }]), DEFAULT_EXPERIMENT.name);
});

test("a choice that stands for a set writes it, and who writes one of the set leaves it", () => {
  const costs = { sets: { dear: { a: 9, b: 8 }, cheap: { a: 1, b: 2 } }, otherwise: "own", evidence: "calibrated" };
  const fields = { costs: { enum: ["dear", "cheap", "own"], ...costs }, a: { type: "number" }, c: { type: "number" } };
  const [set, one, other] = knobsFromSchema({ properties: fields });
  const experiment = { scheduler: { name: "x", params: { a: 5, c: 3 } } };
  assert.deepEqual(set.write(experiment, "cheap").scheduler.params, { costs: "cheap", a: 1, b: 2, c: 3 });
  assert.deepEqual(set.write(experiment, undefined).scheduler.params, { c: 3 });
  assert.deepEqual(one.write(experiment, 7).scheduler.params, { a: 7, c: 3, costs: "own" });
  assert.equal(other.write, undefined);
  assert.equal(set.evidence, "calibrated");
  assert.deepEqual(experiment.scheduler.params, { a: 5, c: 3 });
});

test("knobs come from a schema, with bounds, units and references", () => {
  const knobs = knobsFromSchema({
    $defs: { Rule: { enum: ["a", "b"], type: "string" } },
    properties: {
      profile: { const: "paper", type: "string", default: "paper" },
      heartbeat_s: {
        type: "number",
        exclusiveMinimum: 0,
        maximum: 86400,
        default: 10,
        title: "Heartbeat",
        unit: "s",
        description: "How often.",
      },
      rule: { $ref: "#/$defs/Rule", default: "a" },
      limit: { anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }], default: null },
      on: { type: "boolean", default: true },
    },
  });
  assert.deepEqual(
    knobs.map((knob) => [knob.name, knob.kind]),
    [
      ["heartbeat_s", "number"],
      ["rule", "choice"],
      ["limit", "integer"],
      ["on", "switch"],
    ],
  );
  assert.deepEqual(
    [knobs[0].unit, knobs[0].min, knobs[0].max, knobs[0].open, knobs[0].path],
    ["s", 0, 86400, true, "scheduler.params.heartbeat_s"],
  );
  assert.deepEqual(knobs[1].choices, ["a", "b"]);
});

test("sliders go there and back, within bounds", () => {
  for (const knob of [
    { min: 10, max: 5000, kind: "integer", default: 250, scale: "log" },
    { min: 0, max: 86400, kind: "number", default: 10, open: true },
    { min: 0.05, max: 1.5, kind: "number", scale: "linear" },
    { min: 0, max: 1e6, kind: "number", default: 5 },
    { min: 1, max: 16, kind: "integer", scale: "linear" },
  ]) {
    const slider = sliderFor(knob);
    let before = -Infinity;
    for (let position = 0; position <= 100; position += 5) {
      const value = slider.toValue(position);
      assert.ok(value >= before && value >= knob.min && value <= knob.max, JSON.stringify([knob, position, value]));
      if (knob.kind === "integer") assert.equal(value, Math.round(value));
      const back = slider.toValue(slider.toPosition(value));
      assert.ok(Math.abs(back - value) <= 0.06 * Math.max(value, 0.01), JSON.stringify([knob, value, back]));
      before = value;
    }
    if (knob.open) assert.ok(slider.toValue(0) > knob.min);
  }
});

test("an arrow key always moves a knob, from one end to the other, and back the same way", () => {
  for (const knob of [
    { min: 0.05, max: 1.5, kind: "number", default: 0.95 },
    { min: 1, max: 50000, kind: "integer", default: 250 },
    { min: 0, max: 86400, kind: "number", default: 10 },
    { min: 1, max: 3, kind: "integer", default: 2 },
  ]) {
    const slider = sliderFor(knob);
    for (const way of [1, -1]) {
      let value = knob.default;
      let steps = 0;
      for (let next = stepped(slider, value, way); next !== value; next = stepped(slider, value, way)) {
        assert.ok((next - value) * way > 0);
        value = next;
        steps += 1;
      }
      assert.ok(steps > 0 && steps < 500, JSON.stringify([knob, way, steps]));
      assert.equal(value, slider.toValue(way > 0 ? 100 : 0));
    }
  }
});

test("zooming stays inside the run and ends at the whole of it", () => {
  assert.deepEqual(zoomSpan([0, 100], 50, 0.5, 100), [25, 75]);
  assert.deepEqual(zoomSpan([25, 75], 25, 4, 100), [0, 100]);
  const [from, to] = zoomSpan([0, 100], 100, 0.5, 100);
  assert.deepEqual([from, to], [50, 100]);
});

function fakeStore(overrides = {}) {
  const times = [0, 10e9, 20e9, 30e9];
  return {
    times,
    count: 4,
    startNs: 0,
    endNs: 30e9,
    complete: true,
    marks: [],
    indexAt: (t) =>
      Math.max(
        0,
        times.findLastIndex((each) => each <= t),
      ),
    nextMark: () => null,
    previousMark: () => null,
    ...overrides,
  };
}

test("the player waits at the live edge of a growing run and goes on when it grows", () => {
  const store = fakeStore({ complete: false });
  const player = new Player(store, { rate: 100 });
  player.tick(200);
  assert.equal(player.t_ns, 20e9);
  player.tick(200);
  assert.equal(player.t_ns, 30e9);
  assert.equal(player.waiting, true);
  // A viewer who was further on in the run before sees the instant that this one has reached.
  player.t_ns = 50e9;
  assert.equal(player.shownNs, 30e9);
  player.t_ns = 30e9;
  store.endNs = 60e9;
  player.tick(100);
  assert.equal(player.t_ns, 40e9);
  assert.equal(player.playing, true);
});

test("the player stops at the end, plays again from the start, loops where it is told to", () => {
  const player = new Player(fakeStore(), { rate: 1000 });
  player.tick(100);
  player.tick(100);
  assert.deepEqual([player.playing, player.ended], [false, true]);
  player.play();
  assert.deepEqual([player.playing, player.t_ns], [true, 0]);
  const looping = new Player(fakeStore(), { rate: 1000, loop: true });
  looping.tick(100);
  looping.tick(100);
  assert.deepEqual([looping.playing, looping.t_ns], [true, 0]);
});

test("a run ends with its story and rests at the instant that tells most", () => {
  const store = new FrameStore();
  const at = (seq, waiting, running, arrived) => ({
    v: 1,
    seq,
    t_ns: seq * 10e9,
    key: seq === 0,
    state: "running",
    counters: { tasks_arrived: arrived, tasks_waiting: waiting, tasks_running: running },
    layers: {},
    hist: {},
    series: { waiting: [[seq * 10e9, waiting]], running: [[seq * 10e9, running]] },
    marks: [],
  });
  [
    at(0, 0, 5, 5),
    at(1, 9, 100, 50),
    at(2, 3, 100, 200),
    at(3, 0, 60, 200),
    at(4, 0, 4, 200),
    at(5, 0, 1, 200),
  ].forEach((frame) => store.append(frame));
  assert.equal(store.story, null, "a run that goes on has no end");
  store.append({ ...at(6, 0, 0, 200), end: {} });
  assert.deepEqual([store.story.endNs, store.story.tellingNs], [40e9, 10e9]);
  const player = new Player(store, { rate: 1000 });
  player.tick(100);
  assert.equal(player.t_ns, 40e9);
  assert.equal(player.tick(100), true);
  assert.deepEqual([player.playing, player.ended, player.t_ns], [false, true, 10e9]);
  player.play();
  assert.deepEqual([player.t_ns, player.ended], [0, false]);
  player.seek(55e9);
  player.tick(100);
  assert.equal(player.t_ns, 60e9, "who looks at what comes after sees it to its end");
  player.open(55e9);
  assert.equal(player.t_ns, 10e9, "a link never opens on an empty map");
  player.open(20e9);
  assert.equal(player.t_ns, 20e9);
});

test("another run is taken over at the same instant, a finished one from the start", () => {
  const player = new Player(fakeStore(), { rate: 1 });
  player.seek(12e9);
  player.replace(fakeStore());
  assert.equal(player.t_ns, 12e9);
  player.seek(30e9);
  player.playing = false;
  player.replace(fakeStore());
  assert.deepEqual([player.t_ns, player.playing], [0, true]);
});

test("a step goes to the next mark and pauses, or to the next frame where there are none", () => {
  const player = new Player(fakeStore());
  player.step(1);
  assert.deepEqual([player.t_ns, player.playing], [10e9, false]);
  player.step(-1);
  assert.equal(player.t_ns, 0);
  const marked = new Player(fakeStore({ marks: [1], nextMark: () => ({ t_ns: 7e9 }) }));
  assert.equal(marked.step(1).t_ns, 7e9);
  assert.equal(marked.t_ns, 7e9);
});

test("seeking stays within what is known", () => {
  const player = new Player(fakeStore());
  player.seek(-5);
  assert.equal(player.t_ns, 0);
  player.seek(1e15);
  assert.equal(player.t_ns, 30e9);
});

test("the speed slider and the rate are each other's inverse", () => {
  for (const position of [-10, -3, 0, 4, 10])
    assert.equal(sliderFromRate(rateFromSlider(position, 7.3), 7.3), position);
});

test("the address bar carries the view, and refuses nonsense", () => {
  const state = {
    t_s: 12.345,
    layer: "load",
    speed: 4,
    paused: true,
    zoom: 2.5,
    centre: 0,
    owners: [0, 12],
    picture: "gantt",
    moment: null,
    job: 0,
    show: { kind: "partition", cluster: 3, owner: 1 },
  };
  assert.deepEqual(readViewState(writeViewState(state)), state);
  for (const show of [
    { kind: "task", task: 14 },
    { kind: "queue", name: "prod" },
    { kind: "machine", machine: 0 },
  ])
    assert.deepEqual(readViewState(writeViewState({ show })).show, show);
  for (const odd of ["task.x", "task.1.2", "partition.1", "rack.1", "task.-1", "queue.<b>"])
    assert.equal(readViewState(`?show=${odd}`).show, null);
  assert.equal(writeViewState({ t_s: null, layer: null, speed: null, paused: false }), "");
  assert.equal(writeViewState({ t_s: 1 }, "?run=abc&t=9"), "?run=abc&t=1");
  assert.deepEqual(readViewState("?t=-4&layer=<b>&speed=nope&paused=yes&picture=a1&job=-1&show=x"), {
    t_s: null,
    layer: null,
    speed: null,
    paused: false,
    zoom: null,
    centre: null,
    owners: null,
    picture: null,
    moment: null,
    job: null,
    show: null,
  });
  assert.equal(readViewState("?moment=longest_wait").moment, "longest_wait");
  assert.equal(readViewState("?moment=%3Cb%3E").moment, null);
  assert.equal(writeViewState({ moment: "first_steal" }), "?moment=first_steal");
  assert.deepEqual(readViewState("?zoom=0.2&centre=1.5&owners=1,<b>").zoom, null);
  assert.equal(writeViewState({ zoom: 3, centre: null }), "");
});

test("places in JSON text are found by path", () => {
  const text = JSON.stringify({ a: [{ 'b"]': "x]}" }, { c: { d: -1.5e3 } }], e: "last" }, null, 2);
  const cut = (path) => {
    const place = locate(text, path);
    return place && text.slice(place[0], place[1]);
  };
  assert.equal(cut(["a", 1, "c", "d"]), "-1500");
  assert.equal(cut(["e"]), '"last"');
  assert.equal(JSON.parse(cut(["a", 1])).c.d, -1500);
  assert.equal(cut(["a", 7]), null);
  assert.equal(cut(["nope"]), null);
});

test("the run a page shows: the named one, else the newest with a picture", () => {
  const runs = [
    { id: "a", state: "done" },
    { id: "b", state: "failed" },
    { id: "c", state: "running" },
  ];
  assert.equal(pickRun(runs, "b").id, "b");
  assert.equal(pickRun(runs).id, "a");
  assert.equal(pickRun(runs.slice(1)).id, "c");
  assert.equal(pickRun([]), null);
  assert.equal(
    pickRun([
      { id: "x", state: "failed" },
      { id: "y", state: "cancelled" },
    ]).id,
    "y",
    "what was stopped is shown, not started again",
  );
});

/** Relative luminance of an sRGB colour. */
function luminance(rgb) {
  const [r, g, b] = rgb.map((value) => {
    const v = value / 255;
    return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

test("load changes value in one direction in both themes, for every hue", () => {
  for (const dark of [false, true]) {
    for (let owner = 0; owner < HUES.length; owner += 1) {
      for (let step = 1; step <= 10; step += 1) {
        const change = luminance(shade(owner, step / 10, dark)) - luminance(shade(owner, (step - 1) / 10, dark));
        assert.ok(dark ? change > 0 : change < 0, `hue ${owner} step ${step} ${dark}`);
      }
    }
  }
});

test("full machines of any two hues differ", () => {
  for (const dark of [false, true]) {
    for (let a = 0; a < HUES.length; a += 1) {
      for (let b = a + 1; b < HUES.length; b += 1) {
        const [x, y] = [shade(a, 1, dark), shade(b, 1, dark)];
        assert.ok(Math.hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]) > 40, `${a} and ${b}`);
      }
    }
  }
});

test("tables hold every byte", () => {
  const table = ownerTable(4, true);
  assert.equal(table.length, 65536);
  assert.equal(table[255 * 256], table[9 * 256]);
  assert.notEqual(table[0], table[256]);
  // Where nobody owns anything, cells are grey and only as dark as they are full.
  for (const dark of [false, true]) {
    const plain = ownerTable(0, dark);
    for (const level of [0, 128, 255]) {
      const channels = [plain[level] & 255, (plain[level] >> 8) & 255, (plain[level] >> 16) & 255];
      assert.ok(Math.max(...channels) - Math.min(...channels) <= 32, `${level} is ${channels}`);
    }
    assert.ok(luminance([plain[0] & 255, 0, 0]) > luminance([plain[255] & 255, 0, 0]) !== dark);
  }
  assert.equal(levelTable(false).length, 256);
});

test("a machine is explained in one sentence", () => {
  const meta = {
    ...outline(DEFAULT_EXPERIMENT, true),
    layers: [
      { name: "owner", kind: "category", role: "owner" },
      { name: "load", kind: "level", role: "load" },
      { name: "lent", kind: "level", role: "lent" },
      { name: "borrower", kind: "category", role: "borrower" },
    ],
  };
  const bytes = (value) => new Uint8Array(meta.machines).fill(value);
  const picture = { layers: { owner: bytes(1), load: bytes(255), lent: bytes(0), borrower: bytes(255) } };
  assert.equal(describeMachine(meta, picture, 26), "Machine 26 of Cluster 1, owned by Master 1, is full.");
  picture.layers.lent = bytes(128);
  picture.layers.borrower = bytes(2);
  assert.equal(
    plain(describeMachine(meta, picture, 0)),
    "Machine 0 of Cluster 0, owned by Master 1, is full and 50.2 % of it is lent to Master 2.",
  );
  picture.layers.load = bytes(0);
  picture.layers.lent = bytes(0);
  assert.equal(describeMachine(meta, picture, 0), "Machine 0 of Cluster 0, owned by Master 1, is idle.");
});

test("a number of things is told as a number, a share as a share", () => {
  const queue = { name: "queue", label: "Queue length", kind: "level", help: "", unit: "waiting", full: 32 };
  const meta = {
    ...outline(DEFAULT_EXPERIMENT, true),
    layers: [{ name: "load", label: "Load", kind: "level", role: "load", help: "", unit: "", full: 0 }, queue],
  };
  const told = (length) =>
    machineRows(
      meta,
      { layers: { load: new Uint8Array([51]), queue: new Uint8Array([Math.min(8 * length, 255)]) } },
      0,
    ).map((row) => plain(row.value));
  for (const length of [0, 1, 2, 17, 31]) assert.deepEqual(told(length), ["20 %", `${length} waiting`]);
  assert.deepEqual(told(32), ["20 %", "32 or more waiting"]);
});

test("a run says where it stands and what it waits for", () => {
  assert.match(
    plain(stateWords({ state: "queued", queue_position: 2, eta_s: 30 })),
    /number 2 in the queue, done in about 30/,
  );
  assert.match(stateWords({ state: "queued", queue_position: 1, eta_s: null }), /number 1 in the queue$/);
  assert.match(stateWords({ state: "compiling", progress: 0 }), /Compiling, first time only/);
  assert.match(plain(stateWords({ state: "paused", progress: 0.42 })), /paused at 42 %/);
  assert.match(stateWords({ state: "running", progress: 0.5, pausing: true }), /Pausing/);
  assert.match(stateWords({ state: "running", progress: 1 }), /Writing the results/);
});

test("every state of a run has words", () => {
  for (const state of [
    "starting",
    "queued",
    "compiling",
    "running",
    "paused",
    "receiving",
    "done",
    "failed",
    "cancelled",
    "invalid",
    "offline",
  ]) {
    assert.ok(stateWords({ state, progress: 0.5 }).length > 6, state);
  }
});

test("what is typed on the way to a topology is drawn as far as it can be", () => {
  const of = (topology) => outline({ topology }, true);
  for (const odd of [
    5,
    null,
    "x",
    [],
    { clusters: 5 },
    { clusters: [5, null] },
    { clusters: [{ machines: 5 }] },
    { clusters: [{ machines: [{ count: -1 }, { count: "x" }] }] },
  ]) {
    assert.deepEqual([of(odd).clusters, machineCount({ topology: odd })], [[], 0]);
  }
  assert.ok(of({ clusters: [{ name: "c", repeat: 1e12, machines: [{ count: 2 }] }] }).clusters.length <= 1000);
  assert.ok(of({ clusters: [{ name: "c", machines: [{ count: 1e12 }] }] }).machines <= 200_000);
  assert.ok(of({ global_masters: 1e12, clusters: [] }).owners.length <= 256);
  assert.equal(queuesOf({ queues: [5, {}], topology: { global_masters: 2 } }).length, 2);
});
