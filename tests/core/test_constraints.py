"""Sampled constraints against their tables, with a stated confidence, and what they do to a run."""

from __future__ import annotations

import hashlib
import math
from typing import Any

import numpy as np
import pytest
from scipy import optimize

from scheduler_core import Experiment, build_cluster, build_workload, simulate
from scheduler_core.constraints import machine_offers, tables, task_asks
from scheduler_core.constraints.asks import constrained_share

SIGMAS = 4.5
"""A fair sample leaves this band about 7 times in a million."""


def experiment(
    mix: str = "google-a", catalogue: str = "megha-21", share: float = 0.5, tasks: int = 20_000, **more: Any
) -> Experiment:
    return Experiment.parse(
        {
            "schema_version": 1,
            "topology": {
                "global_masters": 2,
                "clusters": [{"name": "c", "repeat": 2, "machines": [{"count": 5000}], "constraint_mix": mix}],
            },
            "constraints": {"catalogue": catalogue, "task_share": share, **more},
            "workload": {
                "kind": "synthetic",
                "tasks": tasks,
                "arrivals": {"kind": "poisson", "offered_load": 0.5},
                "tasks_per_job": {"kind": "constant", "value": 4},
                "duration_s": {"kind": "exponential", "mean": 10},
            },
            "scheduler": {"name": "megha"},
        }
    )


def within(found: float, wanted: float, n: int) -> bool:
    return abs(found - wanted) <= SIGMAS * math.sqrt(wanted * (1 - wanted) / n) + 1e-12


def sampled(it: Experiment) -> tuple[Any, Any]:
    cluster = build_cluster(it)
    return machine_offers(it, cluster), task_asks(it, build_workload(it, cluster))


@pytest.mark.parametrize("mix", ["google-a", "google-b", "google-c"])
def test_machines_offer_what_the_table_says(mix: str) -> None:
    offers, _ = sampled(experiment(mix))
    for number, share in enumerate(tables.machine_shares(mix)):
        assert within(float(((offers >> number) & 1).mean()), share, len(offers)), number
    bits = np.array([(offers >> number) & 1 for number in range(20)], np.float64)
    worst = np.abs(np.corrcoef(bits) - np.eye(20)).max()
    assert worst < SIGMAS / math.sqrt(len(offers))


@pytest.mark.parametrize("share", [0.23, 0.5, 0.8568])
def test_the_share_of_constrained_tasks_is_met(share: float) -> None:
    _, asks = sampled(experiment(share=share))
    assert within(float((asks != 0).mean()), share, len(asks))


@pytest.mark.parametrize("share", [0.23, 0.5])
def test_tasks_ask_for_each_constraint_as_often_as_their_classes_say(share: float) -> None:
    """By the table, independently of how the sampler finds the scale: 21 checks of 4.5 standard errors."""
    _, asks = sampled(experiment(share=share, tasks=100_000))
    scale = optimize.brentq(lambda factor: constrained_share(factor) - share, 1e-3, 10)
    weights = np.array([np.array(row) / sum(row) for row in tables.MEGHA_CLASS_WEIGHTS]).mean(axis=0)
    for number, percent in enumerate(tables.MEGHA_TASKS_PERCENT):
        wanted = sum(
            weight * min(percent / 100 * factor * scale, 1.0)
            for weight, factor in zip(weights, tables.MEGHA_CLASS_FACTORS, strict=True)
        )
        assert within(float((asks >> number & 1).mean()), wanted, len(asks)), number


def test_half_of_the_tasks_are_constrained_at_the_factor_that_was_worked_out_elsewhere() -> None:
    assert constrained_share(0.367) == pytest.approx(0.5, abs=0.001)


def test_phoenix_jobs_ask_for_each_constraint_by_its_weight() -> None:
    it = experiment("phoenix", "phoenix-9", 0.5, tasks=100_000)
    asks = sampled(it)[1][::4]  # four tasks a job
    for number, weight in enumerate(tables.PHOENIX_TASKS_WEIGHT):
        assert within(float((asks >> number & 1).mean()), 0.5 * weight / 100, len(asks)), number


def test_the_draws_are_these_on_every_machine() -> None:
    """Whoever has this seed has these bits, whatever the library versions: a change of them is a change of results."""
    correlated = {"correlation": 0.4, "asks": {"probabilities": {"c03": 0.2, "c07": 0.4}, "scale_to_share": True}}
    counted = {"asks": {"per_task": [3, 2, 1]}}
    found = []
    for mix, catalogue, more in (
        ("google-a", "megha-21", {}),
        ("phoenix", "phoenix-9", {}),
        ("google-c", "megha-21", correlated),
        ("google-b", "megha-21", counted),
    ):
        digest = hashlib.sha256()
        for masks in sampled(experiment(mix, catalogue, tasks=5_000, **more)):
            digest.update(masks.astype("<i8").tobytes())
        found.append(digest.hexdigest()[:16])
    assert found == ["607fb19df395d28f", "c651d2992b65af91", "3d90e7a4d7f8d683", "188c6e2616f27527"]


def test_the_unscaled_table_constrains_as_many_tasks_as_measured() -> None:
    """86 % constrained, 1.85 constraints a task: what drawing from the authors' table gave independently."""
    assert constrained_share(1.0) == pytest.approx(0.857, abs=0.002)
    _, asks = sampled(experiment(share=constrained_share(1.0)))
    counts = np.array([int(mask).bit_count() for mask in asks])
    assert counts.mean() == pytest.approx(1.85, abs=0.05)


def test_phoenix_machines_offer_in_blocks_and_jobs_ask_for_one() -> None:
    it = experiment("phoenix", "phoenix-9", 0.5)
    offers, asks = sampled(it)
    one = offers[:5000]
    for number, share in enumerate(tables.PHOENIX_MACHINES_SHARE):
        have = (one >> number) & 1
        assert have.sum() == round(share * 5000)
        assert np.abs(np.diff(np.append(have, have[0]))).sum() <= 2
    assert {int(mask).bit_count() for mask in asks} == {0, 1}
    jobs = build_workload(it, build_cluster(it)).tasks["job"]
    assert all(len(set(asks[jobs == job].tolist())) == 1 for job in range(0, 1000, 37))


def test_sampling_depends_on_the_seed_alone() -> None:
    first, again = sampled(experiment()), sampled(experiment())
    assert (first[0] == again[0]).all()
    assert (first[1] == again[1]).all()
    fewer = sampled(experiment(tasks=5_000))
    assert (fewer[0] == first[0]).all()
    assert (fewer[1] == first[1][: len(fewer[1])]).all()


def test_constraints_make_tasks_wait_longer_and_run_where_they_may() -> None:
    def run(constraints: bool) -> Any:
        data: dict[str, Any] = {
            "schema_version": 1,
            "topology": {"global_masters": 2, "clusters": [{"name": "c", "repeat": 2, "machines": [{"count": 100}]}]},
            "workload": {
                "kind": "synthetic",
                "tasks": 4000,
                "arrivals": {"kind": "poisson", "offered_load": 0.9},
                "tasks_per_job": {"kind": "constant", "value": 4},
                "duration_s": {"kind": "exponential", "mean": 10},
            },
            # Without preemption: what it loses of work would be most of the delay in both.
            "scheduler": {"name": "megha", "params": {"fairness": False}},
        }
        if constraints:
            data["constraints"] = {"catalogue": "megha-21", "task_share": 0.5}
            data["topology"]["clusters"][0]["constraint_mix"] = "google-a"
        return simulate(Experiment.parse(data)).summary["allocation_delay_s"]["mean"]

    assert run(True) > 2 * run(False)
