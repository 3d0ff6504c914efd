import assert from "node:assert/strict";
import { test } from "node:test";

import { byLeaving, decisionAt, roomFor, roundOf, takenAt } from "../../static/js/draw/work/decisions.js";
import { Copies } from "../../static/js/draw/work/copies.js";
import { DECIDED } from "../../static/js/draw/work/kinds/index.js";
import { ProbeIndex, goneWithout } from "../../static/js/draw/work/probes.js";
import { frame } from "../../static/js/draw/work/kinds/pens.js";
import { keyOf } from "../../static/js/draw/work/colours.js";
import { MOST_MACHINES, rangeOf, windowFor } from "../../static/js/run/windows.js";
import { trackOf } from "./tracks.mjs";

test("one decision is shown at a time, and scrubbing shows the same one", () => {
  const track = trackOf([
    { arrival: 0, framework: 100, machine: 0, ran: 500 },
    { arrival: 0, framework: 110, machine: 1, ran: 500 },
    { arrival: 0, framework: 4000, machine: 1, ran: 500 },
  ]);
  const leaving = byLeaving(track);
  assert.equal(decisionAt(leaving, 99, 1000), null);
  assert.equal(decisionAt(leaving, 100, 1000)?.row, 0);
  const later = decisionAt(leaving, 700, 1000);
  assert.equal(later?.row, 0);
  assert.ok(later && later.share > 0.5 && later.share < 1);
  assert.equal(decisionAt(leaving, 900, 1000), null);
  assert.equal(decisionAt(leaving, 4100, 1000)?.row, 2);
  assert.equal(decisionAt(leaving, 100, 0), null);
});

test("a frame around a machine at the map's edge does not reach over the edge", () => {
  /** @type {string[]} */
  const acts = [];
  const pen = new Proxy(
    {},
    {
      get:
        (_, name) =>
        (/** @type {number[]} */ ...sizes) =>
          acts.push(`${String(name)} ${sizes}`.trim()),
      set: () => true,
    },
  );
  const machines = { x: 10, y: 20, width: 300, height: 200 };
  const scene = { plan: { machines, scale: 1, x: [20], y: [180], wide: 90, high: 90 } };
  frame(pen, scene, 0, "red", 1);
  const [clipped, stroked] = ["clip", "strokeRect 21,181,88,88"].map((act) => acts.indexOf(act));
  assert.equal(acts[clipped - 1], "rect 10,20,300,200");
  assert.ok(clipped < stroked && stroked < acts.indexOf("restore"));
});

test("tasks that leave together are of one round", () => {
  const track = trackOf([
    { arrival: 0, framework: 100, machine: 0 },
    { arrival: 50, framework: 51, machine: 1 },
    { arrival: 0, framework: 180, machine: 2 },
  ]);
  const leaving = byLeaving(track);
  const decision = decisionAt(leaving, 100, 1000);
  assert.deepEqual([...roundOf(leaving, /** @type {any} */ (decision))], [0, 1]);
});

test("a machine has room for what is decided where the tasks that hold it leave some", () => {
  const track = trackOf([
    { arrival: 0, machine: 3, ran: 1000, size: 64 },
    { arrival: 0, machine: 3, ran: 1000, size: 64 },
    { arrival: 0, machine: 3, ran: 100, size: 64 },
    { arrival: 0, framework: 500, machine: 3, ran: 100, size: 64 },
    { arrival: 0, framework: 500, machine: 3, ran: 100, size: 64 },
  ]);
  const taken = takenAt(track, track.size, 500, 4);
  assert.deepEqual(taken.get(3), { taken: 192, tasks: 3 });
  assert.equal(roomFor(taken.get(3), 64), 0); // four quarters, each rounded up
  assert.ok(roomFor(taken.get(3), 128) < 0);
  assert.equal(roomFor(undefined, 64), 191);
});

test("a copy is as old as the last report or news, and wrong where others' tasks came or went since", () => {
  const refused = { at: 500, reason: 7, task: 0, machine: 1 };
  const track = trackOf(
    [
      { keeper: 0, machine: 0, arrival: 0, ran: 300 },
      { keeper: 1, machine: 1, arrival: 400, ran: 2000 },
    ],
    { moves: [refused] },
  );
  const refresh = { period_ns: 1_000_000, first_ns: [200_000] };
  const copies = new Copies(track, refresh, [{ first: 0, machines: 2 }], 2);
  assert.equal(copies.madeAt(0, 0, 100), 0);
  assert.equal(copies.madeAt(1, 0, 250), 200);
  assert.equal(copies.madeAt(0, 0, 350), 300);
  assert.equal(copies.madeAt(0, 0, 600), 500);
  assert.equal(copies.age(1, 1100), 900);
  assert.equal(copies.madeAt(1, 0, 1300), 1200);
  assert.ok(copies.differs(0, 1, 450)); // the other's task came at 400
  assert.ok(!copies.differs(0, 1, 600)); // the refusal told it
  assert.ok(!copies.differs(1, 1, 450)); // its own
  assert.ok(copies.differs(1, 0, 350) && !copies.differs(1, 0, 1200));
});

test("probes that leave without a task are those that no task accounts for", () => {
  const track = trackOf([{ arrival: 0, machine: 4, framework: 0, worker: 100, ran: 10 }]);
  const probes = new ProbeIndex(track);
  assert.equal(probes.known(4, 50), 1);
  assert.equal(probes.known(4, 100), 0);
  assert.equal(probes.known(5, 50), 0);
  assert.equal(goneWithout({ all: 3, known: 1 }, { all: 2, known: 0 }), 0);
  assert.equal(goneWithout({ all: 3, known: 1 }, { all: 2, known: 1 }), 1);
  assert.equal(goneWithout({ all: 1, known: 1 }, { all: 3, known: 1 }), 0);
});

test("every role of a decision has a drawing", async () => {
  const { readFile } = await import("node:fs/promises");
  const schema = JSON.parse(await readFile(new URL("../../docs/reference/schema/meta.json", import.meta.url), "utf8"));
  const roles = schema.$defs.MoveMeta.properties.role.enum;
  assert.deepEqual(Object.keys(DECIDED).sort(), [...roles].sort());
});

test("a key names hues that no shelf names", () => {
  const queues = [{ name: "a" }, { name: "b" }];
  const meta = (role) => /** @type {any} */ ({ queues, owners: [], work: { keeper: { role } } });
  assert.deepEqual(keyOf("queue", meta("queue")), []);
  assert.deepEqual(keyOf("queue", meta("job")), ["a", "b"]);
  assert.equal(keyOf("length", meta("job")).length, 2);
  assert.deepEqual(keyOf("job", meta("job")), []);
});

test("of a large run the machines on the screen are asked for, once for some time", () => {
  const look = { first: 100, last: 199, now_s: 50, rate: 2, end_s: 1000 };
  const window = windowFor(look, null);
  assert.deepEqual(window, { from_s: 46, until_s: 90, first: 50, machines: 200 });
  assert.equal(windowFor({ ...look, now_s: 79 }, window), null);
  assert.ok(windowFor({ ...look, now_s: 81 }, window)); // ten seconds ahead are missing
  assert.ok(windowFor({ ...look, last: 260 }, window));
  assert.ok(windowFor({ ...look, now_s: 10 }, window));
  assert.equal(windowFor({ ...look, now_s: 89, end_s: 89 }, window), null);
  assert.deepEqual(rangeOf({ ids: Int32Array.from([7, 3, 9, 1000]), count: 3 }), { first: 3, last: 9 });
  assert.equal(rangeOf({ ids: new Int32Array(1), count: 0 }), null);
  assert.equal(rangeOf({ ids: new Int32Array(MOST_MACHINES + 1), count: MOST_MACHINES + 1 }), null);
});
