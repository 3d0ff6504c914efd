"""Finding machines with room: a tree over them that holds, for each resource, the most that is free below a node."""

from __future__ import annotations

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.dag.state import DagState


@inner
def next_fit(w: World, s: DagState, demand: int, first: int) -> int:
    """The first machine, not before `first`, that has room for a class of demand; NOBODY when there is none.

    Nodes are visited in order; what lies below one without room is passed over.
    """
    leaves = s.room.shape[0] >> 1
    if first >= w.free.shape[0]:
        return NOBODY
    node = leaves + first
    while True:
        if _holds(w, s, node, demand):
            if node >= leaves:
                machine: int = node - leaves
                return machine
            node = 2 * node
            continue
        while node & 1 == 1:
            node >>= 1
        if node == 0:
            return NOBODY
        node += 1


@inner
def _holds(w: World, s: DagState, node: int, demand: int) -> bool:
    for r in range(s.room.shape[1]):
        if s.room[node, r] < w.demand[demand, r]:
            return False
    return True


@inner
def update_room(w: World, s: DagState, machine: int) -> None:
    """What is free on a machine has changed."""
    leaves = s.room.shape[0] >> 1
    node = leaves + machine
    for r in range(s.room.shape[1]):
        s.room[node, r] = w.free[machine, r]
    node >>= 1
    while node > 0:
        same = True
        for r in range(s.room.shape[1]):
            most = max(s.room[2 * node, r], s.room[2 * node + 1, r])
            if s.room[node, r] != most:
                s.room[node, r] = most
                same = False
        if same:
            return
        node >>= 1
