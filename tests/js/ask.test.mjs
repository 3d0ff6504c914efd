import assert from "node:assert/strict";
import { test } from "node:test";
import {
  answerWords,
  blockedRows,
  clustersOf,
  lowOf,
  requestOf,
  sureWords,
  workWords,
} from "../../static/js/features/ask/ask_plan.js";
import { boundOf, chartOf } from "../../static/js/features/ask/ask_chart.js";

const fields = {
  question: "machines",
  measure: "allocation_delay_s.p99",
  bound: "5",
  seeds: "5",
  cluster: "",
  target: "",
  number: "0",
  duration: "600",
};
const point = (value, measured, low = measured, high = measured) => ({
  value,
  measured,
  low,
  high,
  kept: measured <= 5,
});
const found = {
  question: "machines",
  promise: "allocation_delay_s.p99 <= 5",
  measure: "allocation_delay_s.p99",
  answer: 12,
  low: 11,
  high: 13,
  fails_at: 11,
  monotone: true,
  now: point(20, 0.5),
  tried: [point(10, 8), point(11, 6, 4, 8), point(12, 4, 2, 6), point(20, 0.5)],
  runs: 20,
  seeds: [1, 2, 3, 4, 5],
};

test("a question is made of what stands in the fields", () => {
  const machines = { question: "machines", promise: "allocation_delay_s.p99 <= 5", options: {}, seeds: 5 };
  assert.deepEqual(requestOf(fields), machines);
  assert.deepEqual(requestOf({ ...fields, cluster: "lm" }).options, { cluster: "lm" });
  assert.equal(requestOf({ ...fields, measure: "utilisation.cpus", bound: "40" }).promise, "utilisation.cpus >= 40 %");
  const failure = { ...fields, question: "failure", cluster: "lm" };
  assert.deepEqual(requestOf(failure).options, { duration: 600 });
  assert.deepEqual(requestOf({ ...failure, target: "rack", number: "3" }).options, { rack: 3, duration: 600 });
  assert.deepEqual(requestOf({ ...failure, target: "cluster" }).options, { cluster: "lm", duration: 600 });
});

test("an answer is a sentence with its neighbor that fails", () => {
  const said = answerWords(found).replace(/\s/g, " "); // a number and its unit have a narrow space
  assert.equal(said, "12 machines keep the promise (4 s). With 11 it breaks (6 s). You have 20.");
  assert.match(answerWords({ ...found, answer: null, fails_at: 20 }), /^Even 20 machines break the promise/);
  const change = "Each seed draws other jobs from the same distributions.";
  assert.deepEqual(sureWords({ ...found, seeds_change: change }), [
    "From 11 to 13 by the 95 % intervals of the measure.",
    "Every number of machines has the same jobs: fewer machines mean a higher load.",
    `20 runs, 5 seeds each. ${change}`,
  ]);
  assert.match(sureWords({ ...found, monotone: false }).at(-1), /not monotone/);
  assert.equal(
    answerWords({ ...found, question: "off", machines_off: 2, moves: [{ task: 1, from: 3, to: 4 }] }),
    "2 machines may be switched off. 1 task moves to another machine.",
  );
});

test("machines that stay are told by reason", () => {
  const blocked = blockedRows({ ...found, blocked_by: { 1: "A.", 2: "B.", 5: "B." } });
  assert.deepEqual(blocked, [
    ["B.", ["2", "5"]],
    ["A.", ["1"]],
  ]);
  assert.deepEqual(clustersOf({ topology: { clusters: [{ name: "a" }, {}] } }), ["a", "lm"]);
});

test("the chart has every tried value, its interval and the bound", () => {
  const chart = chartOf(found);
  assert.equal(boundOf(found.promise), 5);
  assert.deepEqual(
    chart.points.map((one) => one.kept),
    [false, false, true, true],
  );
  // Larger is higher, which is a smaller y; the bound lies between what breaks it and what keeps it.
  assert.ok(chart.points[1].y < chart.bound && chart.bound < chart.points[2].y);
  assert.ok(chart.points[1].high < chart.points[1].y && chart.points[1].y < chart.points[1].low);
  assert.ok(chart.points.every((one, at) => at === 0 || one.x > chart.points[at - 1].x));
  assert.equal(chart.answer, chart.points[2].x);
  assert.equal(chartOf({ ...found, tried: [point(1, null)] }), null);
});

test("an interval that reaches below 0 is cut there in chart and table alike, and this is said", () => {
  const below = { ...found, tried: [point(11, 6, 4, 8), point(12, 1.77, -1.86, 5.41)] };
  assert.deepEqual(below.tried.map(lowOf), [4, 0]);
  assert.equal(lowOf({ low: null }), null);
  const [high, low] = chartOf(below).points;
  assert.equal(low.low, chartOf({ ...below, tried: [point(11, 6, 4, 8), point(12, 1.77, 0, 5.41)] }).points[1].low);
  assert.ok(low.low > high.low);
  assert.equal(sureWords(below).length, sureWords(found).length + 1);
});

test("a work is told by what is changed about it", () => {
  const said = workWords({
    load: 0.5,
    "workload.duration_s.mean": 8,
    "workload.tasks_per_job.value": 2,
    "workload.classes[1].duration_s.sigma": 1.2,
    "constraints.task_share": 0.25,
  }).replace(/\s/g, " ");
  assert.equal(
    said,
    "load 50 %, task duration (mean) 8 s, tasks per job 2, class 2: task duration (sigma) 1.2, " +
      "share of tasks with constraints 25 %",
  );
  assert.equal(workWords({}), "as it is");
});
