"""Jain's fairness index over the queues' resource use, window by window."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.jit import kernel

WINDOW_NS = 60_000_000_000
_MOST_WINDOWS = 100_000


@kernel
def _add_intervals(start, end, queue, weight, window_ns, used) -> None:  # type: ignore[no-untyped-def]
    """Add weight * overlap of each interval with each window to used[queue, window]. Times in ns, weight 1 a task."""
    for i in range(len(start)):
        first = start[i] // window_ns
        last = max(end[i] - 1, start[i]) // window_ns
        for window in range(first, min(last + 1, used.shape[1])):
            overlap = min(end[i], (window + 1) * window_ns) - max(start[i], window * window_ns)
            used[queue[i], window] += weight[i] * overlap


def jain_index(shares: npt.NDArray[np.float64]) -> float:
    """Return (sum x)^2 / (n sum x^2) of n > 0 values; 1 if all are equal, also if all are 0 (Jain et al. 1984)."""
    squares = float((shares * shares).sum())
    return float(shares.sum()) ** 2 / (len(shares) * squares) if squares > 0 else 1.0


def queue_fairness(
    start_ns: npt.NDArray[np.int64],
    end_ns: npt.NDArray[np.int64],
    arrival_ns: npt.NDArray[np.int64],
    queue: npt.NDArray[np.int64],
    dominant: npt.NDArray[np.float64],
    share: npt.NDArray[np.float64],
) -> dict[str, Any]:
    """Return Jain's index over the queues with work in a window, of dominant use divided by share.

    One row a completed task; `dominant` is its largest demand as a fraction of the datacenter.
    """
    none = {"jain_mean": 1.0, "jain_min": 1.0, "jain_max": 1.0, "window_s": WINDOW_NS / 1e9}
    if not len(start_ns):
        return none
    horizon = int(end_ns.max())
    window_ns = WINDOW_NS
    while horizon // window_ns >= _MOST_WINDOWS:
        window_ns *= 2
    shape = (len(share), horizon // window_ns + 1)
    used, busy = np.zeros(shape), np.zeros(shape)
    _add_intervals(start_ns, end_ns, queue, dominant, window_ns, used)
    _add_intervals(arrival_ns, end_ns, queue, np.ones(len(queue)), window_ns, busy)
    relative = used / share[:, np.newaxis]
    index = [jain_index(relative[busy[:, i] > 0, i]) for i in range(shape[1]) if busy[:, i].any()]
    if not index:
        return none
    return {
        "jain_mean": sum(index) / len(index),
        "jain_min": min(index),
        "jain_max": max(index),
        "window_s": window_ns / 1e9,
    }
