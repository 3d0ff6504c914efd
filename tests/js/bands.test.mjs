/** Bands from shelves to rows of clusters: their width is the rate, and they have room at both ends. */

import assert from "node:assert/strict";
import test from "node:test";

import { fitting } from "../../static/js/draw/work/bands.js";

const plan = {
  shelves: [{ box: { height: 40 } }, { box: { height: 40 } }],
  rows: [{ size: 200 }, { size: 60 }],
  scale: 1,
};

test("bands are as wide as their rates where there is room", () => {
  assert.deepEqual(fitting(plan, [10, 5, 0, 8], 2), [
    [20, 10],
    [0, 16],
  ]);
});

test("one factor makes all of them narrower where a shelf or a row has no room for its bands", () => {
  const widths = fitting(plan, [100, 0, 50, 50], 2);
  assert.deepEqual(widths, [
    [40, 0],
    [20, 20],
  ]);
  const crowded = fitting(plan, [0, 20, 0, 20], 2);
  assert.deepEqual(crowded, [
    [0, 30],
    [0, 30],
  ]);
});
