"""Handle faults and drains of machines, and parameter changes."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.incidents import (
    CHANGED,
    HAS_ROOM,
    LOSE_ON,
    LOSE_TASK,
    MACHINE_IN,
    MACHINE_OUT,
    SET_PARAMS,
    go_on,
)
from scheduler_core.engine.jit import field_copier, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide, has_ended, stop_task
from scheduler_core.schedulers.federated.hydra.nodes import fetched_ns
from scheduler_core.schedulers.federated.hydra.reasons import LOST
from scheduler_core.schedulers.federated.hydra.state import ASK_AGAIN, SETTING, HydraState
from scheduler_core.schedulers.shared.heartbeats.queues import ask_beat, keep_able, leave_machine

_take_over = field_copier(SETTING.names or ())


@inner
def on_incident(w: World, s: HydraState, step: int, number: int) -> None:
    """Process one step of an incident (engine.incidents); the step decides what `number` refers to."""
    if step == MACHINE_OUT or step == MACHINE_IN:
        _count_able(w, s, number, 1 if step == MACHINE_IN else -1)
        keep_able(w, s, number)
        if step == MACHINE_IN:
            ask_beat(w, s, w.machine[number].cluster)
    elif step == LOSE_ON:
        task = _first_running(w, s, number)
        if task == NOBODY:
            go_on(w)
        else:
            _lose(w, s, task)
    elif step == LOSE_TASK:
        _lose(w, s, number)
        keep_able(w, s, w.task[number].machine)
    elif step == HAS_ROOM:
        ask_beat(w, s, w.machine[number].cluster)
    elif step == CHANGED and w.incident[number].what == SET_PARAMS:
        _take_over(s.rules[0], s.setting[w.incident[number].x])


@inner
def _count_able(w: World, s: HydraState, machine: int, sign: int) -> None:
    """Count one machine more (1) or less (-1) for the demands that it is large enough for."""
    number = w.machine[machine].cluster
    for demand in range(s.kind.shape[1]):
        holds = (w.machine[machine].offers & w.asks[demand]) == w.asks[demand]
        for r in range(w.capacity.shape[1]):
            if w.capacity[machine, r] < w.demand[demand, r]:
                holds = False
        if holds:
            s.kind[number, demand].able += sign


@inner
def _first_running(w: World, s: HydraState, machine: int) -> int:
    """Return a task of the machine that has not ended yet. Of one that has, the next heartbeat will tell."""
    task: int = s.resident[machine]
    while task != NOBODY and has_ended(w, task):
        task = s.task[task].beside
    return task


@inner
def _lose(w: World, s: HydraState, task: int) -> None:
    """Lose a task whose machine failed; its manager asks again with its next heartbeat."""
    row, now_ns = w.task[task], w.control[0].now_ns
    machine, lost_ns = row.machine, max(now_ns - row.last_start_ns, 0)
    stop_task(w, task, now_ns)
    leave_machine(w, s, task)
    row.since_ns = now_ns
    decide(w, task, machine, LOST, NOBODY, NOBODY, lost_ns, 0)
    schedule(w, fetched_ns(w, s, row.job, now_ns), ASK_AGAIN, task, NOBODY)
    w.control[0].messages += 2
