"""Mercury's event loop: guaranteed tasks wait for a node's heartbeat, queueable tasks wait at workers."""

from __future__ import annotations

from scheduler_core.engine.events import STATE_FULL, schedule, steps_with_room, take_event
from scheduler_core.engine.incidents import HAS_ROOM, KIND_INCIDENT
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import NOBODY, TASK_RUNNING, TASK_WAITING, World
from scheduler_core.engine.tasks import arrive, finish_task
from scheduler_core.schedulers.probing.mercury.faults import give_back, on_incident, on_retry
from scheduler_core.schedulers.probing.mercury.guaranteed import give_next, on_beat
from scheduler_core.schedulers.probing.mercury.queueable import on_arrival, place, publish, serve, shed_next, unlend
from scheduler_core.schedulers.probing.mercury.reasons import UNSCHEDULABLE
from scheduler_core.schedulers.probing.mercury.state import (
    ASK,
    ASK_AGAIN,
    ASKING,
    GIVING,
    IDLE,
    MORE,
    PLACE_AGAIN,
    PLACING,
    PUBLISH,
    TASK_END,
    TO_WORKER,
    MercuryState,
)
from scheduler_core.schedulers.shared.heartbeats.queues import ask_beat, join
from scheduler_core.schedulers.shared.heartbeats.state import BEAT
from scheduler_core.schedulers.shared.probing.central import long_ends
from scheduler_core.schedulers.shared.probing.state import RETRY


@kernel
def advance(w: World, s: MercuryState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events).

    Source: *Mercury: hybrid centralized and distributed scheduling in large shared clusters*.
    """
    control, rules = w.control[0], s.rules[0]
    last, steps = control.events + max_events, 0
    while True:
        if steps == 0:
            steps, full = steps_with_room(w, rules.room)
            if steps == 0:
                return full
        steps -= 1
        if rules.unused_probes < rules.room:
            return STATE_FULL
        if rules.phase != IDLE:
            _turn(w, s)
            continue
        kind, a, b = take_event(w, until_ns, last)
        if kind < 0:
            return -1 - kind
        worker = NOBODY  # whose queue may go on now
        if kind == TASK_END:
            worker = _on_end(w, s, a, b)
        elif kind == TO_WORKER:
            if on_arrival(w, s, a, b):
                worker = b
            else:
                give_back(w, s, a, b)
        elif kind == MORE:
            worker = a
        elif kind == BEAT:
            on_beat(w, s, b)
        elif kind == ASK:
            _go_through(s, w.job[a].first_task, w.job[a].first_task + w.job[a].tasks, ASKING)
        elif kind == PLACE_AGAIN:
            _go_through(s, a, a + 1, PLACING)
        elif kind == PUBLISH:
            publish(w, s)
        elif kind == ASK_AGAIN:
            _go_through(s, a, a + 1, ASKING)
        elif kind == RETRY:
            on_retry(w, s)
        elif kind == KIND_INCIDENT:
            on_incident(w, s, a, b)
            if a == HAS_ROOM:
                worker = b
        else:
            _on_job(w, s, a)
        if worker != NOBODY:
            serve(w, s, worker)


@inner
def _turn(w: World, s: MercuryState) -> None:
    """Do a short step of the work in progress."""
    rules = s.rules[0]
    if rules.phase == GIVING:
        give_next(w, s)
    elif rules.phase > GIVING:
        shed_next(w, s)
    elif rules.at == rules.end:
        rules.phase = IDLE
    else:
        task = rules.at
        rules.at += 1
        if w.task[task].state != TASK_WAITING:
            return
        if rules.phase == PLACING:
            place(w, s, task)
        else:
            join(w, s, task, 0)


@inner
def _on_job(w: World, s: MercuryState, job: int) -> None:
    """Process a job's arrival: ask the central scheduler if it is guaranteed, else send its tasks to workers."""
    if arrive(w, job, UNSCHEDULABLE) == 0:
        return
    if s.group[s.first_group[job]].long == 1:
        w.control[0].messages += 1
        schedule(w, w.control[0].now_ns + s.rules[0].delay_ns, ASK, job, 0)
    else:
        _go_through(s, w.job[job].first_task, w.job[job].first_task + w.job[job].tasks, PLACING)


@inner
def _go_through(s: MercuryState, first: int, end: int, phase: int) -> None:
    """Take tasks first .. end-1 one by one."""
    s.rules[0].phase = phase
    s.rules[0].at = first
    s.rules[0].end = end


@inner
def _on_end(w: World, s: MercuryState, task: int, start_ns: int) -> int:
    """Process a task's end, unless it was stopped, and serve the queue; return the worker, or NOBODY."""
    row = w.task[task]
    if row.state != TASK_RUNNING or row.last_start_ns != start_ns:
        return NOBODY
    worker: int = row.machine
    number = row.kind
    finish_task(w, task, w.control[0].now_ns)
    begun_ns = start_ns
    if s.group[number].long == 1:
        begun_ns = start_ns - s.rules[0].delay_ns  # the scheduler booked it when it handed it out
    long_ends(w, s, worker, number, begun_ns)
    unlend(w, s, task, worker)
    ask_beat(w, s, 0)
    return worker
