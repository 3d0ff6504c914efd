"""Handle machines out of service: a master queues lost tasks again, or returns tasks that it cannot run."""

from __future__ import annotations

import numpy as np

from scheduler_core.engine.events import schedule
from scheduler_core.engine.incidents import HAND_BACK, HAS_ROOM, LOSE_TASK, MACHINE_IN, MACHINE_OUT, go_on
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide, stop_task
from scheduler_core.schedulers.probing.pigeon.masters import has_room_again
from scheduler_core.schedulers.probing.pigeon.spreading import has_holder, spread
from scheduler_core.schedulers.probing.pigeon.state import (
    AT_ONCE,
    HIGH,
    LOW,
    RETRY,
    TO_DISTRIBUTOR,
    TO_MASTER,
    PigeonState,
)
from scheduler_core.schedulers.shared.probing.sampling import could_hold
from scheduler_core.world import reasons

_DRAWS_BITS = 32


@called
def on_incident(w: World, s: PigeonState, step: int, number: int) -> int:
    """Process one step of an incident; return the master that may go on, or NOBODY. Shares mean nothing here."""
    if step == MACHINE_OUT:
        _count_holders(w, s, number, -1)
    elif step == MACHINE_IN:
        _count_holders(w, s, number, 1)
        _let_parked_try(w, s)
    elif step == HAND_BACK:
        _hand_back(w, s, number)
    elif step == LOSE_TASK:
        _lose(w, s, number)
    if step == MACHINE_IN or step == HAS_ROOM:
        has_room_again(s, number)
        master: int = s.worker[number].master
        return master
    return NOBODY


@inner
def _count_holders(w: World, s: PigeonState, worker: int, sign: int) -> None:
    """Count one worker more (1) or less (-1) for every demand that it could hold."""
    master = s.worker[worker].master
    for demand in range(s.able.shape[0]):
        if could_hold(w, worker, demand, w.asks[demand]):
            for kind in range(LOW + 1 - s.worker[worker].reserved):
                before = s.holders[demand, kind, master]
                s.holders[demand, kind, master] = before + sign
                if before == 0 or before + sign == 0:
                    s.able[demand, kind].in_service += sign


@inner
def _hand_back(w: World, s: PigeonState, worker: int) -> None:
    """Give a task that no worker of the group in service could hold any more back to a distributor."""
    master = s.worker[worker].master
    for kind in range(HIGH, LOW + 1):
        queue = s.queue[master, kind]
        before, task = NOBODY, queue.first
        while task != NOBODY and has_holder(s, w.task[task].demand, kind, master):
            before, task = task, w.task[task].next
        if task == NOBODY:
            continue
        if before == NOBODY:
            queue.first = w.task[task].next
        else:
            w.task[before].next = w.task[task].next
        if queue.last == task:
            queue.last = before
        queue.length -= 1
        if kind == HIGH:
            s.rules[0].high_waiting -= 1
        else:
            s.rules[0].low_waiting -= 1
        give_back(w, s, task, master, worker)
        return
    go_on(w)


@called
def give_back(w: World, s: PigeonState, task: int, master: int, worker: int) -> None:
    """Return a task from a master without a worker for it; a distributor learns of it one message later."""
    decide(w, task, worker, reasons.HANDED_BACK, NOBODY, NOBODY, w.control[0].now_ns - w.task[task].since_ns, 0)
    w.control[0].messages += 1
    schedule(w, w.control[0].now_ns + s.rules[0].delay_ns, TO_DISTRIBUTOR, task, master)


@inner
def _lose(w: World, s: PigeonState, task: int) -> None:
    """Lose a task whose machine failed; its master learns of it one message later."""
    row, now_ns = w.task[task], w.control[0].now_ns
    worker = row.machine
    stop_task(w, task, now_ns)
    decide(w, task, worker, reasons.LOST, NOBODY, NOBODY, max(now_ns - row.last_start_ns, 0), 0)
    s.worker[worker].longs -= row.kind
    w.control[0].messages += 1
    schedule(w, now_ns + s.rules[0].delay_ns, TO_MASTER, task, s.worker[worker].master)


@called
def spread_again(w: World, s: PigeonState, task: int) -> None:
    """Send a returned task from a distributor to another master."""
    row = w.task[task]
    row.requested += 1
    spread(w, s, row.job, task, task + 1, int(np.int64(row.requested) << _DRAWS_BITS))


@inner
def _let_parked_try(w: World, s: PigeonState) -> None:
    """Schedule another try of the parked tasks after a machine has come in."""
    rules = s.rules[0]
    if rules.parks > 0 and rules.retries == 0:
        schedule(w, w.control[0].now_ns, RETRY, 0, 0)
    rules.retries = rules.parks


@called
def on_retry(w: World, s: PigeonState) -> None:
    """Spread the next parked tasks again."""
    rules = s.rules[0]
    for _ in range(min(AT_ONCE, rules.retries)):
        task = rules.parked
        rules.parked = w.task[task].next
        rules.parks -= 1
        rules.retries -= 1
        spread_again(w, s, task)
    if rules.retries > 0:
        schedule(w, w.control[0].now_ns, RETRY, 0, 0)
