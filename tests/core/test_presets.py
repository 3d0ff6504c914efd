"""Generated presets have the statistics that they were fitted to, whatever the seed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scheduler_core import Experiment, build_cluster, build_workload
from scheduler_core.workload.presets import WorkloadPreset, workload_presets
from scheduler_core.workload.stages.dag_shape import shapes
from scheduler_core.workload.statistics.dags import graph_statistics
from scheduler_core.workload.statistics.numbers import statistics

PRESETS = [preset for preset in workload_presets() if preset.workload.kind == "synthetic"]
GRAPHS = [preset for preset in workload_presets() if preset.workload.kind == "dag"]
SHARES = ("long_jobs", "long_tasks", "long_task_seconds")
GIVEN = {
    # jobs, tasks, mean gap; tasks a job, seconds a task (mean, p50, p90); percents: long jobs, their tasks, their work
    "goog": (10_000, 312_558, 9.35, (31.26, 1, 21), (1408, 315, 2343), (9.05, 19.3, 78.6)),
    "yh": (2_910, 122_878, 8.87, (42.2, 15, 57), (678, 94, 1533), (9.48, 50.8, 98.5)),
}


def experiment(preset: WorkloadPreset, seed: int) -> Experiment:
    return Experiment.parse(
        {
            "schema_version": 1,
            "seed": seed,
            "topology": {"clusters": [{"machines": [{"count": preset.machines, "memory_gb": 8}]}]},
            "workload": preset.workload.model_dump(mode="json"),
            "scheduler": {"name": "sparrow"},
        }
    )


def measured(preset: WorkloadPreset, seed: int) -> dict[str, Any]:
    one = experiment(preset, seed)
    work = build_workload(one, build_cluster(one))
    jobs = work.jobs
    columns = (jobs["arrival_ns"], jobs["tasks"], jobs["mean_ns"], work.tasks["duration_ns"])
    return statistics(*columns, preset.cutoff_s or 1e9)


def at(found: dict[str, Any], path: str) -> float:
    for key in path.split("."):
        found = found[key]
    value: Any = found
    return float(value)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
@pytest.mark.parametrize("seed", [1, 20_261_121])
def test_a_preset_has_the_statistics_of_what_it_was_fitted_to(preset: WorkloadPreset, seed: int) -> None:
    found = measured(preset, seed)
    if seed == 1:
        assert {path: at(found, path) for path in preset.targets} == pytest.approx(preset.found, rel=1e-5)
    for path, wanted in preset.targets.items():
        if path in SHARES:
            assert at(found, path) == pytest.approx(wanted, abs=0.01), path
        else:
            assert at(found, path) == pytest.approx(wanted, rel=0.05), path


@pytest.mark.parametrize("name", GIVEN)
def test_the_targets_are_those_that_were_measured_elsewhere(name: str) -> None:
    """Taken by another program from the same traces, and rounded."""
    targets = next(preset for preset in PRESETS if preset.name == name).targets
    jobs, tasks, gap, sizes, seconds, shares = GIVEN[name]
    assert (targets["jobs"], targets["tasks"]) == (jobs, tasks)
    assert targets["gap_s.mean"] == pytest.approx(gap, rel=0.005)
    for path, wanted in (("tasks_per_job", sizes), ("duration_s", seconds)):
        for statistic, value in zip(("mean", "p50", "p90"), wanted, strict=True):
            assert targets[f"{path}.{statistic}"] == pytest.approx(value, rel=0.01)
    for path, percent in zip(SHARES, shares, strict=True):
        assert targets[path] * 100 == pytest.approx(percent, abs=0.1)


@pytest.mark.parametrize("preset", GRAPHS, ids=lambda preset: preset.name)
def test_a_preset_of_graphs_has_the_shape_that_it_was_fitted_to(preset: WorkloadPreset) -> None:
    """As it is with seed 1, and close to what was published when 4,000 of its jobs are drawn."""
    one = experiment(preset, 1)
    drawn = graph_statistics(build_workload(one, build_cluster(one)))
    shape = [path for path in preset.targets if path != "jobs"]
    assert {path: at(drawn, path) for path in shape} == pytest.approx({path: preset.found[path] for path in shape})
    assert shape or preset.targets["jobs"] == preset.found["jobs"]
    many = one.to_dict() | {"workload": preset.workload.model_dump(mode="json", exclude_unset=True)}
    many["workload"] |= {
        "jobs": 4_000,
        "arrivals": {"kind": "at_once"},
        "tasks_per_stage": many["workload"]["tasks_per_stage"]
        if "tasks_per_job.p50" in shape
        else {"kind": "constant", "value": 5},
    }
    others = Experiment.parse(many | {"seed": 20_261_121})
    found = graph_statistics(build_workload(others, build_cluster(others)))
    for path in shape:
        assert at(found, path) == pytest.approx(preset.targets[path], rel=0.15, abs=1), path


def test_barriers_of_graphs_by_hand() -> None:
    """0 and 1 before 2, then 3 and 4 beside one another: all meet before 2 and after it."""
    of_job, parents_of = np.array([5, 2, 1]), np.array([0, 0, 2, 1, 1, 0, 0, 0])
    found = shapes(of_job, np.cumsum(parents_of) - parents_of, parents_of, np.array([0, 1, 2, 2]))
    assert found["barriers"].tolist() == [2, 0, 0]
    assert found["critical_path"].tolist() == [3, 1, 1]
    assert found["paths"].tolist() == [2, 2, 1]


def test_every_preset_says_how_it_was_fitted() -> None:
    names = {preset.name for preset in workload_presets()}
    assert {
        "goog",
        "yh",
        "nyh",
        "ngo",
        "exp",
        "facebook",
        "cloudera",
        "alibaba",
        "tpc-ds",
        "tpc-h",
        "bigbench",
        "microsoft",
        "map-reduce",
        "chains",
        "askalon",
    } <= names
    assert all(len(preset.fit) > 60 and preset.about for preset in workload_presets())
