import assert from "node:assert/strict";
import { test } from "node:test";
import {
  answerWords,
  blockedRows,
  canOpen,
  clustersOf,
  keptWords,
  lowOf,
  noteWords,
  progressWords,
  requestOf,
  sureWords,
  triedName,
  typesOf,
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

test("machines of one type and plans by periods are options of a question", () => {
  assert.deepEqual(requestOf({ ...fields, type: "2" }).options, { type: 2 });
  const plan = { ...fields, question: "off", plan: "periods", periods: "24", until: "", price: "" };
  assert.deepEqual(requestOf({ ...plan, plan: "" }).options, {});
  assert.deepEqual(requestOf(plan).options, { periods: 24 });
  assert.deepEqual(requestOf({ ...plan, until: "12", price: "0.5" }).options, {
    periods: 24,
    until_s: 43_200,
    price: 0.5,
  });
  const [small, large] = [
    { cpus: 4, memory_gb: 16 },
    { cpus: 64, memory_gb: 256, gpus: 1 },
  ];
  const topology = { clusters: [{ name: "a", machines: [small, large] }, { machines: [large] }] };
  assert.deepEqual(typesOf({ topology }, "a"), ["4 CPUs, 16 GB", "64 CPUs, 256 GB, 1 GPU"]);
  assert.deepEqual(typesOf({ topology }, "lm"), ["64 CPUs, 256 GB, 1 GPU"]);
  assert.equal(typesOf({ topology }, "")[0], "4 CPUs, 16 GB / 64 CPUs, 256 GB, 1 GPU");
});

test("a plan is told by its smallest and largest period", () => {
  const row = (machines) => ({ from_s: 0, until_s: 1, machines, machine_hours: 1 });
  const plan = [row([1, 2]), row([2])];
  const told = { ...found, question: "off", machines_off: 2, plan, machine_hours: 3, of_machine_hours: 24 };
  assert.equal(answerWords(told), "1 to 2 machines may be off, by the period: 3 of 24 machine-hours.");
  assert.deepEqual(
    [
      [2, 1],
      [0, 0],
      [1, 1],
    ].map((value) => canOpen(told, { ...point(0, 1), value })),
    [true, true, false],
  );
  assert.equal(triedName(told, { ...point(0, 1), value: [2, 1] }), "2 machines off");
});

test("a tried value can be opened unless the answer lacks what it was", () => {
  assert.ok(found.tried.every((one) => canOpen(found, one)));
  assert.equal(canOpen(found, { ...found.tried[0], refused: "too many" }), false);
  const off = { ...found, question: "off" };
  const marks = [point(0, 1), { ...point(2, 1), answer: true }, point(2, 1)];
  assert.deepEqual(
    marks.map((one) => canOpen(off, one)),
    [true, true, false],
  );
  assert.equal(triedName(found, found.tried[1]), "11 machines");
  assert.equal(triedName({ ...found, question: "knob" }, { ...point(2, 1), knob: "probe_ratio" }), "probe_ratio = 2");
});

test("progress tells the cost, and the time once a run has been timed", () => {
  const asked = { state: "working", runs: 4, expected: 40, left_s: null };
  assert.equal(progressWords(asked), "4 of at most about 40 runs");
  assert.match(progressWords({ ...asked, left_s: 90 }), /^4 of at most about 40 runs, at most about 90.s more$/);
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
  const exact = sureWords({ ...found, low: 12, high: 12 })[0];
  assert.equal(exact, "The 95 % intervals of the measure leave no other answer.");
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

test("the chart's axis of time has round values of one unit", () => {
  const levels = (most) =>
    chartOf({ ...found, promise: "allocation_delay_s.p99 <= 1", tried: [point(1, most), point(2, 1)] }).levels.map(
      ({ text }) => text.replace(/\s/g, " "),
    );
  assert.deepEqual(levels(4), ["0 s", "2 s", "4 s"]);
  assert.deepEqual(levels(19_800), ["0 s", "2 h", "4 h"]);
  assert.deepEqual(levels(6_800), ["0 s", "1 h", "2 h"]);
  assert.deepEqual(levels(1_200), ["0 s", "10 min", "20 min"]);
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

test("the notes of a search are told, but for the one that the page tells by itself", () => {
  const notes = [
    "The answer is not monotone: the promise holds, breaks and holds again along the tried values.",
    "A machine that goes off evicts the tasks that run on it. They start again elsewhere.",
    "A note that this page does not know.",
  ];
  assert.deepEqual(noteWords({ ...found, notes }), notes.slice(1));
  assert.deepEqual(noteWords(found), []);
});

test("a plan with the same number of machines in each period names it once", () => {
  const period = { from_s: 0, until_s: 3600, machines: [1, 2, 3], machine_hours: 3 };
  const plan = { ...found, question: "off", answer: [1, 2, 3], machines_off: 3, plan: [period, period] };
  const words = answerWords({ ...plan, machine_hours: 6, of_machine_hours: 48 });
  assert.equal(words, "3 machines may be off in every period: 6 of 48 machine-hours.");
});

test("machines that may be off are told with the measure, with them off and with all on", () => {
  const off = { ...found, question: "off", answer: [4], machines_off: 1, low: null, high: null };
  const answered = { ...off, tried: [{ ...point(1, 4), answer: true }, point(2, 8)] };
  assert.ok(sureWords(answered)[0].includes("4\u202fs with these machines off, 500\u202fms with all"));
  assert.ok(!sureWords(found)[0].includes("machines off"));
});

test("a measure within its bound that breaks the promise says that tasks never start", () => {
  assert.equal(keptWords(found, point(12, 4)), "holds");
  assert.equal(keptWords(found, point(10, 8)), "breaks");
  assert.equal(keptWords(found, { ...point(10, 4), kept: false }), "breaks: tasks never start");
  assert.equal(keptWords(found, { ...point(10, null), kept: false }), "breaks");
  const busy = { ...found, promise: "utilisation.cpus >= 0.4" };
  assert.equal(keptWords(busy, { ...point(10, 0.3), kept: false }), "breaks");
});
