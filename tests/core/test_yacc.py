"""Yacc-D against examples worked out on paper."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from scheduler_core import Experiment, RunResult, Simulation, explain, simulate
from tests.core.experiments import experiments
from tests.core.test_invariants import finished

PRESETS = Path(__file__).resolve().parents[2] / "fixtures" / "presets"


def few(params: dict[str, Any], jobs: list[dict[str, Any]], machines: int = 1, cpus: int = 1) -> Experiment:
    """Machines that are alike, messages of 10 ms, publications every 3 s."""
    return Experiment.parse(
        {
            "schema_version": 1,
            "network": {"message_delay_s": 0.01},
            "topology": {"clusters": [{"name": "c", "machines": [{"count": machines, "cpus": cpus}]}]},
            "workload": {"kind": "inline", "jobs": [{"arrival_s": 0} | job for job in jobs]},
            "scheduler": {"name": "yacc-d", "params": params},
        }
    )


def starts(found: RunResult) -> list[float]:
    return [round(ns / 1e9, 9) for ns in found.tasks["first_start_ns"].tolist()]


def test_what_finds_no_room_waits_for_the_next_publication() -> None:
    """One starts, one waits at the worker, three are kept back; at 3 s the worker is free again, and so on."""
    found = simulate(few({"queue_bound": 1}, [{"durations_s": [1.0] * 5}]))
    assert starts(found) == [0.01, 1.01, 3.01, 4.01, 6.01]
    counters = found.summary["counters"]
    assert (counters["sent"], counters["held"], counters["bounced"], counters["publications"]) == (5, 3, 0, 2)
    parts = [found.tasks[f"{name}_ns"].tolist()[4] for name in ("framework_queuing", "communication", "worker_queuing")]
    assert parts == [6_000_000_000, 10_000_000, 0]


def test_a_queue_that_has_filled_up_sends_back() -> None:
    """The second job's scheduler does not know of the first one's task that waits: sent at 0.5, again at 3."""
    made = few({"queue_bound": 1}, [{"durations_s": [1.0] * 2}, {"arrival_s": 0.5, "durations_s": [1.0]}])
    found = simulate(made)
    assert starts(found) == [0.01, 1.01, 3.01]
    assert found.summary["counters"]["bounced"] == 1
    assert [one["reason"] for one in explain(made, 2)["decisions"]] == ["sent", "bounced", "sent", "started"]
    parts = [found.tasks[f"{name}_ns"].tolist()[2] for name in ("framework_queuing", "communication")]
    assert parts == [2_480_000_000, 30_000_000]


def test_a_machine_of_many_slots_fills_its_slots_before_its_queue() -> None:
    found = simulate(few({"queue_bound": 1}, [{"durations_s": [1.0] * 6}], cpus=4))
    assert starts(found) == [0.01] * 4 + [1.01, 3.01]


def test_the_least_known_wait_wins_and_what_a_job_has_sent_counts() -> None:
    """At 3 s one worker publishes a wait of 6.01 s, the other none: four tasks of 2 s go there, the fifth does not."""
    jobs = [{"durations_s": [9.0]}, {"arrival_s": 3.5, "durations_s": [2.0] * 5}]
    found = simulate(few({"choices": 1000, "queue_bound": 9}, jobs, machines=2))
    busy = int(found.tasks["machine"][0])
    assert found.tasks["machine"].tolist()[1:] == [1 - busy] * 4 + [busy]
    assert starts(found)[1:] == [3.51, 5.51, 7.51, 9.51, 9.01]


# A task of 4 s runs until 4.01. There wait: two of 3 s of one job, one of 2 s, one of 2.5 s, in this order.
WAITING = [{"durations_s": [4.0]}, {"durations_s": [3.0] * 2}, {"arrival_s": 1, "durations_s": [2.0]},
           {"arrival_s": 1.5, "durations_s": [2.5]}]  # fmt: skip


@pytest.mark.parametrize(("params", "expected"), [
    ({}, [8.51, 11.51, 4.01, 6.01]),
    ({"order": "least_tasks"}, [8.51, 11.51, 4.01, 6.01]),
    ({"order": "eldest_job"}, [4.01, 7.01, 10.01, 12.01]),
    ({"order": "first_come"}, [4.01, 7.01, 10.01, 12.01]),
    # 2 s may go past those of 3 s, and then no more than 1 s.
    ({"starvation_cap": 1}, [6.01, 9.01, 4.01, 12.01]),
    ({"starvation_cap": 0}, [4.01, 7.01, 10.01, 12.01]),
])  # fmt: skip
def test_workers_serve_their_queues_by_the_order_up_to_the_bound(params: dict[str, Any], expected: list[float]) -> None:
    found = simulate(few({"queue_bound": 9} | params, WAITING))
    assert starts(found)[1:] == expected


def test_who_goes_past_and_who_is_protected_is_told_and_counted() -> None:
    """A task of 2 s may be kept waiting for 3 s: three of 1 s go past it, two more may not."""
    jobs = [{"durations_s": [2.0]}, {"arrival_s": 0.5, "durations_s": [2.0]}]
    made = few({"queue_bound": 9, "starvation_cap": 1.5}, jobs + [{"arrival_s": 1, "durations_s": [1.0]}] * 5)
    simulation = Simulation(made, frames=20)
    marks = [mark[1] for frame in simulation.run() for mark in frame.marks]
    assert simulation.result is not None
    assert starts(simulation.result) == [0.01, 5.01, 2.01, 3.01, 4.01, 7.01, 8.01]
    assert marks == ["overtaking"] * 3
    counters = simulation.result.summary["counters"]
    assert (counters["overtaking"], counters["protected"]) == (3, 1)
    assert "although 2 tasks behind it come first" in explain(made, 1)["decisions"][-1]["sentence"]


@pytest.mark.parametrize(("heartbeat_s", "third", "other"), [(3.0, 3.01, 2.01), (1.5, 2.01, 3.01)])
def test_workers_hear_of_a_jobs_progress_at_publications(heartbeat_s: float, third: float, other: float) -> None:
    """A task of job 0 ends at 1.01. At 2.01 it has 4 s left, or 6 s for who has not heard of that; job 2 has 5 s."""
    jobs = [{"durations_s": [1.0, 3.0, 2.0]}, {"arrival_s": 0.2, "durations_s": [1.0]},
            {"arrival_s": 0.5, "durations_s": [5.0]}]  # fmt: skip
    found = simulate(few({"heartbeat_s": heartbeat_s, "queue_bound": 9}, jobs, cpus=2))
    assert starts(found) == [0.01, 0.01, third, 1.01, other]


def test_nothing_is_published_while_nobody_has_anything_to_do() -> None:
    found = simulate(few({}, [{"durations_s": [1.0]}, {"arrival_s": 1_000_000, "durations_s": [1.0]}]))
    assert starts(found) == [0.01, 1_000_000.01]
    assert found.summary["counters"]["publications"] <= 2


def test_the_median_job_is_faster_where_the_least_work_goes_first() -> None:
    """The question of a preset: 53 s, and 77 s first come, first served."""
    data = json.loads((PRESETS / "yacc-order.json").read_text())
    median = []
    for params in ({}, {"order": "first_come"}):
        data["scheduler"]["params"] = params
        jobs = simulate(Experiment.parse(data)).jobs
        median.append(np.median(jobs["end_ns"] - jobs["arrival_ns"]))
    assert median[1] > 1.3 * median[0]


@given(experiment=experiments("yacc-d"))
def test_counters_agree_with_what_ran_and_no_queue_exceeds_its_bound(experiment: Experiment) -> None:
    simulation = finished(experiment)
    assert simulation.result is not None
    counters, tasks = simulation.result.summary["counters"], simulation.result.tasks
    assert counters["sent"] == int(tasks["attempts"].sum()) + counters["bounced"]
    waited = simulation.decisions()
    assert waited["y"][waited["reason"] == 4].max(initial=0) <= simulation.state.rules[0].bound
    assert (simulation.state.worker["backlog_ns"] == 0).all()
    assert (simulation.state.worker["longs"] == 0).all()
    assert simulation.state.rules[0].kept_back == simulation.state.rules[0].waiting == 0
