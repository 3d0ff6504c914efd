"""Handle machines out of service: tasks return to their schedulers, which keep them like bounced tasks."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.incidents import HAND_BACK, LOSE_TASK, MACHINE_IN, MACHINE_OUT, go_on
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide, stop_task
from scheduler_core.schedulers.probing.yacc.serving import give_back
from scheduler_core.schedulers.probing.yacc.state import BOUNCE, YaccState
from scheduler_core.schedulers.shared.probing.central import long_ends, take_back
from scheduler_core.schedulers.shared.probing.outages import count_able
from scheduler_core.schedulers.shared.probing.queues import no_longer_waits, take_out
from scheduler_core.schedulers.shared.probing.sampling import put_back
from scheduler_core.world.reasons import LOST


@called
def on_incident(w: World, s: YaccState, step: int, number: int) -> None:
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
def _hand_back(w: World, s: YaccState, worker: int) -> None:
    """Send the first of the queue of a machine that is out back to its scheduler."""
    probe = s.worker[worker].first
    if probe == NOBODY:
        go_on(w)
        return
    task, now_ns = s.probe[probe].task, w.control[0].now_ns
    row = w.task[task]
    take_out(w, s, worker, NOBODY, probe)
    no_longer_waits(w, s, worker)
    s.worker[worker].longs -= 1
    take_back(w, s, worker, row.kind)
    put_back(s, probe)
    waited_ns = now_ns - row.since_ns
    if row.attempts == 0:
        row.worker_ns += waited_ns
    row.since_ns = now_ns
    give_back(w, s, task, worker, waited_ns)


@inner
def _lose(w: World, s: YaccState, task: int) -> None:
    """Lose a task whose machine failed; its scheduler learns of it one message later."""
    row, now_ns = w.task[task], w.control[0].now_ns
    stop_task(w, task, now_ns)
    long_ends(w, s, row.machine, row.kind, row.last_start_ns)
    decide(w, task, row.machine, LOST, NOBODY, NOBODY, now_ns - row.last_start_ns, 0)
    row.since_ns = now_ns
    w.control[0].messages += 1
    schedule(w, now_ns + s.rules[0].delay_ns, BOUNCE, task, 0)
