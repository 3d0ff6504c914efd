"""A Global Master's queues: waiting tasks by kind, and the kinds for which its view may hold a machine.

To a Global Master, tasks of the same queue, demand and constraints are alike, so they wait as one *kind*. A kind that
found no machine sleeps: the Global Master does not try it again until its view gains a machine that may hold it.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.engine.bits import flip_bit, lowest_bit
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, TASK_WAITING, World
from scheduler_core.engine.tasks import decide, decide_again
from scheduler_core.schedulers.federated.megha.paper.causes import cause_of_waiting
from scheduler_core.schedulers.federated.megha.paper.sleepers import first_sleeper, order_of, sleeper_word
from scheduler_core.schedulers.federated.megha.paper.state import ASLEEP, FRESH, IDLE, MeghaState
from scheduler_core.schedulers.federated.megha.shared.reasons import WAITING


@inner
def join_queue(w: World, s: MeghaState, task: int) -> None:
    """Add a task to the end of its queue."""
    row = w.task[task]
    kind = s.kind[row.kind]
    gm = s.queue[kind.queue].owner
    row.state = TASK_WAITING
    row.place = s.gm[gm].next_place
    s.gm[gm].next_place += 1
    row.next = NOBODY
    if kind.last == NOBODY:
        kind.first = task
    else:
        w.task[kind.last].next = task
    kind.last = task
    kind.waiting += 1
    if kind.state == IDLE:
        join_fresh(s, gm, row.kind)


@inner
def join_head(w: World, s: MeghaState, task: int) -> None:
    """Add a task to the head of its queue, to be tried next; wake its kind."""
    row = w.task[task]
    kind = s.kind[row.kind]
    gm = s.queue[kind.queue].owner
    row.state = TASK_WAITING
    s.gm[gm].first_place -= 1
    row.place = s.gm[gm].first_place
    row.next = kind.first
    kind.first = task
    if kind.last == NOBODY:
        kind.last = task
    kind.waiting += 1
    if kind.state == ASLEEP:
        leave_sleepers(s, gm, row.kind)
    if kind.state == IDLE:
        join_fresh(s, gm, row.kind)


@inner
def go_to_end(w: World, s: MeghaState, gm: int, task: int) -> None:
    """Move the first task of its kind to the end of its queue.

    Source: Megha, Section IV-B5.
    """
    row = w.task[task]
    kind = s.kind[row.kind]
    row.place = s.gm[gm].next_place
    s.gm[gm].next_place += 1
    if kind.last != task:
        kind.first = row.next
        w.task[kind.last].next = task
        kind.last = task
        row.next = NOBODY


@inner
def take_next(w: World, s: MeghaState, gm: int) -> int:
    """Return the next task to match, or NOBODY: queues round robin, within one the first that its view may hold.

    Those are the kinds that have not failed yet, and the sleepers that fit what the view gained since they did.

    Source: Megha, Section IV-C.
    """
    me = s.gm[gm]
    best, best_turn, best_place = NOBODY, me.queues, NOBODY
    for turn in range(me.queues):
        kind = s.queue[s.queue[me.first_queue + (me.queue_cursor + turn) % me.queues].served].first_fresh
        while kind != NOBODY:
            first = s.kind[kind].first
            if best == NOBODY or w.task[first].place < best_place:
                best, best_turn, best_place = first, turn, w.task[first].place
            kind = s.kind[kind].next
        if best != NOBODY:
            break
    if me.gained > 0:
        before = (int(best_turn) << 32) | max(best_place, 0)
        row, turn = first_sleeper(w, s, gm, before)
        if row != NOBODY:
            best, best_turn = s.kind[s.sleeper[gm, row].kind].first, turn
    if best == NOBODY:
        me.gained = me.hopes = 0
    else:
        me.queue_cursor = (me.queue_cursor + best_turn + 1) % me.queues
    return best


@inner
def leave_queue(w: World, s: MeghaState, gm: int, task: int) -> None:
    """Remove the first task of its kind from its queue."""
    row = w.task[task]
    kind = s.kind[row.kind]
    kind.first = row.next
    if kind.failed_task == task:
        if kind.failures > 1:
            decide_again(w, task, WAITING, gm, kind.waiting, kind.failures - 1, kind.first_failure_ns)
        kind.failed_task = NOBODY
    kind.waiting -= 1
    if kind.first == NOBODY:
        kind.last = NOBODY
        if kind.state == FRESH:
            leave_fresh(s, gm, row.kind)
        else:
            leave_sleepers(s, gm, row.kind)
    elif kind.state == ASLEEP:
        s.sleeper[gm, kind.row].order = order_of(s, kind.queue, w.task[kind.first].place)


@inner
def note_failure(w: World, s: MeghaState, gm: int, task: int) -> None:
    """Log a task's first failed search; count further ones for the row of when it leaves."""
    control = w.control[0]
    kind = s.kind[w.task[task].kind]
    if kind.failed_task == task:
        kind.failures += 1
        return
    if kind.failed_task != NOBODY and kind.failures > 1:
        decide_again(w, kind.failed_task, WAITING, gm, kind.waiting, kind.failures - 1, kind.first_failure_ns)
    kind.failed_task = task
    kind.failures = 1
    kind.first_failure_ns = control.now_ns
    watched, told, cause = control.watched_task, task, 0
    if watched >= 0:
        # A task that someone asks about is the first of its kind, or stands behind it and fails for the same reason.
        if watched != task and (w.task[watched].state != TASK_WAITING or w.task[watched].kind != w.task[task].kind):
            return
        told, cause = watched, cause_of_waiting(w, s, gm, kind.relaxed)
    decide(w, told, NOBODY, WAITING, NOBODY, gm, kind.waiting, cause)


@inner
def join_fresh(s: MeghaState, gm: int, kind: int) -> None:
    """Add a kind that may be matched to the front of its queue's fresh ones."""
    it = s.kind[kind]
    queue = s.queue[it.queue]
    it.state = FRESH
    it.previous = NOBODY
    it.next = queue.first_fresh
    if queue.first_fresh != NOBODY:
        s.kind[queue.first_fresh].previous = kind
    queue.first_fresh = kind
    s.gm[gm].fresh += 1


@inner
def leave_fresh(s: MeghaState, gm: int, kind: int) -> None:
    """Take the kind out of its queue's fresh ones."""
    it = s.kind[kind]
    if it.previous == NOBODY:
        s.queue[it.queue].first_fresh = it.next
    else:
        s.kind[it.previous].next = it.next
    if it.next != NOBODY:
        s.kind[it.next].previous = it.previous
    it.state = IDLE
    s.gm[gm].fresh -= 1


@inner
def fall_asleep(w: World, s: MeghaState, gm: int, kind: int) -> None:
    """Put a kind to sleep until the view gains a machine for it."""
    leave_fresh(s, gm, kind)
    me, it = s.gm[gm], s.kind[kind]
    it.state = ASLEEP
    it.row = me.asleep
    sleeper = s.sleeper[gm, me.asleep]
    sleeper.kind = kind
    sleeper.demand = it.relaxed
    sleeper.order = order_of(s, it.queue, w.task[it.first].place)
    sleeper.asks = w.asks[it.relaxed]
    me.asleep += 1
    me.weighed = 0
    _mark_asking(s, gm, it.row, sleeper.asks)


@inner
def leave_sleepers(s: MeghaState, gm: int, kind: int) -> None:
    """Take the kind out of the sleepers; the last of them takes its row."""
    me = s.gm[gm]
    me.asleep -= 1
    row = s.kind[kind].row
    last, here = s.sleeper[gm, me.asleep], s.sleeper[gm, row]
    _mark_asking(s, gm, row, here.asks)
    if row != me.asleep:
        _mark_asking(s, gm, me.asleep, last.asks)
        _mark_asking(s, gm, row, last.asks)
        here.kind = last.kind
        here.demand = last.demand
        here.order = last.order
        here.asks = last.asks
        s.kind[here.kind].row = row
    s.kind[kind].state = IDLE


@inner
def _mark_asking(s: MeghaState, gm: int, row: int, asks: int) -> None:
    """Turn over a row's bit in the set of each constraint that it asks for."""
    left = np.uint64(asks)
    while left != np.uint64(0):
        number = lowest_bit(left)
        left ^= np.uint64(1) << np.uint64(number)
        flip_bit(s.asking, sleeper_word(s, gm, row >> 6), number, row & 63)
