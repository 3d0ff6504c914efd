import assert from "node:assert/strict";
import { test } from "node:test";
import { Choices, tellChoice } from "../../static/js/run/choices.js";
import { rackTags, tagsOf, typeTags } from "../../static/js/draw/work/tags.js";
import { pricesAt, pricesOf } from "../../static/js/draw/work/prices.js";

/** Columns of numbers below 256, stored as four runs of bytes. */
const column = (values) => Uint8Array.of(...values, ...new Array(3 * values.length).fill(0));

/** The same of two bytes each. */
const short = (values) => Uint8Array.of(...values.map((value) => value & 255), ...values.map((value) => value >> 8));

const CHOICES = new Choices({
  count: 2,
  at: column([10, 40]),
  task: column([3, 7]),
  machine: column([2, 4]),
  scores: short([0, 701, 501, 0, 301, 301, 0, 301]),
});

test("a decision with scores is drawn for a while after it, one at a time, and told in words", () => {
  assert.deepEqual([CHOICES.machines, CHOICES.score(0, 0), CHOICES.score(0, 1)], [4, null, 70]);
  assert.equal(CHOICES.shownAt(9, 20), null);
  assert.equal(CHOICES.shownAt(41, 20)?.task, 7);
  assert.equal(CHOICES.shownAt(59, 20), null);
  assert.equal(CHOICES.about(3, 15, 20)?.machine, 1);
  assert.equal(CHOICES.about(3, 1e6, 20)?.machine, 1, "a moment's decision stands as long as the moment");
  assert.equal(CHOICES.about(3, -1, 20), null);
  assert.equal(CHOICES.about(5, 15, 20), null);
  assert.match(tellChoice(CHOICES, 0), /^Task 3: 2 of 4 .*scores from 50 to 70 of 100; machine 1 has the best/);
  assert.match(tellChoice(CHOICES, 1), /^Task 7: 1 of 4 machines has.*the same score, 30 of 100; machine 3/);
});

test("prices of a round say which machines are full, except the one that the task got, and what waiting costs", () => {
  const machines = [
    [3, 0, 1],
    [1, 1, 0],
    [2, 4, 1],
    [0, 5, 0],
  ];
  const prices = pricesOf({ task: 9, t_s: 2, prices: { machines, wait: 7.5, chosen: 3 } });
  assert.deepEqual(
    [0, 1, 2, 3].map((machine) => prices.of(machine)?.warm ?? null),
    [0, 0.8, 0, 1],
  );
  assert.deepEqual(
    [0, 1, 2, 3].map((machine) => prices.of(machine)?.texts),
    [["5"], ["1"], ["4, full", "4", "full"], ["0"]],
  );
  assert.equal(prices.of(4), null, "no arc leads there");
  assert.match(prices.words, /^Task 9: 1 of 4 .* Machine 3 costs 0 and gets the task\. .* 1 to 5\. Waiting .* 7\.5\.$/);
  assert.equal(pricesOf({ task: 9, t_s: 2 }), null);
  // A moment shows its own task's prices or none, a run those of the last round before the instant.
  const all = [{ ...prices, task: 4, t_ns: 1e9 }, prices];
  assert.equal(pricesAt(all, 1.5e9)?.task, 4);
  assert.equal(pricesAt(all, 1.5e9, 9), prices);
  assert.equal(pricesAt(all, 9e9, 5), undefined);
});

test("machines of another type than most, and racks where the scheduler looks at them, have a word", () => {
  const group = (count, more = {}) => ({ count, cpus: 4, ...more });
  const meta = (machines, params = {}) => ({
    machines: 3,
    clusters: [{ name: "a", first: 0, machines: 3, racks: [2, 1], partitions: [] }],
    experiment: { topology: { clusters: [{ machines }] }, scheduler: { params } },
  });
  const gpus = meta([group(1, { attributes: { gpu: true } }), group(2)]);
  assert.deepEqual([...typeTags(gpus)], [[0, "gpu"]]);
  assert.deepEqual([...typeTags(meta([group(2), group(1, { cpus: 16 })]))], [[2, "16 CPUs"]]);
  assert.equal(typeTags(meta([group(3)])).size, 0);
  assert.equal(typeTags({ ...gpus, machines: 4 }).size, 0, "what the experiment says is not what the run has");
  assert.equal(rackTags(gpus).size, 0);
  assert.deepEqual(
    [...rackTags(meta([group(3)], { rack_cost: 1 }))],
    [
      [0, "rack 0"],
      [2, "rack 1"],
    ],
  );
  const grouped = { ...meta([group(3)]), groups: { label: "Master", help: "", first: [0, 2] } };
  assert.deepEqual(
    [...tagsOf(grouped).groups],
    [
      [0, "Master 0"],
      [2, "Master 1"],
    ],
  );
});
