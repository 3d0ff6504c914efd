import { ticks } from "../../static/js/kit/scales.js";
import assert from "node:assert/strict";
import test from "node:test";

import { timelineSvg, waitsSvg } from "../../static/js/draw/charts/svg.js";
import { pickRun } from "../../static/js/run/runs.js";
import {
  busyCpus,
  cpusOf,
  describeTrace,
  fitted,
  fullness,
  grouped,
  withTrace,
} from "../../static/js/features/traces/traces.js";

const edges = [0, ...Array.from({ length: 40 }, (_, i) => 1e3 * 2 ** i)];
const hist = { edges, counts: edges.map((_, i) => (i > 8 && i < 20 ? i : 0)) };

test("waits are drawn as bars and a curve that ends at all tasks", () => {
  const svg = waitsSvg({ title: 'A & <b> "c"', subtitle: "Megha", hist, percentiles: { p50: 2e6, p99: null } });
  assert.match(svg, /<title>A &#38; &#60;b&#62; &#34;c&#34;<\/title>/);
  assert.ok(svg.match(/<rect /g).length > 8);
  assert.equal(svg.match(/<path /g).length, 1);
  assert.match(svg, /p50 2/);
  assert.doesNotMatch(svg, /NaN|undefined|Infinity/);
  assert.equal(waitsSvg({ title: "t", subtitle: "", hist, ghost: hist }).match(/<path /g).length, 2);
});

test("a chart without tasks is empty and whole", () => {
  const svg = waitsSvg({ title: "t", subtitle: "", hist: { edges, counts: edges.map(() => 0) } });
  assert.doesNotMatch(svg, /<path|NaN/);
  assert.ok(svg.endsWith("</svg>\n"));
});

test("the timeline has a line for each series and stays small", () => {
  const t = Array.from({ length: 50_000 }, (_, i) => i * 1e6);
  const svg = timelineSvg({
    title: "t",
    subtitle: "s",
    end_ns: 5e10,
    lines: [
      { label: "Machines in use", unit: "1", t, v: t.map((_, i) => (i % 100) / 100) },
      { label: "Waiting", unit: "tasks", t, v: t.map((_, i) => i) },
    ],
  });
  assert.equal(svg.match(/<path /g).length, 2);
  assert.ok(svg.length < 120_000, String(svg.length));
  assert.doesNotMatch(svg, /NaN|undefined/);
  assert.doesNotMatch(timelineSvg({ title: "t", subtitle: "s", end_ns: 0, lines: [] }), /NaN/);
});

const trace = {
  id: "t1",
  name: "a.tr",
  source: "bundled",
  jobs: 1200,
  tasks: 26000,
  span_s: 300,
  work_s: 135_000,
  at_once: { tasks: 450, cpus: null },
  bytes: 5000,
  synthetic: true,
  note: "",
};
const experiment = {
  topology: { clusters: [{ repeat: 8, racks: 5, machines: [{ count: 250, cpus: 4 }] }] },
  workload: { kind: "synthetic", demand: { cpus: 1 }, queue_assignment: "by_share", tasks: 5 },
};

test("a trace takes the place of the work and keeps what a task takes", () => {
  const next = withTrace(experiment, "t1");
  assert.deepEqual(next.workload, {
    kind: "trace",
    trace: "t1",
    task_demand: { cpus: 1 },
    queue_assignment: "by_share",
  });
  assert.equal(experiment.workload.kind, "synthetic");
  assert.deepEqual(withTrace(next, "t2").workload, { ...next.workload, trace: "t2" });
});

test("the machines can be fitted to a trace", () => {
  assert.equal(busyCpus(trace), 450);
  assert.equal(cpusOf(experiment), 8000);
  assert.match(fullness(experiment, trace), /450 of 8,000 CPUs/);
  const stretched = { ...experiment, workload: { ...experiment.workload, offered_load: 0.8 } };
  assert.match(fullness(stretched, trace), /^Arrivals are stretched to a load of 80.%\.$/);
  const next = fitted(experiment, trace);
  const [cluster] = next.topology.clusters;
  assert.equal(cluster.machines[0].count, 16);
  assert.equal(fitted(next, trace), null);
  assert.equal(fitted(experiment, { ...trace, at_once: null }), null);
});

test("what a trace says of its CPUs counts, and more than there are is no CPU busy", () => {
  const few = { ...trace, at_once: { tasks: 2, cpus: 3.5 } };
  assert.equal(busyCpus(few, 4), 3.5);
  assert.equal(busyCpus({ ...few, at_once: { tasks: 2, cpus: null } }, 4), 8);
  assert.match(fullness(experiment, few), /^Keeps 3\.5 of 8,000 CPUs busy/);
  const many = fullness(experiment, { ...trace, at_once: { tasks: 16_000, cpus: null } });
  assert.match(many, /16,000.*8,000.*200.%/);
  assert.doesNotMatch(many, /busy/);
});

test("a trace is told in a line", () => {
  assert.match(describeTrace(trace), /1,200 jobs, 26k tasks in .*, synthetic\.$/);
  assert.match(describeTrace({ ...trace, jobs: null, synthetic: null }), /5.kB, read when it runs\.$/);
  assert.deepEqual(
    grouped([trace]).map(([, found]) => found.length),
    [1],
  );
});

test("axes count in round numbers", () => {
  assert.deepEqual(ticks(836, 3), [0, 500]);
  assert.deepEqual(ticks(1, 2), [0, 0.5, 1]);
  assert.deepEqual(ticks(833, 6), [0, 200, 400, 600, 800]);
});

test("a run whose recording is gone is shown only when there is no other", () => {
  const old = { id: "a", state: "done", recording: "kept" };
  const gone = { id: "b", state: "done", recording: "removed" };
  assert.equal(pickRun([old, gone]).id, "a");
  assert.equal(pickRun([gone, { id: "c", state: "cancelled", recording: "none" }]).id, "b");
});
