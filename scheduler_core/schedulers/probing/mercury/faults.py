"""Handle machines out of service: request guaranteed tasks again, and send queueable tasks elsewhere."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.incidents import HAND_BACK, HAS_ROOM, LOSE_TASK, MACHINE_IN, MACHINE_OUT, go_on
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide, stop_task
from scheduler_core.schedulers.probing.mercury.queueable import place, unlend
from scheduler_core.schedulers.probing.mercury.state import ASK_AGAIN, PLACE_AGAIN, MercuryState
from scheduler_core.schedulers.shared.heartbeats.queues import ask_beat, keep_able
from scheduler_core.schedulers.shared.probing.central import long_ends, take_back
from scheduler_core.schedulers.shared.probing.outages import count_able, retry_more, take_parked
from scheduler_core.schedulers.shared.probing.queues import drop_first, first_waiting
from scheduler_core.schedulers.shared.probing.sampling import put_back
from scheduler_core.world import reasons


@called
def on_incident(w: World, s: MercuryState, step: int, number: int) -> None:
    """Process one step of an incident (engine.incidents); shares of queues mean nothing here."""
    if step == MACHINE_OUT:
        count_able(w, s, number, -1)
        keep_able(w, s, number)
    elif step == MACHINE_IN:
        count_able(w, s, number, 1)
        keep_able(w, s, number)
        ask_beat(w, s, 0)
    elif step == HAND_BACK:
        _hand_back(w, s, number)
    elif step == LOSE_TASK:
        _lose(w, s, number)
    elif step == HAS_ROOM:
        ask_beat(w, s, 0)


@inner
def _hand_back(w: World, s: MercuryState, worker: int) -> None:
    """Send the first of the queue of a machine that is out elsewhere."""
    probe = first_waiting(s, worker)
    if probe == NOBODY:
        go_on(w)
        return
    row = w.task[s.probe[probe].task]
    drop_first(w, s, worker)
    s.worker[worker].longs -= 1
    take_back(w, s, worker, row.kind)
    if row.attempts == 0:
        row.worker_ns += w.control[0].now_ns - row.since_ns
    give_back(w, s, probe, worker)


@called
def give_back(w: World, s: MercuryState, probe: int, worker: int) -> None:
    """Return a queueable task from a machine that is out; its scheduler learns of it one message later."""
    task, now_ns = s.probe[probe].task, w.control[0].now_ns
    row = w.task[task]
    decide(w, task, worker, reasons.HANDED_BACK, NOBODY, NOBODY, now_ns - row.since_ns, 0)
    row.since_ns = now_ns
    put_back(s, probe)
    w.control[0].messages += 1
    schedule(w, now_ns + s.rules[0].delay_ns, PLACE_AGAIN, task, 0)


@inner
def _lose(w: World, s: MercuryState, task: int) -> None:
    """Lose a task whose machine failed; its sender learns of it one message later."""
    row, now_ns = w.task[task], w.control[0].now_ns
    worker, guaranteed = row.machine, s.group[row.kind].long == 1
    begun_ns = row.last_start_ns
    if guaranteed:
        begun_ns -= s.rules[0].delay_ns  # the scheduler booked it when it handed it out
    stop_task(w, task, now_ns)
    long_ends(w, s, worker, row.kind, begun_ns)
    unlend(w, s, task, worker)
    decide(w, task, worker, reasons.LOST, NOBODY, NOBODY, max(now_ns - row.last_start_ns, 0), 0)
    row.since_ns = now_ns
    w.control[0].messages += 1
    schedule(w, now_ns + s.rules[0].delay_ns, ASK_AGAIN if guaranteed else PLACE_AGAIN, task, 0)


@called
def on_retry(w: World, s: MercuryState) -> None:
    """Send the next task that had found no worker, after a machine has come in."""
    probe = take_parked(s)
    if probe != NOBODY:
        row = w.task[s.probe[probe].task]
        if row.attempts == 0:
            row.framework_ns += w.control[0].now_ns - row.since_ns
        row.since_ns = w.control[0].now_ns
        task = s.probe[probe].task
        put_back(s, probe)
        place(w, s, task)
    retry_more(w, s)
