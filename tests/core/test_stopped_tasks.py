"""An event stops one task: it loses its work and waits again, and nothing else changes.

Random experiments with stops among other events are those of the tests of faults (tests/core/experiments.py, events).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scheduler_core import Experiment, ExperimentError, Simulation, explain, scheduler_by_name, simulate
from tests.core.experiments import LOOPS
from tests.support import small_experiment

HERE = [name for name in (*LOOPS, "as-recorded") if "machine_faults" in scheduler_by_name(name).supports]
each_scheduler = pytest.mark.parametrize("scheduler", HERE)


def plain(scheduler: str) -> Experiment:
    """Forty machines of one core each; some jobs wait."""
    small = small_experiment()
    small["workload"] |= {"jobs": 100, "duration_s": {"kind": "constant", "value": 5}}
    spec = scheduler_by_name(scheduler)
    return Experiment.parse(small | {"scheduler": {"name": scheduler, "params": dict(spec.anywhere)}})


def stopped(experiment: Experiment, task: int, at_s: float) -> Experiment:
    event = {"at_s": at_s, "kind": "stop", "target": {"task": task}}
    return Experiment.parse(experiment.to_dict() | {"events": [event]})


def middle(task: Any) -> float:
    """Return the middle of a task's first run, in seconds, as events have it."""
    return round(int(task["first_start_ns"] + (task["end_ns"] - task["first_start_ns"]) // 2) / 1e9, 3)


@each_scheduler
def test_a_stopped_task_loses_its_work_and_runs_again(scheduler: str) -> None:
    experiment = plain(scheduler)
    before = simulate(experiment).tasks
    number = int(np.flatnonzero(before["end_ns"] >= 0)[40])
    at_s = middle(before[number])
    result = simulate(stopped(experiment, number, at_s))
    tasks = result.tasks
    assert tasks["first_start_ns"][number] == before["first_start_ns"][number]
    lost_ns = round(at_s * 1e9) - before["first_start_ns"][number]
    if result.summary["counters"].get("preemptions"):  # another queue may be owed more afterwards
        assert tasks["lost_ns"][number] >= lost_ns
    else:
        assert tasks["lost_ns"].sum() == tasks["lost_ns"][number] == lost_ns
    assert (tasks["end_ns"] >= 0).all()
    # What had started before then did not notice.
    early = before["first_start_ns"] <= round(at_s * 1e9)
    assert (tasks["first_start_ns"][early] == before["first_start_ns"][early]).all()
    told = [
        row
        for row in explain(stopped(experiment, number, at_s), number)["decisions"]
        if row["t_s"] == pytest.approx(at_s)
    ]
    assert any("an event stopped the task on machine" in row["sentence"] for row in told), told
    assert not any("failed" in row["sentence"] for row in told)


@each_scheduler
def test_a_task_that_does_not_run_is_not_stopped(scheduler: str) -> None:
    """Before it arrives, while it waits, and after its end."""
    experiment = plain(scheduler)
    before = simulate(experiment)
    end_s = float(before.tasks["end_ns"].max() / 1e9)
    for task, at_s in ((len(before.tasks) - 1, 0.001), (0, round(end_s - 0.001, 3))):
        found = simulate(stopped(experiment, task, at_s))
        assert (found.tasks["lost_ns"] == 0).all()
        assert (found.tasks["end_ns"] == before.tasks["end_ns"]).all()
        assert (found.tasks["machine"] == before.tasks["machine"]).all()


@each_scheduler
def test_the_machine_stays_in_service_and_serves_who_waits(scheduler: str) -> None:
    experiment = plain(scheduler)
    before = simulate(experiment).tasks
    number = int(np.flatnonzero(before["end_ns"] >= 0)[40])
    simulation = Simulation(stopped(experiment, number, middle(before[number])), frames=0)
    for _ in simulation.run():
        pass
    assert (simulation.world.machine["outage"] == 0).all()
    assert (simulation.world.free == simulation.world.capacity).all()


def test_a_task_that_the_workload_lacks_is_refused_with_its_place() -> None:
    experiment = stopped(plain("sparrow"), 100_000, 1.0)
    with pytest.raises(ExperimentError) as refused:
        simulate(experiment)
    [problem] = refused.value.problems
    assert problem.path == "events[0].target.task"
    assert "100" in problem.allowed


@pytest.mark.parametrize(
    ("event", "path"),
    [
        ({"target": {"machine": 0}}, "events[0].target"),
        ({"target": {"task": 0}, "duration_s": 3}, "events[0].duration_s"),
        ({"target": {"task": 0}, "value": {"every_s": 3}}, "events[0].value"),
        ({"kind": "fail", "target": {"task": 0}}, "events[0].target"),
    ],
)
def test_what_a_stop_cannot_have_is_refused(event: dict[str, Any], path: str) -> None:
    with pytest.raises(ExperimentError) as refused:
        Experiment.parse(plain("sparrow").to_dict() | {"events": [{"at_s": 1, "kind": "stop"} | event]})
    assert [problem.path for problem in refused.value.problems] == [path]
