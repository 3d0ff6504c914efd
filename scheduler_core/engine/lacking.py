"""Find the cause when no machine has room."""

from __future__ import annotations

import numpy as np

from scheduler_core.engine.records import CAUSE_OUT, CAUSE_RESOURCE, CAUSE_TOGETHER, CAUSE_UNKNOWN, World


def lacking(world: World, demand: int, relaxed: int = 0) -> int:
    """Return the cause (engine.records, CAUSE_*) why no allowed machine has room for a demand now.

    `relaxed` masks soft constraints.
    """
    asks = world.asks[demand] & ~relaxed
    able = ((world.machine["offers"] & asks) == asks) & (world.capacity >= world.demand[demand]).all(axis=1)
    if able.any() and (world.machine["outage"][able] != 0).all():
        return CAUSE_OUT
    enough = world.free[able] >= world.demand[demand]
    if enough.all(axis=1).any():
        return CAUSE_UNKNOWN
    nowhere = np.flatnonzero(~enough.any(axis=0))
    return CAUSE_RESOURCE + int(nowhere[0]) if len(nowhere) else CAUSE_TOGETHER
