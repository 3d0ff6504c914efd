"""Mercury against examples worked out on paper and queueing theory; the claim `mercury` holds its throughput."""

from __future__ import annotations

import math
import statistics
from typing import Any

import pytest
from hypothesis import given

from scheduler_core import Experiment, RunResult, explain, simulate
from tests.core.experiments import experiments
from tests.core.test_invariants import finished
from tests.core.test_queueing import erlang_c_wait
from tests.tiers import wide

GUARANTEED = {"guaranteed": "drawn", "guaranteed_percent": 100}
QUEUEABLE = {"guaranteed": "drawn", "guaranteed_percent": 0}


def few(params: dict[str, Any], jobs: list[dict[str, Any]], machines: int = 1, cpus: int = 1) -> Experiment:
    """Machines that are alike, messages of 10 ms; the first node reports every 3 s from 0 on."""
    return Experiment.parse(
        {
            "schema_version": 1,
            "network": {"message_delay_s": 0.01},
            "topology": {"clusters": [{"name": "c", "machines": [{"count": machines, "cpus": cpus}]}]},
            "workload": {"kind": "inline", "jobs": [{"arrival_s": 0} | job for job in jobs]},
            "scheduler": {"name": "mercury", "params": params},
        }
    )


def starts(found: RunResult) -> list[float]:
    return [round(ns / 1e9, 9) for ns in found.tasks["first_start_ns"].tolist()]


def test_guaranteed_tasks_wait_for_heartbeats_and_queueable_ones_for_the_worker() -> None:
    job = [{"durations_s": [1.0] * 3}]
    assert starts(simulate(few(GUARANTEED, job))) == [3.01, 6.01, 9.01]
    assert starts(simulate(few(QUEUEABLE, job))) == [0.01, 1.01, 2.01]


def test_a_guaranteed_task_stops_a_queueable_one_which_loses_its_work() -> None:
    """Stopped at the heartbeat at 3, sent again at 3.01; the guaranteed task runs from 3.01 to 23.01."""
    made = few({"short_cutoff_s": 15}, [{"durations_s": [10.0]}, {"arrival_s": 1, "durations_s": [20.0]}])
    found = simulate(made)
    assert starts(found) == [0.01, 3.01]
    assert (found.tasks["last_start_ns"] / 1e9).tolist() == [23.01, 3.01]
    assert found.tasks["lost_ns"].tolist() == [2_990_000_000, 0]
    assert found.summary["counters"]["preemptions"] == 1
    assert [one["reason"] for one in explain(made, 0)["decisions"]] == [
        "queued",
        "started",
        "preempted",
        "queued",
        "started",
    ]
    assert "Queueable tasks preempted for it: 1" in explain(made, 1)["decisions"][-1]["sentence"]


def test_only_what_is_in_the_way_is_stopped_the_latest_first() -> None:
    jobs = [{"durations_s": [10.0]}, {"arrival_s": 1, "durations_s": [10.0]}, {"arrival_s": 2, "durations_s": [20.0]}]
    found = simulate(few({"short_cutoff_s": 15}, jobs, cpus=2))
    assert found.tasks["attempts"].tolist() == [1, 2, 1]


@pytest.mark.parametrize(("duration_s", "heartbeats"), [(1.0, 1), (2.995, 2), (5.0, 2), (6.5, 3)])
def test_a_guaranteed_task_takes_whole_heartbeats_of_its_machine(duration_s: float, heartbeats: int) -> None:
    """What the claim on throughput rests on: a machine idles from a task's end to the next heartbeat."""
    found = starts(simulate(few(GUARANTEED, [{"durations_s": [duration_s] * 5}])))
    assert found == [round(3.01 + 3 * heartbeats * i, 9) for i in range(5)]


@wide
def test_random_placement_of_queueable_tasks_is_an_mm1_queue_a_worker() -> None:
    load, machines, waits = 0.7, 50, []
    for seed in range(1, 11):
        found = simulate(
            Experiment.parse(
                {
                    "schema_version": 1,
                    "seed": seed,
                    "network": {"message_delay_s": 0},
                    "warmup_s": 100,
                    "topology": {"clusters": [{"name": "c", "machines": [{"count": machines, "cpus": 1}]}]},
                    "workload": {
                        "kind": "synthetic",
                        "jobs": 50_000,
                        "tasks_per_job": {"kind": "constant", "value": 1},
                        "arrivals": {"kind": "poisson", "rate_per_s": machines * load},
                        "duration_s": {"kind": "exponential", "mean": 1},
                        "demand": {"cpus": 1},
                    },
                    "scheduler": {"name": "mercury", "params": QUEUEABLE | {"choices": 1, "shedding": False}},
                }
            )
        ).summary
        waits.append(found["delay_components_s"]["worker_queuing"]["mean"])
    width = 4.781 * statistics.stdev(waits) / math.sqrt(len(waits))
    assert width < 0.08 * statistics.mean(waits)
    assert abs(statistics.mean(waits) - erlang_c_wait(1, load)) <= width


def test_load_and_shedding_even_the_queues_out() -> None:
    jobs = [{"arrival_s": 0.5 * i, "durations_s": [4.0] * 3} for i in range(200)]
    blind = simulate(few(QUEUEABLE | {"choices": 1, "shedding": False}, jobs, machines=30)).summary
    looked = simulate(few(QUEUEABLE | {"choices": 2, "shedding": False}, jobs, machines=30)).summary
    shed = simulate(few(QUEUEABLE | {"choices": 1, "shed_s": 5}, jobs, machines=30)).summary
    assert shed["counters"]["shed"] > 0
    for better in (looked, shed):
        assert better["allocation_delay_s"]["mean"] < blind["allocation_delay_s"]["mean"]


def test_wrong_estimates_change_where_tasks_go() -> None:
    jobs = [{"arrival_s": 0.5 * i, "durations_s": [4.0] * 3} for i in range(60)]
    digests = {
        simulate(few(QUEUEABLE | {"estimate_error": error}, jobs, machines=20)).summary["outcome_digest"]
        for error in ("none", "uniform", "lognormal")
    }
    assert len(digests) == 3


@given(experiment=experiments("mercury"))
def test_counters_agree_with_what_ran(experiment: Experiment) -> None:
    simulation = finished(experiment)
    assert simulation.result is not None
    counters, tasks = simulation.result.summary["counters"], simulation.result.tasks
    assert counters["given"] + counters["queueable"] == int(tasks["attempts"].sum())
    assert counters["queued"] == counters["queueable"] + counters["shed"]
    assert (simulation.state.lent == 0).all()
    assert (simulation.state.worker["backlog_ns"] == 0).all()
    assert (simulation.state.worker["longs"] == 0).all()
