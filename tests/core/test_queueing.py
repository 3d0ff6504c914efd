"""Queueing theory as outside truth: one Global Master, one cluster and no costs make an M/M/c queue."""

from __future__ import annotations

import math
from typing import Any

import pytest

from scheduler_core import Experiment, simulate


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


@pytest.mark.parametrize(("machines", "load"), [(1, 0.6), (4, 0.8), (20, 0.9)])
def test_waits_of_one_master_are_those_of_an_mmc_queue(machines: int, load: float) -> None:
    wait = simulate(queue_of(FREE_MEGHA, machines, load, 1)).summary["allocation_delay_s"]["mean"]
    assert wait == pytest.approx(erlang_c_wait(machines, load), rel=0.02)


def test_a_single_sparrow_worker_is_an_mm1_queue() -> None:
    """With one worker every probe goes there, so the order is first come, first served."""
    scheduler = {"name": "sparrow", "params": {"probe_ratio": 1}}
    wait = simulate(queue_of(scheduler, 1, 0.7, 1)).summary["allocation_delay_s"]["mean"]
    assert wait == pytest.approx(erlang_c_wait(1, 0.7), rel=0.02)


def test_sparrow_without_choice_is_as_many_mm1_queues_as_workers() -> None:
    """One probe a task over many workers: random splitting of a Poisson stream."""
    scheduler = {"name": "sparrow", "params": {"probe_ratio": 1}}
    summary = simulate(queue_of(scheduler, 20, 0.7, 1)).summary
    assert summary["allocation_delay_s"]["mean"] == pytest.approx(erlang_c_wait(1, 0.7), rel=0.03)
