"""Fairness against what queues could use: their use divided by their entitlement, integrated over simulated time.

At each instant, a queue's entitlement is its share of the datacenter or what its tasks ask for, whichever is less.
What its tasks ask for is the sum of their dominant demands from arrival until end; its use is that of its running
tasks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.jit import kernel
from scheduler_core.metrics.fairness import jain_index

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_UNIT = float(1 << 40)
"""Demands are whole multiples of this part of the datacenter, so that sums return to 0 exactly."""


@dataclass(frozen=True)
class ShareChanges:
    """Shares that events set during a run, in order of time."""

    time_ns: Ints
    queue: Ints
    share: Floats


NO_CHANGES = ShareChanges(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))


@kernel
def _settle(q, now_ns, state, share, whole, since, found) -> None:  # type: ignore[no-untyped-def]
    """Add to a queue's integrals what has passed since it changed last. `state`: (2, queues) asked for and used."""
    passed = now_ns - since[q]
    since[q] = now_ns
    asked, used = state[0, q] / _UNIT, state[1, q] / _UNIT
    entitled = min(share[q] / whole[0], asked)
    found[0, q] += used * passed
    found[1, q] += entitled * passed
    found[2, q] += min(used, entitled) * passed


@kernel
def _integrate(walk, changes, share, horizon, books, found) -> None:  # type: ignore[no-untyped-def]
    """Walk through arrivals, starts, ends of use and ends of tasks, and changes of shares, in order of time.

    `walk` as from `walk_of`. `books` are arrays of zeros that it writes into, but for the sum of the shares. `found`:
    (3, queues) integrals of use, of entitlement, and of use up to the entitlement, in ns of the whole datacenter.
    """
    times, orders, queue, unit = walk
    change_ns, change_queue, change_share = changes
    state, since, at, whole = books
    queues, tasks, changed = len(share), len(queue), 0
    while True:
        first, now_ns = -1, horizon
        for kind in range(4):
            if at[kind] < tasks and times[kind, orders[kind, at[kind]]] < now_ns:
                first, now_ns = kind, times[kind, orders[kind, at[kind]]]
        if changed < len(change_ns) and change_ns[changed] <= now_ns:
            for q in range(queues):
                _settle(q, change_ns[changed], state, share, whole, since, found)
            q = change_queue[changed]
            whole[0] += change_share[changed] - share[q]
            share[q] = change_share[changed]
            changed += 1
            continue
        if first < 0:
            break
        task = orders[first, at[first]]
        at[first] += 1
        _settle(queue[task], now_ns, state, share, whole, since, found)
        # Arrivals and starts add; ends of tasks and of their use take away.
        state[first & 1, queue[task]] += unit[task] if first < 2 else -unit[task]
    for q in range(queues):
        _settle(q, horizon, state, share, whole, since, found)


Walk = tuple[Ints, Ints, Ints, Ints]


def walk_of(arrival_ns: Ints, start_ns: Ints, end_ns: Ints, queue: Ints, dominant: Floats) -> Walk:
    """Return what `_integrate` walks through: (times, orders, queue, unit). Times are -1 for what does not happen."""
    never = np.iinfo(np.int64).max
    start, end = np.where(start_ns >= 0, start_ns, never), np.where(end_ns >= 0, end_ns, never)
    times = np.stack([arrival_ns, start, end, np.where(start_ns >= 0, end, never)])
    orders = np.argsort(times, axis=1, kind="stable")
    return times, orders, np.ascontiguousarray(queue, np.int64), np.rint(dominant * _UNIT).astype(np.int64)


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
        np.zeros(4, np.int64),
        share.sum(keepdims=True),
    )
    _integrate(walk, told, share, now_ns, books, found)
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
