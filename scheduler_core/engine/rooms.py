"""Find machines with room: a tree over the machines holds, for each resource, the most free amount below each node.

The leaves are the machines in order, padded to the next power of two. The children of node n are 2 n and 2 n + 1.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, Ints


def pack_room(free: Ints) -> Ints:
    """Build the tree of free resources from (machines, resources): (2 * leaves, resources).

    Leaves beyond the last machine hold less than 0.
    """
    machines, resources = free.shape
    leaves = 1
    while leaves < machines:
        leaves *= 2
    room = np.full((2 * leaves, resources), -1, np.int64)
    room[leaves : leaves + machines] = free
    level = leaves
    while level > 1:
        level //= 2
        room[level : 2 * level] = np.maximum(room[2 * level : 4 * level : 2], room[2 * level + 1 : 4 * level : 2])
    return room


@inner
def next_with_room(room: Ints, demands: Ints, demand: int, first: int, end: int) -> int:
    """Return the first machine from `first` to `end` - 1 with room for a class of demand; NOBODY if none has room.

    The search visits nodes in order and skips subtrees without room.
    """
    leaves = room.shape[0] >> 1
    node = leaves + first
    if first >= end:
        return NOBODY
    while True:
        holds = True
        for r in range(room.shape[1]):
            if room[node, r] < demands[demand, r]:
                holds = False
        if holds and node >= leaves:
            found: int = node - leaves
            return found if found < end else NOBODY
        if holds:
            node = 2 * node
            continue
        while node & 1 == 1:
            node >>= 1
        if node == 0:
            return NOBODY
        node += 1


@inner
def update_room(room: Ints, free: Ints, machine: int, there: bool) -> None:
    """Update the tree after a machine's free resources changed; a machine that is not `there` has no room."""
    node = (room.shape[0] >> 1) + machine
    for r in range(room.shape[1]):
        room[node, r] = free[machine, r] if there else -1
    node >>= 1
    while node > 0:
        same = True
        for r in range(room.shape[1]):
            most = max(room[2 * node, r], room[2 * node + 1, r])
            if room[node, r] != most:
                room[node, r] = most
                same = False
        if same:
            return
        node >>= 1
