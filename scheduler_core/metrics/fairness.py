"""Jain's fairness index over the queues' resource use, window by window."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.jit import kernel

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Columns = tuple[Ints, Ints, Ints, Ints]
"""Arrival, last start, end (-1: not yet) and queue of each task, ns; each (tasks,)."""

WINDOW_NS = 60_000_000_000
_MOST_WINDOWS = 100_000


@kernel
def _add_use(columns, kind, dominant, window_ns, used, change) -> None:  # type: ignore[no-untyped-def]
    """Add each completed task's use to used[queue, window], and +1 and -1 to `change` where its stay begins and ends.

    The use is the dominant demand over the overlap of run and window in ns. A task stays from its arrival to its end.
    """
    arrival, start, end, queue = columns
    windows = used.shape[1]
    for i in range(len(kind)):
        if end[i] < 0:
            continue
        first, last = start[i] // window_ns, max(end[i] - 1, start[i]) // window_ns
        if first == last:
            used[queue[i], first] += dominant[kind[i]] * (end[i] - start[i])
        else:
            for window in range(first, min(last + 1, windows)):
                overlap = min(end[i], (window + 1) * window_ns) - max(start[i], window * window_ns)
                used[queue[i], window] += dominant[kind[i]] * overlap
        if end[i] > arrival[i]:
            change[queue[i], arrival[i] // window_ns] += 1
            change[queue[i], (end[i] - 1) // window_ns + 1] -= 1


def jain_index(shares: npt.NDArray[np.float64]) -> float:
    """Return (sum x)^2 / (n sum x^2) of n > 0 values; 1 if all are equal, also if all are 0 (Jain et al. 1984)."""
    squares = float((shares * shares).sum())
    return float(shares.sum()) ** 2 / (len(shares) * squares) if squares > 0 else 1.0


def queue_fairness(columns: Columns, kind: Ints, dominant: Floats, share: Floats) -> dict[str, Any]:
    """Return Jain's index over the queues with work in a window, of dominant use divided by share.

    `columns`: arrival, last start, end (-1: not completed) and queue of each task. `dominant`: (kinds,) largest demand
    as a fraction of the datacenter.
    """
    none = {"jain_mean": 1.0, "jain_min": 1.0, "jain_max": 1.0, "window_s": WINDOW_NS / 1e9}
    horizon = int(columns[2].max(initial=-1))
    if horizon < 0:
        return none
    window_ns = WINDOW_NS
    while horizon // window_ns >= _MOST_WINDOWS:
        window_ns *= 2
    shape = (len(share), horizon // window_ns + 1)
    used, change = np.zeros(shape), np.zeros((shape[0], shape[1] + 1), np.int64)
    _add_use(columns, kind, dominant, window_ns, used, change)
    busy = np.cumsum(change, axis=1)[:, :-1] > 0
    relative = used / share[:, np.newaxis]
    index = [jain_index(relative[busy[:, i], i]) for i in np.flatnonzero(busy.any(axis=0))]
    if not index:
        return none
    return {
        "jain_mean": sum(index) / len(index),
        "jain_min": min(index),
        "jain_max": max(index),
        "window_s": window_ns / 1e9,
    }
