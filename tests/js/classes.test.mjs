import assert from "node:assert/strict";
import { test } from "node:test";

import { listOf, questionOf } from "../../static/js/features/classes/ask_form.js";
import { drawn, placeOf, tickValues, valueAt } from "../../static/js/features/classes/scale.js";

const LINEAR = { low: 0, high: 10, log: false };
const LOG = { low: 0.01, high: 100, log: true };

test("a value and its place lead to one another on both kinds of scales", () => {
  assert.equal(placeOf(LINEAR, 2.5), 0.25);
  assert.equal(valueAt(LINEAR, 0.25), 2.5);
  assert.ok(Math.abs(placeOf(LOG, 1) - 0.5) < 1e-9);
  assert.equal(valueAt(LOG, 0.5), 1);
  assert.deepEqual([placeOf(LINEAR, -3), placeOf(LINEAR, 30), placeOf(LOG, 0)], [0, 1, 0]);
});

test("what a slider gives lies on the scale, ends included, where the server takes it", () => {
  for (const scale of [LINEAR, LOG, { low: 0.333, high: 0.334, log: false }, { low: -7, high: 7, log: false }])
    for (let place = 0; place <= 1; place += 1 / 64) {
      const value = valueAt(scale, place);
      assert.ok(value >= scale.low && value <= scale.high, `${value}`);
    }
  assert.deepEqual(tickValues(LINEAR), [0, 2.5, 5, 7.5, 10]);
});

test("a finger sets every place that it passes, also when it moves fast and backwards", () => {
  const none = [null, null, null, null, null];
  assert.deepEqual(drawn(none, { x: 0.25, y: 0.5 }, { x: 0.25, y: 0.5 }), [null, 0.5, null, null, null]);
  assert.deepEqual(drawn(none, { x: 0, y: 0 }, { x: 1, y: 1 }), [0, 0.25, 0.5, 0.75, 1]);
  assert.deepEqual(drawn([0, 0, 0, 0, 0], { x: 1, y: 1 }, { x: 0.5, y: 0.5 }), [0, 0, 0.5, 0.75, 1]);
  assert.deepEqual(drawn(none, { x: 0.1, y: 0 }, { x: 0.97, y: 1 }).slice(-1), [1], "a finger need not hit the end");
  assert.deepEqual(drawn(none, { x: 0.5, y: 2 }, { x: 0.5, y: 2 })[2], 1, "above the chart counts as its top");
});

test("the teacher's form asks what the server takes, and never names an answer", () => {
  assert.deepEqual(listOf("1, 2.5;fast  4"), [1, 2.5, "fast", 4]);
  const fields = {
    kind: "curve",
    text: " Draw it ",
    metric: "makespan_s",
    path: "a.b",
    values: "1,2",
    low: "0",
    high: "9",
  };
  assert.deepEqual(questionOf({ ...fields, log: "on" }), {
    kind: "curve",
    text: "Draw it",
    metric: "makespan_s",
    low: 0,
    high: 9,
    log: true,
    path: "a.b",
    values: [1, 2],
  });
  const choice = { ...fields, kind: "choice", vary: "schedulers", best: "least", schedulers: ["megha", "sparrow"] };
  assert.deepEqual(questionOf(choice).schedulers, ["megha", "sparrow"]);
  assert.equal("path" in questionOf(choice), false);
});
