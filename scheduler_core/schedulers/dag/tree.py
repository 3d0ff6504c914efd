"""Find machines with room by the engine's tree over machines.

With constraints, two searches alternate until they agree on a machine: one for the next machine with room, and one for
the next machine that offers the constraints.
"""

from __future__ import annotations

from scheduler_core.engine import rooms
from scheduler_core.engine.bits import Bits, next_common_bit
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, Ints, Records, World
from scheduler_core.engine.rooms import next_with_room
from scheduler_core.engine.tasks import fits
from scheduler_core.schedulers.dag.state import DagState


@inner
def next_fit(w: World, s: DagState, demand: int, first: int) -> int:
    """Return the first machine, not before `first`, that may run a class of demand and has room; NOBODY without one."""
    return _search(s.room, w.machine, s.offers, w.demand, demand, w.asks[demand], first)


@called
def _search(room: Ints, machines: Records, offers: Bits, demands: Ints, demand: int, asks: int, first: int) -> int:
    """See `next_fit`, of which there are a dozen: inlined they would take twice as long to compile."""
    machine = next_with_room(room, demands, demand, first, machines.shape[0])
    while machine != NOBODY and (machines[machine].offers & asks) != asks:
        able = next_common_bit(offers, offers.shape[0] - 1, 0, machine + 1, machines.shape[0], offers, asks)
        if able == NOBODY:
            return NOBODY
        machine = next_with_room(room, demands, demand, able, machines.shape[0])
    return machine


@inner
def may_hold(w: World, machine: int, demand: int) -> bool:
    """Return whether a machine has room for a class of demand and offers what it asks for."""
    asks = w.asks[demand]
    return (w.machine[machine].offers & asks) == asks and fits(w, machine, demand)


@inner
def next_untried(w: World, s: DagState, first: int) -> int:
    """Return the first machine from `first` on with room that may hold what was not tried there yet.

    What was tried before fits only where something has ended since, unless a stage has opened.
    """
    smallest = w.demand.shape[0] - 1
    if s.rules[0].new_work == 1:
        return next_fit(w, s, smallest, first)
    for machine in range(first, s.freed.shape[0]):
        if s.freed[machine] == 1:
            if may_hold(w, machine, smallest):
                return machine
            s.freed[machine] = 0
    return NOBODY


@inner
def update_room(w: World, s: DagState, machine: int) -> None:
    """Update the tree with a machine's free amounts."""
    rooms.update_room(s.room, w.free, machine, True)
