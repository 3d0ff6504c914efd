"""Choose the machine for the next task: of all machines with room, the best-aligned one (Tetris' measure)."""

from __future__ import annotations

from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, Ints, Records, World
from scheduler_core.schedulers.dag.state import DagState


@inner
def alignment_on(w: World, s: DagState, machine: int, stage: int) -> float:
    """Return estimated demand times free amounts, as fractions of the machine, summed over resources.

    Source: *Multi-resource packing for cluster schedulers* (alignment).
    """
    total = 0.0
    for r in range(w.free.shape[1]):
        capacity = w.capacity[machine, r]
        if capacity > 0:
            total += (s.asked[stage, r] / capacity) * (w.free[machine, r] / capacity)
    return total


@inner
def best_fit(w: World, s: DagState, stage: int) -> int:
    """Return the machine with room and the best alignment with a stage's tasks, the first of equals; or NOBODY."""
    demand = s.stage[stage].demand
    return _search(s.room, w.machine, w.demand, demand, w.asks[demand], w.capacity, s.asked, stage, s.least)


@called
def _search(
    room: Ints,
    machines: Records,
    demands: Ints,
    demand: int,
    asks: int,
    capacity: Ints,
    asked: Ints,
    stage: int,
    least: Ints,
) -> int:
    """See `best_fit`.

    Walks the tree of what is free (engine.rooms) and passes over what lies below a node that cannot be better: no
    machine there has more free, or makes more of it, than the smallest machine would with the most that is free.
    """
    leaves, node, best, above = room.shape[0] >> 1, 1, NOBODY, -1.0
    while True:
        holds, bound = True, 0.0
        for r in range(room.shape[1]):
            if room[node, r] < demands[demand, r]:
                holds = False
            elif least[r] > 0:
                bound += (asked[stage, r] / least[r]) * (room[node, r] / least[r])
        if holds and bound > above:
            if node < leaves:
                node = 2 * node
                continue
            machine, score = node - leaves, 0.0
            for r in range(room.shape[1]):
                if capacity[machine, r] > 0:
                    score += (asked[stage, r] / capacity[machine, r]) * (room[node, r] / capacity[machine, r])
            if score > above and (machines[machine].offers & asks) == asks:
                best, above = machine, score
        while node & 1 == 1:
            node >>= 1
        if node == 0:
            return best
        node += 1
