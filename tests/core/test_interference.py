"""Interference: tasks beside a task that starts make it take longer, under every family that can have it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scheduler_core import Experiment, ExperimentError, Simulation, simulate
from scheduler_core.engine.company import MOST_SLOWED
from tests.core.experiments import SCHEDULER_NAMES, by_loop

HONOUR = [name for name in SCHEDULER_NAMES if name != "pipeline"]


def experiment(scheduler: str, interference: dict[str, Any] | None, cpus: int = 4, **more: Any) -> Experiment:
    """A loaded datacenter of few machines with room for several tasks, and a machine that fails."""
    data: dict[str, Any] = {
        "schema_version": 1,
        "seed": 5,
        "topology": {"clusters": [{"name": "lm", "machines": [{"count": 6, "cpus": cpus}]}]},
        "workload": {
            "kind": "synthetic",
            "jobs": 40,
            "arrivals": {"kind": "poisson", "offered_load": 0.9},
            "tasks_per_job": {"kind": "constant", "value": 3},
            "duration_s": {"kind": "exponential", "mean": 2},
            "demand": {"cpus": 1, "memory_gb": 0},
        },
        "scheduler": {"name": scheduler},
        "events": [{"at_s": 4, "kind": "fail", "target": {"machine": 1}, "duration_s": 3}],
    }
    return Experiment.parse(data | more | ({} if interference is None else {"interference": interference}))


def ran(simulation: Simulation) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Run to the end: what each task ran, and its own run time, in ns."""
    for _ in simulation.run():
        pass
    assert simulation.result is not None
    tasks = simulation.result.tasks
    assert (tasks["end_ns"] >= 0).all()
    return np.asarray(tasks["end_ns"] - tasks["last_start_ns"]), np.asarray(simulation.world.task["own_ns"])


@pytest.mark.parametrize("scheduler", by_loop(HONOUR))
def test_company_makes_tasks_take_longer_and_leaves_nothing_behind(scheduler: str) -> None:
    for kinds in ("drawn", "alike"):
        simulation = Simulation(experiment(scheduler, {"strength": 1, "kinds": kinds}), frames=0)
        took, own = ran(simulation)
        assert (took >= own).all()
        assert (took <= MOST_SLOWED * own).all()
        assert (took > own).mean() > 0.2
        if kinds == "alike":
            assert (took <= own * 1.75 + 1).all(), "three of four CPUs are the most that others can hold"
        assert not simulation.world.company.any(), "at the end nobody is anywhere"


@pytest.mark.parametrize("scheduler", by_loop(HONOUR))
def test_without_strength_or_company_nothing_changes(scheduler: str) -> None:
    plain = simulate(experiment(scheduler, None)).summary["outcome_digest"]
    assert simulate(experiment(scheduler, {"strength": 0})).summary["outcome_digest"] == plain
    alone, beside = (
        simulate(experiment(scheduler, found, cpus=1)).summary["outcome_digest"] for found in (None, {"strength": 2})
    )
    assert alone == beside, "a machine of one CPU has no room for company"


def test_two_tasks_by_hand() -> None:
    """Of two tasks on a machine of two CPUs the second starts beside the first, which holds half the machine."""
    jobs = [{"arrival_s": at, "durations_s": [4]} for at in (0, 1, 10)]
    machines = [{"count": 1, "cpus": 2}]
    for strength, second_s in ((0.5, 5.0), (1.0, 6.0), (0.0, 4.0)):
        found = experiment(
            "kubernetes",
            {"strength": strength, "kinds": "alike"},
            topology={"clusters": [{"name": "lm", "machines": machines}]},
            workload={"kind": "inline", "jobs": jobs},
            events=[],
        )
        took, _ = ran(Simulation(found, frames=0))
        assert (took / 1e9).tolist() == [4.0, second_s, 4.0]


@pytest.mark.parametrize("scheduler", ["kubernetes", "quincy"])
def test_the_section_is_the_parameter_of_queue_and_flow_schedulers(scheduler: str) -> None:
    asked = experiment(scheduler, {"strength": 1.5, "kinds": "drawn"})
    data = experiment(scheduler, None).to_dict()
    data["scheduler"]["params"] |= {"interference": 1.5, "kinds": "drawn"}
    same = [simulate(one).summary["outcome_digest"] for one in (asked, Experiment.parse(data))]
    assert same[0] == same[1] != simulate(experiment(scheduler, None)).summary["outcome_digest"]
    both = Experiment.parse(data | {"interference": {"strength": 1}})
    with pytest.raises(ExperimentError, match="keep the section"):
        Simulation(both).prepare()


@pytest.mark.parametrize(
    ("scheduler", "params"),
    [("pipeline", {}), ("megha", {"profile": "public-simulator"}), ("hawk", {"profile": "public-simulator"})],
)
def test_who_cannot_have_it_says_why(scheduler: str, params: dict[str, Any]) -> None:
    data = experiment(scheduler, {"strength": 1}, events=[]).to_dict()
    data["scheduler"]["params"] = params
    with pytest.raises(ExperimentError, match="interference between tasks") as refused:
        Simulation(Experiment.parse(data))
    assert "one task on a machine" in refused.value.problems[0].remedy


def test_one_pool_has_no_company() -> None:
    data = experiment("drf", {"strength": 1}, events=[]).to_dict()
    data["topology"]["pooled"] = True
    with pytest.raises(ExperimentError, match="pool"):
        Simulation(Experiment.parse(data)).prepare()
