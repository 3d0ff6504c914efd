"""Tasks that no machine can ever run: they block their job, or are dropped and the job goes on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scheduler_core import (
    Experiment,
    ExperimentError,
    RunView,
    Simulation,
    build_cluster,
    build_workload,
    explain,
    simulate,
)
from scheduler_core.constraints import task_asks
from scheduler_core.recording.track import numbers
from tests.core.experiments import SCHEDULER_NAMES, by_loop

NEVER = (1 << 32) - 1


def experiment(scheduler: str, rule: str | None, **params: Any) -> Experiment:
    """Four machines and jobs of two tasks, of which half ask for what no machine offers."""
    constraints: dict[str, Any] = {
        "catalogue": "custom",
        "custom": [{"name": "nowhere", "machine_share": 0}],
        "asks": {"probabilities": {"nowhere": 0.5}, "unit": "task"},
    }
    return Experiment.parse(
        {
            "schema_version": 1,
            "topology": {
                "clusters": [{"name": "lm", "constraint_mix": "custom", "machines": [{"count": 4, "cpus": 4}]}]
            },
            "constraints": constraints | ({} if rule is None else {"impossible_tasks": rule}),
            "workload": {
                "kind": "synthetic",
                "jobs": 16,
                "arrivals": {"kind": "poisson", "rate_per_s": 2},
                "tasks_per_job": {"kind": "constant", "value": 2},
                "duration_s": {"kind": "exponential", "mean": 1},
            },
            "scheduler": {"name": scheduler, "params": params},
        }
    )


def impossible(found: Experiment) -> np.ndarray[Any, Any]:
    """Which of the two tasks of each job no machine can run, bool (jobs, 2)."""
    return task_asks(found, build_workload(found, build_cluster(found))).reshape(-1, 2) != 0


@pytest.mark.parametrize("scheduler", by_loop(SCHEDULER_NAMES))
def test_a_job_goes_on_without_a_task_that_no_machine_can_run(scheduler: str) -> None:
    kept, dropped = (simulate(experiment(scheduler, rule)) for rule in ("keep", "drop"))
    never = impossible(experiment(scheduler, "drop"))
    blocked, empty = never.any(axis=1), never.all(axis=1)
    assert empty.any()
    assert (blocked & ~empty).any()
    assert kept.summary["tasks"]["unschedulable"] == never.sum()
    assert dropped.summary["tasks"] == kept.summary["tasks"] | {"dropped": int(never[~empty].sum())}
    assert ((kept.jobs["end_ns"] >= 0) == ~blocked).all()
    assert ((dropped.jobs["end_ns"] >= 0) == ~empty).all(), "a job of nothing else never completes"
    took = np.where(never, 0, ran_ns(dropped)).max(axis=1)
    assert (dropped.jobs["ideal_ns"][~empty] == took[~empty]).all(), "the ideal is that of the tasks that are left"
    assert simulate(experiment(scheduler, None)).summary["jobs"] == kept.summary["jobs"]


def ran_ns(run: Any) -> np.ndarray[Any, Any]:
    """What each task runs, (jobs, 2); tasks that never ran count 0."""
    ran = np.where(run.tasks["end_ns"] >= 0, run.tasks["end_ns"] - run.tasks["last_start_ns"], 0)
    return np.asarray(ran).reshape(-1, 2)


@pytest.mark.parametrize("scheduler", ["megha", "pigeon"])
def test_the_constraint_aware_profiles_drop_unless_told_otherwise(scheduler: str) -> None:
    done = [
        simulate(experiment(scheduler, rule, profile="constraint-aware")).summary["jobs"]["completed"]
        for rule in (None, "drop", "keep")
    ]
    assert done[0] == done[1] > done[2]


def test_a_dropped_task_says_so() -> None:
    found = experiment("sparrow", "drop")
    never = impossible(found)
    partly = int(np.flatnonzero((never.any(axis=1) & ~never.all(axis=1))[:, None] & never)[0])
    whole = int(np.flatnonzero(never.all(axis=1))[0]) * 2
    assert explain(found, partly)["answer"].endswith("The task is dropped, and its job continues.")
    assert "dropped" not in explain(found, whole)["answer"]


@pytest.mark.parametrize("rule", ["keep", "drop"])
def test_pictures_count_such_tasks_as_waiting_as_long_as_their_jobs_keep_them(rule: str) -> None:
    found = experiment("sparrow", rule)
    never = impossible(found)
    wait = never if rule == "keep" else never & never.all(axis=1)[:, None]
    simulation = Simulation(found)
    frames = list(simulation.run())
    assert frames[-1].counters["tasks_waiting"] == wait.sum() > 0
    assert frames[-1].series["waiting"][-1][1] == wait.sum()
    view = RunView(simulation)
    density, tasks = view.density(), view.track()["tasks"]
    assert numbers(density["waiting"])[-1] == wait.sum()
    assert ((numbers(tasks["machine"]) == 0) & (numbers(tasks["ran"]) == NEVER)).sum() == wait.sum()


def test_stages_that_wait_for_a_dropped_task_are_refused() -> None:
    data = experiment("carbyne", "drop").to_dict()
    stages = [{"name": "a", "duration_s": 1}, {"name": "b", "duration_s": 1, "after": ["a"]}]
    data["workload"] = {"kind": "inline", "jobs": [{"arrival_s": 0, "stages": stages}]}
    with pytest.raises(ExperimentError, match="impossible_tasks"):
        Simulation(Experiment.parse(data)).prepare()


def test_a_task_without_constraints_is_told_of_none() -> None:
    data = experiment("random-queue", None).model_dump(mode="json", exclude_unset=True)
    del data["constraints"], data["topology"]["clusters"][0]["constraint_mix"]
    data["topology"]["clusters"][0]["machines"][0]["cpus"] = 0.5
    sentence = explain(Experiment.parse(data), 0)["decisions"][-1]["sentence"]
    assert "no eligible machine has enough CPUs" in sentence
    assert "constraint" not in sentence
