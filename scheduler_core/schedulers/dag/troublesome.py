"""Order a job's stages with troublesome tasks first, as DAGPS (Graphene) does before the job runs.

Troublesome stages have tasks that are long or hard to pack. These stages, and all stages between them, are placed first
in virtual space-time. The other stages are placed around them in four orders: ancestors (P, backward), descendants (C,
forward) and the others (O). The shortest schedule over all thresholds and orders is used. A stage's place in the order
follows from its start in this schedule.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import Ints, Records, World
from scheduler_core.schedulers.dag.space import place

MOST_STAGES = 256
"""Jobs of more stages are ordered by the longest way to their end."""
_WAVES = 32
"""Tasks of one stage that would need more rounds count as this number of longer ones."""
_UNPLACED = -(1 << 62)
TROUBLE, OTHER, PARENT, CHILD = range(4)
_LONG = (2.0, 0.2, 0.4, 0.6, 0.8)
_LOOSE = (-1.0, 0.5, 0.7, 0.9)
"""Thresholds: from which part of the longest task a task is long; up to which filling of the space it packs badly."""
_ORDERS = ((OTHER, PARENT, CHILD), (OTHER, CHILD, PARENT), (PARENT, OTHER, CHILD), (CHILD, OTHER, PARENT))


class Job(NamedTuple):
    """The job whose order is in the making, N stages at most, R resources; times in ns."""

    tasks: Ints  # (N,)
    duration: Ints  # (N,)
    demand: Ints  # (N, R)
    limit: Ints  # (R,) the space
    gap: Ints  # (N, N) the longest way between the end of one and the begin of another that comes after it, or -1
    set_of: Ints  # (N,) TROUBLE, OTHER, PARENT or CHILD
    begin: Ints  # (N,)
    end: Ints  # (N,)
    by_path: Ints  # (N,) stages, the one with the longest way to the job's end first
    moment: Ints  # (M,)
    used: Ints  # (M, R)


def order_stages(world: World, stage: Records, relative: npt.NDArray[np.int32], job: Records, total: Ints) -> None:
    """Write the `place` of all stages in the order of their job.

    Source: *Graphene: packing and dependency-aware scheduling for data-parallel clusters* (troublesome tasks).
    """
    for row in job:
        count, first = int(row.stages), int(row.first_stage)
        if count <= MOST_STAGES:
            found = _order(_describe(world, stage, relative, row, total)) if count > 1 else np.zeros(count, np.int64)
        else:
            found = np.argsort(np.argsort(-stage["path_ns"][first : first + count], kind="stable"), kind="stable")
        stage["place"][first : first + count] = found


def _describe(world: World, stage: Records, relative: npt.NDArray[np.int32], row: Any, total: Ints) -> Job:
    count, first = int(row.stages), int(row.first_stage)
    own = stage[first : first + count]
    demand = world.demand[own["demand"]]
    # The space in which the work takes as long as the critical path: a larger one would make any order good.
    part = min(1.0, float(row.work) / max(int(row.length_ns), 1))
    limit = np.maximum((total * part).astype(np.int64), demand.max(axis=0))
    rounds = -(-own["tasks"].astype(np.int64) // _side_by_side(demand, limit))
    merged = -(-rounds // _WAVES)
    tasks = -(-own["tasks"].astype(np.int64) // merged)
    gap = np.full((count, count), -1, np.int64)
    for child in range(count):
        for parent in relative[own["first_parent"][child] :][: own["parents"][child]] - first:
            before = np.flatnonzero(gap[:, parent] >= 0)
            way = gap[before, parent] + own["duration_ns"][parent]
            gap[before, child] = np.maximum(gap[before, child], way)
            gap[parent, child] = max(gap[parent, child], 0)
    most = 2 * int(tasks.sum()) + 4
    return Job(
        tasks,
        own["duration_ns"] * merged,
        demand,
        limit,
        gap,
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.lexsort((np.arange(count), -own["path_ns"])),
        np.zeros(most, np.int64),
        np.zeros((most, len(limit)), np.int64),
    )


def _side_by_side(demand: Ints, limit: Ints) -> Ints:
    """Return how many tasks of each stage fill the space, (stages,)."""
    counts = np.where(demand > 0, limit // np.maximum(demand, 1), np.iinfo(np.int64).max)
    found: Ints = np.maximum(counts.min(axis=1), 1)
    return found


def _order(job: Job) -> Ints:
    """Return the rank of each stage, (stages,)."""
    full = (_side_by_side(job.demand, job.limit)[:, None] * job.demand / np.maximum(job.limit, 1)).max(axis=1)
    long = job.duration / max(int(job.duration.max()), 1)
    best, begins = _schedule(job, -1), job.begin.copy()
    seen: set[bytes] = set()
    for longer in _LONG:
        for looser in _LOOSE:
            chosen = (long >= longer) | (full <= looser)
            if not chosen.any() or chosen.tobytes() in seen:
                continue
            seen.add(chosen.tobytes())
            _divide(job, chosen)
            for order in range(len(_ORDERS)):
                length = _schedule(job, order)
                if 0 <= length < best:
                    best, begins = length, job.begin.copy()
    place_of = np.empty(len(job.tasks), np.int64)
    place_of[job.by_path] = np.arange(len(job.tasks))
    rank = np.empty(len(job.tasks), np.int64)
    rank[np.lexsort((place_of, begins))] = np.arange(len(job.tasks))
    return rank


def _divide(job: Job, chosen: npt.NDArray[np.bool_]) -> None:
    """Divide the stages: the chosen ones with what lies between them; what comes before, after, or neither."""
    before, after = (job.gap[:, chosen] >= 0).any(axis=1), (job.gap[chosen] >= 0).any(axis=0)
    job.set_of[:] = OTHER
    job.set_of[before] = PARENT
    job.set_of[after] = CHILD
    job.set_of[chosen | (before & after)] = TROUBLE


@kernel
def _schedule(job: Job, order: int) -> int:
    """Place all stages; gives the schedule's length, -1 when the order leads nowhere. Order -1 goes by path alone."""
    count = job.tasks.shape[0]
    for stage in range(count):
        job.begin[stage] = _UNPLACED
    moments = 0
    if order < 0:
        for at in range(count):
            moments, _ = _place(job, job.by_path[at], moments, False)
    else:
        for turn in range(4):
            kind = TROUBLE if turn == 0 else _ORDERS[order][turn - 1]
            backward = kind == PARENT
            for at in range(count):
                stage = job.by_path[count - 1 - at if backward else at]
                if job.set_of[stage] == kind:
                    moments, fits = _place(job, stage, moments, backward)
                    if not fits:
                        return -1
    low, high = 1 << 62, -(1 << 62)
    for stage in range(count):
        low = min(low, job.begin[stage])
        high = max(high, job.end[stage])
    return high - low


@inner
def _place(job: Job, stage: int, moments: int, backward: bool) -> tuple[int, bool]:
    """Place a stage after what comes before it and before what comes after it; False when it does not fit between."""
    after, before = _UNPLACED, -_UNPLACED
    for other in range(job.tasks.shape[0]):
        if job.begin[other] == _UNPLACED:
            continue
        if job.gap[other, stage] >= 0:
            after = max(after, job.end[other] + job.gap[other, stage])
        if job.gap[stage, other] >= 0:
            before = min(before, job.begin[other] - job.gap[stage, other])
    if backward and before == -_UNPLACED:
        backward = False
    bound = before if backward else after
    if bound == _UNPLACED:
        bound = 0 if moments == 0 else job.moment[0]
        if before != -_UNPLACED:
            backward, bound = True, before
    moments, begin, end = place(
        job.moment,
        job.used,
        moments,
        job.limit,
        job.demand[stage],
        job.tasks[stage],
        job.duration[stage],
        bound,
        backward,
    )
    job.begin[stage] = begin
    job.end[stage] = end
    return moments, begin >= after and end <= before
