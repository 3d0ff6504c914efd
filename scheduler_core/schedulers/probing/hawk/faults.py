"""Handle machines out of service: schedulers probe again for short tasks and place long tasks again."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.incidents import HAND_BACK, LOSE_TASK, MACHINE_IN, MACHINE_OUT, go_on
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.probing.hawk.placing import place
from scheduler_core.schedulers.probing.hawk.state import HawkState
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
from scheduler_core.schedulers.shared.probing.queues import drop_first
from scheduler_core.schedulers.shared.probing.sampling import put_back
from scheduler_core.schedulers.shared.probing.state import AT_ONCE, STOLEN


@called
def on_incident(w: World, s: HawkState, step: int, number: int) -> None:
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
def _hand_back(w: World, s: HawkState, worker: int) -> None:
    """Send the first of the queue of a machine that is out back to its scheduler."""
    queue, probe = s.worker[worker], s.worker[worker].first
    if probe == NOBODY:
        go_on(w)
        return
    drop_first(w, s, worker)
    it = s.probe[probe]
    if s.group[it.group].long == 1:
        queue.longs -= 1
        queue.queued_longs -= 1
    return_to_scheduler(w, s, probe, worker, w.control[0].now_ns - it.since_ns)


@inner
def return_to_scheduler(w: World, s: HawkState, probe: int, worker: int, waited_ns: int) -> None:
    """Return a queue entry of, or for, a machine that is out to its scheduler."""
    it = s.probe[probe]
    if s.group[it.group].long == 1:
        take_back(w, s, worker, it.group)
    it.frm = 0
    send_back(w, s, probe, worker, waited_ns)


@inner
def _lose(w: World, s: HawkState, task: int) -> None:
    """Lose a task whose machine failed."""
    row = w.task[task]
    worker = row.machine
    lose_running(w, s, task)
    s.worker[worker].taken -= 1
    if s.group[row.kind].long == 1:
        long_ends(w, s, worker, row.kind, row.last_start_ns)


@called
def on_stolen_in_vain(w: World, s: HawkState, first: int, thief: int) -> None:
    """Return stolen probes to their schedulers from a thief that has gone out meanwhile."""
    s.worker[thief].looking = 0
    probe = first
    for _ in range(AT_ONCE):
        if probe == NOBODY:
            return
        after = s.probe[probe].next
        return_to_scheduler(w, s, probe, thief, 0)
        probe = after
    if probe != NOBODY:
        schedule(w, w.control[0].now_ns, STOLEN, probe, thief)


@called
def on_back(w: World, s: HawkState, probe: int) -> None:
    """Send a returned probe to another worker unless its group has no task left; place a long task again."""
    it = s.probe[probe]
    number, task = it.group, it.task
    if task >= 0:
        put_back(s, probe)
        on_lost(w, s, task)
    elif s.group[number].next == s.group[number].end:
        put_back(s, probe)
    else:
        send_on(w, s, probe)


@called
def on_lost(w: World, s: HawkState, task: int) -> None:
    """Tell a scheduler that a task has to be handed out again."""
    number = w.task[task].kind
    give_again(s, task, number)
    if s.group[number].long == 1:
        place(w, s, number)
    else:
        probe_again(w, s, number)


@called
def on_retry(w: World, s: HawkState) -> None:
    """Let the next parked probes and tasks try again after a machine has come in."""
    for _ in range(AT_ONCE):
        probe = take_parked(s)
        if probe == NOBODY:
            return
        on_back(w, s, probe)
    retry_more(w, s)
