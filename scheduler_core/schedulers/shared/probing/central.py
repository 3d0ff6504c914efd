"""The central scheduler of long jobs: find the workers with the smallest estimated wait.

The central scheduler knows all long tasks and no short ones. Its estimate for a worker is the sum of the estimates of
the long tasks there, minus the work that running tasks have done. A task that uses a part of its worker counts for this
part only.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, Ints, World
from scheduler_core.schedulers.shared.probing.sampling import park, take_unused, worker_at
from scheduler_core.schedulers.shared.probing.state import COMMON_RULES, Probing

WHOLE = 256
"""Parts of a worker that a task's share of it is counted in."""

CENTRAL_RULES = [*COMMON_RULES, ("first_long", "i8"), ("long_busy", "i8"), ("fork", "i8"), ("forget", "i8")]
"""The first worker that long tasks may go to; how many workers have some; 1 under the rules of the program that forgets
constraints (of Phoenix's authors), and how many rows of `eligible` lie between those with constraints and without."""

CENTRAL_WORKER = [
    ("first", "i4"),
    ("last", "i4"),
    ("length", "i4"),
    ("taken", "i4"),
    ("longs", "i4"),  # long tasks that run here or wait
    ("queued_longs", "i4"),
    ("rate", "i4"),  # sum of the shares of those that run
    ("order", "i4"),  # in which it serves its queue, where that is not as they come
    ("backlog_ns", "i8"),  # estimates of all long tasks sent here that have not ended
    ("running_ns", "i8"),  # of those that run
    ("started", "i8"),  # sum of share x start of those that run
]
"""Columns that every worker begins with; two more make it one line of the processor's cache."""


class Central(Probing, Protocol):
    """What the central scheduler works on, beside the shared arrays."""

    @property
    def wait_ns(self) -> Ints:
        """(M,) scratch: waits of candidates, a heap."""

    @property
    def who(self) -> npt.NDArray[np.int32]:
        """(M,) scratch: the candidates, in the same places."""

    @property
    def chosen(self) -> npt.NDArray[np.int32]:
        """(largest group,) the workers found."""


@inner
def choose_least_waiting(w: World, s: Central, number: int) -> int:
    """Choose a worker for each task of a group, into `chosen`: how many, 0 where no worker is in service.

    Workers without long tasks come first, by number; then always the one with the least wait, what it has just been
    given included.
    """
    rules = s.rules[0]
    needed = s.group[number].end - s.group[number].next
    found, others = _candidates(w, s, number, rules.first_long, needed)
    if found + others == 0:  # whoever could hold it is for short jobs only
        found, others = _candidates(w, s, number, 0, needed)
    if found == needed or found + others == 0:
        return found
    for place in range(found):
        worker = s.chosen[place]
        s.wait_ns[others], s.who[others] = cost_ns(w, s, worker, number), worker
        others += 1
    for root in range((others - 2) >> 2, -1, -1):
        _sift(s.wait_ns, s.who, root, others, 1)
    while found < needed:
        worker = s.who[0]
        second_ns = s.wait_ns[1] if others > 1 else s.wait_ns[0]
        for other in range(2, min(5, others)):
            second_ns = min(second_ns, s.wait_ns[other])
        cost = cost_ns(w, s, worker, number)
        while found < needed and (s.wait_ns[0] <= second_ns or others == 1):
            s.chosen[found] = worker
            found += 1
            s.wait_ns[0] += cost
        _sift(s.wait_ns, s.who, 0, others, 1)
    return found


@inner
def park_tasks(s: Central, number: int) -> None:
    """Park the tasks of a long group that no worker in service could hold."""
    group = s.group[number]
    while group.next < group.end:
        probe = take_unused(s, number)
        s.probe[probe].task = s.order[group.next]
        park(s, probe)
        group.next += 1


@inner
def _candidates(w: World, s: Central, number: int, first: int, needed: int) -> tuple[int, int]:
    """Put eligible workers from `first` on without long tasks into `chosen`, the others into the heap's arrays.

    Of the others no more than `needed` are kept, those with the least waits: no more of them can be chosen.
    """
    group, now_ns = s.group[number], w.control[0].now_ns
    able, found, others = s.eligible[group.able], 0, 0
    for position in range(able.positions):
        worker = worker_at(w, s, group.able, group.demand, position)
        if worker == NOBODY or worker < first:
            continue
        if s.worker[worker].backlog_ns > 0:
            wait = wait_ns(s, worker, now_ns)
            if others < needed:
                s.wait_ns[others], s.who[others] = wait, worker
                others += 1
                if others == needed:
                    for root in range((others - 2) >> 2, -1, -1):
                        _sift(s.wait_ns, s.who, root, others, -1)
            elif wait < s.wait_ns[0]:
                s.wait_ns[0], s.who[0] = wait, worker
                _sift(s.wait_ns, s.who, 0, others, -1)
            continue
        s.chosen[found] = worker
        found += 1
        if found == needed:
            break
    return found, others


@called
def _sift(keys: Any, who: Any, hole: int, length: int, sign: int) -> None:
    """Let what is at `hole` sink to its place in a heap with four below each; equal waits go by number.

    The least is first, or with -1 for `sign` the largest.
    """
    key, one = keys[hole], who[hole]
    while True:
        child = 4 * hole + 1
        if child >= length:
            break
        best = child
        for other in range(child + 1, min(child + 4, length)):
            if sign * keys[other] < sign * keys[best] or (
                keys[other] == keys[best] and sign * who[other] < sign * who[best]
            ):
                best = other
        if sign * key < sign * keys[best] or (key == keys[best] and sign * one < sign * who[best]):
            break
        keys[hole], who[hole] = keys[best], who[best]
        hole = best
    keys[hole], who[hole] = key, one


@inner
def wait_ns(s: Central, worker: int, now_ns: int) -> int:
    """Return how long a long task is thought to wait at the worker."""
    it = s.worker[worker]
    done_ns = max(0, min((now_ns * it.rate - it.started) // WHOLE, it.running_ns))
    wait: int = it.backlog_ns - done_ns
    return wait


@inner
def share_of(w: World, s: Central, worker: int, demand: int) -> int:
    """Return the largest part that the demand takes of any resource of the worker, in WHOLEths, at least one."""
    if s.rules[0].public == 1:
        return WHOLE
    most = 1
    for r in range(w.capacity.shape[1]):
        if w.demand[demand, r] > 0:
            most = max(most, (w.demand[demand, r] * WHOLE + w.capacity[worker, r] - 1) // w.capacity[worker, r])
    return min(most, WHOLE)


@inner
def cost_ns(w: World, s: Central, worker: int, number: int) -> int:
    """Return what a task of a group adds to the wait at the worker."""
    group = s.group[number]
    cost: int = max(1, group.estimate_ns * share_of(w, s, worker, group.demand) // WHOLE)
    return cost


@inner
def promise(w: World, s: Central, worker: int, number: int) -> bool:
    """Count a long task sent to the worker; return True if it is the only long task there."""
    it = s.worker[worker]
    alone: bool = it.backlog_ns == 0
    it.backlog_ns += cost_ns(w, s, worker, number)
    if alone:
        s.rules[0].long_busy += 1
    return alone


@inner
def take_back(w: World, s: Central, worker: int, number: int) -> bool:
    """Undo a long task's placement at the worker; return True if the worker has no long task left."""
    it = s.worker[worker]
    it.backlog_ns -= cost_ns(w, s, worker, number)
    none_left: bool = it.backlog_ns == 0
    if none_left:
        s.rules[0].long_busy -= 1
    return none_left


@inner
def long_starts(w: World, s: Central, worker: int, number: int) -> None:
    """Count the start of a long task."""
    it, share = s.worker[worker], share_of(w, s, worker, s.group[number].demand)
    it.rate += share
    it.started += share * w.control[0].now_ns
    it.running_ns += cost_ns(w, s, worker, number)


@inner
def long_ends(w: World, s: Central, worker: int, number: int, start_ns: int) -> bool:
    """Count the end of a long task that started at `start_ns`; return True if the worker has no long task left."""
    it, share = s.worker[worker], share_of(w, s, worker, s.group[number].demand)
    cost = cost_ns(w, s, worker, number)
    it.longs -= 1
    it.rate -= share
    it.started -= share * start_ns
    it.running_ns -= cost
    it.backlog_ns -= cost
    none_left: bool = it.backlog_ns == 0
    if none_left:
        s.rules[0].long_busy -= 1
    return none_left
