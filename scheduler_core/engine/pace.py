"""Compute how long a task takes on the machine where it starts. The start fixes the run time.

The run time starts from the task's own time. Missing soft constraints and interference from tasks on the machine slow
it down (each running task adds the part of its kind: schedulers.shared.pacing). The time to read remote data comes on
top: the input divided by the bandwidth of the rack or the core. `duration_ns` is the time on the machine where the task
runs, `own_ns` the time without any slowdown.

A family keeps the fields of `Pace` in its state. It calls `on_start` before a task starts and `on_end` after a task has
ended or stopped.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.company import MOST_SLOWED
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, Records, World

LOCAL, IN_ITS_RACK, REMOTE = range(3)
PACE = np.dtype(
    [
        ("soft", "i8"),  # 1: a machine may lack a requested constraint
        ("soft_mask", "i8"),  # the constraints that a task may do without
        ("reads", "i8"),  # 1: tasks read data
        ("disturbs", "i8"),  # 1: tasks slow each other down
        ("rack_ns", "f8"),  # to read a GB from another machine of the rack, and from another rack
        ("core_ns", "f8"),
        ("relaxed", "i8"),
        ("read_local_mb", "i8"),
        ("read_rack_mb", "i8"),
        ("read_core_mb", "i8"),
        ("placed", "i8"),  # 1: tasks' data have places
        ("local", "i8"),  # starts beside the data, in a rack that has them, elsewhere
        ("in_rack", "i8"),
        ("remote", "i8"),
    ]
)
PACED = np.dtype([("input_gb", "f8"), ("kind", "i8")])


class Pace(NamedTuple):
    """Arrays of T tasks, M machines and C constraints; an array that the run does not need has length 1."""

    pace: Records  # (1,) PACE
    paced: Records  # (T,) PACED
    replica: npt.NDArray[np.int32]  # (T, copies): machines that have a task's data, NOBODY for none
    beside: npt.NDArray[np.int32]  # (M, kinds): how many of each kind run
    discord: npt.NDArray[np.float64]  # (kinds, kinds): what each beside it adds to a task's time, as a part of it
    slowdown: npt.NDArray[np.float64]  # (C,): factor on the time of a task without each constraint


@inner
def nearness(w: World, replica, task: int, machine: int) -> int:  # type: ignore[no-untyped-def]
    """Return how near a machine is to a task's data. `replica` is as in Pace."""
    near = REMOTE
    for k in range(replica.shape[1]):
        at = replica[task, k]
        if at == machine:
            return LOCAL
        if at != NOBODY and w.machine[at].rack == w.machine[machine].rack:
            near = IN_ITS_RACK
    return near


@inner
def lacks(w: World, task: int, machine: int) -> int:
    """Return the mask of constraints that the task requests and the machine does not offer."""
    lacking: int = w.asks[w.task[task].demand] & ~w.machine[machine].offers
    return lacking


@inner
def disturbance(p: Pace, kind: int, machine: int) -> float:
    """Return the fraction by which the tasks on a machine would lengthen a task of a kind now."""
    more = 0.0
    for other in range(p.beside.shape[1]):
        more += p.discord[kind, other] * p.beside[machine, other]
    return min(more, MOST_SLOWED - 1.0)


@inner
def reading_ns(w: World, p: Pace, task: int, machine: int) -> float:
    """Return how long the task would read over the network on the machine, in ns."""
    near = nearness(w, p.replica, task, machine)
    if near == LOCAL:
        return 0.0
    return float(p.paced[task].input_gb * (p.pace[0].rack_ns if near == IN_ITS_RACK else p.pace[0].core_ns))


@inner
def pace_ns(w: World, p: Pace, task: int, machine: int) -> int:
    """Return how long the task would take if it started on the machine now, in ns."""
    rules, factor, more_ns = p.pace[0], 1.0, 0.0
    if rules.soft == 1:
        lacking = lacks(w, task, machine)
        for c in range(p.slowdown.shape[0]):
            if lacking >> c & 1:
                factor *= p.slowdown[c]
    if rules.disturbs == 1:
        factor *= 1.0 + disturbance(p, p.paced[task].kind, machine)
    if rules.reads == 1:
        more_ns = reading_ns(w, p, task, machine)
    if factor == 1.0 and more_ns == 0.0:
        return int(w.task[task].own_ns)
    return int(np.floor(w.task[task].own_ns * factor + more_ns + 0.5))


@inner
def on_start(w: World, p: Pace, task: int, machine: int) -> None:
    """Set `duration_ns` of a task that is about to start on the machine."""
    rules = p.pace[0]
    w.task[task].duration_ns = pace_ns(w, p, task, machine)
    if rules.soft == 1 and lacks(w, task, machine) != 0:
        rules.relaxed += 1
    if rules.disturbs == 1:
        p.beside[machine, p.paced[task].kind] += 1
    if rules.placed == 1:
        near, megabytes = nearness(w, p.replica, task, machine), 0
        if rules.reads == 1:
            megabytes = int(p.paced[task].input_gb * 1e3 + 0.5)
        if near == LOCAL:
            rules.local += 1
            rules.read_local_mb += megabytes
        elif near == IN_ITS_RACK:
            rules.in_rack += 1
            rules.read_rack_mb += megabytes
        else:
            rules.remote += 1
            rules.read_core_mb += megabytes


@inner
def on_end(p: Pace, task: int, machine: int) -> None:
    """Remove the task from the machine's running tasks."""
    if p.pace[0].disturbs == 1:
        p.beside[machine, p.paced[task].kind] -= 1
