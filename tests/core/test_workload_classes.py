"""Arrivals, distributions, classes and rules of synthetic workloads have what was asked for."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from scheduler_core import Experiment, ExperimentError, fit_workload, workload_preview
from tests.core.test_workload_synthetic import KS_999, build, experiment

JOB = {"duration_varies": "job"}


def gaps(work: Any) -> Any:
    return np.diff(work.jobs["arrival_ns"], prepend=0) / 1e9


@pytest.mark.parametrize("cv", [0.3, 1.0, 2.0])
def test_renewal_gaps_have_their_mean_and_variation(cv: float) -> None:
    found = gaps(build({"jobs": 50_000, "arrivals": {"kind": "renewal", "cv": cv, "rate_per_s": 4}}))
    sigma = math.sqrt(math.log1p(cv**2))
    law = stats.lognorm(sigma, scale=0.25 * math.exp(-(sigma**2) / 2))
    assert stats.kstest(found, law.cdf).statistic < KS_999 / math.sqrt(len(found))


@pytest.mark.parametrize("cv", [0.0, 1.0, 25.0])
def test_even_gaps_have_their_mean_and_variation_themselves(cv: float) -> None:
    work = build({"jobs": 10_000, "sampling": "even", "arrivals": {"kind": "renewal", "cv": cv, "rate_per_s": 4}})
    found = gaps(work)
    assert found.mean() == pytest.approx(0.25, rel=1e-3)
    assert found.std() / found.mean() == pytest.approx(cv, rel=0.01, abs=1e-6)


def test_markov_modulated_arrivals_keep_the_rate_and_come_in_bursts() -> None:
    arrivals = {"kind": "markov_modulated", "calm_s": 90, "busy_s": 10, "busy_factor": 20, "rate_per_s": 10}
    work = build({"jobs": 200_000, "arrivals": arrivals})
    when = work.jobs["arrival_ns"] / 1e9
    # About 200 cycles: their lengths make the mean rate uncertain by some 9 %.
    assert len(when) / when[-1] == pytest.approx(10, rel=0.3)
    counts = np.bincount(when.astype(int))
    assert counts.var() > 5 * counts.mean()
    calm = 10 / (0.9 + 0.1 * 20)
    assert np.median(counts) == pytest.approx(calm, abs=1)


def test_diurnal_arrivals_follow_their_profile() -> None:
    arrivals = {"kind": "diurnal", "period_s": 100, "profile": [1, 0, 3, 4], "rate_per_s": 8}
    work = build({"jobs": 80_000, "arrivals": arrivals})
    when = work.jobs["arrival_ns"] / 1e9
    part = (when % 100 // 25).astype(int)
    found = np.bincount(part, minlength=4) / len(when)
    assert found == pytest.approx([1 / 8, 0, 3 / 8, 4 / 8], abs=4.5 * math.sqrt(0.25 / len(when)) + 1e-3)
    assert len(when) / when[-1] == pytest.approx(8, rel=0.03)


def test_a_sine_of_the_day_is_highest_after_a_quarter() -> None:
    arrivals = {"kind": "diurnal", "period_s": 100, "swing": 0.8, "rate_per_s": 50}
    when = build({"jobs": 100_000, "arrivals": arrivals}).jobs["arrival_ns"] / 1e9
    found = np.bincount((when % 100 // 5).astype(int), minlength=20)
    wave = 1 + 0.8 * np.sin(2 * np.pi * (np.arange(20) + 0.5) / 20)
    assert found / found.mean() == pytest.approx(wave, abs=0.08)


def test_replayed_arrivals_are_those_given_and_begin_again() -> None:
    times = [0.5, 1.0, 4.0]
    work = build({"jobs": 5, "arrivals": {"kind": "replayed", "times_s": times}})
    assert (work.jobs["arrival_ns"] / 1e9).tolist() == [0.5, 1.0, 4.0, 6.5, 7.0]
    faster = build({"jobs": 3, "arrivals": {"kind": "replayed", "times_s": times, "rate_per_s": 1}})
    assert faster.jobs["arrival_ns"].tolist() == [round(t * 1e9 * 3 / 6) for t in times]


def test_a_bounded_pareto_is_one() -> None:
    dist = {"kind": "bounded_pareto", "alpha": 1.2, "min": 2, "max": 500}
    values = build({"jobs": 50_000, "duration_s": dist}).tasks["duration_ns"] / 1e9
    shrink = 1 - (2 / 500) ** 1.2
    assert stats.kstest(values, lambda x: (1 - (2 / x) ** 1.2) / shrink).statistic < KS_999 / math.sqrt(len(values))


def test_a_column_of_values_is_drawn_from_evenly() -> None:
    column = [5.0, 1.0, 2.0, 2.0]
    values = build({"jobs": 40_000, "duration_s": {"kind": "empirical", "values": column}}).tasks["duration_ns"] / 1e9
    for value, share in ((1, 0.25), (2, 0.5), (5, 0.25)):
        assert abs((values == value).mean() - share) < 4.5 * math.sqrt(0.25 / len(values))


def test_points_of_a_distribution_function_are_met() -> None:
    points = {"kind": "empirical", "values": [1, 10, 1000], "shares": [0.2, 0.6, 1], "between": "geometric"}
    values = build({"jobs": 40_000, "duration_s": points}).tasks["duration_ns"] / 1e9
    for value, share in ((1, 0.2), (math.sqrt(10), 0.4), (10, 0.6), (100, 0.8)):
        assert abs((values <= value * (1 + 1e-9)).mean() - share) < 4.5 * math.sqrt(0.25 / len(values)), value


CLASSES = [
    {"name": "short", "weight": 9, "queue": "q0"},
    {"name": "long", "weight": 1, "duration_s": {"kind": "constant", "value": 500}, "demand": {"cpus": 2}},
]


@pytest.mark.parametrize("sampling", ["independent", "even"])
def test_classes_come_by_weight_with_their_own_durations_demands_and_queues(sampling: str) -> None:
    queues = [{"name": "q0", "share": 0.5}, {"name": "q1", "share": 0.5}]
    rules = [{"queue": "q1", "min_mean_s": 400}]
    work = build({"jobs": 20_000, "sampling": sampling, "classes": CLASSES, "queue_rules": rules}, queues=queues)
    long = work.jobs["mean_ns"] == 500 * 10**9
    off = 4.5 * math.sqrt(0.09 / 20_000) if sampling == "independent" else 1e-9
    assert abs(long.mean() - 0.1) <= off
    assert (work.jobs["queue"] == long).all()
    assert (work.demands[work.tasks["demand"]][:, 0] == np.where(long, 2000, 1000)[work.tasks["job"]]).all()


@pytest.mark.parametrize("correlation", [-0.7, 0.6])
def test_durations_and_demands_follow_as_asked(correlation: float) -> None:
    size = {"kind": "lognormal", "median": 100, "sigma": 1}
    drawn = {"amounts": {"memory_gb": {"kind": "lognormal", "median": 2, "sigma": 0.5}}, "levels": 16}
    asked = {
        "jobs": 20_000,
        "tasks_per_job": size,
        "duration_s": size,
        "duration_follows_size": correlation,
        "demand_follows_duration": correlation,
        "drawn_demand": drawn,
    } | JOB
    work = build(asked)
    first = work.tasks[work.jobs["first_task"]]
    seconds = np.log(work.jobs["mean_ns"])
    memory = work.demands[first["demand"]][:, 1]
    # Of normal scores to Spearman's: 6 / pi * asin(r / 2).
    wanted = 6 / math.pi * math.asin(correlation / 2)
    for other in (work.jobs["tasks"], memory):
        assert stats.spearmanr(other, seconds).statistic == pytest.approx(wanted, abs=0.03)
    assert len(work.demands) == 16


@pytest.mark.parametrize("arrivals", ["poisson", "diurnal", "renewal"])
def test_the_offered_load_of_classes_is_met_by_the_very_jobs(arrivals: str) -> None:
    more = {"renewal": {"cv": 3}, "diurnal": {"period_s": 20}}.get(arrivals, {})
    asked = {
        "jobs": 5_000,
        "sampling": "even",
        "arrivals": {"kind": arrivals, "offered_load": 0.7, **more},
        "classes": CLASSES,
    } | JOB
    found = workload_preview(experiment(asked))["load"]["resources"]
    assert found[0]["name"] == "cpus"
    assert found[0]["mean"] == pytest.approx(0.7, rel=0.05)


def test_a_fit_of_drawn_work_draws_work_of_the_same_statistics() -> None:
    work = build(
        {
            "jobs": 4_000,
            "classes": CLASSES,
            "tasks_per_job": {"kind": "lognormal", "median": 4, "sigma": 1},
            "in_job_cv": 0.3,
        }
        | JOB
    )
    jobs = work.jobs
    fitted = fit_workload(jobs["arrival_ns"], jobs["tasks"], jobs["mean_ns"], work.tasks["duration_ns"], 400.0)
    again = build(fitted, seed=7)
    assert len(again.jobs) == len(jobs)
    assert len(again.tasks) == pytest.approx(len(work.tasks), rel=0.01)
    for percent in (50, 80):
        own, new = (np.percentile(one.tasks["duration_ns"], percent) for one in (work, again))
        assert new == pytest.approx(own, rel=0.05)


ONE = {"kind": "constant", "value": 1}
SEEN = {"kind": "empirical", "values": [1, 2], "shares": [0.5, 1]}


@pytest.mark.parametrize(
    ("change", "path", "words"),
    [
        ({"sampling": "even", "jobs": None, "tasks": 5}, "workload", "jobs"),
        ({"duration_follows_size": 0.5}, "workload", "each task"),
        ({"classes": [{"name": "a", "weight": 1}] * 2}, "workload", "one name"),
        ({"classes": [{"name": "a", "weight": 1, "queue": "nope"}]}, "workload.classes[0].queue", "no queue"),
        ({"queue_rules": [{"queue": "nope"}]}, "workload.queue_rules[0].queue", "no queue"),
        ({"duration_s": {"kind": "bounded_pareto", "alpha": 1, "min": 5, "max": 5}}, "workload.duration_s", "below"),
        ({"duration_s": SEEN | {"values": [2, 1]}}, "workload.duration_s", "decrease"),
        ({"duration_s": SEEN | {"shares": [0.5, 0.9]}}, "workload.duration_s", "last"),
        ({"arrivals": {"kind": "replayed", "times_s": [2, 1]}}, "workload.arrivals", "decrease"),
        ({"arrivals": {"kind": "diurnal", "rate_per_s": 1, "profile": [0, 0]}}, "workload.arrivals", "0"),
        ({"drawn_demand": {"amounts": {"disk": ONE}}}, "workload.drawn_demand.amounts.disk", "no machine"),
        (
            {
                "arrivals": {
                    "kind": "markov_modulated",
                    "rate_per_s": 1e-3,
                    "calm_s": 1e-3,
                    "busy_s": 1,
                    "busy_factor": 2,
                }
            },
            "workload.arrivals",
            "changes its state",
        ),
        (
            {"drawn_demand": {"levels": 16, "amounts": dict.fromkeys(("cpus", "memory_gb", "gpus", "x"), ONE)}},
            "workload.drawn_demand.amounts.x",
            "no machine",
        ),
    ],
)
def test_what_does_not_go_together_is_refused_by_its_path(change: dict[str, Any], path: str, words: str) -> None:
    asked = {key: value for key, value in ({"jobs": 10} | change).items() if value is not None}
    with pytest.raises(ExperimentError) as caught:
        build(asked)
    assert any(p.path.startswith(path) and words in f"{p.message} {p.allowed}" for p in caught.value.problems)


def test_a_preview_warns_of_what_cannot_keep_up_or_fit() -> None:
    found = workload_preview(experiment({"jobs": 2_000, "arrivals": {"kind": "poisson", "offered_load": 1.5}}))
    assert "cannot keep up" in found["warnings"][0]["message"]
    wide = workload_preview(experiment({"jobs": 100, "demand": {"cpus": 64}}))
    assert any("will never run" in one["message"] for one in wide["warnings"])
    curve = found["distributions"]["duration_s"]
    assert curve["cdf"][-1] == pytest.approx(1)
    assert len(curve["edges"]) == len(curve["cdf"]) == len(curve["density"]) + 1


def test_a_preview_of_much_work_draws_a_sample_of_it() -> None:
    found = workload_preview(experiment({"tasks": 3_000_000}))
    assert not found["sample"]["whole"]
    assert found["sample"]["jobs"] <= 5_000


def test_fields_that_are_not_given_are_no_part_of_the_digest() -> None:
    plain = experiment({"jobs": 10})
    data = plain.to_dict()
    for key in ("classes", "sampling", "queue_rules", "drawn_demand"):
        assert data["workload"].pop(key) is None
    assert Experiment.parse(data).digest() == plain.digest()
    assert experiment({"jobs": 10, "sampling": "even"}).digest() != plain.digest()
