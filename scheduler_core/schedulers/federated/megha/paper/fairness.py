"""Algorithm 2: when no machine is free, a queue below its share may preempt a task of a queue above its share.

The use of a queue is its dominant share: the largest fraction of the datacenter that its tasks hold of any resource. A
Global Master knows the use of its own queues from its own records, and that of other queues from Local Masters'
messages. So a preemption is a request like any other: it names a machine and the queue whose tasks are preempted. The
Local Master knows the real state. It preempts the latest started tasks of that queue, as few as are enough, or it
refuses.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.engine.bits import next_common_bit
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide, finish_task, fits, stop_task
from scheduler_core.schedulers.federated.megha.paper.messages import ENDED, STOPPED, tell
from scheduler_core.schedulers.federated.megha.paper.queues import join_fresh, leave_sleepers
from scheduler_core.schedulers.federated.megha.paper.residents import leave_machine
from scheduler_core.schedulers.federated.megha.paper.state import FREED, TOOK, MeghaState
from scheduler_core.schedulers.federated.megha.paper.updates import note_held, record_change
from scheduler_core.schedulers.federated.megha.paper.view import owner_of
from scheduler_core.schedulers.federated.megha.shared.reasons import PREEMPTED

MOST_VICTIMS = 96
"""A demand that more tasks than these would have to make room for is refused."""

_SLACK = 1e-9  # shares are ratios of whole numbers: equal ones may differ in the last bit


@inner
def open_books(w: World, s: MeghaState, gm: int) -> None:
    """Begin a GM's records of what each queue holds where, with what it has been told so far.

    That is what runs now without the changes that have not reached it yet. Before, nothing asks for it.
    """
    if s.gm[gm].keeps_books == 1:
        return
    s.gm[gm].keeps_books = 1
    mask = s.change.shape[1] - 1
    for cluster in range(s.lm.shape[0]):
        seen, lm = s.seen_cluster[gm, cluster], s.lm[cluster]
        known = 1 - seen.lost
        for machine in range(lm.first, lm.end):
            task = s.place[machine].first_task
            while task != NOBODY:
                note_held(w, s, gm, machine, s.kind[w.task[task].kind].queue, w.task[task].demand, 1, known)
                task = s.resident[task].next
        for number in range(seen.version, lm.version):
            change = s.change[cluster, number & mask]
            if change.what == TOOK:
                note_held(w, s, gm, change.machine, change.queue, change.demand, -1, known)
            elif change.what == FREED:
                note_held(w, s, gm, change.machine, change.queue, change.demand, 1, known)


@inner
def dominant_share(w: World, s: MeghaState, gm: int, queue: int, demand: int) -> float:
    """Return the share that the GM believes the queue holds, with one more task of the demand (NOBODY: none)."""
    most = 0.0
    for r in range(s.whole.shape[0]):
        if s.whole[r] > 0:
            amount = s.use[gm, queue, r]
            if demand != NOBODY:
                amount += w.demand[demand, r]
            most = max(most, amount / s.whole[r])
    return most


@inner
def worst_violator(w: World, s: MeghaState, gm: int, below: float, last: int) -> tuple[int, float]:
    """Return the queue furthest above its share by less than `below` (ties: numbered after `last`), and by how much.

    Source: Megha, Section IV-C, Algorithm 2 (get_Preempt_Tasks).
    """
    worst, most = NOBODY, 0.0
    for queue in range(s.queue.shape[0]):
        excess = dominant_share(w, s, gm, queue, NOBODY) - s.queue[queue].share
        eligible = excess > _SLACK and (excess < below or (excess == below and queue > last))
        if eligible and (worst == NOBODY or excess > most):
            worst, most = queue, excess
    return worst, most


@inner
def search_victims(w: World, s: MeghaState, gm: int, queue: int, demand: int) -> tuple[int, int, int]:
    """Return (machine or NOBODY, queue to take from, machines visited) for a task of `queue`.

    Nothing when the queue would exceed its share. Violators come in falling order; for each the search goes on where
    the last one ended.

    Source: Megha, Section IV-C, Algorithm 2 (get_Preempt_Tasks).
    """
    looked = 0
    if dominant_share(w, s, gm, queue, demand) > s.queue[queue].share + _SLACK:
        return NOBODY, NOBODY, looked
    open_books(w, s, gm)
    violator, excess = worst_violator(w, s, gm, np.inf, NOBODY)
    machines, cursor = w.machine.shape[0], s.gm[gm].victim_cursor
    while violator != NOBODY:
        machine, first, end = NOBODY, cursor, machines
        while True:  # from the cursor to the end, then from the beginning to the cursor
            machine = _holder_with_room(w, s, gm, violator, demand, first, end)
            looked += (end if machine == NOBODY else machine + 1) - first
            if machine != NOBODY or end == cursor:
                break
            first, end = 0, cursor
        if machine != NOBODY:
            s.gm[gm].victim_cursor = machine + 1 if machine + 1 < machines else 0
            return machine, violator, looked
        violator, excess = worst_violator(w, s, gm, excess, violator)
    return NOBODY, NOBODY, looked


@inner
def _holder_with_room(w: World, s: MeghaState, gm: int, violator: int, demand: int, first: int, end: int) -> int:
    """Return the first machine in first .. end-1 where the GM believes that the violator's tasks would make room."""
    row, asks = gm * s.queue.shape[0] + violator, w.asks[demand]
    machine = first - 1
    while True:
        machine = next_common_bit(s.holding, row, 0, machine + 1, end, s.offer, asks)
        if machine == NOBODY or _room_with_victims(w, s, gm, machine, violator, demand):
            return machine


@inner
def _room_with_victims(w: World, s: MeghaState, gm: int, machine: int, violator: int, demand: int) -> bool:
    if s.seen_cluster[gm, w.machine[machine].cluster].lost == 1:
        return False
    for r in range(w.demand.shape[1]):
        if s.believed[gm, machine, r] + s.held[gm, machine, violator, r] < w.demand[demand, r]:
            return False
    return True


@inner
def reconsider(w: World, s: MeghaState, gm: int) -> None:
    """Wake sleeping kinds of queues below their share, at a heartbeat, while another queue is above its own."""
    me = s.gm[gm]
    if me.asleep == 0 or me.weighed == 1:
        return
    me.weighed = 1
    any_below = False
    for number in range(me.first_queue, me.first_queue + me.queues):
        queue = s.queue[number].served
        below = dominant_share(w, s, gm, queue, NOBODY) <= s.queue[queue].share + _SLACK
        s.queue[queue].below = 1 if below else 0
        any_below = any_below or below
    if not any_below:
        return
    open_books(w, s, gm)
    if worst_violator(w, s, gm, np.inf, NOBODY)[0] == NOBODY:
        return
    for row in range(me.asleep - 1, -1, -1):
        kind = s.sleeper[gm, row].kind
        it = s.kind[kind]
        queue = it.queue
        if s.queue[queue].below == 1 and dominant_share(w, s, gm, queue, it.demand) <= s.queue[queue].share + _SLACK:
            leave_sleepers(s, gm, kind)
            join_fresh(s, gm, kind)


@inner
def enough_victims(w: World, s: MeghaState, machine: int, violator: int, demand: int, most: int) -> bool:
    """Return whether stopping the violator's tasks really makes room, `most` of them for each resource.

    Not when the machine has room without: then the request was stale in the other way, and is granted as it is.
    """
    for r in range(w.demand.shape[1]):
        missing = w.demand[demand, r] - w.free[machine, r]
        task, count = s.place[machine].first_task, 0
        while task != NOBODY and missing > 0 and count < most:
            if s.kind[w.task[task].kind].queue == violator:
                missing -= w.demand[w.task[task].demand, r]
                count += 1
            task = s.resident[task].next
        if missing > 0:
            return False
    in_service: bool = w.machine[machine].outage == 0
    return in_service


@inner
def next_victim(w: World, s: MeghaState, machine: int, violator: int) -> int:
    """Return the violator's latest started task on the machine."""
    task: int = s.place[machine].first_task
    while task != NOBODY and s.kind[w.task[task].kind].queue != violator:
        task = s.resident[task].next
    return task


@inner
def take_victim(w: World, s: MeghaState, cluster: int, victim: int, task: int, stop_ns: int) -> int:
    """Return the LM stops a task for another one; returns what its GM will be told.

    The log keeps what the requester believed of both queues' shares. A task that ends before the order reaches it has
    made room by itself.
    """
    row = w.task[victim]
    machine, end_ns = row.machine, row.last_start_ns + row.duration_ns
    if end_ns <= stop_ns:
        finish_task(w, victim, end_ns)
    else:
        requester = owner_of(w, s, task)
        violator, queue = s.kind[row.kind].queue, s.kind[w.task[task].kind].queue
        theirs = int(dominant_share(w, s, requester, violator, NOBODY) * 1e6)
        ours = int(dominant_share(w, s, requester, queue, NOBODY) * 1e6)
        decide(w, victim, machine, PREEMPTED, violator, queue, task, (theirs << 32) | ours)
        stop_task(w, victim, stop_ns)
        s.rules[0].preemptions += 1
    leave_machine(w, s, victim)
    record_change(w, s, cluster, machine, victim, FREED)
    return ENDED if end_ns <= stop_ns else STOPPED


@called
def too_many_victims(w: World, s: MeghaState, task: int, violator: int) -> bool:
    """Return whether room on the requested machine takes more than MOST_VICTIMS victims, so is never made."""
    return enough_victims(w, s, w.task[task].place, violator, w.task[task].demand, w.task.shape[0])


@called
def make_room(
    w: World, s: MeghaState, cluster: int, task: int, violator: int, stop_ns: int, sent_ns: int
) -> tuple[int, int]:
    """Stop tasks to make room on the machine that a GM asked for: (tasks stopped, the first); 0 if too few.

    They are stopped at `stop_ns`; their GMs are told at `sent_ns`.

    Source: Megha, Section IV-C.
    """
    machine, demand = w.task[task].place, w.task[task].demand
    victims, first = 0, NOBODY
    if not enough_victims(w, s, machine, violator, demand, MOST_VICTIMS):
        return victims, first
    while not fits(w, machine, demand):
        victim = next_victim(w, s, machine, violator)
        first = victim if victims == 0 else first
        victims += 1
        what = take_victim(w, s, cluster, victim, task, stop_ns)
        tell(w, s, cluster, victim, what, sent_ns)
    return victims, first
