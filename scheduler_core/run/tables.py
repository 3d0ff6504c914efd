"""Make the tables of tasks and jobs from the world of a run."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import numpy as np

from scheduler_core.engine.jit import kernel
from scheduler_core.engine.records import TASK_DONE, Ints, Records, World
from scheduler_core.run.results import JOB_COLUMNS, TASK_COLUMNS, Table

_TIMES = ("arrival_ns", "first_start_ns", "last_start_ns", "end_ns", "queue")
_PARTS = ("framework_queuing_ns", "processing_ns", "communication_ns", "worker_queuing_ns")
_IN_WORLD = {"framework_queuing_ns": "framework_ns", "worker_queuing_ns": "worker_ns"}
_DIGESTED = ("first_start_ns", "end_ns", "machine", "attempts")
_PART = 65_536
"""Number of rows that the digest reads at a time."""


@kernel
def _read_times(task, job, times) -> None:  # type: ignore[no-untyped-def]
    """Write arrival, first start, last start, end (-1 until the task is done) and queue of each task into its row."""
    for i in range(len(task)):
        of = task[i].job
        times[0][i] = job[of].arrival_ns
        times[1][i] = task[i].first_start_ns
        times[2][i] = task[i].last_start_ns
        times[3][i] = task[i].end_ns if task[i].state == TASK_DONE else -1
        times[4][i] = job[of].queue


@kernel
def _read_parts(task, parts) -> None:  # type: ignore[no-untyped-def]
    """Write the four parts of each task's delay into their rows, in the order of `_PARTS`."""
    for i in range(len(task)):
        parts[0][i] = task[i].framework_ns
        parts[1][i] = task[i].processing_ns
        parts[2][i] = task[i].communication_ns
        parts[3][i] = task[i].worker_ns


class TaskColumns:
    """The columns of the table of tasks by name, each (tasks,) int64 without gaps, in the workload's order.

    A column is made when it is first asked for: a row of the world has 128 bytes, so one walk over the rows reads all
    columns that metrics use together. The world must not change meanwhile.
    """

    def __init__(self, world: World) -> None:
        self._task, self._job = world.task, world.job
        self._made: dict[str, Ints] = {}

    def __len__(self) -> int:
        return len(self._task)

    def __getitem__(self, name: str) -> Ints:
        if name not in self._made:
            if name in _TIMES:
                self._read(_TIMES, _read_times, self._task, self._job)
            elif name in _PARTS:
                self._read(_PARTS, _read_parts, self._task)
            else:
                self._made[name] = self._one(name, slice(None))
        return self._made[name]

    def forget(self, *names: str) -> None:
        """Drop columns that nobody needs any more: each takes 8 bytes a task."""
        for name in names:
            self._made.pop(name, None)

    def _read(self, names: tuple[str, ...], walk: Callable[..., None], *rows: Records) -> None:
        columns = tuple(np.empty(len(self), np.int64) for _ in names)
        walk(*rows, columns)
        self._made |= dict(zip(names, columns, strict=True))

    def _one(self, name: str, rows: slice) -> Ints:
        """Return some rows of one column, straight from the world."""
        task = self._task[rows]
        if name == "task":
            return np.arange(len(self._task))[rows]
        if name in ("queue", "arrival_ns"):
            return np.asarray(self._job[name][task["job"]], np.int64)
        if name == "machine":
            return np.where(task["attempts"] > 0, task["machine"], np.int64(-1))
        if name == "end_ns":
            return np.where(task["state"] == TASK_DONE, task["end_ns"], np.int64(-1))
        return np.asarray(task[_IN_WORLD.get(name, name)], np.int64)

    def table(self) -> Table:
        """Return the whole table, one row per task."""
        table = np.empty(len(self), TASK_COLUMNS).view(Table)
        for first in range(0, len(table), _PART):
            rows = slice(first, first + _PART)
            for name in TASK_COLUMNS.names or ():
                table[name][rows] = self._one(name, rows)
        return table

    def digest(self) -> str:
        """Return the sha256 over first start, end, machine and attempts of all tasks.

        The values are little-endian int64, column by column, in the workload's order.
        """
        found = hashlib.sha256()
        for name in _DIGESTED:
            for first in range(0, len(self), _PART):
                rows = slice(first, first + _PART)
                some = self._made[name][rows] if name in self._made else self._one(name, rows)
                found.update(np.ascontiguousarray(some, "<i8").tobytes())
        return found.hexdigest()


def job_table(world: World) -> Table:
    """Return the table of jobs, one row per job, in the workload's order; end is -1 until all tasks have ended."""
    table = np.zeros(len(world.job), JOB_COLUMNS).view(Table)
    table["job"] = np.arange(len(world.job))
    for column in ("queue", "arrival_ns", "tasks", "mean_ns", "ideal_ns"):
        table[column] = world.job[column]
    table["end_ns"] = np.where(world.job["done"] == world.job["tasks"], world.job["end_ns"], -1)
    return table
