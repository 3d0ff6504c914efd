"""Interference: tasks that already run on a machine slow down a task that starts there.

The tasks on a machine at a task's launch lengthen its run time. Later changes on the machine do not alter the run time.
There are two models. In the first, each neighboring task adds a slowdown that depends on both kinds (`SLOWED`). In the
second, all tasks are alike and the slowdown grows with the share of the machine that other tasks hold. `duration_ns` is
the run time with interference, `own_ns` the run time without.

Every start and end of a task passes through `engine.tasks`. It calls these functions only if one bit of `control.walks`
is set.
"""

from __future__ import annotations

from scheduler_core.engine import rng
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import KINDS_DISTURB, World

MOST_SLOWED = 10.0
"""Neighbors lengthen a task at most to this multiple of its own time."""

KINDS = ("sheep", "rabbit", "devil", "turtle")
SLOWED = (
    (0.00, 0.01, 0.05, 0.00),
    (0.02, 0.05, 0.25, 0.00),
    (0.02, 0.05, 0.10, 0.00),
    (0.00, 0.00, 0.01, 0.00),
)
"""By how much a task of a kind (row) takes longer for each task of a kind (column) that runs beside it. Ours: a sheep
hardly uses the cache, a rabbit lives on it, a devil spoils it, a turtle uses no memory to speak of."""


@inner
def _kind(w: World, number: int) -> int:
    """Return the kind of a job."""
    control, count = w.control[0], len(KINDS)
    if control.kinds_by_queue == 1:
        return int(w.job[number].queue % count)
    return rng.below(control.seed, rng.STREAM_KIND, number, 0, count)


@called
def join_company(w: World, number: int, machine: int) -> None:
    """Set the run time of a task that starts on a machine. The machine already holds the task's own demand."""
    more, row, control = 0.0, w.task[number], w.control[0]
    if control.walks & KINDS_DISTURB != 0:
        kind = _kind(w, row.job)
        for other in range(w.company.shape[1]):
            more += SLOWED[kind][other] * w.company[machine, other]
        w.company[machine, kind] += 1
    else:
        for r in range(w.capacity.shape[1]):
            if w.capacity[machine, r] > 0:
                others = w.capacity[machine, r] - w.free[machine, r] - w.demand[row.demand, r]
                more = max(more, others / w.capacity[machine, r])
    row.duration_ns = int(row.duration_ns * min(1.0 + control.interference * more, MOST_SLOWED) + 0.5)


@called
def leave_company(w: World, number: int, stopped: bool) -> None:
    """Remove a task from its machine's neighbors; reset a stopped task to its own run time."""
    row = w.task[number]
    if w.control[0].walks & KINDS_DISTURB != 0:
        w.company[row.machine, _kind(w, row.job)] -= 1
    if stopped:
        row.duration_ns = row.own_ns
