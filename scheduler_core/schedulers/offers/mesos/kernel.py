"""Mesos' event loop: the master offers, frameworks answer, the master launches tasks, tasks end."""

from __future__ import annotations

from scheduler_core.engine.events import steps_with_room, take_event
from scheduler_core.engine.incidents import KIND_INCIDENT
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import TASK_WAITING, World
from scheduler_core.engine.tasks import arrive, finish_task, still_runs
from scheduler_core.schedulers.offers.mesos.faults import forget, on_incident
from scheduler_core.schedulers.offers.mesos.frameworks import line_up, on_decided, on_offer
from scheduler_core.schedulers.offers.mesos.master import allocate, answer_turn, ask, changed
from scheduler_core.schedulers.offers.mesos.reasons import UNSCHEDULABLE
from scheduler_core.schedulers.offers.mesos.state import (
    ALLOCATE,
    DECIDED,
    FILTER_OVER,
    IDLE,
    LAUNCHING,
    OFFERED,
    REPLY,
    TASK_END,
    MesosState,
)


@kernel
def advance(w: World, s: MesosState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events).

    Source: *Mesos: a platform for fine-grained resource sharing in the data center*.
    """
    rules, last, steps = s.rules[0], w.control[0].events + max_events, 0
    while True:
        if steps == 0:
            steps, full = steps_with_room(w, rules.room)
            if steps == 0:
                return full
        steps -= 1
        if rules.phase != IDLE:
            answer_turn(w, s)
            continue
        kind, a, b = take_event(w, until_ns, last)
        if kind < 0:
            return -1 - kind
        if kind == TASK_END:
            _on_end(w, s, a, b)
        elif kind == OFFERED:
            on_offer(w, s, a, b)
        elif kind == DECIDED:
            on_decided(w, s, a)
        elif kind == REPLY:
            rules.phase, rules.who, rules.left, rules.batch, rules.used = LAUNCHING, a, b, b, 0
        elif kind == FILTER_OVER:
            _on_filter_over(w, s, a)
        elif kind == ALLOCATE:
            allocate(w, s)
        elif kind == KIND_INCIDENT:
            on_incident(w, s, a, b)
        else:
            _on_job(w, s, a)


@inner
def _on_job(w: World, s: MesosState, number: int) -> None:
    """Process a job's arrival at its framework, which removes its filters."""
    if arrive(w, number, UNSCHEDULABLE) == 0:
        return
    job = w.job[number]
    for t in range(job.first_task, job.first_task + job.tasks):
        if w.task[t].state == TASK_WAITING:
            line_up(w, s, t)
    s.rules[0].quiet = 0
    for m in range(len(s.offer)):
        s.filtered[job.queue, m] = 0
    ask(w, s)


@inner
def _on_end(w: World, s: MesosState, t: int, end_ns: int) -> None:
    """Process the news of a task's end, unless it was lost meanwhile."""
    if not still_runs(w, t, end_ns):
        return
    m = w.task[t].machine
    forget(w, s, t)
    finish_task(w, t, end_ns)
    w.control[0].messages += 1
    changed(w, s, m)


@inner
def _on_filter_over(w: World, s: MesosState, f: int) -> None:
    """Process the end of filters: a framework that still waits is offered what it had declined."""
    if s.framework[f].waiting > 0:
        ask(w, s)
