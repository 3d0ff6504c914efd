"""Virtual space-time: how much of a job's space its tasks use at each moment, and where more tasks fit.

A profile is a list of moments, each with the resources in use from this moment until the next one. Before the first
moment and after the last one, nothing is in use. Demands and space are in thousandths, multiplied by ns.
"""

from __future__ import annotations

from typing import Any

from scheduler_core.engine.jit import inner

Numbers = Any
"""int64 array."""


@inner
def _fitting(
    moment: Numbers, used: Numbers, moments: int, limit: Numbers, demand: Numbers, first: int, end: int
) -> int:
    """Return how many tasks of a demand fit side by side from `first` to `end`."""
    count = 1 << 60
    for r in range(limit.shape[0]):
        if demand[r] > 0:
            count = min(count, limit[r] // demand[r])
    for at in range(moments - 1):
        if moment[at] < end and moment[at + 1] > first:
            for r in range(limit.shape[0]):
                if demand[r] > 0:
                    count = min(count, (limit[r] - used[at, r]) // demand[r])
    return count


@inner
def _cut(moment: Numbers, used: Numbers, moments: int, at_ns: int) -> int:
    """Make a time one of the moments; gives how many there are then."""
    place = 0
    while place < moments and moment[place] < at_ns:
        place += 1
    if place < moments and moment[place] == at_ns:
        return moments
    for later in range(moments, place, -1):
        moment[later] = moment[later - 1]
        for r in range(used.shape[1]):
            used[later, r] = used[later - 1, r]
    moment[place] = at_ns
    for r in range(used.shape[1]):
        used[place, r] = used[place - 1, r] if 0 < place < moments else 0
    return moments + 1


@inner
def _take(moment: Numbers, used: Numbers, moments: int, demand: Numbers, count: int, first: int, end: int) -> int:
    """Let `count` tasks run from `first` to `end`; gives how many moments there are then."""
    moments = _cut(moment, used, moments, first)
    moments = _cut(moment, used, moments, end)
    for at in range(moments):
        if first <= moment[at] < end:
            for r in range(used.shape[1]):
                used[at, r] += count * demand[r]
    return moments


@inner
def place(
    moment: Numbers,
    used: Numbers,
    moments: int,
    limit: Numbers,
    demand: Numbers,
    tasks: int,
    duration: int,
    bound: int,
    backward: bool,
) -> tuple[int, int, int]:
    """Place tasks that are alike as early as possible from `bound` on, or backward as late as possible before it.

    Gives (moments, when the first begins, when the last ends). Tasks without a length need no room.
    """
    if duration == 0 or tasks == 0:
        return moments, bound, bound
    low, high, at_ns = 1 << 62, -(1 << 62), bound
    while tasks > 0:
        first = at_ns - duration if backward else at_ns
        count = min(_fitting(moment, used, moments, limit, demand, first, first + duration), tasks)
        if count > 0:
            moments = _take(moment, used, moments, demand, count, first, first + duration)
            tasks -= count
            low, high = min(low, first), max(high, first + duration)
        next_ns = -(1 << 62) if backward else 1 << 62
        for at in range(moments):
            if backward and next_ns < moment[at] < at_ns:
                next_ns = moment[at]
            if not backward and at_ns < moment[at] < next_ns:
                next_ns = moment[at]
        at_ns = next_ns
    return moments, low, high
