/** Queues, priorities and machines, side by side and in studies: names, words, rows. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { clusterMeasure, clusterNames, clusterValue } from "../../static/js/run/cluster_measures.js";
import { clusterRows } from "../../static/js/features/compare/cluster_rows.js";
import { areAlike } from "../../static/js/features/compare/cluster_table.js";
import { studyRows } from "../../static/js/features/studies/cluster_study.js";

const plain = (text) => text.replaceAll("\u202f", " ").replaceAll("\u00a0", " ");
const group = (p99, pending, stopped = 0) => ({
  tasks: 5,
  started: 4,
  pending,
  stopped,
  allocation_delay_s: { mean: p99 / 2, p50: 0, p90: 1, p99, max: 9 },
});
const TYPE = "4 cpus, 16 memory_gb";
const summary = (p99, pending, fit) => ({
  by_priority: { "-5": group(p99, pending), 2000000000: group(1, 0) },
  by_queue: { "kube.system": group(2, 0, 3), web: group(3, 0, 0) },
  room: {
    machines_used: 1.5,
    held: { cpus: 0.5, memory_gb: 0.25 },
    spread: { cpus: 0.1 },
    fits: { [TYPE]: { cpus: { mean: fit, least: 0, end: 4 } } },
  },
});

test("the rows have the highest priority first, queues with points in their names, use, and what still fits", () => {
  const parts = clusterRows([summary(8, 1, 3), summary(4, 0, 1.5), null], 0);
  assert.deepEqual(
    parts.map(([part]) => part),
    ["By priority", "By queue", "Use of machines", "Largest request that still fits"],
  );
  const rows = new Map(
    parts.flatMap(([, some]) =>
      some.map(({ measure, cells }) => [
        plain(measure.label),
        cells.map((cell) => plain(`${cell.text} ${cell.ratio}`)),
      ]),
    ),
  );
  assert.equal([...rows.keys()][0], "Priority 2,000,000,000: queueing delay, mean");
  assert.deepEqual(rows.get("Priority -5: queueing delay, p99"), ["8.00 s ", "4.00 s 0.5 ×", "– "]);
  assert.deepEqual(rows.get("Priority -5: pending tasks"), ["1 ", "0 ", "– "]);
  assert.deepEqual(rows.get("kube.system: stopped tasks"), ["3 ", "3 same", "– "]);
  assert.ok(!rows.has("web: pending tasks"), "a count that is 0 everywhere has no row");
  assert.deepEqual(rows.get("Held by tasks: memory"), ["25 % ", "25 % same", "– "]);
  assert.deepEqual(rows.get("Machines with 4 CPUs, 16 GB of memory: CPUs, mean"), ["3 ", "1.5 0.5 ×", "– "]);
});

test("a run without these measures, such as an old recording, leaves their rows out", () => {
  assert.deepEqual(clusterRows([summary(8, 1, 3), { makespan_s: 1 }], 0), []);
  assert.deepEqual(clusterRows([null, null], 0), []);
});

test("every name in a summary has words and a value", () => {
  const one = summary(8, 1, 3);
  for (const name of clusterNames(one)) {
    assert.ok(clusterMeasure(name)?.label, name);
    assert.equal(typeof clusterValue(one, name), "number", name);
  }
  assert.equal(clusterMeasure("allocation_delay_s.p99"), null);
});

test("a study's rows have the parts in the same order, and no counts that are 0 in every cell", () => {
  const number = (metric, ...values) => ({
    metric,
    unit: "",
    cells: values.map((value, scheduler) => ({ scheduler, value, low: null, high: null })),
    comparisons: [],
  });
  const parts = studyRows([
    number("by_queue.web.pending", 0, 2),
    number("by_queue.batch.pending", 0, 0),
    number("by_queue.web.tasks", 5, 5),
    number("by_priority.7.allocation_delay_s.p99", 1, 2),
    number("room.spread.cpus", 0.1, 0.2),
  ]);
  assert.deepEqual(
    parts.map(([part, rows]) => [part, rows.map(({ measure }) => measure.name)]),
    [
      ["By priority", ["by_priority.7.allocation_delay_s.p99"]],
      ["By queue", ["by_queue.web.pending"]],
      ["Use of machines", ["room.spread.cpus"]],
    ],
  );
});

test("a study is offered where runs differ in the scheduler alone", () => {
  const run = (scheduler, more = {}) => ({
    seed: 1,
    experiment: { name: scheduler, scheduler: { name: scheduler }, ...more },
  });
  assert.ok(areAlike([run("fifo"), run("kubernetes")]));
  assert.ok(!areAlike([run("fifo", { warmup_s: 1 }), run("kubernetes", { warmup_s: 2 })]));
  assert.ok(!areAlike([run("fifo"), { ...run("fifo"), seed: 2 }]));
});
