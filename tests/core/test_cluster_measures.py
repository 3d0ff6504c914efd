"""Measures for the operator of a cluster: waits by queue and priority, pending and stopped tasks, room on machines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scheduler_core import Experiment, Simulation, simulate
from scheduler_core.engine.incidents import held
from scheduler_core.studies.cluster_measures import cluster_measures
from scheduler_core.studies.results import measured_numbers, unit_of
from scheduler_core.studies.room import INSTANTS
from tests.core.test_kube_imported import node, pod, ran

TWO_TYPES = {"clusters": [{"name": "c", "machines": [{"count": 2, "cpus": 4}, {"count": 1, "cpus": 8}]}]}


def job(arrival_s: float, durations_s: list[float], cpus: float, **more: Any) -> dict[str, Any]:
    return {"arrival_s": arrival_s, "durations_s": durations_s, "demand": {"cpus": cpus}, **more}


def summary(jobs: list[dict[str, Any]], scheduler: str = "fifo", **more: Any) -> dict[str, Any]:
    data = {
        "schema_version": 1, "topology": TWO_TYPES, "workload": {"kind": "inline", "jobs": jobs},
        "scheduler": {"name": scheduler},
    }  # fmt: skip
    return simulate(Experiment.parse(data | more)).summary


def test_waits_and_pending_tasks_are_counted_by_priority_also_where_the_scheduler_ignores_it() -> None:
    jobs = [job(0, [64.0] * 3, 4, priority=7), job(1, [10.0] * 2, 8, priority=3), job(2, [1.0], 1, priority=7)]
    found = summary(jobs, stop={"when": "at_s", "at_s": 64})["by_priority"]
    assert list(found) == ["7", "3"], "the highest first"
    assert (found["7"]["tasks"], found["7"]["started"], found["7"]["pending"]) == (4, 3, 1), "the last stands behind"
    assert (found["3"]["tasks"], found["3"]["started"], found["3"]["pending"]) == (2, 0, 2)
    assert found["7"]["allocation_delay_s"]["max"] < 0.1
    assert found["3"]["allocation_delay_s"]["p99"] is None
    assert "by_priority" not in summary([job(0, [1.0], 1)]), "one priority says nothing"


def test_waits_are_counted_by_queue() -> None:
    queues = [{"name": "a", "share": 0.5}, {"name": "b", "share": 0.5}]
    jobs = [job(0, [10.0, 10.0], 8, queue="a"), job(0, [10.0], 1, queue="b")]
    found = summary(jobs, queues=queues)["by_queue"]
    assert found["a"]["allocation_delay_s"]["max"] == pytest.approx(10, abs=0.1)
    assert (found["a"]["tasks"], found["b"]["tasks"], found["b"]["pending"]) == (2, 1, 0)


def test_room_is_what_machines_had_free_by_type() -> None:
    """One task of 3 CPUs runs for half of the time, one of 8 CPUs for all of it."""
    jobs = [job(0, [64.0], 8), job(0, [32.0], 3)]
    room = summary(jobs)["room"]
    small, large = room["fits"]["4 cpus"]["cpus"], room["fits"]["8 cpus"]["cpus"]
    assert small == {"mean": 4.0, "least": 4.0, "end": 4.0}, "one of the two small machines is always empty"
    # At the last instant the long task has just ended.
    assert (large["mean"], large["least"], large["end"]) == (8 / INSTANTS, 0.0, 8.0)
    busy = 63 * 8 + 32 * 3  # the delay of messages moves both intervals by less than a second
    assert room["held"]["cpus"] == pytest.approx(busy / (INSTANTS * 16))
    assert room["machines_used"] == pytest.approx((63 + 32) / INSTANTS)
    both, one = np.std([1, 0.75, 0]), np.std([1, 0, 0])
    assert room["spread"]["cpus"] == pytest.approx((32 * both + 31 * one) / INSTANTS, rel=0.01)


def test_a_machine_out_of_service_has_no_room() -> None:
    events = [{"at_s": 0.5, "kind": "fail", "target": {"machine": 2}, "duration_s": 15.75}]
    room = summary([job(0, [63.9], 1)], events=events)["room"]
    # 16 of the 64 instants lie in the outage.
    assert room["fits"]["8 cpus"]["cpus"] == {"mean": 8 * (1 - 16 / INSTANTS), "least": 0.0, "end": 8.0}


def test_a_preempted_pod_counts_under_its_priority_and_pods_that_ran_before_are_no_waits(tmp_path: Path) -> None:
    items = [node("a", "z"), pod("low", "3", "a", priority=-5), pod("high", "3", priority=2_000_000_000)]
    simulation = ran(tmp_path, items)
    found = cluster_measures(simulation)
    high, low = found["by_priority"]["2000000000"], found["by_priority"]["-5"]
    assert (high["started"], high["pending"], high["stopped"]) == (1, 0, 0)
    assert (low["tasks"], low["started"], low["pending"], low["stopped"]) == (1, 0, 1, 1)
    assert found["room"]["fits"]
    assert simulation.result is not None
    assert "by_priority" not in simulation.result.summary, "the driver measures none of this"


@pytest.mark.parametrize("scheduler", ["fifo", "sparrow", "kubernetes"])
def test_the_last_instant_is_the_state_at_the_end(scheduler: str) -> None:
    data = {
        "schema_version": 1, "topology": TWO_TYPES, "stop": {"when": "at_s", "at_s": 50},
        "workload": {"kind": "inline", "jobs": [job(0, [100.0, 20.0], 2), job(1, [70.0], 1.5), job(2, [90.0] * 9, 2)]},
        "scheduler": {"name": scheduler},
    }  # fmt: skip
    simulation = Simulation(Experiment.parse(data), frames=0)
    simulation.finish()
    free = (simulation.world.capacity - held(simulation.world))[:, 0] / 1000
    fits = cluster_measures(simulation)["room"]["fits"]
    assert fits["4 cpus"]["cpus"]["end"] == free[:2].max()
    assert fits["8 cpus"]["cpus"]["end"] == free[2]


def test_numbers_have_units_and_names_for_studies() -> None:
    queues = [{"name": "a", "share": 0.5}, {"name": "b", "share": 0.5}]
    numbers = measured_numbers(summary([job(0, [1.0], 1, queue="a"), job(0, [1.0], 1, queue="b")], queues=queues))
    assert "by_queue.a.allocation_delay_s.p99" in numbers
    assert unit_of("by_queue.a.allocation_delay_s.p99") == "s"
    assert unit_of("room.held.cpus") == "1"
    assert unit_of("room.fits.4 cpus.cpus.mean") == ""
