import assert from "node:assert/strict";
import test from "node:test";
import {
  addClass,
  fitRows,
  presetOf,
  removeClass,
  statisticWords,
  withArrivals,
  withEnd,
  withPreset,
  withRate,
} from "../../static/js/experiment/workloads.js";
import {
  asKind,
  cdfOf,
  curve,
  DISTRIBUTIONS,
  meanOf,
  mixtureOf,
  spanOf,
} from "../../static/js/experiment/distributions.js";

const base = {
  workload: {
    kind: "synthetic",
    tasks: 100,
    arrivals: { kind: "poisson", offered_load: 0.8 },
    tasks_per_job: { kind: "constant", value: 4 },
    duration_s: { kind: "exponential", mean: 10 },
  },
};
const near = (found, wanted, off = 1e-3) => assert.ok(Math.abs(found - wanted) <= off, `${found} is not ${wanted}`);
const ONE = {
  constant: { value: 3 },
  exponential: { mean: 2 },
  lognormal: { median: 4, sigma: 0.7 },
  bounded_pareto: { alpha: 1.3, min: 1, max: 50 },
  empirical: { values: [1, 2, 8], shares: [0.2, 0.7, 1], between: "geometric" },
};

for (const kind of Object.keys(DISTRIBUTIONS)) {
  test(`the distribution function of ${kind} grows from 0 to 1, and its density adds up to 1`, () => {
    const distribution = { kind, ...ONE[kind] };
    const { x, density, cdf } = curve([{ share: 1, distribution }], 400);
    assert.ok(cdf.every((value, index) => index === 0 || value >= cdf[index - 1]));
    const step = Math.log10(x[1] / x[0]);
    near(density.reduce((sum, value) => sum + value * step, 0) + cdf[0], cdf.at(-1), 1e-6);
    assert.ok(cdf[0] <= 0.21 && cdf.at(-1) >= 0.998);
  });

  test(`another kind in the place of ${kind} keeps about the mean`, () => {
    const mean = meanOf({ kind, ...ONE[kind] });
    const other = meanOf(asKind({ kind, ...ONE[kind] }, "exponential"));
    near(other / mean, 1, 0.01);
  });
}

test("medians are where they should be", () => {
  near(cdfOf({ kind: "lognormal", median: 4, sigma: 0.7 }, 4), 0.5);
  near(cdfOf({ kind: "lognormal", mu: Math.log(4), sigma: 0.7 }, 4 * Math.exp(0.7)), 0.8413);
  near(cdfOf({ kind: "exponential", mean: 2 }, 2 * Math.log(2)), 0.5);
  assert.equal(cdfOf({ kind: "exponential", mean: 2, max: 1 }, 1), 1);
  const [low, high] = spanOf([{ share: 1, distribution: { kind: "constant", value: 5 } }]);
  assert.ok(low < 5 && high > 5);
});

test("classes mix by jobs for sizes and by tasks for durations", () => {
  const classes = [
    { name: "short", weight: 9 },
    {
      name: "long",
      weight: 1,
      tasks_per_job: { kind: "constant", value: 36 },
      duration_s: { kind: "constant", value: 100 },
    },
  ];
  const workload = { ...base.workload, classes };
  near(mixtureOf(workload, "tasks_per_job")[1].share, 0.1);
  near(mixtureOf(workload, "duration_s")[1].share, 0.5);
});

test("kinds of arrivals change with the rate kept", () => {
  const renewal = withArrivals(base, "renewal");
  assert.deepEqual(renewal.workload.arrivals, { kind: "renewal", cv: 3, offered_load: 0.8 });
  assert.deepEqual(withRate(renewal, "rate_per_s", 5).workload.arrivals, { kind: "renewal", cv: 3, rate_per_s: 5 });
  const timed = withEnd(base, "arrive_for_s", 60);
  assert.ok(!("tasks" in timed.workload));
  assert.equal(withArrivals(timed, "at_once").workload.jobs, 1000);
  assert.equal(base.workload.tasks, 100);
});

test("a preset is recognised whatever its rate and number of jobs, until its shape changes", () => {
  const preset = {
    name: "p",
    targets: { jobs: 5, long_jobs: 0.1, "duration_s.p50": 10 },
    workload: {
      kind: "synthetic",
      jobs: 5,
      tasks: null,
      arrivals: { kind: "poisson", rate_per_s: 3, offered_load: null },
      duration_s: { kind: "exponential", mean: 3, min: null },
    },
  };
  const chosen = withPreset(base, preset);
  assert.equal(chosen.workload.arrivals.offered_load, 0.8);
  assert.equal(presetOf(chosen.workload, [preset]), preset);
  assert.equal(presetOf(withEnd(chosen, "jobs", 50).workload, [preset]), preset);
  assert.equal(presetOf(withArrivals(chosen, "renewal").workload, [preset]), null);
  const rows = fitRows(preset, { jobs: 5, long_jobs: 0.12, duration_s: { p50: 11 } });
  assert.deepEqual(
    rows.map((row) => Math.round(row.off * 100)),
    [0, 2, 10],
  );
  assert.equal(statisticWords("duration_s.p50"), "Duration, p50");
});

test("classes come and go", () => {
  const two = addClass(base);
  assert.deepEqual(
    two.workload.classes.map((each) => each.name),
    ["short", "long"],
  );
  assert.equal(addClass(two).workload.classes[2].name, "class 3");
  assert.ok(!("classes" in removeClass(removeClass(two, 0), 0).workload));
});
