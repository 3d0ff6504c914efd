"""Make the tables of tasks and jobs from the world of a run."""

from __future__ import annotations

import numpy as np

from scheduler_core.engine.records import (
    TASK_DONE,
    Ints,
    Records,
    World,
)
from scheduler_core.run.results import JOB_COLUMNS, TASK_COLUMNS, Table

_PART = 8_192


def task_table(world: World) -> Table:
    """Return the table of tasks, one row per task, in the workload's order."""
    table = np.zeros(len(world.task), TASK_COLUMNS).view(Table)
    table["task"] = np.arange(len(table))
    arrivals = {column: np.ascontiguousarray(world.job[column]) for column in ("queue", "arrival_ns")}
    for first in range(0, len(table), _PART):
        _fill_task_table(table[first : first + _PART], world.task[first : first + _PART], arrivals)
    return table


def _fill_task_table(table: Records, task: Records, arrivals: dict[str, Ints]) -> None:
    """Fill the table column by column, in parts small enough to stay in the processor's cache."""
    job = np.ascontiguousarray(task["job"])
    table["job"] = job
    for column, values in arrivals.items():
        table[column] = values[job]
    for column in ("first_start_ns", "last_start_ns", "end_ns", "attempts", "lost_ns"):
        table[column] = task[column]
    table["machine"] = np.where(task["attempts"] > 0, task["machine"], -1)
    for part in ("framework", "processing", "communication"):
        table[f"{part}_queuing_ns" if part == "framework" else f"{part}_ns"] = task[f"{part}_ns"]
    table["worker_queuing_ns"] = task["worker_ns"]
    table["end_ns"][task["state"] != TASK_DONE] = -1


def job_table(world: World) -> Table:
    """Return the table of jobs, one row per job, in the workload's order; end is -1 until all tasks have ended."""
    table = np.zeros(len(world.job), JOB_COLUMNS).view(Table)
    table["job"] = np.arange(len(world.job))
    for column in ("queue", "arrival_ns", "tasks", "mean_ns", "ideal_ns"):
        table[column] = world.job[column]
    table["end_ns"] = np.where(world.job["done"] == world.job["tasks"], world.job["end_ns"], -1)
    return table
