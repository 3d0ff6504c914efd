import assert from "node:assert/strict";
import { test } from "node:test";

import { incidentRows, nanoseconds } from "../../static/js/engine/touch.js";
import { afterTouch, openTouch, touchTime } from "../../static/js/features/here/failures.js";
import { beginTouched } from "../../static/js/features/here/touched.js";
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

test("a touched run keeps the frames before the touch and asks for those after it", () => {
  const before = new FrameStore();
  for (const [seq, t_ns] of [0, 100e6, 200e6, 300e6, 333e6].entries())
    before.append({ seq, from_seq: seq, t_ns, key: seq === 0, state: "running", layers: {}, counters: {} });
  const { store, wish } = beginTouched(before, [{ kind: "fail", at_s: 0.15, target }]);
  assert.deepEqual(store.times, [0, 100e6]);
  assert.deepEqual([wish.times_ns, wish.step_ns, wish.seq], [[150e6, 200e6, 300e6], 100e6, 2]);
});
