"""The scheduling queue of kube-scheduler, worked out on paper: its order, and the back-off of pods that fail."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core import Experiment, simulate
from scheduler_core.run.driver import Simulation

AT_ONCE = {"decision_time": "none", "preemption": False}


def experiment(jobs: list[dict[str, Any]], cpus: float = 1, **more: Any) -> Experiment:
    return Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"clusters": [{"machines": [{"count": 1, "cpus": cpus}]}]},
            "workload": {"kind": "inline", "jobs": jobs},
            "network": {"message_delay_s": 0},
            "scheduler": {"name": "kubernetes", "params": AT_ONCE | more},
        }
    )


def job(arrival_s: float, lasts_s: float, cpus: float = 1, priority: int = 0) -> dict[str, Any]:
    demand = {"cpus": cpus, "memory_gb": 0}
    return {"arrival_s": arrival_s, "durations_s": [lasts_s], "demand": demand, "priority": priority}


def test_pods_go_by_priority_and_then_by_the_time_since_which_they_wait() -> None:
    """One CPU, held until 10 s. Priority 5 goes before 1, and among equals the first one to fail goes first.

    At 10 s the third job starts, and the others fail once more, in the order of the queue: this order stays. Decisions
    take 1 ms, so no two pods fail at one instant.
    """
    jobs = [job(0, 10), job(1, 10, priority=1), job(2, 10, priority=5), job(3, 10, priority=5), job(4, 10, priority=1)]
    slow = {"decision_time": "modelled", "decision_us": 1_000.0, "filter_ns": 0.0, "score_ns": 0.0}
    starts = simulate(experiment(jobs, **slow)).tasks["first_start_ns"]
    assert starts.argsort().tolist() == [0, 2, 3, 1, 4]


@pytest.mark.parametrize(("params", "ready_s"), [
    ({}, [1.0, 2.5, 5.5, 10.5, 13.5, 14.5]),  # 1, 2, 4, 8, 10 and 10 s after the last failure
    ({"backoff_s": 2.0, "max_backoff_s": 5.0}, [2.0, 4.5, 6.5, 7.5, 8.5, 9.5]),  # 2, 4, 5, 5, 5 and 5 s
])  # fmt: skip
def test_the_back_off_doubles_up_to_its_bound(params: dict[str, float], ready_s: list[float]) -> None:
    """Two CPUs, one of them held for good; the pod that needs both fails at 0, 0.5, 1.5, 2.5 ... s.

    A small pod ends at each of these times but the first. Its end wakes the waiting one: the back-off counts from the
    failure before that, and no other pod is active, so the next attempt comes at once.
    """
    small = [job(float(second), 0.5) for second in range(6)]
    simulation = Simulation(experiment([job(0, 100), *small, job(0, 1, cpus=2)], cpus=2, **params), frames=0)
    simulation.prepare()
    task = int((simulation.world.task["duration_ns"] == 1e9).argmax())
    found, attempts = [], []
    for second in range(6):
        simulation.advance_to(round((second + 0.75) * 1e9))
        found.append(int(simulation.state.queued[task].ready_ns) / 1e9)
        attempts.append(int(simulation.state.queued[task].attempts))
    assert found == ready_s
    assert attempts == [2, 3, 4, 5, 6, 7]
