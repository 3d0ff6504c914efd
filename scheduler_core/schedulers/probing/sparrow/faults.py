"""Handle machines out of service: probe again for lost or returned tasks."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.incidents import HAND_BACK, HAS_ROOM, KIND_INCIDENT, LOSE_TASK, MACHINE_IN, MACHINE_OUT
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.probing.sparrow.state import SparrowState
from scheduler_core.schedulers.shared.probing.outages import (
    count_able,
    give_again,
    hand_back,
    lose_running,
    probe_again,
    probes_for_one,
    refuse_answer,
    retry_more,
    send_back,
    send_on,
    take_parked,
)
from scheduler_core.schedulers.shared.probing.sampling import put_back, unlink
from scheduler_core.schedulers.shared.probing.state import ANSWER, AT_ONCE, BACK, LOST_TASK, MORE, RETRY


@called
def on_outage(w: World, s: SparrowState, kind: int, a: int, b: int) -> None:
    """Process an event that machines out of service have to do with. One call: the loop stays as fast without them."""
    if kind == KIND_INCIDENT:
        _on_incident(w, s, a, b)
    elif kind == LOST_TASK:
        on_lost(w, s, a)
    elif kind == RETRY:
        _on_retry(w, s)
    elif kind == BACK:
        on_back(w, s, a)
    elif kind == ANSWER:
        refuse_answer(w, s, a, b)
        put_back(s, a)
    else:
        send_back(w, s, a, b >> 2, 0)


@inner
def _on_incident(w: World, s: SparrowState, step: int, number: int) -> None:
    """Process one step of an incident (engine.incidents); shares of queues mean nothing here."""
    if step == MACHINE_OUT:
        count_able(w, s, number, -1)
    elif step == MACHINE_IN:
        count_able(w, s, number, 1)
    elif step == HAND_BACK:
        hand_back(w, s, number)
    elif step == LOSE_TASK:
        lose_running(w, s, number)
    elif step == HAS_ROOM:
        schedule(w, w.control[0].now_ns, MORE, number, 0)


@called
def on_back(w: World, s: SparrowState, probe: int) -> None:
    """Send a returned probe to another worker unless its group has no task left; probe again for a task."""
    it = s.probe[probe]
    number, task = it.group, it.task
    if task >= 0:
        put_back(s, probe)
        on_lost(w, s, task)
    elif s.rules[0].late == 1 and s.group[number].next == s.group[number].end:
        if s.rules[0].cancels == 1:
            unlink(s, probe)
        put_back(s, probe)
    else:
        send_on(w, s, probe)


@called
def on_lost(w: World, s: SparrowState, task: int) -> None:
    """Tell the scheduler that a task has to be handed out again."""
    number = w.task[task].kind
    give_again(s, task, number)
    s.group[number].unanswered += probes_for_one(s)
    probe_again(w, s, number)


@inner
def _on_retry(w: World, s: SparrowState) -> None:
    """Let the next parked probes try again after a machine has come in."""
    for _ in range(AT_ONCE):
        probe = take_parked(s)
        if probe == NOBODY:
            return
        on_back(w, s, probe)
    retry_more(w, s)
