"""Stages: identical tasks of one job that depend on the same other stages of the job."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

STAGE_DTYPE = np.dtype([(name, np.int64) for name in ("job", "first_task", "tasks", "first_parent", "parents")])


@dataclass(frozen=True)
class RawStages:
    """Stages in the order of their jobs, parents before children; their tasks follow one another in that order, too.

    `of_job` counts the stages of each job, `tasks` the tasks of each stage, `parents_of` its parents; `parents` holds
    them one after the other, as places in their job.
    """

    of_job: Ints
    tasks: Ints
    parents_of: Ints
    parents: Ints

    def in_order(self, order: Ints) -> RawStages:
        """Return the stages of the jobs in another order."""
        stages = moved_rows(self.of_job, order)
        return RawStages(
            self.of_job[order],
            self.tasks[stages],
            self.parents_of[stages],
            self.parents[moved_rows(self.parents_of, stages)],
        )

    def or_none(self) -> RawStages | None:
        """Return the stages, or None where none waits for another."""
        return self if len(self.parents) else None


@dataclass(frozen=True)
class Stages:
    """The stages of a workload.

    `table` is a record array of int64 (job, first_task, tasks, first_parent, parents), job by job and parents before
    children; a stage's parents are `parents[first_parent : first_parent + parents]`, numbers of stages. The tasks of a
    stage are tasks[order[first_task]] .. tasks[order[first_task + tasks - 1]] of the workload.
    """

    table: Any
    parents: Ints
    order: Ints


def moved_rows(counts: Ints, order: Ints) -> Ints:
    """Return the old rows of consecutive groups in a new order of the groups."""
    first, moved = np.cumsum(counts) - counts, counts[order]
    begin = first[order] - (np.cumsum(moved) - moved)
    rows: Ints = np.repeat(begin, moved) + np.arange(int(moved.sum()), dtype=np.int64)
    return rows


def numbered(raw: RawStages) -> Stages:
    """Assign consecutive numbers to the stages of all jobs."""
    jobs = len(raw.of_job)
    table = np.recarray(len(raw.tasks), dtype=STAGE_DTYPE)
    table.job = np.repeat(np.arange(jobs, dtype=np.int64), raw.of_job)
    table.tasks, table.parents = raw.tasks, raw.parents_of
    table.first_task = np.cumsum(raw.tasks) - raw.tasks
    table.first_parent = np.cumsum(raw.parents_of) - raw.parents_of
    first = np.repeat(np.cumsum(raw.of_job) - raw.of_job, raw.of_job)
    parents = raw.parents + np.repeat(first, raw.parents_of)
    return Stages(table, parents, np.arange(int(raw.tasks.sum()), dtype=np.int64))


def flat_stages(job: Ints, demand: Ints) -> Stages:
    """Return independent stages for jobs without any: one for the tasks of a job with the same demand."""
    order = np.lexsort((demand, job))
    starts = np.ones(len(order), np.bool_)
    starts[1:] = (np.diff(job[order]) != 0) | (np.diff(demand[order]) != 0)
    first = np.flatnonzero(starts)
    table = np.recarray(len(first), dtype=STAGE_DTYPE)
    table.job, table.first_task = job[order[first]], first
    table.tasks = np.diff(np.append(first, len(order)))
    table.first_parent = table.parents = 0
    return Stages(table, np.zeros(0, np.int64), order.astype(np.int64))


def numbered_flat(job: Ints) -> Stages:
    """Return one stage for each job, with all its tasks; `job` is of each task, in order."""
    jobs, first, tasks = np.unique(job, return_index=True, return_counts=True)
    table = np.recarray(len(jobs), dtype=STAGE_DTYPE)
    table.job, table.first_task, table.tasks = jobs, first, tasks
    table.first_parent = table.parents = 0
    return Stages(table, np.zeros(0, np.int64), np.arange(len(job), dtype=np.int64))


def critical_paths_ns(stages: Stages, duration_ns: Ints, jobs: int) -> Ints:
    """Return the longest chain of tasks of each job in ns, (jobs,), by each stage's longest task.

    `duration_ns` is of the workload's tasks.
    """
    longest = longest_tasks_ns(stages, duration_ns)
    path = np.zeros(jobs, np.int64)
    np.maximum.at(path, stages.table.job, stage_starts_ns(stages, longest) + longest)
    return path


def stage_starts_ns(stages: Stages, longest_ns: Ints) -> Ints:
    """Return the earliest start of each stage after its job's arrival, (stages,), ns.

    `longest_ns` is the longest task of each stage.
    """
    rows, parents, longest = stages.table, stages.parents.tolist(), longest_ns.tolist()
    start = [0] * len(longest)
    for number, (first, count) in enumerate(zip(rows.first_parent.tolist(), rows.parents.tolist(), strict=True)):
        of = parents[first : first + count]
        start[number] = max((start[parent] + longest[parent] for parent in of), default=0)
    return np.array(start, np.int64)


def longest_tasks_ns(stages: Stages, duration_ns: Ints) -> Ints:
    """Return the longest task of each stage in ns."""
    if not len(stages.table):
        return np.zeros(0, np.int64)
    longest: Ints = np.maximum.reduceat(duration_ns[stages.order], stages.table.first_task)
    return longest


def topological(names: Sequence[str], after: Sequence[Sequence[str]]) -> list[int]:
    """Return an order of the stages with parents before children, else as written; they must not wait in a circle."""
    place = {name: number for number, name in enumerate(names)}
    children: list[list[int]] = [[] for _ in names]
    left = [0] * len(names)
    for number, parents in enumerate(after):
        for parent in dict.fromkeys(parents):
            children[place[parent]].append(number)
            left[number] += 1
    order = [number for number, count in enumerate(left) if not count]
    for number in order:
        for child in children[number]:
            left[child] -= 1
            if not left[child]:
                order.append(child)
    return order
