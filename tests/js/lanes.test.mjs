import assert from "node:assert/strict";
import { test } from "node:test";

import { countsOf, hasTwoQueues, lastPlace, placesOf, splitShelf } from "../../static/js/draw/work/lanes.js";

const track = { long: Uint8Array.of(0, 1, 0, 1, 0, 1) };
const shelf = () => ({ room: 8, columns: 2, split: 0, stands: 0, at: [] });

test("short and long tasks of one master stand in queues of their own, in the order of their arrival", () => {
  const split = shelf();
  splitShelf(split);
  assert.equal(split.split, 4);
  assert.deepEqual(placesOf(split, [0, 1, 2, 3, 4], track), [0, 4, 1, 5, 2]);
  // A queue without room says so; the other one still has places.
  const full = { ...split, room: 6 };
  assert.deepEqual(placesOf(full, [1, 3, 5, 0], track), [4, 5, -1, 0]);
  assert.equal(lastPlace({ ...split, at: [0, 1, 3], stands: 3 }, 3, track), 5);
  assert.equal(lastPlace({ ...full, at: [1, 3, 5], stands: 3 }, 5, track), 5);
});

test("a shelf tells how many tasks stand in each queue, unless its rows are not all of its tasks", () => {
  const split = { split: 4, at: [0, 1, 2, 3, 4], passing: [], count: 5 };
  assert.equal(countsOf(split, track), "3 + 2");
  // A task on its way out counts no longer.
  assert.equal(countsOf({ ...split, passing: [true], count: 4 }, track), "2 + 2");
  assert.equal(countsOf({ ...split, count: 9 }, track), null);
  assert.equal(countsOf({ ...split, split: 0 }, track), null);
  assert.equal(countsOf(split, null), null);
});

test("a shelf of one row, and one of another scheduler, stay whole", () => {
  const flat = { ...shelf(), room: 2 };
  splitShelf(flat);
  assert.equal(flat.split, 0);
  assert.deepEqual(placesOf(shelf(), [0, 1, 2], track), [0, 1, 2]);
  assert.equal(lastPlace({ ...shelf(), at: [0, 1], stands: 2 }, 1, track), 1);
  const meta = (role, layer) => ({ work: { keeper: { role } }, layers: [{ name: "a", role: layer }] });
  assert.equal(hasTwoQueues(meta("group", "reserved"), track), true);
  assert.equal(hasTwoQueues(meta("group", "load"), track), false);
  assert.equal(hasTwoQueues(meta("owner", "reserved"), track), false);
  assert.equal(hasTwoQueues(meta("group", "reserved"), { long: null }), false);
});
