"""A sketch of a workload for previews: all jobs, and the first few tasks of each job as its sample."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scheduler_core.cluster import Cluster
from scheduler_core.experiment.workloads import SyntheticWorkload
from scheduler_core.limits import Limits
from scheduler_core.workload.build import Workload
from scheduler_core.workload.raw import Ints
from scheduler_core.workload.statistics.numbers import Floats
from scheduler_core.workload.synthetic.declared import draw_first_tasks
from scheduler_core.workload.synthetic.kinds import kinds_of

SHOWN_TASKS = 30_000


@dataclass(frozen=True)
class Sketch:
    """Columns of jobs in order of arrival (`mean_ns` over the tasks shown), and of the tasks that are shown.

    `weight` says how many tasks each of these stands for; `demands` is int64 (kinds, resources) in thousandths, `kind`
    which of them a job's tasks take.
    """

    arrival_ns: Ints
    tasks: Ints
    mean_ns: Ints
    kind: Ints
    demands: Ints
    duration_ns: Ints
    weight: Floats
    notes: tuple[str, ...] = ()


def sketch_of(work: Workload) -> Sketch:
    """Take over a built workload, every task of it."""
    jobs = work.jobs
    arrival, tasks, mean = (np.ascontiguousarray(jobs[name]) for name in ("arrival_ns", "tasks", "mean_ns"))
    kind = work.tasks["demand"][np.minimum(jobs["first_task"], len(work.tasks) - 1)]
    return Sketch(
        arrival,
        tasks,
        mean,
        np.ascontiguousarray(kind),
        work.demands,
        np.ascontiguousarray(work.tasks["duration_ns"]),
        np.ones(len(work.tasks)),
        work.notes,
    )


def drawn_sketch(workload: SyntheticWorkload, seed: int, cluster: Cluster, limits: Limits) -> Sketch:
    """Draw the jobs of a run, and of each as many tasks, from the first on, as a preview shows."""
    drawn, first, duration, mean = draw_first_tasks(workload, seed, cluster, limits, shown_of)
    weight = np.repeat(drawn.tasks / np.maximum(first, 1), first)
    return Sketch(
        drawn.arrival, drawn.tasks, mean, drawn.kind, kinds_of(workload, cluster.names).vectors, duration, weight
    )


def shown_of(tasks: Ints) -> Ints:
    """Return the number of tasks to show of each job: at least one, and about SHOWN_TASKS in total at most."""
    low, high = 1, max(int(tasks.max(initial=1)), 1)
    while low < high:
        middle = (low + high) // 2
        if int((-(-tasks // middle)).sum()) <= SHOWN_TASKS:
            high = middle
        else:
            low = middle + 1
    found: Ints = -(-tasks // low)
    return found
