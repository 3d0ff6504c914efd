"""Drawn work has the distributions, the load and the numbers that were asked for."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scheduler_core import Experiment, ExperimentError, Limits, Workload, build_cluster, build_workload
from scheduler_core.workload.synthetic import sampling
from tests.tiers import examples

# Half-width of the Kolmogorov-Smirnov band at 99.9 % confidence, times sqrt(n).
KS_999 = 1.95


def experiment(workload: dict[str, Any], seed: int = 1, **more: Any) -> Experiment:
    topology = {
        "global_masters": 4,
        "clusters": [{"repeat": 5, "machines": [{"count": 200, "cpus": 2, "memory_gb": 8}]}],
    }
    synthetic = {
        "kind": "synthetic",
        "arrivals": {"kind": "poisson", "rate_per_s": 2},
        "duration_s": {"kind": "exponential", "mean": 10},
    } | workload
    return Experiment.parse(
        {
            "schema_version": 1,
            "topology": topology,
            "workload": synthetic,
            "seed": seed,
            "scheduler": {"name": "sparrow"},
        }
        | more
    )


def build(workload: dict[str, Any], seed: int = 1, limits: Limits | None = None, **more: Any) -> Workload:
    one = experiment(workload, seed, **more)
    return build_workload(one, build_cluster(one), **({"limits": limits} if limits else {}))


@pytest.mark.parametrize(
    ("dist", "cdf"),
    [
        ({"kind": "exponential", "mean": 10}, stats.expon(scale=10).cdf),
        ({"kind": "lognormal", "median": 20, "sigma": 1.5}, stats.lognorm(1.5, scale=20).cdf),
        ({"kind": "lognormal", "mu": 2, "sigma": 0.5}, stats.lognorm(0.5, scale=math.exp(2)).cdf),
    ],
)
@pytest.mark.parametrize("varies", ["task", "job"])
def test_durations_follow_their_distribution_at_999_of_1000(dist: dict[str, Any], cdf: Any, varies: str) -> None:
    work = build({"jobs": 50_000, "duration_s": dist, "duration_varies": varies})
    values = work.tasks.duration_ns / 1e9
    assert stats.kstest(values, cdf).statistic < KS_999 / math.sqrt(len(values))


def test_gaps_of_poisson_arrivals_are_exponential_and_independent() -> None:
    work = build({"jobs": 50_000, "arrivals": {"kind": "poisson", "rate_per_s": 4}})
    gaps = np.diff(work.jobs.arrival_ns, prepend=0) / 1e9
    assert stats.kstest(gaps, stats.expon(scale=0.25).cdf).statistic < KS_999 / math.sqrt(len(gaps))
    assert abs(np.corrcoef(gaps[1:], gaps[:-1])[0, 1]) < 3.3 / math.sqrt(len(gaps))


def test_regular_arrivals_keep_their_gap_without_drift() -> None:
    work = build({"jobs": 10_001, "arrivals": {"kind": "regular", "rate_per_s": 3}})
    assert work.jobs.arrival_ns[0] == 0
    assert work.jobs.arrival_ns[-1] == round(10_000 / 3 * 1e9)


def test_all_jobs_may_arrive_at_once() -> None:
    assert not build({"jobs": 50, "arrivals": {"kind": "at_once"}}).jobs.arrival_ns.any()


def test_values_outside_the_bounds_are_set_to_them() -> None:
    dist = {"kind": "lognormal", "median": 10, "sigma": 2, "min": 1, "max": 100}
    values = build({"jobs": 20_000, "duration_s": dist}).tasks.duration_ns / 1e9
    assert (values.min(), values.max()) == (1, 100)
    share = (values == 100).mean()
    assert abs(share - stats.lognorm(2, scale=10).sf(100)) < 3.3 * math.sqrt(share / len(values))


def test_tasks_of_one_job_vary_around_its_mean_as_asked() -> None:
    work = build(
        {
            "jobs": 200,
            "tasks_per_job": {"kind": "constant", "value": 2000},
            "duration_varies": "job",
            "in_job_cv": 0.35,
            "duration_s": {"kind": "lognormal", "median": 20, "sigma": 1},
        }
    )
    by_job = work.tasks.duration_ns.reshape(200, 2000) / 1e9
    cvs = by_job.std(axis=1) / by_job.mean(axis=1)
    assert abs(cvs.mean() - 0.35) < 0.005
    assert np.array_equal(work.jobs.mean_ns, work.tasks.duration_ns.reshape(200, 2000).sum(axis=1) // 2000)


def test_without_variation_the_tasks_of_a_job_are_alike() -> None:
    work = build({"jobs": 50, "tasks_per_job": {"kind": "constant", "value": 3}, "duration_varies": "job"})
    by_job = work.tasks.duration_ns.reshape(50, 3)
    assert (by_job == by_job[:, :1]).all()
    assert len(np.unique(by_job[:, 0])) == 50


@pytest.mark.parametrize(
    "dist",
    [
        {"kind": "constant", "value": 7.4},
        {"kind": "exponential", "mean": 3},
        {"kind": "exponential", "mean": 30, "max": 10},
        {"kind": "lognormal", "median": 2.43, "sigma": 1.53, "max": 5000},
        {"kind": "lognormal", "mu": 1, "sigma": 2.5},
    ],
)
@pytest.mark.parametrize("whole", [False, True])
def test_the_mean_that_loads_are_reckoned_with_is_the_mean(dist: dict[str, Any], whole: bool) -> None:
    from scheduler_core.workload.synthetic.declared import parameters

    one = experiment({"jobs": 1, "duration_s": dist}).workload
    assert one.kind == "synthetic"
    row = parameters(one.duration_s)
    low, high = row[3], row[4]
    frozen = {
        "constant": None,
        "exponential": stats.expon(scale=row[1]),
        "lognormal": stats.lognorm(row[2] or 1, scale=np.exp(row[1])),
    }
    law = frozen[dist["kind"]]
    if law is None:
        expected = 7.0 if whole else 7.4
    elif whole:
        # E[N] of a rounded value that is at least 1: the sum over n >= 0 of P(N > n).
        n = np.arange(1, 2_000_000 if high > 1e9 else int(high) + 1)
        expected = 1 + law.sf(n + 0.5)[n < high].sum()
    else:
        expected = law.expect(lambda x: x, 0, min(high, law.ppf(1 - 1e-15)), epsrel=1e-10, limit=500) + min(
            high, 1e15
        ) * law.sf(high)
    assert math.isclose(sampling.mean_of(row, whole), expected, rel_tol=2e-3)
    assert low == 0


@pytest.mark.parametrize("demand", [{"cpus": 1}, {"cpus": 0.5, "memory_gb": 6}])
def test_the_offered_load_is_met(demand: dict[str, float]) -> None:
    work = build(
        {
            "jobs": 40_000,
            "arrivals": {"kind": "poisson", "offered_load": 0.8},
            "demand": demand,
            "tasks_per_job": {"kind": "lognormal", "median": 5, "sigma": 0.8, "max": 500},
            "duration_s": {"kind": "lognormal", "median": 20, "sigma": 0.7},
        }
    )
    span_s = work.jobs.arrival_ns[-1] / 1e9
    seconds = (work.tasks.duration_ns / 1e9).sum()
    loads = [work.demands[0][r] / 1000 * seconds / span_s / have for r, have in enumerate((2_000, 8_000))]
    sizes = work.jobs.tasks.astype(float)
    # Three and a third standard errors: of the work of jobs and of the gaps, both independent from job to job.
    error = 3.3 * math.sqrt(((sizes.std() / sizes.mean()) ** 2 + 0.8**2 + 1) / len(work.jobs))
    assert abs(max(loads) / 0.8 - 1) < error


def test_kinds_of_demands_come_by_weight_one_for_each_job() -> None:
    work = build(
        {
            "jobs": 30_000,
            "tasks_per_job": {"kind": "constant", "value": 2},
            "demands": [{"weight": 1, "demand": {"cpus": 1}}, {"weight": 3, "demand": {"cpus": 2, "memory_gb": 4}}],
        }
    )
    assert work.demands.tolist() == [[1000, 0], [2000, 4000]]
    by_job = work.tasks.demand.reshape(-1, 2)
    assert (by_job[:, 0] == by_job[:, 1]).all()
    assert abs(by_job[:, 0].mean() - 0.75) < 3.3 * math.sqrt(0.75 * 0.25 / 30_000)


@given(st.integers(1, 3000), st.integers(0, 2**53 - 1))
@examples(30)
def test_a_number_of_tasks_is_met_exactly(tasks: int, seed: int) -> None:
    work = build({"tasks": tasks, "tasks_per_job": {"kind": "lognormal", "median": 30, "sigma": 2, "max": 1000}}, seed)
    assert len(work.tasks) == work.jobs.tasks.sum() == tasks
    assert (work.jobs.tasks > 0).all()


def test_jobs_arrive_for_as_long_as_asked_and_no_longer() -> None:
    work = build({"arrive_for_s": 10_000, "arrivals": {"kind": "poisson", "rate_per_s": 2}})
    assert work.jobs.arrival_ns[-1] <= 10_000e9
    assert abs(len(work.jobs) - 20_000) < 3.3 * math.sqrt(20_000)


def test_more_work_begins_with_the_same_work() -> None:
    few, many = build({"jobs": 1000}), build({"jobs": 9000})
    assert np.array_equal(few.jobs, many.jobs[:1000])
    timed = build({"arrive_for_s": 1000})
    assert np.array_equal(timed.jobs, many.jobs[: len(timed.jobs)])


def test_the_scheduler_does_not_change_the_work() -> None:
    one = build({"jobs": 100}, scheduler={"name": "megha"})
    assert one.source_digest == build({"jobs": 100}).source_digest
    assert one.source_digest != build({"jobs": 100}, seed=2).source_digest


def test_the_draws_are_these_on_every_machine() -> None:
    work = build(
        {
            "jobs": 5,
            "tasks_per_job": {"kind": "lognormal", "median": 2, "sigma": 1},
            "queue_assignment": "by_share",
            "duration_s": {"kind": "lognormal", "median": 10, "sigma": 1},
        }
    )
    assert work.jobs.arrival_ns.tolist() == GOLDEN["arrival_ns"]
    assert work.jobs.tasks.tolist() == GOLDEN["tasks"]
    assert work.jobs.queue.tolist() == GOLDEN["queue"]
    assert work.tasks.duration_ns[:4].tolist() == GOLDEN["duration_ns"]


GOLDEN: dict[str, list[int]] = {
    "arrival_ns": [1858075481, 2340015750, 2479107452, 2624638712, 2757855214],
    "tasks": [2, 1, 2, 4, 1],
    "queue": [1, 1, 1, 3, 3],
    "duration_ns": [14752736624, 8215350590, 10100789575, 30767916553],
}


@pytest.mark.parametrize(
    ("workload", "limit"),
    [
        ({"jobs": 1_000_000, "tasks_per_job": {"kind": "constant", "value": 40}}, "tasks"),
        ({"tasks": 20_000_000}, "jobs"),
        ({"arrive_for_s": 1e9}, "jobs"),
        ({"arrive_for_s": 1e6, "tasks_per_job": {"kind": "lognormal", "median": 1000, "sigma": 5}}, "tasks"),
    ],
)
def test_too_much_work_is_refused_before_it_is_drawn(workload: dict[str, Any], limit: str) -> None:
    with pytest.raises(ExperimentError, match=f"limit '{limit}'") as caught:
        build(workload)
    assert all(problem.path.startswith("workload") for problem in caught.value.problems)


@pytest.mark.parametrize(
    "workload",
    [
        {"jobs": 10, "arrivals": {"kind": "poisson", "rate_per_s": 1e-300}},
        {"jobs": 1000, "arrivals": {"kind": "poisson", "rate_per_s": 1e-8}},
        {"jobs": 100, "arrivals": {"kind": "regular", "rate_per_s": 2e-9}},
        {"arrive_for_s": 0.001, "arrivals": {"kind": "poisson", "rate_per_s": 1e-3}},
    ],
)
def test_work_that_arrives_too_late_or_never_is_refused(workload: dict[str, Any]) -> None:
    with pytest.raises(ExperimentError):
        build(workload)


def test_years_of_work_that_nanoseconds_cannot_count_are_refused() -> None:
    with pytest.raises(ExperimentError, match="years"):
        build(
            {
                "jobs": 1000,
                "tasks_per_job": {"kind": "constant", "value": 1000},
                "duration_s": {"kind": "constant", "value": 1e8},
            }
        )
