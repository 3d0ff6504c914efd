"""Times of tasks of workflows: when each would be submitted by itself, and when it becomes eligible.

A task's own submission is when it would become eligible if no task waited and all machines were the fastest: so do the
workflow engines whose traces the reference architecture's paper uses submit tasks.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scheduler_core.workload.stages import Stages, longest_tasks_ns, stage_starts_ns

Ints = npt.NDArray[np.int64]


def submitted_ns(stages: Stages | None, arrival_ns: Ints, own_ns: Ints) -> Ints:
    """Return when each task is submitted by itself, (tasks,), ns; `arrival_ns` is of its job, `own_ns` its duration."""
    if stages is None:
        return arrival_ns
    return arrival_ns + _of_tasks(stages, stage_starts_ns(stages, longest_tasks_ns(stages, own_ns)))


def eligible_ns(stages: Stages | None, arrival_ns: Ints, end_ns: Ints) -> Ints:
    """Return when all tasks that each task waits for had ended, (tasks,), ns; -1 if one of them never did.

    It is no earlier than the arrival of the task's job.
    """
    if stages is None:
        return arrival_ns
    ends, lost = longest_tasks_ns(stages, end_ns), longest_tasks_ns(stages, -end_ns) > 0
    found = np.full(len(stages.table), np.iinfo(np.int64).min)
    rows = stages.table
    for number, (first, count) in enumerate(zip(rows.first_parent.tolist(), rows.parents.tolist(), strict=True)):
        parents = stages.parents[first : first + count]
        if len(parents):
            found[number] = -1 if lost[parents].any() else ends[parents].max()
    of = _of_tasks(stages, found)
    return np.where(of == -1, -1, np.maximum(of, arrival_ns))


def _of_tasks(stages: Stages, of_stage: Ints) -> Ints:
    """Return each task's value by its stage's, in the order of the tasks."""
    values = np.empty(len(stages.order), np.int64)
    values[stages.order] = np.repeat(of_stage, stages.table.tasks)
    return values
