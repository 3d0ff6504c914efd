"""Pigeon's event loop: distribute jobs over masters, which assign tasks to the workers of their groups."""

from __future__ import annotations

from scheduler_core.engine.incidents import KIND_INCIDENT
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import NOBODY, TASK_UNSCHEDULABLE, World
from scheduler_core.engine.tasks import arrive, finish_task, still_runs
from scheduler_core.schedulers.probing.pigeon.faults import give_back, on_incident, on_retry, spread_again
from scheduler_core.schedulers.probing.pigeon.masters import has_room_again, match, wait_at
from scheduler_core.schedulers.probing.pigeon.reasons import UNSCHEDULABLE
from scheduler_core.schedulers.probing.pigeon.spreading import has_holder, spread
from scheduler_core.schedulers.probing.pigeon.state import MORE, RETRY, TASK_END, TO_DISTRIBUTOR, TO_MASTER, PigeonState
from scheduler_core.schedulers.shared.probing.room import take_step


@kernel
def advance(w: World, s: PigeonState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events).

    Source: *Pigeon: an effective distributed, hierarchical datacenter job scheduler*.
    """
    rules, last, steps = s.rules[0], w.control[0].events + max_events, 0
    while True:
        steps, kind, a, b = take_step(w, rules.room, False, until_ns, last, steps)
        if kind < 0:
            return -1 - kind
        master, came = NOBODY, NOBODY
        if kind == TASK_END:
            master = on_end(w, s, a)
        elif kind == TO_MASTER:
            if has_holder(s, w.task[a].demand, w.task[a].kind, b):
                wait_at(w, s, a, b)
                master, came = b, a
            else:
                give_back(w, s, a, b, NOBODY)
        elif kind == MORE:
            master, came = a, b
        elif kind == TO_DISTRIBUTOR:
            spread_again(w, s, a)
        elif kind == RETRY:
            on_retry(w, s)
        elif kind == KIND_INCIDENT:
            master = on_incident(w, s, a, b)
        else:
            on_job(w, s, a)
            steps = 0
        if master != NOBODY:
            match(w, s, master, came)


@inner
def on_end(w: World, s: PigeonState, task: int) -> int:
    """Process a task's end, one message ago, at its master, unless it was lost; return the master."""
    worker, end_ns = w.task[task].machine, w.control[0].now_ns - s.rules[0].delay_ns
    if not still_runs(w, task, end_ns):
        return NOBODY
    finish_task(w, task, end_ns)
    s.worker[worker].longs -= w.task[task].kind
    has_room_again(s, worker)
    master: int = s.worker[worker].master
    return master


@inner
def on_job(w: World, s: PigeonState, job: int) -> None:
    """Process a job's arrival: send its tasks to the masters, kind by kind."""
    arrive(w, job, UNSCHEDULABLE)
    row = w.job[job]
    draw, first = 0, row.first_task
    while first < row.first_task + row.tasks:
        end = first + 1
        while end < row.first_task + row.tasks and w.task[end].demand == w.task[first].demand:
            end += 1
        if w.task[first].state != TASK_UNSCHEDULABLE:
            draw = spread(w, s, job, first, end, draw)
        first = end
