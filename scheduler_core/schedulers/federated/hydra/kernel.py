"""Hydra's event loop: route jobs, send requests by proxy, assign tasks at heartbeats, push policies."""

from __future__ import annotations

from scheduler_core.engine.events import steps_with_room, take_event
from scheduler_core.engine.incidents import KIND_INCIDENT
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.federated.hydra.faults import on_incident
from scheduler_core.schedulers.federated.hydra.nodes import give_next, on_beat, on_end
from scheduler_core.schedulers.federated.hydra.policy import (
    ask_next,
    on_ask,
    on_job,
    on_look,
    on_push,
    resend_next,
    where,
)
from scheduler_core.schedulers.federated.hydra.state import (
    ASK,
    ASK_AGAIN,
    ASKING,
    GIVING,
    IDLE,
    LOOK,
    PUSH,
    TASK_END,
    HydraState,
)
from scheduler_core.schedulers.shared.heartbeats.queues import join
from scheduler_core.schedulers.shared.heartbeats.state import BEAT


@kernel
def advance(w: World, s: HydraState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events).

    Source: *Hydra: a federated resource manager for data-center scale analytics*.
    """
    control, rules = w.control[0], s.rules[0]
    last, steps = control.events + max_events, 0
    while True:
        if steps == 0:
            steps, full = steps_with_room(w, rules.room)
            if steps == 0:
                return full
        steps -= 1
        if rules.phase != IDLE:
            _turn(w, s)
            continue
        kind, a, b = take_event(w, until_ns, last)
        if kind < 0:
            return -1 - kind
        if kind == TASK_END:
            on_end(w, s, a, b)
        elif kind == BEAT:
            on_beat(w, s, a, b)
        elif kind == ASK:
            on_ask(w, s, a)
        elif kind == ASK_AGAIN:
            _on_ask_again(w, s, a, b)
        elif kind == LOOK:
            on_look(w, s)
        elif kind == PUSH:
            on_push(w, s)
        elif kind == KIND_INCIDENT:
            on_incident(w, s, a, b)
        else:
            on_job(w, s, a)


@inner
def _turn(w: World, s: HydraState) -> None:
    """Do a short step of the work in progress."""
    phase = s.rules[0].phase
    if phase == ASKING:
        ask_next(w, s)
    elif phase == GIVING:
        give_next(w, s)
    else:
        resend_next(w, s)


@inner
def _on_ask_again(w: World, s: HydraState, task: int, number: int) -> None:
    """Ask for a lost task, or one that has waited elsewhere."""
    if number == NOBODY:
        s.rules[0].spare = s.sub[s.job[w.task[task].job].home].known
        number = where(w, s, task)
    join(w, s, task, number)
