"""How a Global Master's view becomes stale and is corrected, and its record of which task holds what.

A Local Master's message means "this is the state of all my partitions". To send the whole state would cost the size of
the cluster each time. So the cluster keeps a log of its changes, a message carries the version of the log at its
sending, and the receiver applies the changes up to that version. Requests without an answer stay deducted from the
result. The view is then equal, entry by entry, to a copy of the state minus these requests (tested).
"""

from __future__ import annotations

from scheduler_core.engine.bits import flip_bit, has_bit
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.federated.megha.paper.sleepers import note_gain
from scheduler_core.schedulers.federated.megha.paper.state import CAME_IN, FREED, TOOK, MeghaState
from scheduler_core.schedulers.federated.megha.paper.view import (
    believed_to_fit,
    change_service,
    change_view,
    set_candidate,
)

CHANGES_HEADROOM = 256
"""Changes that one event may make in a cluster, at most."""


@inner
def remember_request(w: World, s: MeghaState, gm: int, task: int, machine: int) -> None:
    """Deduct what the GM requests, until the answer has come."""
    row = w.task[task]
    row.requested = 1
    row.place = machine
    change_view(w, s, gm, machine, row.demand, -1)


@inner
def settle_request(w: World, s: MeghaState, gm: int, task: int) -> None:
    """Undo the deduction of an unconfirmed request; of a lost cluster, keep only the numbers."""
    row = w.task[task]
    machine = row.place
    row.requested = 0
    if s.seen_cluster[gm, w.machine[machine].cluster].lost == 1:
        for r in range(w.demand.shape[1]):
            s.believed[gm, machine, r] += w.demand[row.demand, r]
    else:
        change_view(w, s, gm, machine, row.demand, 1)
        note_gain(w, s, gm, machine)


@inner
def record_change(w: World, s: MeghaState, cluster: int, machine: int, task: int, what: int) -> None:
    """Record a change of the cluster's truth as a new version; set `changes_full` before the ring must grow."""
    lm = s.lm[cluster]
    capacity = s.change.shape[1]  # a power of two
    change = s.change[cluster, lm.version & (capacity - 1)]
    change.machine = machine
    change.task = task
    change.what = what
    if task != NOBODY:
        change.demand = w.task[task].demand
        change.queue = s.kind[w.task[task].kind].queue
        change.gm = s.queue[change.queue].owner
    lm.version += 1
    if lm.version - lm.oldest_needed + CHANGES_HEADROOM > capacity:
        oldest = lm.version
        for gm in range(s.gm.shape[0]):
            oldest = min(oldest, s.seen_cluster[gm, cluster].version)
        lm.oldest_needed = oldest
        if lm.version - oldest + CHANGES_HEADROOM > capacity:
            s.rules[0].changes_full = 1


@inner
def apply_state(w: World, s: MeghaState, gm: int, cluster: int, version: int) -> None:
    """Set the GM's view of the cluster to its state at `version`; note what the view gained."""
    seen = s.seen_cluster[gm, cluster]
    first = seen.version
    mask = s.change.shape[1] - 1  # the capacity is a power of two
    gained = False
    if seen.lost == 1:
        _count_others(w, s, gm, cluster)
    for number in range(first, version):
        change = s.change[cluster, number & mask]
        task, machine = change.task, change.machine
        if change.what == FREED or change.what == TOOK:
            sign = 1 if change.what == FREED else -1
            own = sign == -1 and change.gm == gm
            if own and w.task[task].requested == 1 and w.task[task].place == machine:
                w.task[task].requested = 0  # its own request is certain now: the deduction stays
            else:
                change_view(w, s, gm, machine, change.demand, sign)
            if s.gm[gm].keeps_books == 1:
                note_held(w, s, gm, machine, change.queue, change.demand, -sign, 1)
            gained = gained or sign == 1
        else:
            change_service(w, s, gm, machine, 1 if change.what == CAME_IN else -1)
            gained = gained or change.what == CAME_IN
    seen.version = version
    if seen.lost == 1:
        seen.lost = 0
        _see_anew(w, s, gm, cluster)
        gained = False
    if gained:
        for number in range(first, version):
            change = s.change[cluster, number & mask]
            if change.what == FREED or change.what == CAME_IN:
                note_gain(w, s, gm, change.machine)


@inner
def note_held(w: World, s: MeghaState, gm: int, machine: int, queue: int, demand: int, sign: int, counts: int) -> None:
    """Count that a task of the queue holds (1) or no longer holds (-1) resources of the machine.

    With `counts` 1 others' use tells it, too; a GM's own queues' use it counts itself.
    """
    foreign = counts == 1 and s.queue[queue].owner != gm
    holds = False
    for r in range(w.demand.shape[1]):
        amount = sign * w.demand[demand, r]
        s.held[gm, machine, queue, r] += amount
        holds = holds or s.held[gm, machine, queue, r] != 0
        if foreign:
            s.use[gm, queue, r] += amount
            s.gm[gm].weighed = 0
    which = gm * s.queue.shape[0] + queue
    if holds != has_bit(s.holding, which, machine >> 6, machine & 63):
        flip_bit(s.holding, which, machine >> 6, machine & 63)


@inner
def count_own_use(w: World, s: MeghaState, gm: int, task: int, sign: int) -> None:
    """Count in a GM's own records that a task of its queues was requested, ended, or came back."""
    if s.rules[0].books == 0:
        return
    row = w.task[task]
    queue = s.kind[row.kind].queue
    s.gm[gm].weighed = 0
    for r in range(w.demand.shape[1]):
        s.use[gm, queue, r] += sign * w.demand[row.demand, r]


@inner
def forget_view(w: World, s: MeghaState, gm: int) -> None:
    """Clear the GM's view: it sees no machine of a cluster before the next message of its LM.

    Source: Megha, Section IV-D.
    """
    for cluster in range(s.lm.shape[0]):
        s.seen_cluster[gm, cluster].lost = 1
    for word in range(s.bits.shape[1]):
        s.bits[gm, word] = 0
    for partition in range(s.seen_partition.shape[1]):
        s.seen_partition[gm, partition].candidates = 0
    s.gm[gm].gained = s.gm[gm].hopes = s.gm[gm].weighed = 0
    for queue in range(s.use.shape[1]):
        if s.queue[queue].owner != gm:
            for r in range(s.use.shape[2]):
                s.use[gm, queue, r] = 0


@inner
def _count_others(w: World, s: MeghaState, gm: int, cluster: int) -> None:
    """Count others' use of a cluster again after a loss, from what was last told of it."""
    if s.gm[gm].keeps_books == 0:
        return
    s.gm[gm].weighed = 0
    for machine in range(s.lm[cluster].first, s.lm[cluster].end):
        for queue in range(s.use.shape[1]):
            if s.queue[queue].owner != gm:
                for r in range(s.use.shape[2]):
                    s.use[gm, queue, r] += s.held[gm, machine, queue, r]


@inner
def _see_anew(w: World, s: MeghaState, gm: int, cluster: int) -> None:
    """Restore each machine in the view from the first message after a loss."""
    smallest = w.demand.shape[0] - 1
    for machine in range(s.lm[cluster].first, s.lm[cluster].end):
        if believed_to_fit(w, s, gm, machine, smallest):
            set_candidate(w, s, gm, machine, True)
            note_gain(w, s, gm, machine)
