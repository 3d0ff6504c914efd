"""What happens to the datacenter during a run: faults, drains and changes, as rows that every protocol can read.

They are rows of `World.incident` (world.planned makes them of an experiment's events), each with an event of kind
`KIND_INCIDENT`, which goes before everything else of its instant.

A machine that is out has all its capacity withheld, and a little more: free resources fall below zero, so nothing fits,
and what was held comes back as it would.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import DRAINED, FAILED, World
from scheduler_core.engine.tasks import touch

KIND_INCIDENT = 0

# What an incident does. `first .. end-1` are machines, or `first` is the number of a master or a queue.
FAIL_MACHINES, DRAIN_MACHINES, RESTORE_MACHINES = range(3)
FAIL_LOCAL_MASTER, RECOVER_LOCAL_MASTER, FAIL_GLOBAL_MASTER, RECOVER_GLOBAL_MASTER = range(3, 7)
SET_SHARE, SET_PARAMS = range(7, 9)

SHARE_UNIT = 1_000_000_000
"""Shares are counted in billionths."""


@inner
def withhold(w: World, machine: int, why: int) -> bool:
    """Take a machine out; True when it was in until now."""
    it = w.machine[machine]
    was = it.outage
    it.outage = was | why
    touch(w, machine)
    if was != 0:
        return False
    for r in range(w.free.shape[1]):
        w.free[machine, r] -= w.capacity[machine, r] + 1
    return True


@inner
def restore(w: World, machine: int, why: int) -> bool:
    """Remove reasons for a machine to be out; True when it is in again."""
    it = w.machine[machine]
    was = it.outage
    it.outage = was & ~why
    touch(w, machine)
    if was == 0 or it.outage != 0:
        return False
    for r in range(w.free.shape[1]):
        w.free[machine, r] += w.capacity[machine, r] + 1
    return True


def held(world: World) -> npt.NDArray[np.int64]:
    """What tasks hold of each machine: int64 (machines, resources), thousandths."""
    out = world.machine["outage"] != 0
    used: npt.NDArray[np.int64] = world.capacity - world.free
    used[out] -= world.capacity[out] + 1
    return used


def paint_outage(world: World, machines: npt.NDArray[np.int32], out: npt.NDArray[np.uint8]) -> None:
    """Outage layer of the machines: 0 in service, half draining, full failed. `out` is uint8."""
    flags = world.machine["outage"][machines]
    out[:] = np.where(flags & FAILED, 255, np.where(flags & DRAINED, 128, 0))
