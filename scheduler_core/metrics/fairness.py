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
    began_ns, came = 0, 0  # the window in which the task before this one came: divisions take long
    for i in range(len(kind)):
        if end[i] < 0:
            continue
        q, each = queue[i], dominant[kind[i]]
        first = start[i] // window_ns
        last, after_ns = first, (first + 1) * window_ns
        if end[i] > after_ns:
            last = (end[i] - 1) // window_ns
            used[q, first] += each * (after_ns - start[i])
            for window in range(first + 1, last):
                used[q, window] += each * window_ns
            used[q, last] += each * (end[i] - last * window_ns)
        else:
            used[q, first] += each * (end[i] - start[i])
            if end[i] == first * window_ns:  # a task that takes no time, at the end of the window before
                last = first - 1
        if end[i] > arrival[i]:
            if not began_ns <= arrival[i] < began_ns + window_ns:
                came = arrival[i] // window_ns
                began_ns = came * window_ns
            change[q, came] += 1
            change[q, last + 1] -= 1


def jain_index(shares: npt.NDArray[np.float64]) -> float:
    """Return (sum x)^2 / (n sum x^2) of n > 0 values; 1 if all are equal, also if all are 0 (Jain et al. 1984)."""
    return _index(float(shares.sum()), float((shares * shares).sum()), len(shares))


def _index(total: float, squares: float, count: int) -> float:
    return total**2 / (count * squares) if squares > 0 else 1.0


def _jain_by_window(shares: Floats, busy: npt.NDArray[np.bool_]) -> list[float]:
    """Return Jain's index over the busy queues of each window that has any, in order; both are (queues, windows).

    Each figure is that of `jain_index`: windows with equally many busy queues are added together, in the same order.
    """
    count = busy.sum(axis=0)
    order = np.argsort(~busy, axis=0, kind="stable")
    rows = np.ascontiguousarray(np.take_along_axis(shares, order, axis=0).T)  # busy queues first, in their order
    found = np.zeros(len(rows))
    for queues in np.unique(count[count > 0]).tolist():
        chosen = np.flatnonzero(count == queues)
        some = rows[chosen, :queues]
        sums, squares = some.sum(axis=1).tolist(), (some * some).sum(axis=1).tolist()
        found[chosen] = [_index(total, square, queues) for total, square in zip(sums, squares, strict=True)]
    told: list[float] = found[count > 0].tolist()
    return told


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
    index = _jain_by_window(relative, busy)
    if not index:
        return none
    return {
        "jain_mean": sum(index) / len(index),
        "jain_min": min(index),
        "jain_max": max(index),
        "window_s": window_ns / 1e9,
    }
