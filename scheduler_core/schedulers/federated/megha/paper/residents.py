"""Keep the list of tasks on each machine, and the repartitions: the machine's resources in use by other GMs."""

from __future__ import annotations

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.federated.megha.paper.state import MeghaState
from scheduler_core.schedulers.federated.megha.paper.view import owner_of


@inner
def enter_machine(w: World, s: MeghaState, task: int) -> bool:
    """Add the task to its machine; return True if that is a repartition.

    After a repartition a logical node with exactly the task's demand belongs to the task's GM until the task leaves.
    """
    row = w.task[task]
    machine = row.machine
    place = s.place[machine]
    gm = owner_of(w, s, task)
    place.last_task = task
    if s.rules[0].residents == 1:
        it = s.resident[task]
        it.previous = NOBODY
        it.next = place.first_task
        if place.first_task != NOBODY:
            s.resident[place.first_task].previous = task
        place.first_task = task
    if place.owner == gm:
        return False
    for r in range(s.lent.shape[1]):
        s.lent[machine, r] += w.demand[row.demand, r]
    place.borrower = gm
    place.loans += 1
    s.rules[0].repartitions += 1
    return True


@inner
def leave_machine(w: World, s: MeghaState, task: int) -> None:
    """Remove the task from its machine; end its repartition, if any."""
    row = w.task[task]
    machine = row.machine
    place = s.place[machine]
    if s.rules[0].residents == 1:
        it = s.resident[task]
        if it.previous == NOBODY:
            place.first_task = it.next
        else:
            s.resident[it.previous].next = it.next
        if it.next != NOBODY:
            s.resident[it.next].previous = it.previous
    if place.owner == owner_of(w, s, task):
        return
    for r in range(s.lent.shape[1]):
        s.lent[machine, r] -= w.demand[row.demand, r]
    place.loans -= 1
    if place.loans == 0:
        place.borrower = NOBODY
