import test from "node:test";
import assert from "node:assert/strict";

import {
  askedWords,
  axisWords,
  cellAt,
  planWords,
  rowsOf,
  runsOf,
  runsWords,
  stateWords,
  tellCell,
  valuesAround,
  valuesFrom,
  valueWords,
  verdictCounts,
  verdictWords,
} from "../../static/js/run/study/study.js";
import { noIntervalWords } from "../../static/js/features/studies/study_table.js";
import { changeWords, sureWords, timesFirst } from "../../static/js/features/studies/study_changes.js";
import {
  comparedWords,
  findingWords,
  fittedWords,
  idleWords as idleOfStudy,
  measureWords,
} from "../../static/js/features/studies/finding.js";
import { knobsFromSchema } from "../../static/js/experiment/experiment.js";
import { idleWords } from "../../static/js/experiment/needs.js";
import { asksWhatHolds, isFixedTrace, keepsWork, resampled } from "../../static/js/features/compare/compare_plan.js";
import { ComparedParams, trialsOf } from "../../static/js/features/compare/compared_params.js";
import { asksWhatStays, HeldWork } from "../../static/js/experiment/held_work.js";
import { variables } from "../../static/js/run/study/study_paths.js";
import { classesOf, comparedRows, findingOfRuns } from "../../static/js/features/compare/compared_rows.js";
import {
  differenceMeta,
  differencePicture,
  namesOf,
  sameMachines,
  tellMachine,
} from "../../static/js/features/compare/compared.js";
import {
  cdfPlace,
  cdfScene,
  playheadScene,
  tellCdf,
  tellTime,
  timeScene,
  topOf,
} from "../../static/js/features/compare/compared_scene.js";
import { Together } from "../../static/js/features/compare/together.js";
import { Player } from "../../static/js/run/player.js";

const plain = (text) => text.replaceAll("\u202f", " ").replaceAll("\u00a0", " ");
const HEARTBEAT = "scheduler.params.heartbeat_s";
const STUDY = {
  plan: { axes: [{ path: HEARTBEAT, values: [1, 10, 100] }] },
  seeds: [1, 2, 3],
  schedulers: [
    { name: "megha", label: "Megha" },
    { name: "sparrow", label: "Sparrow" },
  ],
};
const cell = (number, scheduler, at, value, low, high, n = 3) => ({
  cell: number,
  scheduler,
  at,
  values: at,
  value,
  low,
  high,
  n,
  coverage: 0.95,
});
const difference = (value, low, high) => ({ value, low, high, n: 3, coverage: 0.95 });
const RESULTS = {
  labels: { "allocation_delay_s.p99": "Queueing delay, p99" },
  unit: "s",
  statistic: "mean",
  against: 0,
  metric: "allocation_delay_s.p99",
  cells: [
    cell(0, 0, [0], 1, 0.8, 1.2),
    cell(1, 1, [null], 3, 2.5, 3.5),
    cell(2, 0, [1], 2, 1, 3),
    cell(3, 0, [2], 4, null, null, 1),
  ],
  comparisons: [
    {
      cell: 1,
      other: 0,
      scheduler: 1,
      at: [0],
      difference: difference(2, 1.5, 2.5),
      ratio: { value: 3, low: 2, high: 4 },
      verdict: "more",
    },
    {
      cell: 1,
      other: 2,
      scheduler: 1,
      at: [1],
      difference: difference(1, -1, 3),
      ratio: null,
      verdict: "not distinguishable yet",
    },
  ],
};

test("what is asked and how far it is, in words", () => {
  assert.equal(askedWords(STUDY), "Heartbeat at 3 values × Megha, Sparrow × 3 seeds");
  assert.equal(askedWords({ plan: { axes: [] }, schedulers: [STUDY.schedulers[0]], seeds: [1] }), "Megha × 1 seed");
  assert.equal(axisWords({ path: HEARTBEAT, label: "Heartbeat interval" }), "heartbeat interval");
  assert.equal(axisWords({ path: "queues[0].share" }), "share");
  const at = { runs: 100, done: 40, failed: 0, eta_s: 12 };
  assert.equal(plain(stateWords({ ...at, state: "running" })), "40 of 100 runs · 12 s left");
  assert.equal(stateWords({ ...at, state: "running", done: 0, compiling: true }), "Compiling, first time only…");
  assert.equal(stateWords({ ...at, state: "done", done: 97, failed: 3 }), "Done: 97 of 100 runs; 3 failed");
  assert.equal(stateWords({ ...at, state: "cancelled" }), "Cancelled: 40 of 100 runs were done");
});

test("where a parameter doubles the measure is said, or that it nowhere does", () => {
  const one = {
    ...STUDY,
    schedulers: [STUDY.schedulers[0]],
    plan: { axes: [{ path: HEARTBEAT, values: [10, 1, 100] }] },
  };
  const of = (...cells) => ({ ...RESULTS, cells });
  // In the order of the values, not of their places in the plan.
  const clear = of(cell(0, 0, [0], 1.5, 1.4, 1.6), cell(1, 0, [1], 1, 0.9, 1.1), cell(2, 0, [2], 2.5, 2.4, 2.6));
  assert.equal(
    plain(changeWords(one, clear)),
    "Megha's p99 queueing delay at heartbeat 100 s is 2.5 times its value at 1 s; at 10 s it is less than " +
      "twice that value.",
  );
  assert.deepEqual(timesFirst(one, clear, clear.cells[0]), { times: 1.5, at: 1 });
  const unsure = of(cell(1, 0, [1], 1, 0.5, 2.2), cell(0, 0, [0], 2, 1.4, 3), cell(2, 0, [2], 1.8, 1, 3));
  assert.equal(
    plain(changeWords(one, unsure)),
    "Megha's p99 queueing delay at heartbeat 10 s is 2 times its value at 1 s. " +
      "The intervals overlap or are missing: more seeds may change this.",
  );
  const flat = of(cell(1, 0, [1], 1, 0.5, 2), cell(0, 0, [0], 0.97, 0.5, 2), cell(2, 0, [2], 1.06, 0.5, 2));
  assert.equal(
    plain(changeWords(one, flat)),
    "Megha's p99 queueing delay does not double. At heartbeat 10 s it is 0.97 times its value at 1 s, " +
      "and at 100 s 1.06 times.",
  );
  // A ratio that rounds to 1 is no difference, and a parameter that changes nothing is told as such.
  const near = of(cell(1, 0, [1], 1, 0.5, 2), cell(0, 0, [0], 0.9994, 0.5, 2), cell(2, 0, [2], 1, 0.5, 2));
  assert.equal(
    plain(changeWords(one, near)),
    "Megha's p99 queueing delay hardly changes: at heartbeat 10 s it is 0.06 % below its value at 1 s.",
  );
  const none = of(cell(1, 0, [1], 1, 0.5, 2), cell(0, 0, [0], 1, 0.5, 2), cell(2, 0, [2], 1, 0.5, 2));
  assert.equal(plain(changeWords(one, none)), "Megha's p99 queueing delay is the same at all 3 values of heartbeat.");
  // Nothing to hold it against: no parameter, no first value yet, a first value of zero, a scheduler without the
  // parameter.
  assert.equal(changeWords({ ...one, plan: { axes: [] } }, clear), "");
  assert.equal(changeWords(one, of(clear.cells[0], clear.cells[2])), "");
  assert.equal(changeWords(one, of(cell(1, 0, [1], 0, 0, 0), clear.cells[0])), "");
  assert.equal(timesFirst(STUDY, RESULTS, RESULTS.cells[1]), null);
});

test("how sure values are is said, and what an impossible bound means", () => {
  assert.equal(plain(sureWords(RESULTS)), "Intervals are 95 % confidence intervals over seeds");
  assert.match(sureWords({ ...RESULTS, cells: [cell(0, 0, [0], 1, -1, 3)] }), /below zero has too few seeds/);
  assert.match(sureWords({ ...RESULTS, cells: [RESULTS.cells[3]] }), /^No confidence intervals/);
  const same = { ...cell(0, 0, [0], 1, null, null), n: 6 };
  assert.match(sureWords({ ...RESULTS, cells: [same] }), /nothing varied between seeds/);
});

test("a plan says what one seed cannot tell", () => {
  assert.match(planWords(16, 1), /^16 runs of one seed, /);
  assert.match(planWords(50, 10, true), /^This makes 50 runs, .*same under all 10 seeds: .* no confidence interval\.$/);
  assert.match(plain(planWords(50, 10)), /50 runs, .* 95 % confidence intervals over 10 seeds\.$/);
});

test("a verdict has the interval that decides it", () => {
  assert.equal(
    plain(verdictWords(RESULTS.comparisons[0], "Megha", "s")),
    "2 s more than Megha (95 % CI 1.5 s to 2.5 s), 3 times",
  );
  assert.equal(
    plain(verdictWords(RESULTS.comparisons[1], "Megha", "s")),
    "1 s more than Megha (95 % CI −1 s to 3 s): not distinguishable yet",
  );
  assert.equal(
    plain(verdictWords({ verdict: "less", ratio: null, difference: difference(-2, -3, -1) }, "Megha", "")),
    "2 less than Megha (95 % CI 1 to 3)",
  );
  assert.equal(
    plain(
      verdictWords(
        { verdict: "less", ratio: difference(1.14, 0.9, 1.4), difference: difference(-2, -3, -1) },
        "Megha",
        "s",
      ),
    ),
    "2 s less than Megha (95 % CI 1 s to 3 s)",
    "a ratio that tells the opposite of the difference is left out",
  );
  assert.equal(
    verdictWords({ verdict: "same", difference: difference(0, 0, 0) }, "Megha", "s"),
    "the same as Megha under every seed",
  );
});

test("a finding comes first: who, what, how many times, with its interval", () => {
  assert.equal(measureWords("Queueing delay, p99"), "p99 queueing delay");
  assert.equal(measureWords("Queueing delay, mean"), "mean queueing delay");
  assert.equal(measureWords("Makespan"), "makespan");
  // Whose jobs a measure counts stands behind it: "Hawk's p99 short jobs of the work: queueing delay" is no sentence.
  assert.equal(
    measureWords("Short jobs of the work: queueing delay, p99"),
    "p99 queueing delay (short jobs of the work)",
  );
  assert.equal(measureWords("Jobs that are graphs: slowdown"), "slowdown (jobs that are graphs)");
  const names = { own: "Sparrow", other: "Megha", measure: "p99 queueing delay", unit: "s" };
  const [more, unsure] = RESULTS.comparisons;
  assert.equal(plain(comparedWords(more, names)), "Sparrow's p99 queueing delay is 3 times Megha's (95 % CI 2 to 4).");
  assert.equal(
    plain(comparedWords(unsure, names)),
    "Sparrow's p99 queueing delay cannot be told from Megha's yet (95 % CI of the difference −1 s to 3 s). Add seeds.",
  );
  assert.equal(
    plain(comparedWords({ verdict: "less", ratio: null, difference: difference(-2, -3, -1) }, names)),
    "Sparrow's p99 queueing delay is 2 s lower than Megha's (95 % CI 1 s to 3 s).",
  );
  const alone = { ...STUDY, plan: { axes: [] } };
  const cells = [cell(0, 0, [], 1, 0.8, 1.2), cell(1, 1, [], 3, 2.5, 3.5)];
  const labels = { "allocation_delay_s.p99": "Queueing delay, p99" };
  const found = findingWords(alone, { ...RESULTS, labels, cells, comparisons: [more] });
  assert.match(plain(found), /^Sparrow's p99 queueing delay is 3 times .* Megha's p99 queueing delay is 1 s \(/);
  assert.equal(
    plain(findingWords(STUDY, { ...RESULTS, labels })),
    "Sparrow's p99 queueing delay is higher than Megha's at heartbeat 1 s and lower at none. " +
      "At heartbeat 10 s no difference can be told yet. " +
      "Among distinguishable differences, the ratio is farthest from 1 at heartbeat 1 s: 3 times Megha's.",
  );
  const runs = [{ allocation_delay_s: { p99: 1 } }, { allocation_delay_s: { p99: 1.6 } }, null];
  assert.equal(
    plain(findingOfRuns(["Megha", "Sparrow", "Hawk"], runs, 0)),
    "Sparrow's p99 queueing delay is 1.6 times Megha's (1.6 s and 1 s).",
  );
  const close = [runs[0], { allocation_delay_s: { p99: 1.01 } }];
  assert.equal(
    plain(findingOfRuns(["Megha", "Sparrow"], close, 0)),
    "Sparrow's p99 queueing delay hardly differs from Megha's (1.01 s and 1 s, 1 %).",
  );
  assert.equal(findingOfRuns(["Megha", "Sparrow"], [null, runs[1]], 0), "");
});

test("a ratio is largest among the values that can be told apart, and one near 1 is hardly a difference", () => {
  const names = { own: "Sparrow", other: "Megha", measure: "p99 queueing delay", unit: "s" };
  const labels = { "allocation_delay_s.p99": "Queueing delay, p99" };
  const [more] = RESULTS.comparisons;
  const told = (...comparisons) =>
    plain(findingWords(STUDY, { ...RESULTS, labels, comparisons })).replace(
      /^.*at (all 3 values|2 of 3 values.*none)\. /,
      "",
    );
  const at = (place, value, ratio, verdict = "more") => ({
    ...more,
    at: [place],
    verdict,
    difference: difference(value, value - 0.001, value + 0.001),
    ratio: difference(ratio, ratio - 1e-4, ratio + 1e-4),
  });
  assert.equal(
    told(at(0, 2, 3), at(1, 1, 2), at(2, 1, 1.5)),
    "The ratio is farthest from 1 at heartbeat 1 s: 3 times Megha's.",
  );
  assert.equal(told(at(0, 2, 3), at(1, 2, 3), at(2, 2, 3)), "It is 3 times Megha's at every value.");
  assert.equal(
    told(at(0, 0.0101, 1.0006), at(1, 0.005, 1.0003), at(2, 900, 5, "not distinguishable yet")),
    "At heartbeat 100 s no difference can be told yet. Among distinguishable differences, it hardly differs: " +
      "the ratio is farthest from 1 at heartbeat 1 s, by 10.1 ms, or 0.06 %.",
  );
  assert.equal(
    plain(comparedWords(at(0, -0.0101, 0.9994, "less"), names)),
    "Sparrow's p99 queueing delay hardly differs from Megha's: 10.1 ms, or 0.06 %, lower (95 % CI 9.1 ms to 11.1 ms).",
  );
  assert.match(plain(verdictWords(at(0, 0.0101, 1.0006), "Megha", "s")), /, 0\.06 % higher$/);
});

test("a parameter that changes nothing names what the experiment lacks for it", () => {
  const axis = { path: "scheduler.params.locality", label: "Weight of data locality", values: [0, 1] };
  const idle = { idle: ["Kubernetes"], needs: ["Input size", "Data without sizes"] };
  assert.equal(idleOfStudy({ ...STUDY, plan: { axes: [axis] } }), "");
  assert.equal(
    idleOfStudy({ ...STUDY, plan: { axes: [{ ...axis, ...idle }] } }),
    '"Weight of data locality" changes nothing under Kubernetes: its tasks have no data. Give them data with ' +
      '"Input size" or "Data without sizes".',
  );
  const field = (title, extra) => ({ title, type: "number", default: 0, ...extra });
  const knobs = knobsFromSchema({
    properties: {
      input_gb: field("Input size"),
      unsized_data: { title: "Data without sizes", type: "boolean", default: false },
      locality: field("Weight of data locality", { acts_with: ["input_gb", "unsized_data"] }),
    },
  });
  const words = (params, at = 2) => idleWords(knobs[at], knobs, { scheduler: { name: "kubernetes-papers", params } });
  assert.equal(
    words({}),
    'Changes nothing here: tasks have no data. Give them data with "Input size" or "Data without sizes".',
  );
  assert.equal(words({ input_gb: 1 }), "");
  assert.equal(words({ unsized_data: true }), "");
  assert.equal(words({}, 0), "");
  // In a dialog, a control reads its value elsewhere, and some stand in another section.
  const elsewhere = knobs.map((knob) => ({
    ...knob,
    path: `compare.${knob.name}`,
    read: () => Number(knob.name === "input_gb"),
  }));
  assert.equal(idleWords(elsewhere[2], elsewhere, { scheduler: { name: "kubernetes-papers" } }), "");
  assert.equal(idleWords(knobs[2], knobs.slice(1), { scheduler: { name: "kubernetes-papers" } }), "");
});

test("a parameter of constraints or queues says that there are none where the work is drawn", () => {
  const of = (speaksOf, experiment) => idleWords({ path: "p", label: "P", speaksOf }, [], experiment);
  const drawn = { workload: { kind: "synthetic" } };
  assert.match(of("constraints", drawn), /no constraints/);
  assert.match(of("queues", drawn), /only one queue/);
  assert.equal(of("constraints", { ...drawn, constraints: { catalogue: "google" } }), "");
  assert.equal(of("queues", { ...drawn, queues: [0.5, 0.5].map((share) => ({ share })) }), "");
  // Tasks of a trace, or by hand, may have priorities and constraints of their own.
  for (const kind of ["trace", "inline"]) assert.equal(of("queues", { workload: { kind } }), "");
  assert.equal(of("", drawn), "");
});

test("a finding names the defaults that suit one trace", () => {
  const fitted = [
    { parameter: "Workers that may run long jobs", value: 0.98, trace: "Yahoo trace", schedulers: ["Hawk", "Eagle"] },
  ];
  assert.equal(
    plain(fittedWords({ ...STUDY, fitted })),
    'For Hawk and Eagle, "Workers that may run long jobs" is at its default, 0.98, which suits the Yahoo trace and ' +
      "perhaps not this work.",
  );
  assert.equal(fittedWords(STUDY), "");
});

test("who has no such parameter stands at every value", () => {
  assert.equal(cellAt(RESULTS, 1, [2]).cell.cell, 1);
  assert.equal(cellAt(RESULTS, 1, [2]).comparison, null);
  assert.equal(cellAt(RESULTS, 1, [0]).comparison.verdict, "more");
  assert.equal(cellAt(RESULTS, 0, [1]).cell.cell, 2);
  assert.equal(
    plain(tellCell(STUDY, RESULTS, 1, [0])),
    "Sparrow, heartbeat 1 s: 3 s, 95 % interval 2.5 s to 3.5 s, 3 runs. 2 s more than Megha (95 % CI 1.5 s to 2.5 " +
      "s), 3 times.",
  );
  assert.equal(plain(tellCell(STUDY, RESULTS, 0, [2])), "Megha, heartbeat 100 s: 4 s, no interval from 1 run.");
  assert.equal(
    plain(tellCell(STUDY, { ...RESULTS, cells: [] }, 0, [2])),
    "Megha, heartbeat 100 s: no run is done yet.",
  );
});

test("values as people type them, and around the present one", () => {
  assert.deepEqual(valuesFrom("0.1, 1; 10 1 paper true"), [0.1, 1, 10, "paper", true]);
  assert.deepEqual(valuesFrom("60%, 90 %, %"), [0.6, 0.9, "%"]);
  assert.equal(plain(valueWords({ path: "workload.arrivals.offered_load" }, 0.6)), "60 %");
  assert.equal(plain(valueWords({ path: "scheduler.params.rack_gb_s" }, 0.125)), "0.125 GB/s");
  assert.equal(plain(valueWords({ path: "scheduler.params.scan_ns" }, 50)), "50 ns");
  assert.equal(plain(valueWords({ path: "scheduler.params.heartbeat_s" }, 0.5)), "500 ms");
  const choice = {
    path: "scheduler.params.fit",
    values: ["first_fit", "worst_fit"],
    shown: ["First fit", "Worst fit"],
  };
  assert.equal(valueWords(choice, "worst_fit"), "Worst fit");
  assert.equal(axisWords({ path: "scheduler.params.rack_gb_s" }), "rack");
  assert.deepEqual(valuesFrom(" , "), []);
  assert.deepEqual(valuesAround({ value: 10, min: 5, max: 30, kind: "number" }), [5, 10, 20, 30]);
  assert.deepEqual(valuesAround({ value: 3, min: 1, kind: "integer" }), [1, 2, 3, 6, 12]);
  assert.deepEqual(valuesAround({ kind: "number", value: 0.75, usual: [0.5, 0.9] }), [0.5, 0.9]);
  assert.deepEqual(valuesAround({ kind: "switch", value: true }), [false, true]);
  assert.deepEqual(valuesAround({ choices: ["a", "b"] }), ["a", "b"]);
  const has = (name, path) => name === "megha" || path !== HEARTBEAT;
  assert.equal(
    runsOf(
      {
        axes: [
          { path: HEARTBEAT, values: [1, 2, 3] },
          { path: "workload.jobs", values: [1, 2] },
        ],
        schedulers: ["megha", "sparrow"],
        repeats: 10,
      },
      has,
    ),
    80,
  );
});

test("what may be varied comes from the schedulers that take part and from the experiment", () => {
  const schema = {
    properties: { heartbeat_s: { type: "number", title: "Heartbeat", default: 10, minimum: 0, unit: "s" } },
  };
  const groups = variables(
    {
      scheduler: { name: "megha", params: { heartbeat_s: 3 } },
      workload: { jobs: 5 },
      topology: { clusters: [{ machines: [{ count: 4 }] }] },
    },
    [{ name: "megha", label: "Megha", params: schema }],
  );
  assert.deepEqual(
    groups.map((each) => [each.group, each.options.map((one) => [one.path, one.value])]),
    [
      ["Megha", [[HEARTBEAT, 3]]],
      [
        "Workload and machines",
        [
          ["workload.jobs", 5],
          ["topology.clusters[0].machines[0].count", 4],
        ],
      ],
    ],
  );
});

const run = (label, params, seed = 1) => ({ label, seed, experiment: { scheduler: { params } } });

test("runs side by side have names that tell them apart", () => {
  assert.deepEqual(namesOf([run("Megha"), run("Sparrow")]), ["Megha", "Sparrow"]);
  assert.deepEqual(namesOf([run("Megha", { heartbeat_s: 1 }), run("Megha", { heartbeat_s: 10 })]).map(plain), [
    "Megha (heartbeat 1 s)",
    "Megha (heartbeat 10 s)",
  ]);
  const knobs = [{ name: "profile", label: "Profile", unit: "", options: { paper: { label: "The paper" } } }];
  const labelled = (params) => ({ ...run("Megha", params), knobs });
  assert.equal(namesOf([labelled({ profile: "paper" }), labelled({ profile: "x" })])[0], "Megha (profile: The paper)");
  assert.deepEqual(namesOf([run("Megha", {}, 1), run("Megha", {}, 2)]), ["Megha (seed 1)", "Megha (seed 2)"]);
  const long = { policy: "# a note\norder: task.arrival_s + min(8, 0.2 * job.tasks)\nscore: machine.free_cpus" };
  const named = namesOf([
    run("Your own", { policy: "order: -job.tasks\nscore: machine.free_cpus" }),
    run("Your own", long),
  ]);
  assert.deepEqual(named, ["Your own (order: -job.tasks)", "Your own (order: task.arrival_s + min(8,…)"]);
  assert.equal(new Set(namesOf([run("Megha", {}), run("Megha", {})])).size, 2);
});

test("the table has ratios to the reference, and none to nothing", () => {
  const summary = (p99, messages) => ({ allocation_delay_s: { p50: 0, p99 }, makespan_s: 100, counters: { messages } });
  const rows = comparedRows([summary(2, 10), summary(5, 10), null], 0);
  const row = (name) => rows.find((each) => each.name === name).cells.map((one) => [plain(one.text), plain(one.ratio)]);
  assert.deepEqual(row("Queueing delay · p99"), [
    ["2.00 s", ""],
    ["5.00 s", "2.5 ×"],
    ["–", ""],
  ]);
  assert.deepEqual(row("Queueing delay · p50"), [
    ["0 s", ""],
    ["0 s", "same"],
    ["–", ""],
  ]);
  assert.deepEqual(row("Messages"), [
    ["10", ""],
    ["10", "same"],
    ["–", ""],
  ]);
  assert.ok(!rows.some((each) => each.name === "Utilization of CPUs"));
});

test("the table has waits by queue, use by resource, and the error of starts that were recorded", () => {
  const summary = (wait, error) => ({
    waits: {
      groups: [
        { kind: "all", name: "", curve_s: [] },
        {
          kind: "queue",
          name: "web",
          curve_s: [
            [0.5, 1],
            [0.99, wait],
          ],
        },
      ],
    },
    utilisation: { cpus: 0.5, memory_gb: 0.25 },
    recorded_starts: { error_s: { mean: error }, within_60_s: 7 },
  });
  const rows = comparedRows([summary(2, 0), summary(5, 30)], 0);
  const cells = (name) => rows.find((each) => each.name === name)?.cells.map((one) => plain(one.text));
  assert.deepEqual(cells("web: queueing delay · p99"), ["2.00 s", "5.00 s"]);
  assert.deepEqual(cells("Utilization of memory"), ["25 %", "25 %"]);
  assert.equal(cells("Utilization of GPUs"), undefined);
  assert.deepEqual(cells("Job starts, mean error against the recording"), ["0 s", "30.0 s"]);
  assert.deepEqual(cells("Job starts within 60 s of the recording"), ["7", "7"]);
});

test("runs are compared by the classes of their work, which every scheduler has, with the definition", () => {
  const told = { jobs: 2, allocation_delay_s: { p50: 1, p99: 4 }, job_completion_s: { p99: 9 } };
  const split = (cutoff_s, factor) => ({
    by_work_class: {
      definition: `Short: at most ${cutoff_s} s.`,
      cutoff_s,
      short: told,
      long: { ...told, allocation_delay_s: { p50: 2, p99: 4 * factor } },
    },
  });
  const rows = comparedRows([split(30, 1), split(30, 3)], 0);
  const row = rows.find((each) => each.name === "Long jobs: queueing delay · p99");
  assert.deepEqual(
    row.cells.map((cell) => plain(cell.ratio)),
    ["", "3 ×"],
  );
  assert.equal(row.help, "Short: at most 30 s.");
  assert.ok(rows.some((each) => each.name === "Short jobs: queueing delay · p99"));
  assert.equal(classesOf([split(30, 1), null]), "Short: at most 30 s.");
  // Other cut-offs make other jobs short, and where all jobs are alike, there are no classes.
  assert.deepEqual([classesOf([split(30, 1), split(60, 1)]), classesOf([{}, split(30, 1)])], ["", ""]);
  assert.equal(classesOf([{ by_work_class: { ...split(30, 1).by_work_class, long: { jobs: 0 } } }]), "");
});

const META = {
  machines: 3,
  clusters: [{ name: "a", first: 0, machines: 3, partitions: [] }],
  layers: [{ name: "load", kind: "level", role: "load" }],
  owners: [],
  marks: [],
};
const picture = (...load) => ({ t_ns: 5, layers: { load: Uint8Array.from(load) } });

test("a difference says who is fuller and by how much", () => {
  const made = differencePicture([META, META], [picture(255, 0, 100), picture(255, 100, 0)], [0, 2]);
  assert.deepEqual([...made.layers.fuller], [255, 2, 0]);
  assert.deepEqual([...made.layers.gap], [0, 100, 100]);
  assert.equal(made.differ, 2);
  assert.equal(differencePicture([META, META], [picture(1, 1, 1), picture(1, 1, 1)], [0, 1], made).differ, 0);
  assert.deepEqual(differenceMeta(META, ["A", "B"]).owners, ["Busier: A", "Busier: B"]);
  assert.ok(sameMachines(META, { ...META, owners: ["x"] }));
  assert.ok(!sameMachines(META, { ...META, machines: 4 }));
  assert.ok(!sameMachines(META, { ...META, clusters: [{ name: "b", first: 0, machines: 3 }] }));
  const runs = [
    { meta: META, picture: picture(255, 0, 51) },
    { meta: META, picture: picture(0, 0, 0) },
  ];
  assert.equal(plain(tellMachine(runs, ["A", "B"], 2)), "Machine 2 of a: 20 % under A, idle under B.");
});

const hist = (counts) => ({ edges: [0, 1e6, 1e7, 1e8], counts });

test("curves share one axis, and one hover tells of all", () => {
  const hists = [hist([0, 10, 0, 0]), null, hist([0, 0, 10, 0])];
  const place = cdfPlace(hists, 500, 300);
  assert.deepEqual([place.low, place.high], [1e6, 1e8]);
  assert.ok(Math.abs(place.ns(place.x(5e6)) - 5e6) < 1);
  assert.equal(plain(tellCdf(hists, ["A", "B", "C"], 2e7)), "Started within 20.0 ms: 100 % under A, 0 % under C.");
  const curves = cdfScene(hists, { width: 500, height: 300 }).find((mark) => mark.kind === "clip").inside;
  assert.equal(curves.length, 2);
  const lines = [{ t: [0, 1e9, 2e9], v: [0, 0.5, 1] }, null];
  assert.equal(plain(tellTime(lines, ["A", "B"], "In use", "1", 1.5e9, 2e9)), "00:00:01.5, in use: 50 % under A.");
  assert.equal(
    timeScene(lines, { span: [0, 2e9], unit: "1", width: 400, height: 100 }).find((mark) => mark.kind === "clip").inside
      .length,
    1,
  );
  assert.equal(topOf([{ v: [100] }], "tasks"), 105);
  assert.equal(playheadScene(3e9, [0, 2e9], 400, 100).length, 0);
  assert.equal(playheadScene(1e9, [0, 2e9], 400, 100).length, 1);
});

test("runs play together: as long as the longest, over when all are", () => {
  const store = (endNs, complete, marks = []) => ({
    count: 2,
    startNs: 0,
    endNs,
    complete,
    times: [0, endNs],
    marks,
    indexAt: (t) => (t >= endNs ? 1 : 0),
    nextMark: (t) => marks.find((mark) => mark.t_ns > t) ?? null,
    previousMark: (t) => [...marks].reverse().find((mark) => mark.t_ns < t) ?? null,
  });
  const together = new Together([store(10, true, [{ t_ns: 4 }]), store(30, false, [{ t_ns: 2 }, { t_ns: 8 }])]);
  assert.deepEqual([together.endNs, together.complete, together.count, together.startNs], [30, false, 2, 0]);
  assert.equal(together.nextMark(0).t_ns, 2);
  assert.equal(together.nextMark(2).t_ns, 4);
  assert.equal(together.previousMark(8).t_ns, 4);
  assert.equal(together.marks.length, 3);
  assert.deepEqual([together.indexAt(20), together.times], [0, [0, 30]]);
  const still = (t_ns) => ({
    ...store(t_ns, true, []),
    hasSteps: false,
    times: [0, t_ns],
    startNs: 0,
    indexAt: () => 0,
  });
  const player = new Player(new Together([still(10), still(30)]), { t_ns: 5 });
  assert.equal(player.step(1), null);
  assert.equal(player.t_ns, 30);
  const none = new Together([]);
  assert.deepEqual([none.count, none.endNs, none.startNs, none.complete, none.indexAt(0)], [0, 0, 0, false, -1]);
});

test("verdicts of many comparisons are counted, what differs first", () => {
  const verdicts = ["not distinguishable yet", "more", "less", "more", "same"].map((verdict) => ({ verdict }));
  assert.equal(verdictCounts(verdicts), "2 higher, 1 lower, 1 the same, 1 not distinguishable yet");
  assert.equal(verdictCounts([]), "");
});

test("a cell in whose runs nothing completed says so, and is no cell of 0 s", () => {
  const cell = { cell: 0, scheduler: 0, at: [], values: [], value: 2, low: 1, high: 3, n: 4 };
  const none = { cell: 1, scheduler: 1, at: [], values: [], runs: 5 };
  const results = { metric: "job_delay_s.p99", cells: [cell], none: [{ ...none, cell: 0, runs: 1 }, none] };
  assert.deepEqual(rowsOf(results), [cell, { ...none, value: null, low: null, high: null, n: 0 }]);
  assert.equal(rowsOf(results)[0], cell);
  assert.deepEqual(
    rowsOf(results).map((each) => runsWords(each, results)),
    ["4 (1 more: none completed)", "5"],
  );
});

test("side by side, a run without a completed job says so in place of 0 s", () => {
  const empty = { mean: null, p50: null, p90: null, p99: null, "p99.9": null, max: null };
  const some = { mean: 1, p50: 1, p90: 1, p99: 1, "p99.9": 1, max: 1 };
  const rows = comparedRows(
    [
      { allocation_delay_s: some, job_completion_s: empty },
      { allocation_delay_s: empty, job_completion_s: some },
    ],
    0,
  );
  const texts = (name) => rows.find((row) => row.name === name).cells.map((each) => [each.text, each.ratio]);
  assert.deepEqual(texts("Queueing delay · p50")[1], ["none started", ""]);
  assert.deepEqual(texts("Job completion time · p50")[0], ["none completed", ""]);
});

const atLoad = (load, count, more = {}) => ({
  workload: { arrivals: { kind: "poisson", offered_load: load } },
  topology: { clusters: [{ repeat: 2, machines: [{ count, cpus: 4, ...more }] }] },
});
const COUNT = "topology.clusters[0].machines[0].count";

test("a comparison asks what stays only where it changes machines at a load", () => {
  assert.equal(asksWhatHolds(atLoad(0.8, 10), [COUNT]), true);
  assert.equal(asksWhatHolds({ ...atLoad(0.8, 10), workload: { arrivals: { rate_per_s: 3 } } }, [COUNT]), false);
  assert.equal(asksWhatHolds({ workload: { kind: "trace", offered_load: 0.5 } }, [COUNT]), true);
  assert.equal(asksWhatHolds(atLoad(0.8, 10), [HEARTBEAT]), false);
  assert.equal(asksWhatHolds(atLoad(0.8, 10), [COUNT, "workload.jobs"]), false);
  assert.equal(asksWhatHolds(atLoad(0.8, 10), []), false);
  // Where it need not ask, it says that the work stays: with a trace as recorded, and with a rate.
  assert.equal(keepsWork({ workload: { kind: "trace" } }, [COUNT]), true);
  assert.equal(keepsWork({ workload: { arrivals: { rate_per_s: 3 } } }, [COUNT]), true);
  assert.equal(keepsWork({ workload: { kind: "trace", offered_load: 0.5 } }, [COUNT]), false);
  assert.equal(keepsWork({ workload: { kind: "trace" } }, [HEARTBEAT]), false);
});

test("a comparison begins with what the gallery entry of its experiment suggests", () => {
  const alike = (title) => ({ title, type: "number", default: 1, alike: true });
  const scheduler = (name) => ({
    name,
    params: { properties: { short_cutoff_s: alike("Cut-off"), long_partition_share: alike("Long") } },
  });
  const [eagle, hawk] = [scheduler("eagle"), scheduler("hawk")];
  const sparrow = { name: "sparrow", params: { properties: {} } };
  const trial = (name, share) => ({ name, params: { short_cutoff_s: 30, long_partition_share: share } });
  const change = (one) => ({ text: "", change: { scheduler: one } });
  const trials = trialsOf({
    next: [change(trial("eagle", 0.9)), change(trial("hawk", 0.85)), { text: "", change: { seed: 3 } }, { text: "" }],
  });
  assert.deepEqual(trials, [trial("eagle", 0.9), trial("hawk", 0.85)]);
  assert.deepEqual(trialsOf(null), []);
  const experiment = { scheduler: { name: "sparrow" } };
  const params = new ComparedParams(experiment, [sparrow, eagle, hawk], 25.5, trials);
  assert.deepEqual([params.of(eagle), params.of(hawk)], [trial("eagle", 0.9).params, trial("hawk", 0.85).params]);
  // A study then sends them, although they are what the dialog began with.
  assert.deepEqual(
    [eagle, hawk, sparrow].map((one) => params.isChanged(one)),
    [true, true, false],
  );
  assert.equal(new ComparedParams(experiment, [sparrow, eagle], 25.5).isChanged(eagle), false);
  // A change of one scheduler leaves the other's trial alone; one by the common control is for both.
  params.set(eagle, "long_partition_share", 0.7);
  assert.deepEqual([params.of(eagle), params.of(hawk)], [trial("eagle", 0.7).params, trial("hawk", 0.85).params]);
  params.set(eagle, "short_cutoff_s", 20, true);
  assert.deepEqual(
    [eagle, hawk].map((one) => params.of(one).short_cutoff_s),
    [20, 20],
  );
  assert.equal(params.of(hawk).long_partition_share, 0.85);
  // The experiment's own scheduler keeps its own parameters.
  const own = new ComparedParams({ scheduler: { name: "eagle", params: {} } }, [eagle, hawk], null, trials);
  assert.deepEqual(own.of(eagle), {});
});

test("an axis says what it holds", () => {
  assert.equal(axisWords({ path: COUNT, label: "Machines", holds: "work" }), "machines (same work)");
  assert.equal(axisWords({ path: COUNT, label: "Machines", holds: "load" }), "machines (same load)");
});

test("at the same work, the load falls as machines are added, and comes back exactly", () => {
  const held = new HeldWork();
  const load = (experiment) => experiment.workload.arrivals.offered_load;
  const more = held.kept(atLoad(0.8, 250), atLoad(0.8, 300));
  assert.equal(load(more), 0.8 / 1.2);
  assert.equal(load(held.kept(more, atLoad(load(more), 250))), 0.8);
  // A load that a person sets in between is where the next change starts.
  assert.equal(load(held.kept(atLoad(0.5, 300), atLoad(0.5, 600))), 0.25);
  const two = atLoad(0.8, 10);
  two.topology.clusters[0].machines.push({ count: 5, cpus: 1, memory_gb: 8 });
  assert.deepEqual([asksWhatStays(atLoad(0.8, 10)), asksWhatStays(two)], [true, false]);
  // Where memory grows and CPUs do not, the load does not tell the arrivals.
  assert.equal(held.kept(atLoad(0.5, 10, { memory_gb: 4 }), atLoad(0.5, 10, { memory_gb: 8 })), null);
});

test("a trace can be stretched to loads and resampled by seed, as recorded or not", () => {
  const trace = { workload: { kind: "trace", trace: "t_1" } };
  const paths = (experiment) =>
    variables(experiment, [])
      .at(-1)
      .options.map((each) => each.path);
  assert.ok(paths(trace).includes("workload.offered_load"));
  const fit = { workload: { kind: "synthetic", arrivals: { kind: "poisson", rate_per_s: 2 } } };
  assert.ok(paths(fit).includes("workload.arrivals.offered_load"));
  assert.ok(!paths({ workload: { kind: "dags", arrivals: { kind: "at_once" } } }).some((path) => /load/.test(path)));
  assert.ok(!paths(atLoad(0.8, 10)).includes("workload.offered_load"));
  assert.deepEqual(valuesAround(variables(trace, []).at(-1).options[0]), [0.5, 0.7, 0.8, 0.9, 0.95]);
  assert.deepEqual(
    [isFixedTrace(trace), isFixedTrace(resampled(trace)), isFixedTrace(atLoad(0.8, 10))],
    [true, false, false],
  );
  assert.equal(trace.workload.resampling, undefined);
});

test("a cell without an interval says whether it has too few runs, or whether nothing varied", () => {
  const words = (n, statistic) => noIntervalWords({ n }, { statistic });
  assert.deepEqual([words(1, "mean"), words(2, "bootstrap"), words(5, "median")], Array(3).fill("needs more runs"));
  assert.deepEqual([words(6, "mean"), words(6, "median")], Array(2).fill("none: all runs have this value"));
});
