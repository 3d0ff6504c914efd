import assert from "node:assert/strict";
import { test } from "node:test";

import { Choices, tellParts } from "../../static/js/run/choices.js";
import { SharedCopies } from "../../static/js/draw/work/shared_copies.js";
import { raceStage, raceWords } from "../../static/js/draw/work/race.js";
import { planes, trackOf } from "./tracks.mjs";

test("a copy is what was true when it was made, and the truth goes on", () => {
  const track = trackOf([
    { arrival: 0, machine: 1, ran: 500 },
    { arrival: 300, machine: 2, ran: 500 },
  ]);
  const copies = { count: 2, at: planes([0, 200]), keeper: Uint8Array.of(0, 0) };
  const shared = new SharedCopies(copies, track, 4, 0);
  assert.equal(shared.madeAt(0, 400), 200);
  assert.deepEqual([...shared.copy(0, 400)].map(Boolean), [false, true, false, false]);
  assert.deepEqual([...shared.takenAt(400)].map(Boolean), [false, true, true, false]);
});

test("the stages of a race are those of its own lag, and every one has a sentence", () => {
  const track = trackOf([
    { arrival: 1000, job: 7, framework: 1000, machine: 1, ran: 500 },
    { arrival: 1000, job: 7, framework: 3000, machine: 2, ran: 500 },
  ]);
  const probes = [
    { machine: 1, from_ns: 1.1e6, until_ns: 2e6, task: 0 },
    { machine: 2, from_ns: 1.1e6, until_ns: 4e6, task: 1 },
    { machine: 3, from_ns: 1.1e6, until_ns: -1, task: -1 },
  ];
  const focus = { task: 1, machines: [2], t_ns: 4e6, since_ns: 1e6, lag_ns: 1e5, probes };
  const scene = /** @type {any} */ ({ focus, track, focusRow: 1 });
  assert.deepEqual(
    [1010, 1120, 1500].map((now) => raceStage(scene, now)),
    ["draw", "fly", "wait"],
  );
  const said = [1010, 1120, 1500, 2500, 4500].map((now) => raceWords(scene, now));
  assert.equal(new Set(said).size, 5);
  assert.ok(said[3].includes("Machine 1 ") && said[3].includes("task 0"));
});

test("the parts of a score add up to it, the largest first, and a machine without room has none", () => {
  const choices = new Choices(
    /** @type {any} */ ({
      count: 1,
      at: planes([5]),
      task: planes([3]),
      machine: planes([1]),
      scores: Uint8Array.of(704 & 255, 0, 704 >> 8, 0),
      parts: [
        { label: "free room", tenths: Uint8Array.of(203, 0, 0, 0) },
        { label: "the task's data nearby", tenths: Uint8Array.of(500 & 255, 500 & 255, 500 >> 8, 500 >> 8) },
      ],
    }),
  );
  assert.deepEqual(
    choices.partsOf(0, 0).map((part) => part.points),
    [50, 20.3],
  );
  assert.equal(choices.score(0, 0), 70.3);
  assert.ok(tellParts(choices, 0, 0).includes("50"));
  assert.equal(tellParts(choices, 0, 1), "");
});
