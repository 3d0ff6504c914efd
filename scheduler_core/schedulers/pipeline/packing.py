"""Build the arrays of a pipeline from an experiment, a world and its stages."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.cluster import Cluster
from scheduler_core.engine.events import schedule
from scheduler_core.engine.records import CAUSE_PARENT, NOBODY, TASK_UNSCHEDULABLE, Ints, Records, World, records
from scheduler_core.engine.rooms import pack_room
from scheduler_core.errors import ExperimentError, Problem, listed
from scheduler_core.experiment import Experiment, effective_queues
from scheduler_core.experiment.derived import has_priorities
from scheduler_core.refarch.costs import COST_NS, MOVED
from scheduler_core.refarch.stages import STAGES
from scheduler_core.schedulers.pipeline.codes import IN, NOT_LEASED, OUT, SCALE, T2
from scheduler_core.schedulers.pipeline.keys import Work
from scheduler_core.schedulers.pipeline.settings import keys_of, pack_keys, pack_rules
from scheduler_core.schedulers.pipeline.state import (
    CLOCK,
    COPY,
    COUNT,
    ENTRY,
    GROUP,
    LINE,
    NODE,
    PIPE_JOB,
    PIPE_TASK,
    REAL,
    PipelineState,
)
from scheduler_core.workload.stages import Stages, numbered_flat
from scheduler_core.world.pack import count_able
from scheduler_core.world.start import Start

Numbers = npt.NDArray[np.int32]


def pack_state(start: Start[Any]) -> PipelineState:
    """Return the state of a run that has not begun. Raise ExperimentError if the work needs an absent stage."""
    experiment, cluster, world, stages = start.experiment, start.cluster, start.world, start.stages
    params, tasks = start.given, len(world.task)
    _refuse_lacking(params, world, stages)
    if stages is None:
        stages = numbered_flat(world.task["job"].astype(np.int64))
    queue = _queues(experiment)
    slowness, provider = _slowness(params["speed"], cluster), _provider(params, cluster)
    node, child = _nodes(world, stages)
    lease = _lease(world, params)
    rules, settings, later = pack_rules(start)
    rules["pool"], rules["provider"] = int((lease == IN).sum()), provider
    if params["r7"] == "scheduled":
        schedule(world, int(rules["r7_period_ns"][0]) // 2, SCALE, 0, 0)
    task = records(tasks, PIPE_TASK)
    task["node"][stages.order] = np.repeat(np.arange(len(node)), stages.table.tasks)
    work = _work(experiment, world, stages, task, slowness)
    task["first_key"], task["second_key"] = keys_of(work, params)
    task["left_ns"] = work.duration_ns
    line = _lines(world, task, bool(rules["by_queue"][0]), params["r3"] != "none", len(queue))
    allowed = _allowed(params, len(cluster.cluster_names), experiment.topology.global_masters, start.owners, provider)
    world.task["next"] = world.task["previous"] = NOBODY
    machines, resources = world.free.shape
    return PipelineState(
        rules=rules, stage=records(len(STAGES), COUNT), clock=records(1, CLOCK), real=records(len(STAGES) + 1, REAL),
        cost_ns=_costs(params), line=line, live=np.zeros(len(line), np.int32), entry=records(tasks, ENTRY), task=task,
        task_order=stages.order.astype(np.int32), node=node, child=child, job=_jobs(world, stages), queue=queue,
        queue_held=np.zeros((len(queue), resources), np.int64), total=world.capacity.sum(axis=0), allowed=allowed,
        cluster_first=cluster.cluster_first.astype(np.int64), node_free=_by_cluster(world, cluster),
        node_total=_by_cluster(world, cluster), freed=np.zeros(resources, np.int64), lease=lease,
        first_on=np.full(machines, NOBODY, np.int32), room=pack_room(world.free), part=_parts(world),
        last_on=np.full(machines, NOBODY, np.int32), copy=records(max(tasks * int(rules["t9_more"][0]), 1), COPY),
        setting=settings, new_keys=pack_keys(work, params, settings, later), slowness=slowness,
    )  # fmt: skip


def _queues(experiment: Experiment) -> Records:
    """Return GROUP records of empty queues."""
    queues = effective_queues(experiment)
    queue = records(len(queues), GROUP)
    queue["share"] = [one.share for one in queues]
    queue["head"] = queue["tail"] = NOBODY
    return queue


def _work(experiment: Experiment, world: World, stages: Stages, task: Records, slowness: Any) -> Work:
    """Return what the sorting stages make their keys of."""
    return Work(
        seed=experiment.seed, job_of=world.task["job"].astype(np.int64),
        queue_of_job=world.job["queue"].astype(np.int64),
        share=np.array([queue.share for queue in effective_queues(experiment)]),
        duration_ns=world.task["duration_ns"].astype(np.int64), node_of=task["node"].astype(np.int64),
        job_of_node=stages.table.job.astype(np.int64), first_parent=stages.table.first_parent,
        parents_of=stages.table.parents, parents=stages.parents, slowness=float(slowness.mean()),
        transfer_ns=round(experiment.scheduler.params["transfer_s"] * 1e9),
        arrival_ns=world.job["arrival_ns"].astype(np.int64),
        priority=world.task["kind"].astype(np.int64) if has_priorities(experiment) else None,
    )  # fmt: skip


def _jobs(world: World, stages: Stages) -> Records:
    """Return PIPE_JOB records of jobs that have not arrived."""
    job = records(len(world.job), PIPE_JOB)
    job["next"] = NOBODY
    numbers = np.arange(len(job))
    job["first_node"] = np.searchsorted(stages.table.job, numbers)
    job["nodes"] = np.searchsorted(stages.table.job, numbers, side="right") - job["first_node"]
    can = world.task["state"] != TASK_UNSCHEDULABLE
    job["left"] = np.bincount(world.task["job"][can], minlength=len(job))
    return job


def _costs(params: dict[str, Any]) -> npt.NDArray[np.float64]:
    """Return what an operation of each stage costs, by the order that T2 begins with."""
    cost_ns = np.array(COST_NS)
    if params["t2"] == "random":
        cost_ns[T2] = MOVED
    return cost_ns * float(params["cost_scale"])


def _refuse_lacking(params: dict[str, Any], world: World, stages: Stages | None) -> None:
    problems = []
    if stages is not None and params["t1"] == "none":
        problems.append(
            Problem(
                "scheduler.params.t1",
                "T2 misses which tasks are eligible: tasks of this work wait for others, and T1 is not specified",
                "finished",
                "specify T1",
            )
        )
    if world.asks.any() and params["r3"] == "none":
        problems.append(
            Problem(
                "scheduler.params.r3",
                "R4 misses which machines a task may use: tasks of this work "
                "ask for constraints, and R3 is not specified",
                "constraints",
                "specify R3",
            )
        )
    if problems:
        raise ExperimentError(problems)


def _slowness(resource: str, cluster: Cluster) -> npt.NDArray[np.float64]:
    """Return by how much longer tasks run on each machine than on the fastest; one number if all are alike."""
    if not resource:
        return np.ones(1)
    if resource not in cluster.names:
        raise ExperimentError(
            [
                Problem(
                    "scheduler.params.speed",
                    f"machines have no resource {resource!r}",
                    listed(cluster.names),
                    "name one of the machines' `resources`",
                )
            ]
        )
    speed = cluster.capacity[:, cluster.names.index(resource)]
    if not (speed > 0).all():
        raise ExperimentError(
            [
                Problem(
                    "scheduler.params.speed",
                    f"some machines have no {resource}",
                    "above 0 on every machine",
                    "give each a speed",
                )
            ]
        )
    return np.ones(1) if (speed == speed.max()).all() else speed.max() / speed


def _nodes(world: World, stages: Stages) -> tuple[Records, Numbers]:
    """Return NODE records and the flat array of children.

    Tasks behind a task that no machine can hold become unschedulable.
    """
    table = stages.table
    node = records(len(table), NODE)
    for column, source in (("job", "job"), ("first", "first_task"), ("tasks", "tasks"), ("parents", "parents")):
        node[column] = table[source]
    node["waits_for"] = table.parents
    by_parent = np.argsort(stages.parents, kind="stable")
    node["children"] = np.bincount(stages.parents, minlength=len(table))
    node["first_child"] = np.cumsum(node["children"]) - node["children"]
    child = np.repeat(np.arange(len(table)), table.parents)[by_parent].astype(np.int32)
    lost = world.task["state"][stages.order] == TASK_UNSCHEDULABLE
    if lost.any() and len(stages.parents):
        _mark_hopeless(world, node, stages, lost)
        lost = world.task["state"][stages.order] == TASK_UNSCHEDULABLE
    node["left"] = table.tasks
    if lost.any():
        node["left"] -= np.bincount(np.repeat(np.arange(len(table)), table.tasks)[lost], minlength=len(table))
    ends = np.cumsum(np.append(0, world.task["duration_ns"][stages.order]))
    node["mean_ns"] = (ends[node["first"] + node["tasks"]] - ends[node["first"]]) // np.maximum(node["tasks"], 1)
    return node, child if len(child) else np.zeros(1, np.int32)


def _mark_hopeless(world: World, node: Records, stages: Stages, lost: npt.NDArray[np.bool_]) -> None:
    table = stages.table
    of = np.repeat(np.arange(len(table)), table.tasks)
    never_ends = np.bincount(of, lost, len(table)) > 0
    hopeless, ends = [False] * len(table), never_ends.tolist()
    parents = stages.parents.tolist()
    for number, (first, count) in enumerate(zip(table.first_parent.tolist(), table.parents.tolist(), strict=True)):
        hopeless[number] = any(ends[parent] for parent in parents[first : first + count])
        ends[number] = ends[number] or hopeless[number]
    node["hopeless"] = hopeless
    late = np.flatnonzero(np.array(hopeless, np.bool_)[of] & ~lost)
    world.task["state"][stages.order[late]] = TASK_UNSCHEDULABLE
    world.task["place"][stages.order[late]] = CAUSE_PARENT


def _lines(world: World, task: Records, by_queue: bool, filters: bool, everyone: int) -> Records:
    """Return LINE records, one for each demand class and, where they count, queue; write each task's line."""
    queue = world.job["queue"][world.task["job"]].astype(np.int64)
    queues = int(queue.max(initial=0)) + 1
    key = world.task["demand"].astype(np.int64) * queues + (queue if by_queue else 0)
    kinds, of, counts = np.unique(key, return_inverse=True, return_counts=True)
    line = records(max(len(kinds), 1), LINE)
    line["live_at"] = line["only"] = line["told"] = NOBODY
    if not len(kinds):
        return line
    task["line"] = of
    line["first"] = np.cumsum(counts) - counts
    line["demand"] = kinds // queues
    line["queue"] = kinds % queues if by_queue else everyone
    line["able"] = count_able(world)[line["demand"]] if filters else len(world.machine)
    return line


def _lease(world: World, params: dict[str, Any]) -> npt.NDArray[np.int8]:
    """Return which machines are in the pool at the beginning; takes the others out of service."""
    lease = np.full(len(world.machine), IN, np.int8)
    if params["r7"] != "none":
        lease[params["r7_machines"] :] = OUT
        out = lease == OUT
        world.machine["outage"][out] = NOT_LEASED
        world.free[out] -= world.capacity[out] + 1
    return lease


def _by_cluster(world: World, cluster: Cluster) -> Ints:
    """Return what is free in each cluster, (clusters, resources)."""
    free = np.zeros((len(cluster.cluster_names), world.free.shape[1]), np.int64)
    np.add.at(free, world.machine["cluster"], np.maximum(world.free, 0))
    return free


def _provider(params: dict[str, Any], cluster: Cluster) -> int:
    """Return the number of B's cluster, NOBODY where there is no broker."""
    if params["b"] == "none":
        return NOBODY
    if params["provider"] not in cluster.cluster_names:
        raise ExperimentError(
            [
                Problem(
                    "scheduler.params.provider",
                    f"there is no cluster {params['provider']!r}",
                    listed(cluster.cluster_names),
                    "name the cluster that the provider owns",
                )
            ]
        )
    return cluster.cluster_names.index(params["provider"])


def _allowed(
    params: dict[str, Any], clusters: int, masters: int, queue_owner: Numbers, provider: int
) -> npt.NDArray[np.uint8]:
    """Return which clusters each queue may use; then those that all may, and a row of every cluster."""
    allowed = np.ones((len(queue_owner) + 2, clusters), np.uint8)
    if params["r2"] != "none":
        allowed[:-2] = np.arange(clusters)[np.newaxis, :] % masters == queue_owner[:, np.newaxis]
    if provider != NOBODY:
        allowed[:-1, provider] = 0
    return allowed


def _parts(world: World) -> npt.NDArray[np.float64]:
    """Return what one unit of each resource is of the largest machine; 0 for resources that no task takes."""
    most = world.capacity.max(axis=0, initial=0)
    taken = world.demand[:-1].max(axis=0, initial=0) > 0
    return np.where(taken & (most > 0), 1.0 / np.maximum(most, 1), 0.0)
