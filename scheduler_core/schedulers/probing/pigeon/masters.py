"""A master: its two queues, its workers with room, and which queue it serves next."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide, fits, start_task
from scheduler_core.schedulers.probing.pigeon.reasons import FROM_HIGH, FROM_LOW, LAUNCHED, ON_RESERVED
from scheduler_core.schedulers.probing.pigeon.state import (
    AT_ONCE,
    GENERAL,
    HIGH,
    LOW,
    MORE,
    RESERVED,
    TASK_END,
    PigeonState,
)


@inner
def match(w: World, s: PigeonState, master: int, came: int) -> None:
    """Give workers with room to the heads of the queues; `came` is a task that has just come, or NOBODY.

    Short tasks go first, until `weight` of them have been taken from the queue since the last long one.

    Source: *Pigeon: an effective distributed, hierarchical datacenter job scheduler* (weighted fair queueing at a
    master).
    """
    for _ in range(AT_ONCE):
        high, low = s.queue[master, HIGH].first, s.queue[master, LOW].first
        short_first = s.turns[master] <= s.rules[0].weight or low == NOBODY
        started = False
        if high != NOBODY and short_first:
            started = try_start(w, s, master, HIGH, GENERAL, came)
        if high != NOBODY and not started:
            started = try_start(w, s, master, HIGH, RESERVED, came)
        if low != NOBODY and not started:
            started = try_start(w, s, master, LOW, GENERAL, came)
        if not started:
            return
    schedule(w, w.control[0].now_ns, MORE, master, came)


@inner
def try_start(w: World, s: PigeonState, master: int, which: int, kind: int, came: int) -> bool:
    """Start the head of a queue on the worker of a kind that has had room for the longest time, if one can take it."""
    queue, workers = s.queue[master, which], s.idle[master, kind]
    task = queue.first
    demand = w.task[task].demand
    before, worker = NOBODY, workers.first
    while worker != NOBODY and not can_take(w, s, worker, demand):
        before, worker = worker, s.worker[worker].next
    if worker == NOBODY:
        return False
    queue.first = w.task[task].next
    if queue.first == NOBODY:
        queue.last = NOBODY
    _launch(w, s, task, worker, which, came)
    queue.length -= 1
    if s.rules[0].public == 1 or not fits(w, worker, w.demand.shape[0] - 1):
        after = s.worker[worker].next
        if before == NOBODY:
            workers.first = after
        else:
            s.worker[before].next = after
        if after == NOBODY:
            workers.last = before
        s.worker[worker].listed = 0
    return True


@inner
def can_take(w: World, s: PigeonState, worker: int, demand: int) -> bool:
    """Return whether a worker with room has enough of it, and what is asked for."""
    return (w.machine[worker].offers & w.asks[demand]) == w.asks[demand] and fits(w, worker, demand)


@inner
def _launch(w: World, s: PigeonState, task: int, worker: int, which: int, came: int) -> None:
    """Send a task to a worker, which starts it one message later; the master hears of its end another one later."""
    rules, row, now_ns = s.rules[0], w.task[task], w.control[0].now_ns
    master = s.worker[worker].master
    s.worker[worker].longs += which
    waited_ns = now_ns - row.since_ns - rules.delay_ns
    if row.attempts == 0:
        row.framework_ns = waited_ns
        row.communication_ns = 2 * rules.delay_ns
    w.control[0].messages += 2
    reason = FROM_HIGH if which == HIGH else FROM_LOW
    if task == came:
        rules.direct += 1
        reason = LAUNCHED
    elif which == HIGH:
        rules.waited_high += 1
        s.turns[master] += 1
    else:
        rules.waited_low += 1
        s.turns[master] = 0
    if which == HIGH:
        rules.high_waiting -= 1
    else:
        rules.low_waiting -= 1
    if s.worker[worker].reserved == 1:
        rules.on_reserved += 1
        reason = ON_RESERVED
    decide(w, task, worker, reason, NOBODY, master, waited_ns, s.queue[master, which].length)
    end_ns = start_task(w, task, worker, now_ns + rules.delay_ns)
    schedule(w, end_ns + rules.delay_ns, TASK_END, task, 0)


@inner
def has_room_again(s: PigeonState, worker: int) -> None:
    """Add the worker to the end of its master's workers with room, if it is not among them."""
    it = s.worker[worker]
    if it.listed == 1:
        return
    it.listed, it.next = 1, NOBODY
    workers = s.idle[it.master, it.reserved]
    if workers.first == NOBODY:
        workers.first = worker
    else:
        s.worker[workers.last].next = worker
    workers.last = worker


@inner
def wait_at(w: World, s: PigeonState, task: int, master: int) -> None:
    """Add a task to the queue of its class."""
    row, rules = w.task[task], s.rules[0]
    queue = s.queue[master, row.kind]
    row.next = NOBODY
    if queue.first == NOBODY:
        queue.first = task
    else:
        w.task[queue.last].next = task
    queue.last = task
    queue.length += 1
    if row.kind == HIGH:
        rules.high_waiting += 1
    else:
        rules.low_waiting += 1
