"""Statistics of drawn DAGs in the terms of papers: stages, barriers, work in first stages."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.metrics.percentiles import nearest_rank
from scheduler_core.workload.build import Workload
from scheduler_core.workload.raw import Ints
from scheduler_core.workload.stages import Stages, flat_stages
from scheduler_core.workload.stages.dag_shape import shapes

_PERCENTILES = (50.0, 95.0)


def graph_properties(stages: Stages, duration_ns: Ints, jobs: int) -> dict[str, npt.NDArray[Any]]:
    """Return for each job, (jobs,): its `input_work`, and its shape as in workload.dag_shape.

    `input_work` is the part of its task-seconds that is in stages which wait for none.
    """
    table = stages.table
    of_job = np.bincount(table.job, minlength=jobs)
    work = np.add.reduceat(duration_ns[stages.order], table.first_task).astype(np.float64)
    inputs = np.bincount(table.job, work * (table.parents == 0), jobs)
    found: dict[str, npt.NDArray[Any]] = {"input_work": inputs / np.maximum(np.bincount(table.job, work, jobs), 1.0)}
    return found | shapes(of_job, table.first_parent, table.parents, stages.parents)


def graph_statistics(work: Workload) -> dict[str, dict[str, float]]:
    """Return percentiles 50 and 95 of job properties, tasks per job and seconds per task; means as well."""
    stages = work.stages or flat_stages(work.tasks["job"], work.tasks["demand"])
    found = graph_properties(stages, np.asarray(work.tasks["duration_ns"]), len(work.jobs))
    found["tasks_per_job"] = np.asarray(work.jobs["tasks"])
    found["duration_s"] = np.asarray(work.tasks["duration_ns"]) / 1e9
    rows = {}
    for name, values in found.items():
        ascending = np.sort(values).astype(np.float64)
        ranks = {f"p{percent:g}": float(nearest_rank(ascending, percent)) for percent in _PERCENTILES}
        rows[name] = {"mean": float(ascending.mean()), **ranks}
    return rows
