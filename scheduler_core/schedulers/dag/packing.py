"""Build the arrays of the DAG family from a world and its stages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.constraints.vectors import packed_bits
from scheduler_core.engine import rng
from scheduler_core.engine.records import CAUSE_PARENT, NEVER, NOBODY, TASK_UNSCHEDULABLE, Ints, Records, World, records
from scheduler_core.engine.rooms import pack_room
from scheduler_core.experiment import Experiment, effective_queues
from scheduler_core.schedulers.dag.classes import by_class
from scheduler_core.schedulers.dag.groups import pack_groups
from scheduler_core.schedulers.dag.replicas import pack_replicas, refuse_too_long
from scheduler_core.schedulers.dag.settings import Policy, altruism_draws, pack_rules, pack_settings
from scheduler_core.schedulers.dag.state import (
    DAG_JOB,
    GROUP,
    HEAP,
    LOCAL,
    OFFER,
    PACK,
    PLAN,
    PLANNED,
    STAGE,
    VIRTUAL,
    DagState,
)
from scheduler_core.schedulers.dag.troublesome import order_stages
from scheduler_core.workload.stages import Stages, flat_stages, longest_tasks_ns
from scheduler_core.world.pack import count_able
from scheduler_core.world.start import Start

Numbers = npt.NDArray[np.int32]


def pack_state(start: Start[Any], policy: Policy) -> DagState:
    """Return the state of a run that has not begun. Raise ExperimentError."""
    experiment, world = start.experiment, start.world
    stages = _stages(world, start.stages)
    rules, shares = pack_rules(start, policy), [queue.share for queue in effective_queues(experiment)]
    stage, relative = pack_stages(world, stages, policy.by_path)
    total: Ints = world.capacity.sum(axis=0)
    asked = estimate(experiment, world, stage, relative)
    job = pack_jobs(world, asked, stage, total, shares if rules[0].by_queue else [1.0] * len(shares))
    job["draw"] = altruism_draws(experiment.seed, len(job), policy.first_phase == PLAN)
    job["altruistic"] = job["draw"] < rules[0].altruism
    if rules[0].in_place:
        order_stages(world, stage, relative, job, total)
    if policy.troublesome:
        stage["rank"] = stage["place"]
    if policy.first_phase == OFFER:
        stage["able"] = count_able(world)[stage["demand"]]
    stage_of, local = _stage_of_tasks(world, stages), policy.first_phase == LOCAL or bool(rules[0].has_data)
    if local:
        refuse_too_long(world, max(rules[0].rack_factor, rules[0].remote_factor))
    replica, rack_first = pack_replicas(world, stage, stage_of, local, experiment.scheduler.params)
    plans = policy.first_phase == PLAN
    plan, draft, group, virtual = pack_plans(job, stage, plans)
    chooses = policy.first_phase in (PACK, OFFER) or "leftover" in start.given
    jobs, classes, (machines, resources) = len(job), len(world.demand), world.free.shape
    return DagState(
        rules=rules, stage=stage, relative=relative, task_order=stages.order.astype(np.int32), stage_of=stage_of,
        job=job, held=np.zeros((jobs, resources), np.int64), queue_held=np.zeros((len(shares), resources), np.int64),
        queue_share=np.array(shares), total=total, in_service=total.copy(),
        setting=pack_settings(start, policy), replica=replica, rack_first=rack_first,
        offers=_offers(world), active=np.zeros(jobs, np.int32), order=np.zeros(jobs, np.int32), key=np.zeros(jobs),
        open_of=np.zeros(classes, np.int64), failed=np.zeros(classes, np.int64), room=pack_room(world.free),
        freed=np.zeros(machines, np.int8), plan=plan, draft=draft, group=group, virtual=virtual, asked=asked,
        queue_weights=np.zeros(len(shares)), needs=np.zeros((jobs, resources), np.int64),
        wants=np.zeros((jobs, resources)), left=_left(job, stage, asked), least=_least(world.capacity),
        given=np.zeros((resources + 1, 101), np.int64), present=np.zeros(jobs, np.int32),
        aside=np.zeros((len(world.task) if plans else 1, 2), np.int32), limit=np.zeros((4, resources), np.int64),
        **pack_groups(experiment, world, rules),
        **pack_heaps(stage, jobs, asked, bool(rules[0].in_place), chooses),
    )  # fmt: skip


def _stages(world: World, stages: Stages | None) -> Stages:
    """Return stages of alike tasks; without graphs, one for each demand class of a job."""
    class_of = world.task["demand"].astype(np.int64)
    if stages is None:
        return flat_stages(world.task["job"].astype(np.int64), class_of)
    return by_class(stages, class_of)


def _stage_of_tasks(world: World, stages: Stages) -> Numbers:
    """Return the stage of each task; tells those that may ever run their places in the order of stages."""
    stage_of = np.empty(len(world.task), np.int32)
    stage_of[stages.order] = np.repeat(np.arange(len(stages.table)), stages.table.tasks)
    can = np.flatnonzero(world.task["state"][stages.order] != TASK_UNSCHEDULABLE)
    world.task["place"][stages.order[can]] = can
    return stage_of


def _offers(world: World) -> npt.NDArray[np.uint64]:
    """Return machines that offer each constraint that some task asks for, as bits; the last row has all machines."""
    asked = int(np.bitwise_or.reduce(world.asks)).bit_length()
    everything = np.full((1, -(-len(world.machine) // 64)), ~np.uint64(0))
    masks = np.ascontiguousarray(world.machine["offers"])
    return np.concatenate([packed_bits(masks, asked), everything]) if asked else everything


def pack_stages(world: World, stages: Stages, by_path: bool) -> tuple[Records, Numbers]:
    """Return STAGE records and the flat children and parents; ranked by the longest path or by depth.

    Stages that wait for a stage that no machine can hold can never start either: their tasks become unschedulable.
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
    """Return the estimated demand of a task of each stage, (stages, resources); write estimated times to `stage`.

    Estimates differ from the truth by the workload's errors, in as many stages as the workload says, drawn by key.
    """
    asked: Ints = world.demand[stage["demand"]]
    errors = getattr(experiment.workload, "estimates", None)
    if errors is None:
        return asked
    wrong = np.array(
        [rng.uniform(experiment.seed, rng.STREAM_ERROR, number, 0) < errors.share for number in range(len(stage))],
        np.bool_,
    )
    stage["duration_ns"][wrong] = np.maximum(stage["duration_ns"][wrong] * (1 + errors.duration_error), 1)
    stage["path_ns"] = _paths_ns(stage, relative)
    thought = np.maximum(np.floor(asked[wrong] * (1 + errors.demand_error) + 0.5), 1)
    asked[wrong] = np.where(asked[wrong] > 0, thought, 0)
    return asked


def _paths_ns(stage: Records, relative: Numbers) -> Ints:
    """Return the longest chain from each stage on to its job's end, itself included."""
    path = stage["duration_ns"].tolist()
    first, count, child = stage["first_child"].tolist(), stage["children"].tolist(), relative.tolist()
    for number in range(len(path) - 1, -1, -1):
        if count[number]:
            path[number] += max(path[other] for other in child[first[number] : first[number] + count[number]])
    return np.array(path, np.int64)


def _depths(stage: Records, parents: Ints, first_parent: Ints) -> Ints:
    """Return how many stages lie before each on its longest chain."""
    depth = [0] * len(stage)
    flat = parents.tolist()
    for number, (first, count) in enumerate(zip(first_parent.tolist(), stage["parents"].tolist(), strict=True)):
        if count:
            depth[number] = 1 + max(depth[parent] for parent in flat[first : first + count])
    return np.array(depth, np.int64)


def _ranks(stage: Records, key: Ints) -> Ints:
    """Return the rank of each stage within its job by a key; equal keys keep their order."""
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
    """Return DAG_JOB records from the demand `asked` of each stage and the `weights` of each queue."""
    job = records(len(world.job), DAG_JOB)
    numbers = np.arange(len(job))
    job["first_stage"] = np.searchsorted(stage["job"], numbers)
    job["stages"] = np.searchsorted(stage["job"], numbers, side="right") - job["first_stage"]
    job["first_open"] = job["active_at"] = job["skipped_ns"] = NOBODY
    job["finish_ns"] = NEVER
    job["queue"] = world.job["queue"]
    job["weight"] = np.array(weights)[world.job["queue"]]
    job["length_ns"] = (
        np.where(
            job["stages"] > 0, np.maximum.reduceat(stage["path_ns"], np.minimum(job["first_stage"], len(stage) - 1)), 0
        )
        if len(stage)
        else 0
    )
    can = stage["hopeless"] == 0
    job["left"] = np.bincount(stage["job"][can], stage["tasks"][can], len(job))
    share = (asked / np.maximum(total, 1))[:, total > 0].max(axis=1, initial=0.0)
    work = share * stage["duration_ns"] * stage["tasks"]
    job["work"] = np.bincount(stage["job"][can], work[can], len(job))
    for r in range(asked.shape[1]):
        job["asks"] |= (np.bincount(stage["job"][can], asked[can, r] > 0, len(job)) > 0).astype(np.int64) << r
    return job


def _left(job: Records, stage: Records, asked: Ints) -> Ints:
    """Return what all tasks of each job that can be started are thought to take together, (jobs, resources)."""
    tasks = np.where(stage["hopeless"] == 0, stage["tasks"], 0).astype(np.int64)
    left = np.zeros((len(job), asked.shape[1]), np.int64)
    np.add.at(left, stage["job"], tasks[:, None] * asked)
    return left


def _least(capacity: Ints) -> Ints:
    """Return for each resource the smallest amount that a machine has, of those that have any; 0 where none has."""
    least: Ints = np.where(capacity > 0, capacity, np.iinfo(np.int64).max).min(axis=0)
    return np.where(capacity.any(axis=0), least, 0)


def pack_plans(job: Records, stage: Records, plans: bool) -> tuple[Records, Records, Records, Records]:
    """Return arrays for plans: of all jobs, of the current one, its groups and stages; dummies without plans."""
    if not plans or not len(job):
        return records(1, PLANNED), records(1, PLANNED), records(1, GROUP), records(1, VIRTUAL)
    tasks = np.bincount(stage["job"], stage["tasks"], len(job)).astype(np.int64)
    most = int(tasks.max()) + 1
    return (
        records(int(tasks.sum()) + 1, PLANNED),
        records(2 * most, PLANNED),
        records(most, GROUP),
        records(int(job["stages"].max()) + 1, VIRTUAL),
    )


def pack_heaps(stage: Records, jobs: int, asked: Ints, each_alone: bool, chooses: bool) -> dict[str, Any]:
    """Return the arrays of the heaps of stages and jobs (alike.py) by name; as good as none unless it `chooses`.

    Numbers the kinds of the stages: those that take the same and are thought to, or `each_alone`.
    """
    heap, stages = records(2, HEAP), len(stage)
    if not chooses:
        jobs = stages = 0
    else:
        kind = np.arange(stages)
        if not each_alone and stages:
            same = np.column_stack([stage["demand"], asked])
            kind = np.unique(same, axis=0, return_inverse=True)[1].reshape(-1)
        stage["kind"] = kind
        heap = records(2 * (int(kind.max(initial=-1)) + 1) + 2, HEAP)
        room = np.append(np.repeat(np.bincount(kind), 2), [jobs, jobs])
        heap["first"] = np.cumsum(room) - room
    return {
        "heap": heap, "item": np.zeros(2 * (stages + jobs), np.int32), "spot": np.zeros(stages + jobs, np.int32),
        "kind": np.zeros(len(heap) // 2, np.int32), "noticed": np.zeros(jobs, np.int32),
        "untold": np.zeros(jobs, np.int32),
    }  # fmt: skip
