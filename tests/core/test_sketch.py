"""Previews show few tasks of each job and still tell what all of the work is like."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scheduler_core import Experiment, build_cluster, build_workload, workload_preview
from scheduler_core.limits import DEFAULT_LIMITS
from scheduler_core.workload.presets import WorkloadPreset, workload_presets
from scheduler_core.workload.statistics.sketch import SHOWN_TASKS, drawn_sketch, shown_of
from tests.core.test_presets import SHARES, at, experiment, measured

WHOLE = [
    preset
    for preset in workload_presets()
    if preset.workload.kind == "synthetic" and workload_preview(experiment(preset, 1))["sample"]["whole"]
]


@pytest.mark.parametrize("preset", WHOLE, ids=lambda preset: preset.name)
def test_a_preview_tells_the_statistics_of_all_the_tasks(preset: WorkloadPreset) -> None:
    exact = measured(preset, 1)
    told = workload_preview(experiment(preset, 1), cutoff_s=preset.cutoff_s or 1e9)["statistics"]
    for path in ("jobs", "tasks", "gap_s.mean", "gap_s.cv", "tasks_per_job.mean", "tasks_per_job.p90"):
        assert at(told, path) == pytest.approx(at(exact, path), rel=1e-12), path
    for path in ("duration_s.mean", "duration_s.p50", "duration_s.p90", "mean_concurrency"):
        assert at(told, path) == pytest.approx(at(exact, path), rel=0.03), path
    for path in SHARES:
        assert at(told, path) == pytest.approx(at(exact, path), abs=0.01), path


def test_the_tasks_that_are_shown_are_the_first_of_the_run() -> None:
    preset = next(one for one in workload_presets() if one.name == "yh")
    one = experiment(preset, 5)
    cluster = build_cluster(one)
    work = build_workload(one, cluster)
    workload: Any = one.workload
    shown = drawn_sketch(workload, 5, cluster, DEFAULT_LIMITS)
    assert len(shown.duration_ns) <= SHOWN_TASKS
    assert (shown.arrival_ns == work.jobs["arrival_ns"]).all()
    assert (shown.tasks == work.jobs["tasks"]).all()
    assert shown.weight.sum() == pytest.approx(len(work.tasks))
    first = np.concatenate([work.tasks["duration_ns"][at : at + 1] for at in work.jobs["first_task"]])
    starts = np.flatnonzero(np.diff(np.repeat(np.arange(len(shown.tasks)), shown_of(shown.tasks)), prepend=-1))
    assert (shown.duration_ns[starts] == first).all()


def test_bursts_are_seen_in_the_load_over_time() -> None:
    data = experiment(next(one for one in workload_presets() if one.name == "exp"), 1).to_dict()
    span = workload_preview(Experiment.parse(data))["statistics"]["span_s"]
    queue = {"queues": [{"name": "q", "share": 1}]}
    burst = {"kind": "burst", "at_s": 0, "duration_s": span / 10, "target": {"queue": "q"}, "value": {"rate_factor": 4}}
    found = workload_preview(Experiment.parse(data | queue | {"events": [burst]}))
    over = found["load"]["resources"][0]["over_time"]
    assert np.mean(over[:8]) > 2 * np.mean(over[60:])
