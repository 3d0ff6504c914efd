import { honoursGraphs } from "../../static/js/experiment/needs.js";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";

import { KINDS, kindWords } from "../../static/js/features/traces/import_notes.js";
import { useWords } from "../../static/js/kit/words.js";
import { DEFAULT_EXPERIMENT } from "../../static/js/experiment/default_experiment.js";
import {
  burstWords,
  cleanMapping,
  cutOf,
  experimentOf,
  graphWords,
  hasTraceConstraints,
  leftOutWords,
  mappingLacks,
  shownName,
  troubleWords,
  withTrace,
  withTraceConstraints,
} from "../../static/js/features/traces/traces.js";

test("a mapping says what it lacks, one thing at a time", () => {
  assert.match(mappingLacks({}), /when work arrives/);
  assert.match(mappingLacks({ arrival: "a" }), /how long a task runs/);
  assert.match(mappingLacks({ arrival: "a", duration: "b", end: "c" }), /not both/);
  assert.match(mappingLacks({ arrival: "a", duration: "b", start: "c" }), /Choose the end/);
  assert.equal(mappingLacks({ arrival: "a", end: "b", start: "c" }), "");
  assert.deepEqual(cleanMapping({ arrival: "a", job: "", header: false }), { arrival: "a", header: false });
});

test("a cut is read as a person writes it", () => {
  assert.equal(cutOf({ from_s: " ", sample: "" }), null);
  assert.deepEqual(cutOf({ from_s: "0", to_s: "1,000", sample: "20 %".replace(" ", "") }), {
    from_s: 0,
    to_s: 1000,
    sample: 0.2,
  });
  assert.throws(() => cutOf({ tasks: "many" }), /tasks/);
});

test("what was left out and how bursty it is, in words", () => {
  assert.deepEqual(leftOutWords({ left_out: [{ kind: "no run time", count: 1200, first_line: 4 }] }), [
    "1,200 × no run time, first on line 4",
  ]);
  assert.match(burstWords({ gap_cv: 1, windows: [] }), /chance \(Poisson\)/);
  assert.match(
    burstWords({ gap_cv: 25, windows: [{ length_s: 60, dispersion: 3, peak_to_mean: 12 }] }),
    /strong bursts.*12 times the mean/,
  );
});

const trace = {
  id: "t1",
  name: "a.csv",
  jobs: 10,
  tasks: 20,
  span_s: 100,
  work_s: 90_000,
  at_once: { tasks: 900, cpus: null },
  constraints: [
    { name: "k01", attribute: "x", comparison: "==", value: "1", machine_share: 0.25 },
    { name: "k02", machine_share: null },
  ],
};

test("a trace or its fit becomes an experiment with machines that fit it", () => {
  const own = experimentOf(trace);
  assert.equal(own.workload.trace, "t1");
  const {
    repeat,
    machines: [{ count, cpus }],
  } = own.topology.clusters[0];
  assert.ok(Math.abs(repeat * count * cpus - 1000) <= 0.05 * 1000);
  const drawn = experimentOf(trace, { kind: "synthetic", classes: [] });
  assert.equal(drawn.workload.kind, "synthetic");
  assert.deepEqual(drawn.topology, own.topology);
  assert.match(drawn.name, /^Like a\.csv/);
});

test("the queues that a trace names are those of its experiment", () => {
  const queues = ["red", "blue", "none"];
  const made = [experimentOf({ ...trace, queues }), withTrace(DEFAULT_EXPERIMENT, "t1", false, queues)];
  for (const { queues: own, workload } of made) {
    assert.equal(workload.queue_assignment, "column");
    assert.deepEqual(
      own.map(({ name, share }) => [name, share]),
      queues.map((name) => [name, 0.333333]),
    );
  }
  const kept = { ...DEFAULT_EXPERIMENT, queues: queues.map((name, place) => ({ name, share: 0.1 * (place + 1) })) };
  assert.deepEqual(withTrace(kept, "t1", false, queues).queues, kept.queues);
  assert.equal(withTrace(made[1], "t2").workload.queue_assignment, undefined);
});

test("graphs of a trace: words, who honours them, and a scheduler that does", () => {
  const graphs = { jobs: 1200, stages: 3000, edges: 4000 };
  assert.equal(graphWords({ graphs: null }), "");
  assert.match(graphWords({ graphs }), /^1,200 of its jobs are graphs: 3\S+ stages, 4\S+ edges\.$/);
  assert.deepEqual(
    [honoursGraphs(undefined), honoursGraphs({ supports: ["pooled"] }), honoursGraphs({ supports: ["dag"] })],
    [false, false, true],
  );
  assert.equal(withTrace(DEFAULT_EXPERIMENT, "t1").workload.graphs, undefined);
  assert.equal(withTrace(DEFAULT_EXPERIMENT, "t1", true).workload.graphs, "drop");
  assert.equal(experimentOf(trace).scheduler.name, "megha");
  assert.equal(experimentOf({ ...trace, graphs }).scheduler.name, "carbyne");
  assert.equal(experimentOf({ ...trace, graphs }, { kind: "synthetic", classes: [] }).scheduler.name, "megha");
});

test("its constraints are taken over as a whole", () => {
  assert.equal(hasTraceConstraints(DEFAULT_EXPERIMENT, trace), false);
  const next = withTraceConstraints(DEFAULT_EXPERIMENT, trace);
  assert.deepEqual(
    next.constraints.custom.map((each) => [each.name, each.machine_share]),
    [
      ["k01", 0.25],
      ["k02", 0.5],
    ],
  );
  assert.ok(next.topology.clusters.every((cluster) => cluster.constraint_mix === "custom"));
  assert.equal(hasTraceConstraints(next, trace), true);
});

test("wrong lines are listed one by one, and the remedy that they share is said once", () => {
  const remedy = "correct the lines";
  const problems = [
    { path: "line 7", message: "'cpu' is '-2', which is negative", allowed: "a number", remedy },
    { path: "", message: "has 3 more such values", allowed: "", remedy },
  ];
  assert.deepEqual(troubleWords("a.csv", { message: "no", problems }), {
    lines: ["line 7: 'cpu' is '-2', which is negative. Allowed: a number.", "a.csv has 3 more such values."],
    remedy: "Correct the lines.",
  });
  const other = [problems[0], { ...problems[1], remedy: "shorten it" }];
  const told = troubleWords("a.csv", { message: "no", problems: other });
  assert.match(told.lines[0], /correct the lines/i);
  assert.match(told.lines[1], /shorten it/i);
  assert.equal(told.remedy, "");
  assert.deepEqual(troubleWords("a.csv", { message: "no" }), { lines: ["no"], remedy: "" });
});

const ROOT = new URL("../../", import.meta.url);
const read = (name) => readFileSync(new URL(name, ROOT), "utf8");

test("every reason of a reader to leave a row out is known in words of the page", () => {
  const folder = "scheduler_core/workload/readers/";
  const sources = readdirSync(new URL(folder, ROOT))
    .filter((name) => name.endsWith(".py"))
    .map((name) => read(folder + name));
  const told = sources.flatMap((source) =>
    [...source.matchAll(/^ +(?:wrong\[)?"((?:no|a|an|tasks) [^"]+)"(?:: |\] = )/gm)].map(([, kind]) => kind),
  );
  assert.ok(told.length > 20);
  assert.deepEqual([...new Set(told)].sort(), KINDS().sort());
});

test("a page in another language has no English of the library in it", () => {
  const parts = (name) => Object.assign({}, ...Object.values(JSON.parse(read(name))));
  const kinds = KINDS();
  useWords({ ...parts("playground/locale/declared/de.json"), ...parts("playground/locale/de.json") });
  try {
    for (const kind of [...kinds, "not 9 columns"]) assert.doesNotMatch(kindWords(kind), /\b(the|that|no|of|not|is)\b/);
    for (const { note } of JSON.parse(read("fixtures/traces.json")))
      assert.notEqual(shownName({ source: "bundled", name: "a", note }), note);
  } finally {
    useWords({});
  }
});
