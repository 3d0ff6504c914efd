"""Fairness against what queues could use: their use divided by their entitlement, integrated over simulated time.

At each instant, a queue's entitlement is its share of the datacenter or what its tasks ask for, whichever is less.
What its tasks ask for is the sum of their dominant demands from arrival until end; its use is that of its running
tasks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.jit import kernel
from scheduler_core.metrics.by_time import Ints, Places, by_time
from scheduler_core.metrics.fairness import Columns, jain_index

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

_UNIT = float(1 << 40)
"""Demands are whole multiples of this part of the datacenter, so that sums return to 0 exactly."""


@dataclass(frozen=True)
class ShareChanges:
    """Shares that events set during a run, in order of time."""

    time_ns: Ints
    queue: Ints
    share: Floats


NO_CHANGES = ShareChanges(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))


class Walk(NamedTuple):
    """What happens to tasks in order of time: each list has the times (ns) and the task of each time."""

    arrivals: tuple[Ints, Places]
    starts: tuple[Ints, Places]
    ends: tuple[Ints, Places]
    """Also of tasks that end without a start."""
    began: Bools
    """Whether a task used its demand until its end; (tasks,)."""
    queue: Ints
    kind: Ints
    unit: Ints
    """(kinds,) demand in parts of the datacenter of 1 / `_UNIT`."""


@kernel
def _settle(q, now_ns, state, share, whole, since, found) -> None:  # type: ignore[no-untyped-def]
    """Add to a queue's integrals what has passed since it changed last. `state`: (2, queues) asked for and used."""
    passed = now_ns - since[q]
    if passed == 0:
        return
    since[q] = now_ns
    asked, used = state[0, q] / _UNIT, state[1, q] / _UNIT
    entitled = min(share[q] / whole[0], asked)
    found[0, q] += used * passed
    found[1, q] += entitled * passed
    found[2, q] += min(used, entitled) * passed


@kernel
def _integrate(walk, changes, share, horizon, books, found) -> None:  # type: ignore[no-untyped-def]
    """Walk through arrivals, starts and ends of tasks, and changes of shares, in order of time up to the horizon.

    `books` are arrays of zeros that it writes into, but for the sum of the shares. `found`: (3, queues) integrals of
    use, of entitlement, and of use up to the entitlement, in ns of the whole datacenter. What happens at one instant
    may come in any order: nothing passes between.
    """
    (arrival_ns, arriving), (start_ns, starting), (end_ns, ending), began, queue, kind, unit = walk
    change_ns, change_queue, change_share = changes
    state, since, whole = books
    arrived, started, ended, changed = 0, 0, 0, 0
    while True:
        what, now_ns = -1, horizon
        if arrived < len(arrival_ns) and arrival_ns[arrived] < now_ns:
            what, now_ns = 0, arrival_ns[arrived]
        if started < len(start_ns) and start_ns[started] < now_ns:
            what, now_ns = 1, start_ns[started]
        if ended < len(end_ns) and end_ns[ended] < now_ns:
            what, now_ns = 2, end_ns[ended]
        if changed < len(change_ns) and change_ns[changed] <= now_ns:
            for q in range(len(share)):
                _settle(q, change_ns[changed], state, share, whole, since, found)
            q = change_queue[changed]
            whole[0] += change_share[changed] - share[q]
            share[q] = change_share[changed]
            changed += 1
        elif what == 0:
            task = arriving[arrived]
            arrived += 1
            _settle(queue[task], now_ns, state, share, whole, since, found)
            state[0, queue[task]] += unit[kind[task]]
        elif what == 1:
            task = starting[started]
            started += 1
            _settle(queue[task], now_ns, state, share, whole, since, found)
            state[1, queue[task]] += unit[kind[task]]
        elif what == 2:
            task = ending[ended]
            ended += 1
            _settle(queue[task], now_ns, state, share, whole, since, found)
            state[0, queue[task]] -= unit[kind[task]]
            if began[task]:
                state[1, queue[task]] -= unit[kind[task]]
        else:
            break
    for q in range(len(share)):
        _settle(q, horizon, state, share, whole, since, found)


def walk_of(columns: Columns, kind: Ints, dominant: Floats, running: Bools, never: Bools, now_ns: int) -> Walk:
    """Return what happens to the tasks that arrived by `now_ns`, without those that no machine can ever run.

    `columns`: arrival, last start, end and queue of each task. `dominant`: (kinds,) demand as a fraction of the
    datacenter. A running task ends now.
    """
    arrival, start, end, queue = columns
    here = arrival <= now_ns
    here &= ~never
    tasks = np.flatnonzero(here).astype(np.int32)
    arrivals = arrival if len(tasks) == len(arrival) else arrival[tasks]
    in_order = not (arrivals[1:] < arrivals[:-1]).any()
    arriving = (arrivals, tasks) if in_order else by_time(arrivals.copy(), tasks.copy())
    began = end >= 0
    began |= running
    begun = np.flatnonzero(began & here & (start >= 0)).astype(np.int32)
    over = np.flatnonzero(here & ((end >= 0) | running)).astype(np.int32)
    until = end[over]
    until[running[over]] = now_ns
    began &= start >= 0
    unit = np.rint(dominant * _UNIT).astype(np.int64)
    return Walk(arriving, by_time(start[begun], begun), by_time(until, over), began, queue, kind, unit)


def entitled_fairness(
    walk: Walk,
    names: Sequence[str],
    shares: Floats,
    now_ns: int,
    changes: ShareChanges = NO_CHANGES,
) -> dict[str, Any]:
    """Return Jain's index over queues of use divided by entitlement, the worst-served queue, and each queue's figures.

    It leaves out a queue that never asks for anything. Without any, the figures are None.
    """
    found = np.zeros((3, len(shares)))
    told = (changes.time_ns, changes.queue, changes.share)
    share, queues = np.array(shares, np.float64), len(shares)
    books = (
        np.zeros((2, queues), np.int64),
        np.zeros(queues, np.int64),
        share.sum(keepdims=True),
    )
    _integrate(tuple(walk), told, share, now_ns, books, found)
    asking = np.flatnonzero(found[1] > 0)
    ratio, served = found[0, asking] / found[1, asking], found[2, asking] / found[1, asking]
    worst = int(np.argmin(served)) if len(asking) else None
    return {
        "entitled_jain": jain_index(ratio) if len(asking) else None,
        "entitled_worst": None if worst is None else float(served[worst]),
        "entitled_worst_queue": None if worst is None else names[int(asking[worst])],
        "by_queue": [
            {"queue": names[int(q)], "use_to_entitlement": float(ratio[place]), "served": float(served[place])}
            for place, q in enumerate(asking)
        ],
    }
