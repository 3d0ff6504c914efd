"""Edge cases that every scheduler with probes or worker queues ends with a clear outcome."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core import SCHEDULERS, Experiment, ExperimentError, explain, simulate
from scheduler_core.world.spec import SchedulerSpec

PROBING = [spec for spec in SCHEDULERS if spec.family == "probing"]
each_spec = pytest.mark.parametrize("spec", PROBING, ids=[spec.name for spec in PROBING])
NEVER_SHORT = {"short_cutoff_s": 0.0, "guaranteed": "long", "heartbeat_s": 0.05}
OFFERED = {"catalogue": "custom", "custom": [{"name": "a", "attribute": "a", "comparison": "==", "value": True}]}


def jobs(count: int, **more: Any) -> list[dict[str, Any]]:
    return [{"arrival_s": n / 2, "durations_s": [1.0, 0.5]} | more for n in range(count)]


def made(
    spec: SchedulerSpec,
    work: list[dict[str, Any]],
    machines: list[dict[str, Any]],
    constraints: Any = None,
    **params: Any,
) -> Experiment:
    """Of `params` those that the scheduler has."""
    return Experiment.parse({
        "schema_version": 1,
        "topology": {"clusters": [{"name": "c", "machines": machines}]},
        "workload": {"kind": "inline", "jobs": work},
        **({"constraints": constraints} if constraints else {}),
        "scheduler": {"name": spec.name,
                      "params": {name: params[name] for name in params if name in spec.params.model_fields}},
    })  # fmt: skip


@each_spec
def test_one_worker_does_one_thing_after_the_other(spec: SchedulerSpec) -> None:
    tasks = simulate(made(spec, jobs(6), [{"count": 1}])).tasks
    order = tasks["first_start_ns"].argsort()
    assert (tasks["end_ns"] > 0).all()
    assert (tasks["first_start_ns"][order][1:] >= tasks["end_ns"][order][:-1]).all()


@each_spec
def test_work_that_is_all_long_ends(spec: SchedulerSpec) -> None:
    summary = simulate(made(spec, jobs(8), [{"count": 3}], **NEVER_SHORT)).summary
    assert summary["tasks"] == {"total": 16, "completed": 16, "unfinished": 0, "unschedulable": 0}
    if summary["counters"].get("placed"):
        assert summary["counters"]["probes"] == 0


@each_spec
def test_work_that_is_all_constrained_runs_where_it_may(spec: SchedulerSpec) -> None:
    machines = [{"count": 3}, {"count": 1, "attributes": {"a": True}}]
    for params in ({}, NEVER_SHORT):
        tasks = simulate(made(spec, jobs(4, constraints=["a"]), machines, OFFERED, **params)).tasks
        assert (tasks["end_ns"] > 0).all()
        assert (tasks["machine"] == 3).all()


@each_spec
def test_what_nobody_can_run_sends_no_probe_and_is_told(spec: SchedulerSpec) -> None:
    elsewhere = [{"count": 3, "cpus": 1}, {"count": 1, "cpus": 0.5, "attributes": {"a": True}}]
    experiment = made(spec, jobs(3, constraints=["a"]), elsewhere, OFFERED)
    summary = simulate(experiment).summary
    assert summary["tasks"] == {"total": 6, "completed": 0, "unfinished": 0, "unschedulable": 6}
    assert summary["counters"]["messages"] == 0
    assert "no eligible machine has enough CPUs" in explain(experiment, 0)["decisions"][-1]["sentence"]


@each_spec
def test_no_probes_at_all_is_refused_by_the_name_of_the_field(spec: SchedulerSpec) -> None:
    if "probe_ratio" in spec.params.model_fields:
        with pytest.raises(ExperimentError, match=r"scheduler\.params\.probe_ratio"):
            made(spec, jobs(1), [{"count": 1}], probe_ratio=0)
    assert simulate(made(spec, jobs(1), [{"count": 9}], probe_ratio=1, min_probes=1)).summary["jobs"]["completed"] == 1
