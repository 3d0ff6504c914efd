"""Statistics of a workload's DAGs: stages, depth, edges, critical paths."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from scheduler_core.workload.raw import RawWork
from scheduler_core.workload.raw.seconds import NS
from scheduler_core.workload.readers.graphs import depths
from scheduler_core.workload.stages import critical_paths_ns, numbered
from scheduler_core.workload.statistics.numbers import Floats


def graph_statistics(raw: RawWork, distribution: Callable[[Floats], dict[str, Any] | None]) -> dict[str, Any] | None:
    """Measure the jobs some of whose tasks wait for others; None where no job is one.

    `depth`: stages on the longest way through a job. `critical_path_s`: its longest chain of tasks. `parallelism`: work
    of these jobs over their critical paths, so how many tasks of one of them can run at a time on average.
    """
    if raw.stages is None or not len(raw.stages.parents):
        return None
    stages, jobs = numbered(raw.stages), len(raw.tasks)
    of_stage = np.repeat(np.arange(jobs), raw.stages.of_job)
    edges = np.bincount(of_stage, raw.stages.parents_of, jobs)
    depth = np.zeros(jobs, np.int64)
    np.maximum.at(depth, of_stage, depths(raw.stages) + 1)
    path = critical_paths_ns(stages, raw.duration_ns, jobs) / NS
    work = np.add.reduceat(raw.duration_ns, np.cumsum(raw.tasks) - raw.tasks) / NS
    graph = edges > 0
    longest = float(path[graph].sum())
    return {
        "jobs": int(graph.sum()),
        "stages": int(raw.stages.of_job[graph].sum()),
        "edges": len(raw.stages.parents),
        "parallelism": float(work[graph].sum()) / longest if longest else 0.0,
        "distributions": {
            "stages_per_job": distribution(raw.stages.of_job[graph].astype(np.float64)),
            "depth": distribution(depth[graph].astype(np.float64)),
            "tasks_per_stage": distribution(raw.stages.tasks[graph[of_stage]].astype(np.float64)),
            "critical_path_s": distribution(path[graph]),
        },
    }
