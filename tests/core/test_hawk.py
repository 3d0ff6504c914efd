"""Hawk on runs small enough to think through, and against queueing theory; estimates that are wrong."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest

from scheduler_core import (
    Experiment,
    RecordingReader,
    RunView,
    Simulation,
    explain,
    scheduler_by_name,
    signature_experiment,
)
from scheduler_core.schedulers.probing.hawk.params import HawkParams
from scheduler_core.schedulers.shared.probing.estimates import estimates_ns

NS = 1_000_000_000


def small(machines: int, jobs: list[dict[str, Any]], scheduler: str = "hawk", **params: Any) -> Experiment:
    """Machines of one CPU, a millisecond a message."""
    return Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"clusters": [{"name": "c", "machines": [{"count": machines, "cpus": 1}]}]},
            "network": {"message_delay_s": 0.001},
            "workload": {"kind": "inline", "jobs": jobs},
            "scheduler": {"name": scheduler, "params": params},
        }
    )


def ended(experiment: Experiment) -> Simulation:
    simulation = Simulation(experiment)
    for _ in simulation.run():
        pass
    assert simulation.result is not None
    return simulation


def starts(simulation: Simulation) -> list[tuple[int, float]]:
    assert simulation.result is not None
    return [(int(row["machine"]), row["first_start_ns"] / NS) for row in simulation.result.tasks]


BEHIND_A_LONG_ONE = [
    {"arrival_s": 0, "durations_s": [100.0]},
    {"arrival_s": 0, "durations_s": [20.0]},
    {"arrival_s": 1, "durations_s": [1.0, 1.0]},
]
ONE_PROBE = {"short_cutoff_s": 10, "long_partition_share": 1, "probe_ratio": 1, "min_probes": 1}


def test_an_idle_worker_steals_from_behind_a_long_task() -> None:
    """One probe on each worker. Worker 1 is free at 20.001, runs one task, asks worker 0 and is given the other.

    After that it asks ten times in vain, and worker 0 sends its first question when the last task ends.
    """
    run = ended(small(2, BEHIND_A_LONG_ONE, **ONE_PROBE))
    assert starts(run) == [(0, 0.001), (1, 0.001), (1, 20.003), (1, 21.007)]
    counters = run.result.summary["counters"]  # type: ignore[union-attr]
    wanted = {"probes": 2, "noops": 0, "placed": 2, "contacts": 12, "steals": 1, "stolen": 1, "messages": 31}
    assert {name: counters[name] for name in wanted} == wanted
    told = explain(small(2, BEHIND_A_LONG_ONE, **ONE_PROBE), 3)["decisions"]
    assert [(one["reason"], one["arguments"]) for one in told] == [
        ("stole", {"machine": "1", "x": "1", "frm": "0", "y": "1"}),
        ("launched_stolen", {"machine": "1", "frm": "0", "x_s": "20 s"}),
    ]


def test_without_stealing_it_waits_for_the_long_task() -> None:
    run = ended(small(2, BEHIND_A_LONG_ONE, steal_contacts=0, **ONE_PROBE))
    assert starts(run) == [(0, 0.001), (1, 0.001), (1, 20.003), (0, 100.003)]


def test_steals_flash_on_the_map() -> None:
    simulation = Simulation(small(2, BEHIND_A_LONG_ONE, **ONE_PROBE), frames=50)
    marks = [mark for frame in simulation.run() for mark in frame.marks]
    assert [(mark[1], mark[2]) for mark in marks] == [("probe", 1), ("steal", 1), ("probe", 1)]


def test_long_tasks_go_where_the_estimated_wait_is_least() -> None:
    """A wait of 99 at worker 0 and of 19 at worker 1; after the first, of 69 there: both tasks queue at worker 1."""
    jobs = [*BEHIND_A_LONG_ONE[:2], {"arrival_s": 1, "durations_s": [50.0, 50.0]}]
    run = ended(small(2, jobs, short_cutoff_s=10, long_partition_share=1))
    assert starts(run) == [(0, 0.001), (1, 0.001), (1, 20.001), (1, 70.001)]
    rows = run.decisions()
    placed = rows[(rows["reason"] == 3) & (rows["task"] >= 2)]
    assert placed["x"].tolist() == [19_001_000_000, 69_001_000_000]


def test_a_task_that_takes_a_part_of_its_worker_counts_for_that_part() -> None:
    """Worker 0 has four CPUs: two tasks of 100 s there are a wait of 50 s, less than the 60 s at worker 1."""
    data = small(
        1,
        [
            {"arrival_s": 0, "durations_s": [100.0, 100.0]},
            {"arrival_s": 0, "durations_s": [60.0]},
            {"arrival_s": 0, "durations_s": [60.0]},
        ],
        short_cutoff_s=10,
        long_partition_share=1,
    ).to_dict()
    data["topology"]["clusters"][0]["machines"] = [{"count": 1, "cpus": 4}, {"count": 1, "cpus": 1}]
    data["workload"]["jobs"][0] |= {"durations_s": [100.0], "demand": {"cpus": 2}}
    run = ended(Experiment.parse(data))
    assert [machine for machine, _ in starts(run)] == [0, 1, 0]


def test_the_first_workers_are_for_short_jobs_only() -> None:
    jobs = [{"arrival_s": 0, "durations_s": [20.0] * 40}, {"arrival_s": 1, "durations_s": [1.0] * 20}]
    run = ended(small(10, jobs, short_cutoff_s=10, long_partition_share=0.65))
    machines = np.array([machine for machine, _ in starts(run)])
    assert set(machines[:40]) == set(range(3, 10))
    assert {0, 1, 2} <= set(machines[40:])


def test_long_tasks_that_only_such_a_worker_could_hold_run_there() -> None:
    data = small(
        9,
        [{"arrival_s": 0, "durations_s": [20.0] * 3, "demand": {"cpus": 2}}],
        short_cutoff_s=10,
        long_partition_share=0.5,
    ).to_dict()
    data["topology"]["clusters"][0]["machines"] = [{"count": 1, "cpus": 2}, {"count": 9, "cpus": 1}]
    assert starts(ended(Experiment.parse(data))) == [(0, 0.001), (0, 20.001), (0, 40.001)]


def test_all_short_and_without_stealing_it_is_sparrow() -> None:
    jobs = [{"arrival_s": n / 3, "durations_s": [1.0 + n % 4] * (1 + 7 * n % 20)} for n in range(60)]
    hawk = ended(small(12, jobs, short_cutoff_s=1e6, long_partition_share=1, min_probes=1, steal_contacts=0))
    sparrow = ended(small(12, jobs, "sparrow"))
    assert hawk.result.summary["outcome_digest"] == sparrow.result.summary["outcome_digest"]  # type: ignore[union-attr]


def test_estimates_err_as_the_parameters_say() -> None:
    mean = np.full(20_000, 100 * NS)
    exact = estimates_ns(HawkParams(), 1, mean)
    uniform = estimates_ns(HawkParams(estimate_error="uniform", estimate_error_percent=30), 1, mean) / mean
    wide = estimates_ns(HawkParams(estimate_error="lognormal", estimate_error_sigma=0.5), 1, mean) / mean
    assert (exact == mean).all()
    assert uniform.min() >= 0.7
    assert uniform.max() <= 1.3
    assert uniform.mean() == pytest.approx(1, abs=0.005)
    assert uniform.std() == pytest.approx(0.3 / np.sqrt(3), rel=0.02)
    assert np.median(wide) == pytest.approx(1, abs=0.015)
    assert np.log(wide).std() == pytest.approx(0.5, rel=0.02)


def test_a_wrong_estimate_may_make_a_short_job_long() -> None:
    jobs = [{"arrival_s": n, "durations_s": [9.0]} for n in range(40)]
    right = ended(small(4, jobs, short_cutoff_s=10))
    wrong = ended(small(4, jobs, short_cutoff_s=10, estimate_error="uniform", estimate_error_percent=50))
    assert right.result.summary["counters"]["placed"] == 0  # type: ignore[union-attr]
    assert 5 < wrong.result.summary["counters"]["placed"] < 35  # type: ignore[union-attr]


def test_its_classes_are_those_of_the_summary() -> None:
    run = ended(small(2, BEHIND_A_LONG_ONE, **ONE_PROBE))
    by_class = run.result.summary["by_class"]  # type: ignore[union-attr]
    assert (by_class["short"]["jobs"], by_class["long"]["jobs"]) == (1, 2)


def test_a_task_that_no_machine_can_hold_is_given_up_with_a_reason() -> None:
    jobs = [{"arrival_s": 0, "durations_s": [20.0], "demand": {"cpus": 9}}, {"arrival_s": 0, "durations_s": [1.0]}]
    run = ended(small(2, jobs, short_cutoff_s=10))
    reasons = {reason.code: reason.name for reason in scheduler_by_name("hawk").reasons}
    assert [reasons[int(row["reason"])] for row in run.decisions()] == ["unschedulable", "launched"]


def test_a_steal_that_helped_is_of_a_task_that_the_thief_then_started() -> None:
    simulation = Simulation(Experiment.parse(signature_experiment("hawk")), frames=2)
    for _ in simulation.run():
        pass
    file = io.BytesIO()
    RunView(simulation).write_recording(file)
    tasks = simulation.result.tasks.to_pandas()  # type: ignore[union-attr]
    with RecordingReader(file) as reader:
        moments = {one["kind"]: one for one in reader.moments()}
    for kind in ("most_helped", "least_helped"):
        thief, victim = moments[kind]["machines"]
        task = tasks.iloc[moments[kind]["task"]]
        assert task["machine"] == thief != victim
        assert task["first_start_ns"] >= moments[kind]["t_ns"]
