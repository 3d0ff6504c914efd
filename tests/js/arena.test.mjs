import assert from "node:assert/strict";
import test from "node:test";

import { extent } from "../../static/js/features/arena/board.js";
import { boundsWords, partOf, readValue } from "../../static/js/features/arena/entry_form.js";
import { limitOf, objectivesAt } from "../../static/js/features/arena/objectives.js";
import { against, changeWords, interval, limitWords } from "../../static/js/features/arena/words.js";

const comparison = (verdict, value, low, high) => ({ verdict, difference: { value, low, high } });

test("an entry is better where its figure differs in the winning direction, and untold where 0 is possible", () => {
  const less = comparison("less", -2, -3, -1);
  assert.match(against(less, "less", "s", "the leader"), /^2.s better than the leader \(95 % interval: 1.s to 3.s\)/u);
  assert.match(against(less, "more", "s", "the leader"), /^2.s worse than the leader/u);
  assert.match(
    against(comparison("not distinguishable yet", -2, -5, 1), "less", "s", "X"),
    /Not distinguishable from X/,
  );
  assert.match(against(comparison("same", 0, 0, 0), "less", "s", "X"), /The same as X/);
});

test("figures have the unit of their challenge", () => {
  assert.match(interval({ value: 0.5, low: 0.25, high: 0.75 }, "%"), /^50.% \(25.% to 75.%\)$/u);
  assert.equal(interval({ value: 3, low: null, high: null }, ""), "3");
  const limit = { says: "worst", unit: "%", at_least: 0.9, at_most: null, value: 0.5, holds: false };
  assert.match(limitWords(limit), /^worst: 50.%, below the limit of 90.%$/u);
});

test("an entry sends what it changes alone", () => {
  const offer = {
    name: "megha",
    open: [
      { path: "heartbeat_s", start: 10 },
      { path: "fairness", start: true },
    ],
  };
  const values = [{ path: "network.message_delay_s", start: 0.1 }];
  assert.deepEqual(partOf(offer, { heartbeat_s: 2, fairness: true }, { "network.message_delay_s": 0.1 }, values), {
    scheduler: { name: "megha", params: { heartbeat_s: 2 } },
    values: {},
  });
});

test("a field that nobody touched keeps its start, and bounds are in the unit of the field", () => {
  const field = (value, start) => readValue({ type: "text", value }, { start, choices: [] });
  assert.deepEqual([field("", null), field("", []), field("cpus", "cpus")], [null, [], "cpus"]);
  assert.deepEqual([field("7", null), field("", 3), field("2", 3)], [7, 3, 2]);
  assert.equal(boundsWords({ least: 0.5, most: 86_400, choices: [], unit: "s" }), "0.5 to 86,400");
});

test("bounds and changes are said", () => {
  assert.equal(boundsWords({ least: 1, most: 4, choices: [], unit: "" }), "1 to 4");
  assert.equal(boundsWords({ least: null, most: null, choices: ["a"], unit: "" }), "");
  assert.match(changeWords({ label: "Probe ratio", before_words: "2", after_words: "4" }), /^Probe ratio: 2 → 4$/);
  const policy = { label: "Policy", before_words: "score: 1", after_words: "param a = 1 from 0 to 2\nscore: a" };
  assert.equal(changeWords(policy), "Policy:\nparam a = 1 from 0 to 2\nscore: a");
});

test("the axis of all rows spans their intervals", () => {
  assert.deepEqual(
    extent([
      { estimate: { value: 2, low: 1, high: 3 } },
      { estimate: { value: 9, low: null, high: null } },
      { estimate: null },
    ]),
    [1, 9],
  );
  assert.equal(extent([{ estimate: null }]), null);
});

test("a limit bounds from the side on which its objective is worse", () => {
  const use = objectivesAt(10).find((one) => one.unit === "%" && one.better === "more");
  assert.deepEqual([limitOf(use, 90).at_least, limitOf(use, 90).at_most], [0.9, undefined]);
  const wait = objectivesAt(10)[0];
  assert.equal(limitOf(wait, 5).at_most, 5);
});
