"""Handle machines out of service: schedulers probe again for short tasks and place long tasks again."""

from __future__ import annotations

from scheduler_core.engine.incidents import HAND_BACK, LOSE_TASK, MACHINE_IN, MACHINE_OUT, go_on
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.probing.eagle.placing import place
from scheduler_core.schedulers.probing.eagle.queue import close_gap, place_of
from scheduler_core.schedulers.probing.eagle.sharing import flip
from scheduler_core.schedulers.probing.eagle.state import Sticky
from scheduler_core.schedulers.shared.probing.central import long_ends, take_back
from scheduler_core.schedulers.shared.probing.outages import (
    count_able,
    give_again,
    lose_running,
    probe_again,
    retry_more,
    send_back,
    send_on,
    take_parked,
)
from scheduler_core.schedulers.shared.probing.queues import no_longer_waits
from scheduler_core.schedulers.shared.probing.sampling import put_back
from scheduler_core.schedulers.shared.probing.state import AT_ONCE, WAITING


@called
def on_incident(w: World, s: Sticky, step: int, number: int) -> None:
    """Process one step of an incident (engine.incidents); shares of queues mean nothing here."""
    if step == MACHINE_OUT:
        count_able(w, s, number, -1)
    elif step == MACHINE_IN:
        count_able(w, s, number, 1)
    elif step == HAND_BACK:
        _hand_back(w, s, number)
    elif step == LOSE_TASK:
        _lose(w, s, number)


@inner
def _hand_back(w: World, s: Sticky, worker: int) -> None:
    """Send the last of the queue of a machine that is out back to its scheduler.

    Probes that have asked, or whose task runs, keep their places until that is over.
    """
    queue = s.worker[worker]
    at = queue.last - 1
    while at >= queue.first and s.entry[at].group < 0:
        at -= 1
    if at < queue.first:
        go_on(w)
        return
    probe, number = s.entry[at].probe, s.entry[at].group
    close_gap(s, worker, at, at + 1)
    no_longer_waits(w, s, worker)
    if s.group[number].long == 1:
        queue.longs -= 1
        queue.queued_longs -= 1
    return_to_scheduler(w, s, probe, worker, w.control[0].now_ns - s.probe[probe].since_ns)


@called
def return_to_scheduler(w: World, s: Sticky, probe: int, worker: int, waited_ns: int) -> None:
    """Return a queue entry of, or for, a machine that is out to its scheduler."""
    number = s.probe[probe].group
    if s.group[number].long == 1 and take_back(w, s, worker, number):
        flip(s, worker, 0)
    send_back(w, s, probe, worker, waited_ns)


@inner
def _lose(w: World, s: Sticky, task: int) -> None:
    """Lose a task whose machine failed, and the probe that had fetched it."""
    row = w.task[task]
    worker = row.machine
    lose_running(w, s, task)
    s.worker[worker].taken -= 1
    if s.group[row.kind].long == 1:
        if long_ends(w, s, worker, row.kind, row.last_start_ns):
            flip(s, worker, 0)
        return
    queue = s.worker[worker]
    for at in range(queue.first, queue.last):
        probe = s.entry[at].probe
        if s.entry[at].group < 0 and s.probe[probe].task == task:
            close_gap(s, worker, at, at + 1)
            put_back(s, probe)
            return


@called
def leave_drained(w: World, s: Sticky, probe: int, worker: int) -> None:
    """Return a probe whose task has ended on a machine that is out, instead of queueing it again."""
    at = place_of(s, worker, probe)
    close_gap(s, worker, at, at + 1)
    s.probe[probe].task = WAITING
    send_back(w, s, probe, worker, 0)


@called
def on_back(w: World, s: Sticky, probe: int) -> None:
    """Send a returned probe to another worker unless its group has no task left; place a long task again."""
    it = s.probe[probe]
    number, task = it.group, it.task
    if task >= 0 or s.group[number].next == s.group[number].end:
        it.turn = 0
        put_back(s, probe)
        if task >= 0:
            on_lost(w, s, task, 0)
    else:
        send_on(w, s, probe)


@called
def on_lost(w: World, s: Sticky, task: int, started: int) -> None:
    """Tell a scheduler that a task has to be handed out again; 1 if it had `started`."""
    number = w.task[task].kind
    group = s.group[number]
    give_again(s, task, number)
    group.remaining = max(group.remaining + started, group.end - group.next)
    if group.long == 1:
        place(w, s, number)
    else:
        probe_again(w, s, number)


@called
def on_retry(w: World, s: Sticky) -> None:
    """Let the next parked probes and tasks try again after a machine has come in."""
    for _ in range(AT_ONCE):
        probe = take_parked(s)
        if probe == NOBODY:
            return
        on_back(w, s, probe)
    retry_more(w, s)
