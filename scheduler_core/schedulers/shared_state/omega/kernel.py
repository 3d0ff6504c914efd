"""Omega's event loop: schedulers decide, transactions check commits against the shared state, tasks end."""

from __future__ import annotations

from scheduler_core.engine.events import steps_with_room, take_event
from scheduler_core.engine.incidents import KIND_INCIDENT
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import NOBODY, TASK_RUNNING, TASK_WAITING, World
from scheduler_core.engine.tasks import arrive, finish_task
from scheduler_core.schedulers.shared_state.omega.copies import note_change
from scheduler_core.schedulers.shared_state.omega.faults import leave_machine, on_incident
from scheduler_core.schedulers.shared_state.omega.queues import append_task, join
from scheduler_core.schedulers.shared_state.omega.reasons import UNSCHEDULABLE
from scheduler_core.schedulers.shared_state.omega.state import (
    CHOOSING,
    CLAIMING,
    COMMIT,
    DECIDED,
    IDLE,
    READY,
    REPLY,
    TASK_END,
    OmegaState,
)
from scheduler_core.schedulers.shared_state.omega.transaction import begin, enter, on_reply, turn


@kernel
def advance(w: World, s: OmegaState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events).

    Source: *Omega: flexible, scalable schedulers for large compute clusters*.
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
            turn(w, s)
            continue
        kind, a, b = take_event(w, until_ns, last)
        if kind < 0:
            return -1 - kind
        if kind == TASK_END:
            _on_end(w, s, a, b)
        elif kind == DECIDED:
            enter(s, a, CHOOSING)
        elif kind == COMMIT:
            enter(s, a, CLAIMING)
        elif kind == REPLY:
            on_reply(w, s, a, b)
        elif kind == KIND_INCIDENT:
            on_incident(w, s, a, b)
        else:
            _on_job(w, s, a)


@inner
def _on_job(w: World, s: OmegaState, number: int) -> None:
    """Process a job's arrival at its scheduler."""
    if arrive(w, number, UNSCHEDULABLE) == 0:
        return
    job = w.job[number]
    for task in range(job.first_task, job.first_task + job.tasks):
        if w.task[task].state == TASK_WAITING:
            append_task(w, s, task)
    join(w, s, number, READY)
    begin(w, s, s.job[number].scheduler)


@inner
def _on_end(w: World, s: OmegaState, task: int, start_ns: int) -> None:
    """Process the news of a task's end, unless it stopped before: its room is free for all schedulers."""
    row = w.task[task]
    if row.state != TASK_RUNNING or row.last_start_ns != start_ns:
        return
    finish_task(w, task, start_ns + row.duration_ns)
    leave_machine(w, s, task)
    note_change(s, row.machine)
    room_came_back(w, s)


@inner
def room_came_back(w: World, s: OmegaState) -> None:
    """Let idle schedulers check whether one of their jobs may be tried again."""
    s.rules[0].freed += 1
    for who in range(s.scheduler.shape[0]):
        if s.scheduler[who].job == NOBODY:
            begin(w, s, who)
