"""Queueing theory as outside truth: one Global Master, one cluster and no costs make an M/M/c queue."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from scheduler_core import Experiment, simulate
from tests.tiers import all_but_wide, wide

pytestmark = pytest.mark.slow


def erlang_c_wait(servers: int, load: float) -> float:
    """Mean wait in M/M/c in units of the mean service time; `load` is the utilisation of a server (Erlang C)."""
    offered = servers * load
    terms = [1.0]
    for k in range(1, servers + 1):
        terms.append(terms[-1] * offered / k)
    last = terms[-1] / (1 - load)
    return last / (math.fsum(terms[:-1]) + last) / (servers * (1 - load))


def queue_of(scheduler: dict[str, Any], machines: int, load: float, seed: int) -> Experiment:
    """Poisson arrivals of single tasks with exponential service of mean 1 s."""
    return Experiment.parse(
        {
            "schema_version": 1,
            "seed": seed,
            "topology": {
                "global_masters": 1,
                "clusters": [{"name": "lm", "machines": [{"count": machines, "cpus": 1}]}],
            },
            "network": {"message_delay_s": 0},
            "workload": {
                "kind": "synthetic",
                "jobs": 1_000_000,
                "arrivals": {"kind": "poisson", "rate_per_s": machines * load},
                "tasks_per_job": {"kind": "constant", "value": 1},
                "duration_s": {"kind": "exponential", "mean": 1.0},
                "demand": {"cpus": 1},
            },
            "warmup_s": 1000 / machines,
            "scheduler": scheduler,
        }
    )


FREE_MEGHA = {"name": "megha", "params": {"match_us": 0, "scan_ns": 0, "heartbeat_s": 1000}}


@wide
@pytest.mark.parametrize(("machines", "load"), [(1, 0.6), (4, 0.8), (20, 0.9)])
def test_waits_of_one_master_are_those_of_an_mmc_queue(machines: int, load: float) -> None:
    wait = simulate(queue_of(FREE_MEGHA, machines, load, 1)).summary["allocation_delay_s"]["mean"]
    assert wait == pytest.approx(erlang_c_wait(machines, load), rel=0.02)


ALONE = {"probe_ratio": 1, "min_probes": 1, "long_partition_share": 1}
ONE_WORKER: dict[str, dict[str, Any]] = {
    "sparrow": {"name": "sparrow", "params": {"probe_ratio": 1}},
    "yacc-d": {"name": "yacc-d", "params": {"queue_bound": 100_000, "order": "first_come", "heartbeat_s": 1000}},
} | {
    f"{name}, {kind}": {"name": name, "params": params | {"short_cutoff_s": cutoff}}
    for name, params in (("hawk", ALONE), ("eagle", ALONE | {"shortest_first": False}), ("pigeon", {}))
    for kind, cutoff in (("all long", 0.0), ("all short", 1e9))
}


@pytest.mark.parametrize("name", all_but_wide(ONE_WORKER, ["sparrow"]))
def test_a_single_worker_waits_as_pollaczek_and_khinchine_say(name: str) -> None:
    """M/G/1, first come, first served: load x (1 + cv2) / (2 (1 - load)) mean service times; log-normal service.

    Waits of a million tasks still differ by some percent between seeds, so each is held against Lindley's recursion,
    exactly, and the mean of a seed that is a typical one against the formula.
    """
    load, cv2 = 0.7, 4.0
    sigma = math.sqrt(math.log(1 + cv2))
    data = queue_of(ONE_WORKER[name], 1, load, 2).to_dict()
    data["workload"]["duration_s"] = {"kind": "lognormal", "mu": -(sigma**2) / 2, "sigma": sigma}
    tasks = simulate(Experiment.parse(data)).tasks
    arrival, service = tasks["arrival_ns"], tasks["end_ns"] - tasks["first_start_ns"]
    unbounded = np.concatenate([[0], np.cumsum(service[:-1] - np.diff(arrival))])
    waits = tasks["first_start_ns"] - arrival
    assert (waits == unbounded - np.minimum.accumulate(unbounded)).all()
    assert waits.mean() / 1e9 == pytest.approx(load * (1 + cv2) / (2 * (1 - load)), rel=0.02)


@wide
def test_sparrow_without_choice_is_as_many_mm1_queues_as_workers() -> None:
    """One probe a task over many workers: random splitting of a Poisson stream."""
    scheduler = {"name": "sparrow", "params": {"probe_ratio": 1}}
    summary = simulate(queue_of(scheduler, 20, 0.7, 1)).summary
    assert summary["allocation_delay_s"]["mean"] == pytest.approx(erlang_c_wait(1, 0.7), rel=0.03)
