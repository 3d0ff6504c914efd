import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { NEVER, Track, whole } from "../../static/js/run/track.js";
import { FLIGHT, GONE, QUEUED, RUNS, SHELF, Shown, showTask } from "../../static/js/draw/work/showing.js";
import { slotsOf } from "../../static/js/draw/work/slots.js";
import { fetched, layShelves, placeOn } from "../../static/js/draw/work/shelves.js";
import { parseRecording } from "../../static/js/contract/recording.js";
import { countWaiting } from "../../static/js/draw/work/waits.js";
import { LEGS, planes, trackOf } from "./tracks.mjs";

test("columns of four bytes are read whatever their size", () => {
  const values = [0, 1, 255, 256, 70_000, 16_777_216, NEVER];
  assert.deepEqual([...whole(planes(values))], values);
});

test("a task's legs follow each other from its arrival to its start", () => {
  const task = { arrival: 100, framework: 40, processing: 10, communication: 30, worker: 20, ran: 500, machine: 3 };
  const sent = trackOf([task]);
  assert.deepEqual(
    [sent.leaves[0], sent.reaches[0], sent.served[0], sent.begun[0], sent.end[0]],
    [150, 180, 200, 200, 700],
  );
  const probed = trackOf([task], { legs: LEGS.probed });
  assert.deepEqual([probed.leaves[0], probed.reaches[0], probed.served[0], probed.begun[0]], [150, 160, 180, 200]);
});

test("those present are found in order, and blocks that are over are passed", () => {
  const track = trackOf(Array.from({ length: 1000 }, (_, row) => ({ arrival: row, ran: 50, machine: 0 })));
  const seen = [];
  track.present(600, 580, (row) => seen.push(row));
  assert.deepEqual([seen[0], seen.at(-1), seen.length], [530, 600, 71]);
});

test("a row is found by its task where the track is a window", () => {
  const track = trackOf([{}, {}, {}], { task: [4, 9, 12] });
  assert.deepEqual(
    [4, 9, 12, 5].map((task) => track.rowOf(task)),
    [0, 1, 2, -1],
  );
  assert.equal(track.taskOf(1), 9);
});

test("a task that is sent stands on its shelf, flies, waits at the machine, runs and is gone", () => {
  const track = trackOf([{ arrival: 1000, framework: 500, communication: 10, worker: 400, ran: 2000, machine: 2 }]);
  const shown = new Shown();
  const at = (now, lag = 100) => {
    showTask(track, 0, now, { lag, probing: false }, shown);
    return shown.where;
  };
  assert.deepEqual(
    [1000, 1499, 1500, 1599, 1601, 1909, 1911, 3909, 3911].map((now) => at(now)),
    [SHELF, SHELF, FLIGHT, FLIGHT, QUEUED, QUEUED, RUNS, RUNS, GONE],
  );
  assert.equal(shown.machine, 2);
  at(1000 + 25);
  assert.equal(shown.entering, 0.5);
  at(1550);
  assert.equal(shown.share, 0.5);
  // Where nothing moves every instant is the true one.
  assert.equal(at(1509, 0), FLIGHT);
  assert.equal(at(1511, 0), QUEUED);
});

test("a task that is fetched stays on its shelf while its probe flies and waits", () => {
  const track = trackOf([{ arrival: 1000, communication: 30, worker: 1000, ran: 500, machine: 2 }], {
    legs: LEGS.probed,
  });
  const shown = new Shown();
  const at = (now) => {
    showTask(track, 0, now, { lag: 100, probing: true }, shown);
    return [shown.where, shown.probe];
  };
  assert.deepEqual(at(1020), [SHELF, GONE]);
  assert.deepEqual(at(1100), [SHELF, FLIGHT]);
  assert.deepEqual(at(1500), [SHELF, QUEUED]);
  assert.deepEqual(at(2050), [FLIGHT, GONE]);
  assert.deepEqual(at(2200), [RUNS, GONE]);
});

test("a task that lost its machine waits again in between", () => {
  const track = trackOf([{ arrival: 0, framework: 10, ran: 300, machine: 5 }], {
    spells: [
      { row: 0, machine: 1, start: 10, end: 500 },
      { row: 0, machine: 5, start: 900, end: 1200 },
    ],
  });
  const shown = new Shown();
  const at = (now) => {
    showTask(track, 0, now, { lag: 0, probing: false }, shown);
    return [shown.where, shown.machine];
  };
  assert.deepEqual(at(400), [RUNS, 1]);
  assert.equal(at(700)[0], SHELF);
  assert.deepEqual(at(1000), [RUNS, 5]);
  assert.equal(at(1300)[0], GONE);
  assert.equal(track.end[0], 1200);
});

test("slices of a machine do not overlap while they are there together", () => {
  const track = trackOf([
    { arrival: 0, ran: 100, machine: 0, size: 64 },
    { arrival: 10, ran: 20, machine: 0, size: 64 },
    { arrival: 20, ran: 100, machine: 0, size: 127 },
    { arrival: 40, ran: 100, machine: 0, size: 64 },
  ]);
  assert.deepEqual([...slotsOf(track).row], [0, 64, 128, 64]);
  const unknown = trackOf([
    { arrival: 0, ran: 100, machine: 0, size: 0 },
    { arrival: 10, ran: 100, machine: 0, size: 0 },
  ]);
  assert.deepEqual([...slotsOf(unknown).row], [0, 127]);
});

test("movements of an interval are found, without its beginning and with its end", () => {
  const moves = [5, 10, 10, 20].map((at) => ({ at, reason: 7, task: 0, machine: 1 }));
  const track = trackOf([{}], { moves });
  assert.deepEqual(track.movesBetween(5, 10), [1, 3]);
  assert.equal(track.move.kind[0].role, "bounce");
});

test("shelves lie under each other, or beside each other where the strip is flat", () => {
  const tall = layShelves(["a", "b"], { x: 0, y: 0, width: 100, height: 400 }, 1);
  assert.ok(tall[0].box.y + tall[0].box.height < tall[1].box.y);
  const flat = layShelves(["a", "b"], { x: 0, y: 0, width: 400, height: 80 }, 1);
  assert.ok(flat[0].box.x + flat[0].box.width < flat[1].box.x);
  const [x, y] = placeOn(tall[0], 0, 1);
  assert.ok(x > 90 && y < tall[0].box.y + 10); // the head is nearest to the machines
  assert.equal(
    layShelves(
      Array.from({ length: 30 }, (_, n) => `${n}`),
      tall[0].box,
      1,
    ).length,
    8,
  );
});

test("only where a way follows the machine's queue tasks are fetched", () => {
  assert.deepEqual(
    [LEGS.sent, LEGS.probed].map((legs) => fetched({ work: { legs } })),
    [false, true],
  );
});

test("shelves and queues of machines count the tasks that wait, however slowly they are drawn", () => {
  const tasks = [
    { arrival: 0, framework: 10, communication: 5, worker: 20, ran: 100, machine: 0 },
    { arrival: 2, framework: 0, communication: 1, ran: 50, machine: 1, keeper: 1 },
    { arrival: 4, framework: 50, ran: 10, machine: 0, keeper: 7 },
    { arrival: 9, keeper: 1 },
    { arrival: 90, framework: 5, ran: 10, machine: 2, keeper: 255 },
  ];
  const spells = [
    { row: 1, machine: 1, start: 3, end: 8 },
    { row: 1, machine: 2, start: 30, end: 80 },
  ];
  const track = trackOf(tasks, { spells });
  // What the frames' counter says: tasks that have arrived and do not run.
  const waiting = (now) => {
    const runs = [
      [[35, 135]],
      [
        [3, 8],
        [30, 80],
      ],
      [[54, 64]],
      [],
      [[95, 105]],
    ];
    const over = [135, 80, 64, Infinity, 105];
    return tasks.filter(
      (task, row) =>
        task.arrival <= now && now < over[row] && !runs[row].some(([start, end]) => start <= now && now < end),
    ).length;
  };
  for (let now = 0; now < 140; now += 1) {
    const { shelves, machines } = countWaiting(track, { now, probing: false, shelves: 3 });
    assert.equal(shelves[0] + shelves[1] + shelves[2] + machines, waiting(now), `at ${now}`);
  }
  const at20 = countWaiting(track, { now: 20, probing: false, shelves: 3 });
  assert.deepEqual([[...at20.shelves], at20.machines], [[0, 2, 1], 1]);
  const shown = new Shown();
  showTask(track, 0, 12, { lag: 100, probing: false }, shown);
  assert.equal(shown.where, FLIGHT, "it has left, and stands on its shelf no more");
  showTask(track, 0, 12, { lag: 100, probing: false, film: true }, shown);
  assert.deepEqual([shown.where, shown.passing], [SHELF, true]);
});

test("in shipped runs the shelves' counts are those of the frames", () => {
  for (const name of ["short-job", "four-queues", "data", "long-tail", "rack-fails"]) {
    const file = new URL(`../../fixtures/known/gallery-${name}.zip`, import.meta.url);
    const { meta, frames, track: wire } = parseRecording(new Uint8Array(readFileSync(file)));
    const track = new Track(wire, meta.work);
    const how = { probing: fetched(meta), shelves: 4 };
    for (const frame of frames) {
      const waiting = frame.counters.tasks_waiting;
      const now = Number(frame.t_ns) / track.unit_ns;
      const { shelves, machines } = countWaiting(track, { ...how, now, waiting });
      const all = shelves.reduce((sum, each) => sum + each, machines);
      assert.equal(all, waiting, `${name} at ${frame.t_ns} ns`);
    }
  }
});
