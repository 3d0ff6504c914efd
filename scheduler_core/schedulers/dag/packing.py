"""From a world and its stages to the arrays of the family."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scheduler_core.engine import rng
from scheduler_core.engine.records import (
    CAUSE_PARENT,
    NOBODY,
    TASK_UNSCHEDULABLE,
    Ints,
    Records,
    World,
    records,
)
from scheduler_core.experiment import Experiment
from scheduler_core.schedulers.dag.state import DAG_JOB, GROUP, HEAP, PLANNED, STAGE, VIRTUAL
from scheduler_core.workload.stages import Stages, longest_tasks_ns

Numbers = npt.NDArray[np.int32]


def pack_stages(world: World, stages: Stages, by_path: bool) -> tuple[Records, Numbers]:
    """STAGE records and the flat array of children and parents; `by_path` ranks by the longest way, else by depth.

    What waits for a stage that no machine can hold can never start either: its tasks become unschedulable.
    """
    table = stages.table
    stage = records(len(table), STAGE)
    for column, source in (("job", "job"), ("first", "first_task"), ("tasks", "tasks"), ("parents", "parents")):
        stage[column] = table[source]
    first_tasks = stages.order[table.first_task] if len(table) else np.zeros(0, np.int64)
    stage["demand"] = world.task["demand"][first_tasks]
    stage["waits_for"] = table.parents
    stage["duration_ns"] = longest_tasks_ns(stages, world.task["duration_ns"])
    stage["next_open"] = NOBODY
    child_of = np.repeat(np.arange(len(table)), table.parents)
    by_parent = np.argsort(stages.parents, kind="stable")
    stage["children"] = np.bincount(stages.parents, minlength=len(table))
    stage["first_child"] = np.cumsum(stage["children"]) - stage["children"]
    stage["first_parent"] = table.first_parent + len(child_of)
    relative = np.concatenate([child_of[by_parent], stages.parents]).astype(np.int32)
    stage["path_ns"] = _paths_ns(stage, relative)
    stage["rank"] = _ranks(stage, -stage["path_ns"] if by_path else _depths(stage, stages.parents, table.first_parent))
    _mark_hopeless(world, stage, stages, first_tasks)
    return stage, relative


def estimate(experiment: Experiment, world: World, stage: Records, relative: Numbers) -> Ints:
    """What a task of each stage is thought to take, (stages, resources); what is thought of durations goes to `stage`.

    Estimates differ from the truth by the workload's errors, in so many stages as it says, drawn by key.
    """
    asked: Ints = world.demand[stage["demand"]]
    errors = getattr(experiment.workload, "estimates", None)
    if errors is None:
        return asked
    wrong = np.array([rng.uniform(experiment.seed, rng.STREAM_ERROR, number, 0) < errors.share
                      for number in range(len(stage))], np.bool_)
    stage["duration_ns"][wrong] = np.maximum(stage["duration_ns"][wrong] * (1 + errors.duration_error), 1)
    stage["path_ns"] = _paths_ns(stage, relative)
    thought = np.maximum(np.floor(asked[wrong] * (1 + errors.demand_error) + 0.5), 1)
    asked[wrong] = np.where(asked[wrong] > 0, thought, 0)
    return asked


def _paths_ns(stage: Records, relative: Numbers) -> Ints:
    """The longest chain from each stage on to its job's end, itself included."""
    path = stage["duration_ns"].tolist()
    first, count, child = stage["first_child"].tolist(), stage["children"].tolist(), relative.tolist()
    for number in range(len(path) - 1, -1, -1):
        if count[number]:
            path[number] += max(path[other] for other in child[first[number] : first[number] + count[number]])
    return np.array(path, np.int64)


def _depths(stage: Records, parents: Ints, first_parent: Ints) -> Ints:
    """How many stages lie before each on its longest chain."""
    depth = [0] * len(stage)
    flat = parents.tolist()
    for number, (first, count) in enumerate(zip(first_parent.tolist(), stage["parents"].tolist(), strict=True)):
        if count:
            depth[number] = 1 + max(depth[parent] for parent in flat[first : first + count])
    return np.array(depth, np.int64)


def _ranks(stage: Records, key: Ints) -> Ints:
    """Places of the stages when each job's are ordered by a key, equal ones as they are."""
    order = np.lexsort((key, stage["job"]))
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank


def _mark_hopeless(world: World, stage: Records, stages: Stages, first_tasks: Ints) -> None:
    hopeless = (world.task["state"][first_tasks] == TASK_UNSCHEDULABLE).tolist()
    own = np.array(hopeless, np.bool_)
    parents, table = stages.parents.tolist(), stages.table
    if any(hopeless):
        for number, (first, count) in enumerate(zip(table.first_parent.tolist(), table.parents.tolist(), strict=True)):
            hopeless[number] = hopeless[number] or any(hopeless[p] for p in parents[first : first + count])
    stage["hopeless"] = hopeless
    late = np.flatnonzero(np.repeat(stage["hopeless"].astype(np.bool_) & ~own, table.tasks))
    world.task["state"][stages.order[late]] = TASK_UNSCHEDULABLE
    world.task["place"][stages.order[late]] = CAUSE_PARENT


def pack_jobs(world: World, asked: Ints, stage: Records, total: Ints, weights: Sequence[float]) -> Records:
    """DAG_JOB records; `asked` is of each stage, `weights` of each queue."""
    job = records(len(world.job), DAG_JOB)
    numbers = np.arange(len(job))
    job["first_stage"] = np.searchsorted(stage["job"], numbers)
    job["stages"] = np.searchsorted(stage["job"], numbers, side="right") - job["first_stage"]
    job["first_open"] = job["active_at"] = NOBODY
    job["queue"] = world.job["queue"]
    job["weight"] = np.array(weights)[world.job["queue"]]
    job["length_ns"] = np.where(job["stages"] > 0, np.maximum.reduceat(
        stage["path_ns"], np.minimum(job["first_stage"], len(stage) - 1)), 0) if len(stage) else 0
    can = stage["hopeless"] == 0
    job["left"] = np.bincount(stage["job"][can], stage["tasks"][can], len(job))
    share = (asked / np.maximum(total, 1))[:, total > 0].max(axis=1, initial=0.0)
    work = share * stage["duration_ns"] * stage["tasks"]
    job["work"] = np.bincount(stage["job"][can], work[can], len(job))
    return job


def count_able(world: World) -> Numbers:
    """How many machines could run each class of demand, were they empty."""
    kinds, count = np.unique(
        np.column_stack([world.machine["offers"], world.capacity]), axis=0, return_counts=True
    )
    return np.array([
        count[((kinds[:, 0] & asks) == asks) & (kinds[:, 1:] >= demand).all(axis=1)].sum()
        for demand, asks in zip(world.demand, world.asks, strict=True)
    ], np.int32)


def pack_plans(job: Records, stage: Records, plans: bool) -> tuple[Records, Records, Records, Records]:
    """Room for plans: of all jobs, of the one being made, its groups and its stages; as good as none without plans."""
    if not plans or not len(job):
        return records(1, PLANNED), records(1, PLANNED), records(1, GROUP), records(1, VIRTUAL)
    tasks = np.bincount(stage["job"], stage["tasks"], len(job)).astype(np.int64)
    most = int(tasks.max()) + 1
    return (records(int(tasks.sum()) + 1, PLANNED), records(2 * most, PLANNED), records(most, GROUP),
            records(int(job["stages"].max()) + 1, VIRTUAL))


def pack_heaps(stage: Records, jobs: int, asked: Ints, each_alone: bool, chooses: bool) -> tuple[Records, int, int]:
    """Heaps of stages and jobs (alike.py), and how many stages and jobs they have room for; none without `chooses`.

    Numbers the kinds of the stages: those that take the same and are thought to, or `each_alone`.
    """
    if not chooses:
        return records(2, HEAP), 0, 0
    kind = np.arange(len(stage))
    if not each_alone and len(stage):
        same = np.column_stack([stage["demand"], asked])
        kind = np.unique(same, axis=0, return_inverse=True)[1].reshape(-1)
    stage["kind"] = kind
    heap = records(2 * (int(kind.max(initial=-1)) + 1) + 2, HEAP)
    room = np.append(np.repeat(np.bincount(kind), 2), [jobs, jobs])
    heap["first"] = np.cumsum(room) - room
    return heap, len(stage), jobs
