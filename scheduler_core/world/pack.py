"""Build the world at time zero from the arrays of a cluster and its workload."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scheduler_core.cluster import Cluster
from scheduler_core.engine.events import EVENT_HEADROOM, LOG_HEADROOM
from scheduler_core.engine.jit import kernel
from scheduler_core.engine.records import (
    CAUSE_CONSTRAINT,
    CAUSE_CONSTRAINTS,
    CAUSE_RESOURCE,
    CAUSE_TOGETHER,
    CAUSE_UNKNOWN,
    CONTROL,
    DECISION,
    EVENT,
    HISTOGRAM_BINS,
    INCIDENT,
    JOB,
    LANE,
    LANES,
    MACHINE,
    NOBODY,
    TASK,
    TASK_UNSCHEDULABLE,
    Ints,
    World,
    records,
)
from scheduler_core.workload import Workload
from scheduler_core.workload.stages import critical_paths_ns

Masks = npt.NDArray[np.int64]

_FIRST_HEAP = 1 << 12
_LOG_ROWS = 1 << 14
_LONGEST_NS = 1 << 61
_FEW_KINDS = 256


def pack_world(
    cluster: Cluster,
    workload: Workload,
    seed: int,
    event_room: int,
    *,
    offers: Masks | None = None,
    asks: Masks | None = None,
    soft: int = 0,
) -> World:
    """Return all record arrays for a cluster and its workload.

    `event_room` is the most events that one step may schedule. `offers` (machines,) and `asks` (tasks,) are masks of
    constraints; without them, every task may run anywhere. `soft` masks the constraints that a task may do without.
    Each class of demand with soft constraints also has a class without them.
    """
    room = max(event_room, EVENT_HEADROOM)
    demand, class_asks, class_of = _with_relaxed(*_classes(workload, asks), soft)
    world = World(
        control=records(1, CONTROL),
        machine=records(len(cluster.capacity), MACHINE),
        capacity=np.ascontiguousarray(cluster.capacity, np.int64),
        free=np.array(cluster.capacity, np.int64, order="C"),
        used=np.zeros(cluster.capacity.shape[1], np.int64),
        touched=np.zeros(len(cluster.capacity), np.uint8),
        demand=_with_smallest(demand),
        asks=np.append(class_asks, 0),
        task=records(len(workload.tasks), TASK),
        job=records(len(workload.jobs), JOB),
        heap=records(_FIRST_HEAP + room, EVENT),
        lane_event=records((LANES, 1 << int(np.ceil(np.log2(2 * room + _FIRST_HEAP)))), EVENT),
        lane=records(LANES, LANE),
        log=records(_LOG_ROWS + LOG_HEADROOM, DECISION),
        incident=records(0, INCIDENT),
        histogram=np.zeros(HISTOGRAM_BINS, np.int64),
        company=np.zeros((1, 1), np.int32),
    )
    world.control["seed"] = seed
    world.control["watched_task"] = -1
    world.control["tasks_wanted"] = len(workload.tasks)
    world.machine["cluster"] = cluster.cluster_of
    world.machine["rack"] = cluster.rack_of
    world.machine["offers"] = -1 if offers is None else offers
    world.machine["first"] = NOBODY
    for column in ("arrival_ns", "queue", "tasks", "first_task", "mean_ns"):
        world.job[column] = workload.jobs[column]
    world.job["end_ns"] = -1
    cause = _causes(world)[without_soft(world.demand, world.asks, soft)]
    job, duration_ns = (np.ascontiguousarray(workload.tasks[name]) for name in ("job", "duration_ns"))
    _fill_tasks(world.task, np.ascontiguousarray(class_of), job, duration_ns, cause)
    if len(workload.jobs):
        world.job["ideal_ns"] = _ideal_ns(workload)
    return world


def _ideal_ns(workload: Workload) -> Ints:
    """Return each job's shortest possible duration in ns: its longest task, or its critical path."""
    if workload.stages is not None:
        return critical_paths_ns(workload.stages, workload.tasks["duration_ns"], len(workload.jobs))
    longest: Ints = np.maximum.reduceat(workload.tasks["duration_ns"], workload.jobs["first_task"])
    return longest


def _classes(workload: Workload, asks: Masks | None) -> tuple[Masks, Masks, Masks]:
    """Return demand vectors and masks of the classes of tasks that are alike in both, and each task's class."""
    of_task = workload.tasks["demand"]
    if asks is None:
        return workload.demands, np.zeros(len(workload.demands), np.int64), of_task
    pairs, class_of = np.unique(np.column_stack([of_task, asks]), axis=0, return_inverse=True)
    return workload.demands[pairs[:, 0]], pairs[:, 1], class_of.ravel()


def _with_relaxed(demand: Masks, asks: Masks, class_of: Masks, soft: int) -> tuple[Masks, Masks, Masks]:
    """Append the missing classes without soft constraints."""
    known = {(tuple(vector), mask) for vector, mask in zip(demand.tolist(), asks.tolist(), strict=True)}
    new = []
    for vector, mask in zip(demand.tolist(), asks.tolist(), strict=True) if soft else ():
        relaxed = (tuple(vector), mask & ~soft)
        if relaxed not in known:
            known.add(relaxed)
            new.append(relaxed)
    if not new:
        return demand, asks, class_of
    vectors, masks = zip(*new, strict=True)
    return np.concatenate([demand, np.array(vectors, np.int64)]), np.append(asks, masks).astype(np.int64), class_of


def count_able(world: World) -> Ints:
    """Return how many machines could run each class of demand if they were empty."""
    kinds, count = np.unique(np.column_stack([world.machine["offers"], world.capacity]), axis=0, return_counts=True)
    return np.array(
        [
            count[((kinds[:, 0] & asks) == asks) & (kinds[:, 1:] >= demand).all(axis=1)].sum()
            for demand, asks in zip(world.demand, world.asks, strict=True)
        ],
        np.int64,
    )


def without_soft(demand: Masks, asks: Masks, soft: int) -> npt.NDArray[np.int64]:
    """Return, for each class of demand, the same class without soft constraints; the class itself if it has none."""
    number: dict[tuple[tuple[int, ...], int], int] = {}
    classes = list(zip(map(tuple, demand.tolist()), asks.tolist(), strict=True))
    for place, (vector, mask) in enumerate(classes):
        number.setdefault((vector, mask), place)
    return np.array(
        [number[vector, mask & ~soft] if mask & soft else place for place, (vector, mask) in enumerate(classes)],
        np.int64,
    )


def _with_smallest(demands: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    smallest = demands.min(axis=0, keepdims=True) if len(demands) else np.zeros((1, demands.shape[1]), np.int64)
    return np.ascontiguousarray(np.concatenate([demands, smallest]), np.int64)


@kernel
def _fill_tasks(task, class_of, job, duration_ns, cause) -> None:  # type: ignore[no-untyped-def]
    """Write the rows of all tasks, each once: a row has 128 bytes, so a walk for each column would read all of them.

    `cause` (classes,) is why no machine could hold a task of the class, even empty: the task can never start then.
    """
    for i in range(len(task)):
        row = task[i]
        row.job, row.demand = job[i], class_of[i]
        row.machine, row.next, row.previous = -1, -1, -1
        row.duration_ns, row.own_ns = duration_ns[i], duration_ns[i]
        row.first_start_ns, row.last_start_ns, row.end_ns = -1, -1, -1
        row.place = cause[class_of[i]]
        if row.place != CAUSE_UNKNOWN:
            row.state = TASK_UNSCHEDULABLE


def _causes(world: World) -> npt.NDArray[np.int64]:
    """Return why no machine could hold a task of each class of demand, even empty; CAUSE_UNKNOWN where one could."""
    machines = np.unique(np.column_stack([world.machine["offers"], world.capacity]), axis=0)
    # A few spread over all kinds hold nearly everything; only the rest needs a search of all machines.
    few = machines[:: max(1, len(machines) // _FEW_KINDS)]
    return np.array(
        [
            CAUSE_UNKNOWN if _holds(few, demand, asks) else _cause(machines, demand, int(asks))
            for demand, asks in zip(world.demand, world.asks, strict=True)
        ],
        np.int64,
    )


def drop_hopeless(world: World) -> npt.NDArray[np.bool_]:
    """Let jobs go on without tasks that no machine could ever hold; return which tasks these are.

    Such tasks count as done, and do not count in the ideal completion time. A job of only such tasks never completes,
    and keeps its tasks.
    """
    hopeless: npt.NDArray[np.bool_] = world.task["state"] == TASK_UNSCHEDULABLE
    if not hopeless.any():
        return hopeless
    dropped = np.bincount(world.task["job"][hopeless], minlength=len(world.job))
    some_left = dropped < world.job["tasks"]
    world.job["done"][some_left] = dropped[some_left]
    kept_ns = np.where(hopeless, 0, world.task["duration_ns"])
    longest = np.maximum.reduceat(kept_ns, world.job["first_task"])
    world.job["ideal_ns"][some_left] = longest[some_left]
    dropped_now: npt.NDArray[np.bool_] = hopeless & some_left[world.task["job"]]
    return dropped_now


def _holds(machines: npt.NDArray[np.int64], demand: npt.NDArray[np.int64], asks: int) -> bool:
    """Return True if one of these machines (offers, capacity) could hold the demand when empty."""
    return bool((((machines[:, 0] & asks) == asks) & (machines[:, 1:] >= demand).all(axis=1)).any())


def _cause(machines: npt.NDArray[np.int64], demand: npt.NDArray[np.int64], asks: int) -> int:
    """Return why none of these machines (offers, capacity) holds the demand; CAUSE_UNKNOWN if one does."""
    shapes = machines[(machines[:, 0] & asks) == asks, 1:]
    if not len(shapes):
        lacking = asks & ~int(np.bitwise_or.reduce(machines[:, 0]))
        return CAUSE_CONSTRAINT + (lacking & -lacking).bit_length() - 1 if lacking else CAUSE_CONSTRAINTS
    enough = shapes >= demand
    if enough.all(axis=1).any():
        return CAUSE_UNKNOWN
    scarce = np.flatnonzero(~enough.any(axis=0))
    return CAUSE_RESOURCE + int(scarce[0]) if len(scarce) else CAUSE_TOGETHER


def grow_heap(world: World) -> World:
    """Return the same world with twice the heap."""
    heap = records(2 * len(world.heap), EVENT)
    heap[: len(world.heap)] = world.heap
    return world._replace(heap=heap)


def grow_lanes(world: World) -> World:
    """Return the same world with lanes of twice the length; positions keep counting, so entries move to new places."""
    old = world.lane_event
    length = old.shape[1]
    new = records((LANES, 2 * length), EVENT)
    for number, lane in enumerate(world.lane):
        positions = np.arange(lane.head, lane.tail)
        new[number, positions & (2 * length - 1)] = old[number, positions & (length - 1)]
    return world._replace(lane_event=new)
