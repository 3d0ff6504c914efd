"""Jobs that are graphs, as a recording stores them: the dependencies, and where and when each task ran."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scheduler_core.engine.records import NOBODY, World
from scheduler_core.experiment import Experiment
from scheduler_core.experiment.workloads import InlineWorkload
from scheduler_core.workload.raw.seconds import to_ns
from scheduler_core.workload.stages import Stages, flat_stages, longest_tasks_ns, topological

if TYPE_CHECKING:
    import pyarrow as pa

MOST_TASKS = 1_000_000
"""Recordings of larger runs hold no graphs: a page could not show them."""
TABLES = ("jobs", "stages", "placements")

Ints = NDArray[np.int64]


def graph_tables(
    experiment: Experiment, world: World, stages: Stages | None, tasks: Any, jobs: Any, decisions: Any
) -> dict[str, pa.Table] | None:
    """Return three tables whose rows refer to each other by number; None if there are too many tasks.

    `tasks` and `jobs` are as in RunResult. The table jobs has: queue, arrival_ns, end_ns, tasks, path_ns (its critical
    path), first_stage, stages. The table stages has: job, first and tasks (rows of placements), duration_ns (its
    longest task), demand (thousandths of each resource), parents (as places in their job), critical (on a longest
    path), name (null if the experiment gives none). The table placements, in the order of stages, has: task, machine,
    start_ns, end_ns, reason (of its last start, 0 in a thinned log); -1 means never.
    """
    import pyarrow as pa

    if not 0 < len(tasks) <= MOST_TASKS:
        return None
    if stages is None:
        stages = flat_stages(world.task["job"].astype(np.int64), world.task["demand"].astype(np.int64))
    rows = stages.table
    of_job = np.bincount(rows.job, minlength=len(jobs))
    order = stages.order
    longest = longest_tasks_ns(stages, world.task["duration_ns"].astype(np.int64))
    first = np.cumsum(of_job) - of_job
    parents = stages.parents - first[np.repeat(rows.job, rows.parents)]
    demand = world.demand[world.task["demand"][order[rows.first_task]]]
    return {
        "jobs": pa.table({
            "queue": jobs["queue"], "arrival_ns": jobs["arrival_ns"], "end_ns": jobs["end_ns"], "tasks": jobs["tasks"],
            "path_ns": jobs["ideal_ns"], "first_stage": first, "stages": of_job,
        }),
        "stages": pa.table({
            "job": rows.job, "first": rows.first_task, "tasks": rows.tasks, "duration_ns": longest,
            "demand": _lists(demand.ravel(), np.full(len(rows), demand.shape[1])),
            "parents": _lists(parents, rows.parents), "critical": on_longest_path(stages, longest, len(jobs)),
            "name": pa.array(_names(experiment, len(rows)), pa.string()),
        }),
        "placements": pa.table({
            "task": order, "machine": tasks["machine"][order], "start_ns": tasks["last_start_ns"][order],
            "end_ns": tasks["end_ns"][order], "reason": _start_reasons(decisions, len(tasks))[order],
        }),
    }  # fmt: skip


def _lists(values: Ints, lengths: Ints) -> pa.ListArray:
    import pyarrow as pa

    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    return pa.ListArray.from_arrays(offsets, np.ascontiguousarray(values, np.int64))


def on_longest_path(stages: Stages, longest_ns: Ints, jobs: int) -> NDArray[np.bool_]:
    """Return which stages lie on a chain as long as their job's critical path: (stages,)."""
    count = len(longest_ns)
    until, after = np.zeros(count, np.int64), np.zeros(count, np.int64)
    rows, parents = stages.table, stages.parents.tolist()
    spans = list(zip(rows.first_parent.tolist(), rows.parents.tolist(), strict=True))
    for number, (first, many) in enumerate(spans):
        until[number] = longest_ns[number] + max((until[one] for one in parents[first : first + many]), default=0)
    for number in range(count - 1, -1, -1):
        first, many = spans[number]
        for one in parents[first : first + many]:
            after[one] = max(after[one], after[number] + longest_ns[number])
    path = np.zeros(jobs, np.int64)
    np.maximum.at(path, rows.job, until)
    longest: NDArray[np.bool_] = until + after == path[rows.job]
    return longest


def _start_reasons(decisions: Any, tasks: int) -> Ints:
    """Return the reason of each task's last start: (tasks,)."""
    reasons = np.zeros(tasks, np.int64)
    starts = decisions[decisions["machine"] != NOBODY]
    reasons[starts["task"]] = starts["reason"]
    return reasons


def _names(experiment: Experiment, stages: int) -> list[str | None]:
    """Return the experiment's names of its stages, in order."""
    workload = experiment.workload
    names: list[str | None] = []
    # A burst reorders jobs, so names no longer match jobs by position.
    if not isinstance(workload, InlineWorkload) or any(event.kind == "burst" for event in experiment.events):
        return [None] * stages
    for job in sorted(workload.jobs, key=lambda one: to_ns(one.arrival_s)):
        if job.stages is None:
            names.append(None)
            continue
        own = [stage.name for stage in job.stages]
        names += [own[place] for place in topological(own, [stage.after for stage in job.stages])]
    return names if len(names) == stages else [None] * stages
