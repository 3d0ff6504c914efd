"""Find why no machine holds a task: a resource or a constraint. Only asked about a watched task.

A cause is a number that a decision row can carry (engine.records, CAUSE_*).
"""

from __future__ import annotations

import numpy as np

from scheduler_core.engine.bits import lowest_bit
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import (
    CAUSE_CONSTRAINT,
    CAUSE_CONSTRAINTS,
    CAUSE_OUT,
    CAUSE_RESOURCE,
    CAUSE_TOGETHER,
    FAILED,
    World,
)
from scheduler_core.schedulers.federated.megha.paper.state import MeghaState


@inner
def cause_of_waiting(w: World, s: MeghaState, gm: int, demand: int) -> int:
    """Return what the GM's view lacks for a demand on every machine that offers its constraints."""
    asks = w.asks[demand]
    offering, in_service = 0, 0
    for machine in range(w.machine.shape[0]):
        if (w.machine[machine].offers & asks) == asks:
            offering += 1
            in_service += 0 if w.machine[machine].outage & FAILED else 1
    if offering == 0:
        return _without_offer(w, asks)
    if in_service == 0:
        return CAUSE_OUT
    for r in range(w.demand.shape[1]):
        enough = False
        for machine in range(w.machine.shape[0]):
            if (w.machine[machine].offers & asks) == asks and s.believed[gm, machine, r] >= w.demand[demand, r]:
                enough = True
                break
        if not enough:
            return CAUSE_RESOURCE + r
    return CAUSE_TOGETHER


@inner
def _without_offer(w: World, asks: int) -> int:
    """Return the constraint that no machine offers, or that none offers all."""
    offered = 0
    for machine in range(w.machine.shape[0]):
        offered |= w.machine[machine].offers
    lacking = asks & ~offered
    return CAUSE_CONSTRAINT + lowest_bit(np.uint64(lacking)) if lacking != 0 else CAUSE_CONSTRAINTS


@kernel
def look_into(w: World, s: MeghaState, gm: int, demand: int) -> int:
    """Call `cause_of_waiting`; an entry for Python."""
    return cause_of_waiting(w, s, gm, demand)
