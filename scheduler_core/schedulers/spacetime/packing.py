"""Build the arrays of the space-time schedulers from a world and its stages."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import CAUSE_PARENT, NEVER, TASK_UNSCHEDULABLE, Ints, Records, World, records
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment
from scheduler_core.schedulers.spacetime.state import GROUP, SPACE_JOB
from scheduler_core.workload.stages import STAGE_DTYPE, Stages, longest_tasks_ns, moved_rows


def by_class(stages: Stages, demand: Ints) -> Stages:
    """Return the stages with each divided into one for every class of demand among its tasks, waiting for the same.

    `demand` is the class of each of the workload's tasks.
    """
    table, length = stages.table, len(stages.order)
    number = np.repeat(np.arange(len(table)), table.tasks)
    order = stages.order[np.lexsort((demand[stages.order], number))]
    starts = np.ones(length, np.bool_)
    starts[1:] = (np.diff(number) != 0) | (np.diff(demand[order]) != 0)
    first = np.flatnonzero(starts)
    if len(first) == len(table):
        return stages
    old = number[first]
    parts = np.bincount(old, minlength=len(table)).astype(np.int64)
    # Whoever waited for a stage waits for all its parts.
    row_of = moved_rows(parts, stages.parents)
    of_old = np.zeros(len(table), np.int64)
    np.add.at(of_old, np.repeat(np.arange(len(table)), table.parents), parts[stages.parents])
    new = np.recarray(len(first), dtype=STAGE_DTYPE)
    new.job, new.first_task, new.parents = table.job[old], first, of_old[old]
    new.tasks = np.diff(np.append(first, length))
    new.first_parent = np.cumsum(new.parents) - new.parents
    return Stages(new, row_of[moved_rows(of_old, old)], order)


def pack_groups(world: World, stages: Stages, relaxed: Ints) -> tuple[Records, npt.NDArray[np.int32]]:
    """Return GROUP records and the flat array of children; `relaxed` is each demand class without soft constraints.

    Groups behind a group that no machine can hold never start: their tasks become unschedulable.
    """
    table = stages.table
    group = records(len(table), GROUP)
    for column, source in (("job", "job"), ("first", "first_task"), ("tasks", "tasks"), ("parents", "parents")):
        group[column] = table[source]
    first_tasks = stages.order[table.first_task] if len(table) else np.zeros(0, np.int64)
    group["demand"] = world.task["demand"][first_tasks]
    group["relaxed"] = relaxed[group["demand"]]
    group["waits_for"] = table.parents
    group["duration_ns"] = longest_tasks_ns(stages, world.task["duration_ns"])
    group["children"] = np.bincount(stages.parents, minlength=len(table))
    group["first_child"] = np.cumsum(group["children"]) - group["children"]
    child_of = np.repeat(np.arange(len(table)), table.parents)
    child = child_of[np.argsort(stages.parents, kind="stable")].astype(np.int32)
    _mark_hopeless(world, group, stages, first_tasks)
    return group, child


def mark_gangs(experiment: Experiment, group: Records, gang: npt.NDArray[np.bool_]) -> None:
    """Mark the groups whose job is a gang. Raises ExperimentError for a gang whose tasks differ.

    A group asks with leaves of its own, so tasks of two groups cannot be tied together.
    """
    group["gang"] = gang[group["job"]]
    unlike = np.flatnonzero(gang & (np.bincount(group["job"], minlength=len(gang)) > 1))
    if len(unlike):
        what = f"has a gang, job {unlike[0]}, whose tasks ask for different amounts or constraints"
        remedy = (
            "give its tasks the same demand and constraints, leave out `gang`, or choose 'kubernetes-papers' or 'omega'"
        )
        raise ExperimentError([Problem("workload", what, "gangs of tasks that are alike", remedy)])


def _mark_hopeless(world: World, group: Records, stages: Stages, first_tasks: Ints) -> None:
    own = world.task["state"][first_tasks] == TASK_UNSCHEDULABLE
    hopeless = own.tolist()
    if any(hopeless):
        parents, table = stages.parents.tolist(), stages.table
        for number, (first, count) in enumerate(zip(table.first_parent.tolist(), table.parents.tolist(), strict=True)):
            hopeless[number] = hopeless[number] or any(hopeless[p] for p in parents[first : first + count])
    group["hopeless"] = hopeless
    late = np.flatnonzero(np.repeat(group["hopeless"].astype(np.bool_) & ~own, stages.table.tasks))
    world.task["state"][stages.order[late]] = TASK_UNSCHEDULABLE
    world.task["place"][stages.order[late]] = CAUSE_PARENT


def pack_jobs(world: World, group: Records, weight: npt.NDArray[np.float64], slack: float) -> Records:
    """Return SPACE_JOB records from each queue's `weight` and `slack`, a multiple of the ideal time, 0 for none."""
    job = records(len(world.job), SPACE_JOB)
    numbers = np.arange(len(job))
    job["first_group"] = np.searchsorted(group["job"], numbers)
    job["groups"] = np.searchsorted(group["job"], numbers, side="right") - job["first_group"]
    job["tasks"] = world.job["tasks"]
    job["weight"] = weight[world.job["queue"]]
    can = group["hopeless"] == 0
    job["left"] = np.bincount(group["job"][can], group["tasks"][can], len(job))
    job["deadline_ns"] = NEVER
    if slack > 0:
        allowed = np.minimum(world.job["ideal_ns"] * slack, 2.0**61).astype(np.int64)
        job["deadline_ns"] = world.job["arrival_ns"] + allowed
    return job
