"""The event loop of the single-queue schedulers: process events, then decide on tasks one by one."""

from __future__ import annotations

from scheduler_core.engine.events import ENOUGH, steps_with_room, take_event
from scheduler_core.engine.incidents import KIND_INCIDENT
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.pace import on_end
from scheduler_core.engine.records import TASK_RUNNING, TASK_WAITING, World
from scheduler_core.engine.tasks import arrive, finish_task
from scheduler_core.schedulers.queue.choosing import pace_of
from scheduler_core.schedulers.queue.faults import on_incident, sort_turn
from scheduler_core.schedulers.queue.lists import leave, line_up
from scheduler_core.schedulers.queue.placing import ask, decided, launch_turn, stop_turn
from scheduler_core.schedulers.queue.reasons import UNSCHEDULABLE
from scheduler_core.schedulers.queue.search import search_turn
from scheduler_core.schedulers.queue.state import (
    DECIDE,
    DECIDED,
    IDLE,
    LAUNCHING,
    SEARCHING,
    STOPPING,
    TASK_END,
    QueueState,
)

_ROOM = 2
"""Events that one step may schedule."""
_MOST_LOOKS = 20_000_000
"""Number of machines to check before the loop returns, so that a watching caller can stop it."""


@kernel
def advance(w: World, s: QueueState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events).

    Source: documentation and code of Kubernetes and Docker Swarm; *Large-scale cluster management at Google with Borg*.
    """
    rules, last, steps = s.rules[0], w.control[0].events + max_events, 0
    most = rules.looked + _MOST_LOOKS
    while True:
        if steps == 0:
            steps, full = steps_with_room(w, _ROOM)
            if steps == 0:
                return full
        steps -= 1
        if rules.phase != IDLE:
            _turn(w, s)
            continue
        if rules.looked > most:
            return ENOUGH
        kind, a, b = take_event(w, until_ns, last)
        if kind < 0:
            return -1 - kind
        if kind == TASK_END:
            _on_end(w, s, a, b)
        elif kind == DECIDE:
            rules.pending = 0
            rules.phase = SEARCHING
        elif kind == DECIDED:
            decided(w, s, a)
        elif kind == KIND_INCIDENT:
            on_incident(w, s, a, b)
        else:
            _on_job(w, s, a)


@inner
def _turn(w: World, s: QueueState) -> None:
    """Do a short step of the work in progress."""
    phase = s.rules[0].phase
    if phase == SEARCHING:
        search_turn(w, s)
    elif phase == STOPPING:
        stop_turn(w, s)
    elif phase == LAUNCHING:
        launch_turn(w, s)
    else:
        sort_turn(w, s)


@inner
def _on_job(w: World, s: QueueState, number: int) -> None:
    """Process a job's arrival: its tasks wait."""
    job = w.job[number]
    if arrive(w, number, UNSCHEDULABLE) > 0:
        for t in range(job.first_task, job.first_task + job.tasks):
            if w.task[t].state == TASK_WAITING:
                line_up(w, s, t)
        ask(w, s)


@inner
def _on_end(w: World, s: QueueState, t: int, token: int) -> None:
    """Process the news of a task's end, unless it stopped meanwhile."""
    row = w.task[t]
    if row.requested != token or row.state != TASK_RUNNING:
        return
    finish_task(w, t, row.end_ns)
    w.control[0].messages += 1
    on_end(pace_of(s), t, row.machine)
    leave(w, s, t, row.machine)
    if s.rules[0].open > 0:
        ask(w, s)
