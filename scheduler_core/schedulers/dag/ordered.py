"""Order jobs by a key that may change with every task: the smallest first, ties by arrival.

Within one decision, keys only grow. So a heap is enough: its first entry is checked again before it is used.
"""

from __future__ import annotations

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import World
from scheduler_core.schedulers.dag.state import BY_DOMINANT, BY_LENGTH, BY_ONE, BY_QUEUE, BY_TASKS, BY_WORK, DagState


@inner
def dominant_share(s: DagState, job: int) -> float:
    """Return the largest share of any resource that the job's tasks hold.

    Source: *Dominant resource fairness: fair allocation of multiple resource types*.
    """
    share = 0.0
    for r in range(s.held.shape[1]):
        if s.total[r] > 0:
            share = max(share, s.held[job, r] / s.total[r])
    return share


@inner
def _queue_share(s: DagState, queue: int) -> float:
    share = 0.0
    for r in range(s.queue_held.shape[1]):
        if s.total[r] > 0:
            share = max(share, s.queue_held[queue, r] / s.total[r])
    return share


@inner
def key_of(s: DagState, job: int, order: int) -> float:
    """Return the key by which order `order` sorts a job; smaller goes first."""
    it, key = s.job[job], 0.0
    if order == BY_DOMINANT:
        key = dominant_share(s, job) / it.weight
    elif order == BY_ONE:
        r = s.rules[0].resource
        key = s.held[job, r] / s.total[r] / it.weight
    elif order == BY_QUEUE:
        key = _queue_share(s, it.queue) / s.queue_share[it.queue]
    elif order == BY_LENGTH:
        key = it.length_ns * 1.0
    elif order == BY_WORK:
        key = it.work
    elif order == BY_TASKS:
        key = it.running / it.weight
    return key


@inner
def put_in_order(w: World, s: DagState, order: int) -> None:
    """Make the heap of all jobs that have tasks to start."""
    rules = s.rules[0]
    rules.ordered = rules.active
    for at in range(rules.active):
        job = s.active[at]
        s.order[at] = job
        s.key[job] = key_of(s, job, order)
    for at in range((rules.ordered - 2) >> 1, -1, -1):
        sink(s, at)


@inner
def sink(s: DagState, hole: int) -> None:
    """Let the job at `hole` sink to its place."""
    sink_among(s, 0, s.rules[0].ordered, hole)


@inner
def sink_among(s: DagState, first: int, size: int, hole: int) -> None:
    """Let the job at `hole` of the heap that begins at `first` sink to its place."""
    job = s.order[first + hole]
    while True:
        child = 2 * hole + 1
        if child >= size:
            break
        if child + 1 < size and before(s, s.order[first + child + 1], s.order[first + child]):
            child += 1
        if before(s, job, s.order[first + child]):
            break
        s.order[first + hole] = s.order[first + child]
        hole = child
    s.order[first + hole] = job


@inner
def before(s: DagState, one: int, other: int) -> bool:
    """Return whether one job goes before another."""
    return s.key[one] < s.key[other] or (s.key[one] == s.key[other] and one < other)


@inner
def drop_first(s: DagState) -> None:
    """Remove the first job from the heap."""
    rules = s.rules[0]
    rules.ordered -= 1
    if rules.ordered > 0:
        s.order[0] = s.order[rules.ordered]
        sink(s, 0)
