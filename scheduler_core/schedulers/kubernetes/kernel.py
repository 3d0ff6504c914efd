"""The event loop of kube-scheduler: process events, then try pods one by one."""

from __future__ import annotations

from scheduler_core.engine.events import ENOUGH, schedule, steps_with_room, take_event
from scheduler_core.engine.incidents import KIND_INCIDENT
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import NOBODY, TASK_RUNNING, TASK_WAITING, World
from scheduler_core.engine.tasks import arrive, finish_task, has_ended
from scheduler_core.kube.counting import begin_terminating
from scheduler_core.kube.model import Model
from scheduler_core.kube.preempting import BY_PREEMPTION, is_victim
from scheduler_core.schedulers.kubernetes.deciding import decide_turn
from scheduler_core.schedulers.kubernetes.faults import on_incident
from scheduler_core.schedulers.kubernetes.placing import go, stand_turn, stop
from scheduler_core.schedulers.kubernetes.queues import ask, come
from scheduler_core.schedulers.kubernetes.reasons import STOPPED, UNSCHEDULABLE
from scheduler_core.schedulers.kubernetes.state import (
    ACTIVE,
    BACKOFF,
    DECIDE,
    GONE,
    IDLE,
    STANDING,
    STOPPING,
    TASK_END,
    Own,
)

_ROOM = 4
"""Events that one step may schedule."""
_MOST_LOOKS = 5_000_000
"""Number of nodes to examine before the loop returns, so that a watching caller can stop it."""


@kernel
def advance(w: World, s: Own, m: Model, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events).

    Source: kubernetes/kubernetes, pkg/scheduler.
    """
    rules, last, steps = s.rules[0], w.control[0].events + max_events, 0
    most = rules.looked + _MOST_LOOKS
    while True:
        if steps == 0:
            steps, full = steps_with_room(w, _ROOM)
            if steps == 0:
                return full
        steps -= 1
        if rules.phase == STANDING:
            stand_turn(w, s, m)
            continue
        if rules.phase == STOPPING:
            _stop_turn(w, s, m)
            continue
        if rules.looked > most:
            return ENOUGH
        kind, a, b = take_event(w, until_ns, last)
        if kind < 0:
            return -1 - kind
        if kind == TASK_END:
            _on_end(w, s, m, a, b)
        elif kind == GONE:
            _on_gone(w, s, m, a, b)
        elif kind == DECIDE:
            decide_turn(w, s, m)
        elif kind == KIND_INCIDENT:
            on_incident(w, s, m, a, b)
        else:
            _on_job(w, s, m, a)


@inner
def _on_job(w: World, s: Own, m: Model, number: int) -> None:
    """Process a job's arrival: its pods wait."""
    job = w.job[number]
    if arrive(w, number, UNSCHEDULABLE) > 0:
        for t in range(job.first_task, job.first_task + job.tasks):
            if w.task[t].state == TASK_WAITING:
                come(w, s, m, t)
        ask(w, s)


@inner
def _on_end(w: World, s: Own, m: Model, t: int, token: int) -> None:
    """Process the news of a pod's end, unless it stopped meanwhile."""
    row = w.task[t]
    if row.requested != token or row.state != TASK_RUNNING:
        return
    finish_task(w, t, row.end_ns)
    w.control[0].messages += 1
    go(w, s, m, t)


@inner
def _stop_turn(w: World, s: Own, m: Model) -> None:
    """Stop one victim of a preemption, now or after its grace period, or finish."""
    rules = s.rules[0]
    if rules.at == rules.end:
        rules.phase = IDLE
        if rules.waiting[ACTIVE] + rules.waiting[BACKOFF] > 0:
            ask(w, s)
        return
    t = m.removed[rules.at]
    rules.at += 1
    if not is_victim(m, t) or m.pod[t].terminating != 0:
        return
    w.control[0].messages += 1
    if rules.grace_ns > 0:
        begin_terminating(m, t, BY_PREEMPTION)
        schedule(w, w.control[0].now_ns + rules.grace_ns, GONE, t, w.task[t].requested)
    elif not has_ended(w, t):
        _preempt(w, s, m, t)


@inner
def _on_gone(w: World, s: Own, m: Model, t: int, token: int) -> None:
    """Stop a victim whose grace period is over, unless it has ended."""
    if w.task[t].requested == token and w.task[t].state == TASK_RUNNING and not has_ended(w, t):
        _preempt(w, s, m, t)


@inner
def _preempt(w: World, s: Own, m: Model, t: int) -> None:
    if w.control[0].now_ns >= w.task[t].last_start_ns:
        s.rules[0].preemptions += 1
    by = s.rules[0].task
    stop(w, s, m, t, STOPPED, w.job[w.task[by].job].queue if by != NOBODY else NOBODY)
