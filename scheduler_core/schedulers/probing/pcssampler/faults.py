"""Handle machines out of service: sample workers again for lost or returned tasks."""

from __future__ import annotations

from scheduler_core.engine.incidents import HAND_BACK, LOSE_TASK, MACHINE_IN, MACHINE_OUT, go_on
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide, stop_task
from scheduler_core.schedulers.probing.pcssampler.placing import probe_for
from scheduler_core.schedulers.probing.pcssampler.state import HANDED, LOST, PcsSamplerState
from scheduler_core.schedulers.probing.pcssampler.telling import tell
from scheduler_core.schedulers.shared.probing.outages import count_able, retry_more, take_parked
from scheduler_core.schedulers.shared.probing.queues import drop_first
from scheduler_core.schedulers.shared.probing.sampling import put_back
from scheduler_core.world import reasons


@called
def on_incident(w: World, s: PcsSamplerState, step: int, number: int) -> None:
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
def _hand_back(w: World, s: PcsSamplerState, worker: int) -> None:
    """Give the first task of the queue of a machine that is out back to its scheduler."""
    message = s.worker[worker].first
    if message == NOBODY:
        go_on(w)
        return
    drop_first(w, s, worker)
    task, waited_ns = s.probe[message].task, w.control[0].now_ns - s.probe[message].since_ns
    decide(w, task, worker, reasons.HANDED_BACK, NOBODY, NOBODY, waited_ns, 0)
    tell(w, s, message, task, worker, HANDED)


@inner
def _lose(w: World, s: PcsSamplerState, task: int) -> None:
    """Lose a task whose machine failed; its scheduler learns of it as of an end."""
    row, now_ns = w.task[task], w.control[0].now_ns
    stop_task(w, task, now_ns)
    decide(w, task, row.machine, reasons.LOST, NOBODY, NOBODY, now_ns - row.last_start_ns, 0)
    tell(w, s, NOBODY, task, row.machine, LOST)


@called
def on_retry(w: World, s: PcsSamplerState) -> None:
    """Sample for the next parked task after a machine has come in."""
    message = take_parked(s)
    if message != NOBODY:
        task = s.probe[message].task
        put_back(s, message)
        probe_for(w, s, task)
    retry_more(w, s)
