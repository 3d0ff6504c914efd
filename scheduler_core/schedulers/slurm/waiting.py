"""Keep the jobs that wait in order: tier of the partition, priority, submission, number."""

from __future__ import annotations

from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import TASK_WAITING, World
from scheduler_core.schedulers.slurm.priority import set_priority
from scheduler_core.schedulers.slurm.state import SlurmState


@inner
def before(s: SlurmState, one: int, other: int) -> bool:
    """Return whether a job goes before another. Numbers of jobs are in the order of submission."""
    a, b = s.unit[one], s.unit[other]
    if a.tier != b.tier:
        return bool(a.tier > b.tier)
    if a.priority != b.priority:
        return bool(a.priority > b.priority)
    return one < other


@called
def enter(w: World, s: SlurmState, u: int) -> None:
    """Put a job among those that wait."""
    rules = s.rules[0]
    set_priority(w, s, u)
    if rules.tail == len(s.pending):
        for k in range(rules.tail - rules.head):
            s.pending[k] = s.pending[rules.head + k]
        rules.tail -= rules.head
        rules.head = 0
    k = rules.tail
    while k > rules.head and before(s, u, s.pending[k - 1]):
        s.pending[k] = s.pending[k - 1]
        k -= 1
    s.pending[k] = u
    rules.tail += 1


@inner
def take(s: SlurmState, k: int) -> int:
    """Take the job at a place of `pending` out; what is behind it stays in its place."""
    rules, u = s.rules[0], s.pending[k]
    while k > rules.head:
        s.pending[k] = s.pending[k - 1]
        k -= 1
    rules.head += 1
    return int(u)


@called
def sort_again(w: World, s: SlurmState) -> None:
    """Calculate all priorities and sort the jobs that wait (merge sort)."""
    head, count = s.rules[0].head, s.rules[0].tail - s.rules[0].head
    for k in range(head, head + count):
        set_priority(w, s, s.pending[k])
    width = 1
    while width < count:
        for low in range(0, count, 2 * width):
            _merge(s, head + low, head + min(low + width, count), head + min(low + 2 * width, count))
        width *= 2


@inner
def _merge(s: SlurmState, low: int, middle: int, high: int) -> None:
    """Merge two sorted runs of `pending`."""
    if middle >= high or before(s, s.pending[middle - 1], s.pending[middle]):
        return
    for k in range(low, middle):
        s.spare[k - low] = s.pending[k]
    i, j, k, left = 0, middle, low, middle - low
    while i < left:
        if j < high and before(s, s.pending[j], s.spare[i]):
            s.pending[k] = s.pending[j]
            j += 1
        else:
            s.pending[k] = s.spare[i]
            i += 1
        k += 1


@inner
def speaker(w: World, s: SlurmState, u: int) -> int:
    """Return the task that a reason of its whole job is noted for: the watched one if it waits, else the first."""
    it, watched = s.unit[u], w.control[0].watched_task
    if it.first <= watched and watched < it.first + it.tasks and w.task[watched].state == TASK_WAITING:
        return int(watched)
    t = it.first
    while w.task[t].state != TASK_WAITING:
        t += 1
    return int(t)
