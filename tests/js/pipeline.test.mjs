import assert from "node:assert/strict";
import test from "node:test";

import {
  countStates,
  defaultsOf,
  exactTimes,
  measuredOf,
  missingInputs,
  paramsAt,
  passedThrough,
  policyOf,
  policyWhenOn,
  problemsByStage,
  queueOf,
  reasonsOf,
  stateOf,
  tellDecision,
  timesAt,
  timesOf,
  withPolicy,
  withScheduler,
} from "../../static/js/features/composer/pipeline.js";

const policy = (name, needs = []) => ({ name, label: name, help: "", work: "", needs });
const stage = (id, policies = [], always = false) => ({
  id,
  group: id[0],
  name: id,
  param: policies.length ? id.toLowerCase() : null,
  policies,
  always,
  inputs: [],
  outputs: [],
});
const room = [{ stage: "R4", what: "which machines have room" }];
const STAGES = [
  stage("J1", [], true),
  stage("J3", [policy("fifo"), policy("fair")]),
  stage("J5"),
  stage("T2", [policy("fifo"), policy("srtf")]),
  stage("T3", [], true),
  stage("T4", [], true),
  stage("B", [policy("provider")]),
  stage("R1", [], true),
  stage("R4", [policy("free_now")]),
  stage("R5", [policy("first_fit", room), policy("best_fit", room)]),
];
const by = (id) => STAGES.find((each) => each.id === id);
const DEFAULTS = defaultsOf({
  params: {
    properties: {
      j3: { default: "none" },
      t2: { default: "fifo" },
      b: { default: "none" },
      r4: { default: "free_now" },
      r5: { default: "first_fit" },
    },
  },
});

test("a stage is always there, specified, unspecified or not simulated", () => {
  const states = Object.fromEntries(
    STAGES.map((each) => [each.id, stateOf(each, { j3: "fair", r5: "none" }, DEFAULTS)]),
  );
  assert.deepEqual(states, {
    J1: "always",
    J3: "chosen",
    J5: "absent",
    T2: "chosen",
    T3: "always",
    T4: "always",
    B: "open",
    R1: "always",
    R4: "chosen",
    R5: "open",
  });
  assert.deepEqual(countStates(STAGES, {}, DEFAULTS), { always: 4, chosen: 3, open: 2, absent: 1 });
  assert.equal(policyOf(by("T2"), {}, DEFAULTS), "fifo");
  assert.equal(policyOf(by("T3"), {}, DEFAULTS), null);
});

test("a policy is put into a copy; a stage that is switched on gets back what it had", () => {
  const experiment = { scheduler: { name: "pipeline", params: { j3: "fair" } } };
  assert.deepEqual(withPolicy(experiment, by("T2"), "srtf").scheduler.params, { j3: "fair", t2: "srtf" });
  assert.deepEqual(experiment.scheduler.params, { j3: "fair" });
  assert.equal(policyWhenOn(by("J3"), DEFAULTS, "fair"), "fair");
  assert.equal(policyWhenOn(by("T2"), DEFAULTS), "fifo");
  assert.equal(policyWhenOn(by("J3"), DEFAULTS, "gone"), "fifo"); // its default is none, so its first
});

test("what misses an input is told at the stage that misses it", () => {
  assert.deepEqual(missingInputs(STAGES, {}, DEFAULTS), []);
  const [one, ...more] = missingInputs(STAGES, { r4: "none" }, DEFAULTS);
  assert.deepEqual([one.stage, one.giver, more.length], ["R5", "R4", 0]);
  assert.deepEqual(
    missingInputs(STAGES, { r5: "none" }, DEFAULTS).map((each) => [each.stage, each.giver]),
    [["T4", "R5"]],
  );
  assert.match(one.text, /first_fit needs which machines have room\. R4 would give it/);
});

test("a server's problems go to their stages, clause by clause", () => {
  const found = problemsByStage(
    [
      {
        path: "scheduler.params",
        message:
          "R5 first_fit misses which machines have room: R4 would give it; T4 submit task misses a chosen " +
          "machine: R5 would give it",
      },
      { path: "scheduler.params.t2", message: "T2 has no policy 'x'" },
      { path: "scheduler.params.b_price", message: "is too large" },
      { path: "scheduler.params.timer_s", message: "is not a number" },
      { path: "scheduler.params.provider", message: "is no cluster" },
      { path: "workload.tasks", message: "T2 is not meant" },
    ],
    STAGES,
    (problem) => `!${problem.message}`,
    { params: { properties: { provider: { title: "Provider (B)" } } } },
  );
  assert.deepEqual([...found.keys()].sort(), ["B", "R5", "T2", "T4"]);
  assert.match(found.get("T4")[0], /^T4 submit task misses a chosen machine/);
  assert.deepEqual(found.get("B"), ["!is too large", "!is no cluster"]);
});

test("parameters are those that events have set until an instant; times those that series have then", () => {
  const set = (at_s, value, more) => ({ at_s, kind: "set", target: { scheduler: true }, value, ...more });
  const experiment = {
    scheduler: { params: { t2: "fifo", j3: "fair" } },
    events: [
      set(5, { t2: "srtf" }, { duration_s: 3 }),
      set(6, { j3: "none" }),
      { at_s: 1, kind: "set", target: { queue: "q" }, value: { share: 1 } },
    ],
  };
  assert.deepEqual(
    [4, 5, 7, 9].map((t_s) => paramsAt(experiment, t_s)),
    [
      { t2: "fifo", j3: "fair" },
      { t2: "srtf", j3: "fair" },
      { t2: "srtf", j3: "none" },
      { t2: "fifo", j3: "none" },
    ],
  );
  assert.deepEqual(paramsAt(null, 1), {});
  assert.deepEqual(withScheduler(experiment, { name: "x" }), {
    scheduler: { name: "x" },
    events: [experiment.events[2]],
  });
  const series = { t2_us: { t: [0, 10], v: [1, 4.5] }, r5_us: { t: [10], v: [2] }, eligible: { t: [0], v: [3] } };
  assert.deepEqual(timesAt(STAGES, series, 9), { t2_us: 1 });
  assert.deepEqual(timesAt(STAGES, series, 10), { t2_us: 4.5, r5_us: 2 });
});

test("times are shares of all; nothing yet is no share", () => {
  const { total, rows } = timesOf(STAGES, { t2_us: 30, r5_us: 10, events: 7 });
  assert.deepEqual(
    [total, rows],
    [
      40,
      [
        { id: "T2", us: 30, share: 0.75 },
        { id: "R5", us: 10, share: 0.25 },
      ],
    ],
  );
  assert.equal(timesOf(STAGES, { t2_us: 0 }).rows[0].share, 0);
  assert.equal(
    timesOf(STAGES, {
      t2_us: 30,
      ...exactTimes({ pipeline: { stages: { T4: { calls: 2, operations: 9, time_s: 9e-5 } } } }),
    }).rows.find((row) => row.id === "T4").share,
    0.75,
  );
  assert.deepEqual(exactTimes(null), {});
  const real = measuredOf(STAGES, {
    performance: { stages: { cpu_s: 0.4, steps: 70, engine_s: 0.1, stages: { T2: 0.3 } } },
  });
  assert.deepEqual(
    [real.total, real.steps, real.rows.filter((row) => row.us > 0).map((row) => [row.id, row.share])],
    [
      4e5,
      70,
      [
        ["T2", 0.3 / 0.4],
        ["engine", 0.25],
      ],
    ],
  );
  assert.equal(measuredOf(STAGES, { performance: { wall_s: 1 } }), null);
  assert.deepEqual(timesOf(STAGES, undefined), { total: 0, rows: [] });
});

test("the stages whose counters grew were passed through, with those that iterate", () => {
  const before = { t2_us: 5, r4_us: 5, tasks_arrived: 3, tasks_done: 1 };
  assert.deepEqual([...passedThrough(STAGES, before, { ...before })], []);
  assert.deepEqual([...passedThrough(STAGES, before, { ...before, tasks_arrived: 4 })], ["J1"]);
  assert.deepEqual([...passedThrough(STAGES, before, { ...before, t2_us: 6 })].sort(), ["R1", "T2", "T3"]);
  assert.deepEqual([...passedThrough(STAGES, null, before)], []);
});

test("queues and decisions are told in sentences", () => {
  const at = (name) => ({ eligible: 1, not_let_in: 1200, pool: 12 })[name] ?? null;
  assert.equal(queueOf(by("T2"), at), "1 eligible task without a machine.");
  assert.equal(queueOf(by("J1"), at), "1,200 jobs not admitted.");
  assert.equal(queueOf({ id: "R7" }, at), "12 machines in the pool.");
  assert.equal(queueOf(by("B"), at), "");
  assert.equal(
    queueOf(by("T2"), () => null),
    "",
  );
  const reasons = [
    { name: "submitted", template: "In iteration {x} T2 had it first of what fits, and R5 took machine {machine}." },
    { name: "lost", template: "Machine {machine} failed after {x_s}{lack}." },
  ];
  assert.deepEqual(
    reasonsOf(reasons, "R5").map((each) => each.name),
    ["submitted"],
  );
  assert.deepEqual(reasonsOf(reasons, "R"), []);
  assert.equal(
    tellDecision(reasons[0], { x: 1234, y: 0, machine: 3 }, String),
    "In iteration 1,234 T2 had it first of what fits, and R5 took machine 3.",
  );
  assert.equal(
    tellDecision(reasons[1], { x: 5, y: 0, machine: 3 }, (ns) => `${ns} ns`),
    "Machine 3 failed after 5 ns.",
  );
});
