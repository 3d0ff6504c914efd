"""Compute what jobs left of their shares, from the arrays at a run's end."""

from __future__ import annotations

import numpy as np

from scheduler_core.metrics.dags import Given
from scheduler_core.schedulers.dag.state import DagState
from scheduler_core.workload.stages.dag_shape import shapes

MOST_JOBS = 5_000
"""Graphs of more jobs are not looked at: it would take longer than some runs."""


def given_of(state: DagState) -> Given:
    """Return decisions by the leftover, what each job left, and the properties of their graphs."""
    job, stage = state.job, state.stage
    times = np.asarray(job["times"])
    of_job = np.where(times > 0, job["gave"] / np.maximum(times, 1), np.nan)
    if len(job) > MOST_JOBS:
        return Given(state.given, of_job, {})
    first_parent = np.asarray(stage["first_parent"], np.int64)
    properties = shapes(
        np.asarray(job["stages"], np.int64), first_parent, np.asarray(stage["parents"], np.int64), state.relative
    )
    return Given(state.given, of_job, properties)
