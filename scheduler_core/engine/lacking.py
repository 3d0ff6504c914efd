"""Why no machine has room now."""

from __future__ import annotations

import numpy as np

from scheduler_core.engine.records import CAUSE_OUT, CAUSE_RESOURCE, CAUSE_TOGETHER, CAUSE_UNKNOWN, World


def lacking(world: World, demand: int, relaxed: int = 0) -> int:
    """Why no machine that may run a demand has room now: engine.records, CAUSE_*. `relaxed` masks soft constraints."""
    asks = world.asks[demand] & ~relaxed
    able = ((world.machine["offers"] & asks) == asks) & (world.capacity >= world.demand[demand]).all(axis=1)
    if able.any() and (world.machine["outage"][able] != 0).all():
        return CAUSE_OUT
    enough = world.free[able] >= world.demand[demand]
    if enough.all(axis=1).any():
        return CAUSE_UNKNOWN
    nowhere = np.flatnonzero(~enough.any(axis=0))
    return CAUSE_RESOURCE + int(nowhere[0]) if len(nowhere) else CAUSE_TOGETHER
