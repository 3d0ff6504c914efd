"""Hawk's event loop: place long jobs, probe for short ones, serve worker queues, steal for idle workers."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.incidents import HAS_ROOM, KIND_INCIDENT, is_out
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import arrive, decide, finish_task, still_runs, touch
from scheduler_core.schedulers.probing.hawk.faults import (
    on_back,
    on_incident,
    on_lost,
    on_retry,
    on_stolen_in_vain,
    return_to_scheduler,
)
from scheduler_core.schedulers.probing.hawk.placing import place
from scheduler_core.schedulers.probing.hawk.reasons import LAUNCHED_STOLEN
from scheduler_core.schedulers.probing.hawk.state import HawkState
from scheduler_core.schedulers.probing.hawk.stealing import look_for_work, on_contact, on_stolen
from scheduler_core.schedulers.shared.probing import LAUNCHED, PLACED, STARTED, UNSCHEDULABLE
from scheduler_core.schedulers.shared.probing.ahead import look_ahead
from scheduler_core.schedulers.shared.probing.central import (
    long_ends,
    long_starts,
)
from scheduler_core.schedulers.shared.probing.late_binding import (
    ask,
    give_room,
    has_room,
    on_ask,
    start_answered,
    start_given,
)
from scheduler_core.schedulers.shared.probing.outages import refuse_answer
from scheduler_core.schedulers.shared.probing.queues import drop_first, join
from scheduler_core.schedulers.shared.probing.room import take_step
from scheduler_core.schedulers.shared.probing.sampling import put_back, send_probes
from scheduler_core.schedulers.shared.probing.state import (
    ANSWER,
    ASK,
    AT_ONCE,
    BACK,
    CONTACT,
    LOST_TASK,
    MORE,
    RETRY,
    STOLEN,
    TASK_END,
    TO_WORKER,
)


@kernel
def advance(w: World, s: HawkState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events).

    Source: *Hawk: hybrid datacenter scheduling*.
    """
    rules, last, steps = s.rules[0], w.control[0].events + max_events, 0
    while True:
        steps, kind, a, b = take_step(w, rules.room, rules.unused_probes < rules.room, until_ns, last, steps)
        if kind < 0:
            return -1 - kind
        look_ahead(w, s)
        worker = NOBODY  # whose queue may go on now
        if kind == TASK_END:
            worker = on_end(w, s, a)
        elif kind == ANSWER:
            worker = on_answer(w, s, a, b)
        elif kind == ASK:
            on_ask(w, s, a, b)
        elif kind == TO_WORKER:
            worker = on_arrival(w, s, a, b >> 2)
        elif kind == CONTACT:
            on_contact(w, s, a, b)
        elif kind == STOLEN and is_out(w, b):
            on_stolen_in_vain(w, s, a, b)
        elif kind == STOLEN:
            worker = b
            on_stolen(w, s, a, b)
        elif kind == MORE:
            worker = a
        elif kind == BACK:
            on_back(w, s, a)
        elif kind == LOST_TASK:
            on_lost(w, s, a)
            steps = 0
        elif kind == RETRY:
            on_retry(w, s)
        elif kind == KIND_INCIDENT:
            on_incident(w, s, a, b)
            if a == HAS_ROOM:
                worker = b
        else:
            on_job(w, s, a)
            steps = 0
        if worker != NOBODY:
            if (
                s.worker[worker].length == 0
                and (kind == TASK_END or kind == ANSWER or kind == KIND_INCIDENT)
                and not is_out(w, worker)
            ):
                look_for_work(w, s, worker)
            serve(w, s, worker)


@inner
def on_job(w: World, s: HawkState, job: int) -> None:
    """Process a job's arrival: probe for a short one, place each task of a long one at the least wait."""
    arrive(w, job, UNSCHEDULABLE)
    draw = 0
    for number in range(s.first_group[job], s.first_group[job + 1]):
        if s.group[number].long == 1:
            place(w, s, number)
        else:
            draw = send_probes(w, s, job, number, draw)


@inner
def on_arrival(w: World, s: HawkState, probe: int, worker: int) -> int:
    """Queue a probe or a long task unless the worker is out; return the worker if its queue has changed."""
    it = s.probe[probe]
    if is_out(w, worker):
        return_to_scheduler(w, s, probe, worker, 0)
        return NOBODY
    if s.group[it.group].long == 1:
        s.worker[worker].longs += 1
        s.worker[worker].queued_longs += 1
        if it.task >= 0:
            decide(w, it.task, worker, PLACED, NOBODY, NOBODY, it.since_ns, 0)
    join(w, s, probe, worker)
    return worker


@inner
def serve(w: World, s: HawkState, worker: int) -> None:
    """Serve the queue while its first entry fits: a long task starts, for a probe the worker asks for one."""
    queue, smallest = s.worker[worker], w.demand.shape[0] - 1
    for _ in range(AT_ONCE):
        probe = queue.first
        if probe == NOBODY or not has_room(w, s, worker, smallest):  # a busy worker looks at no probe: they are far
            return
        group = s.group[s.probe[probe].group]
        if not has_room(w, s, worker, group.demand):
            return
        drop_first(w, s, worker)
        queue.queued_longs -= group.long
        if s.probe[probe].task < 0:
            ask(w, s, probe, worker)
            continue
        start_given(w, s, probe, worker, STARTED)
        long_starts(w, s, worker, s.probe[probe].group)
        put_back(s, probe)
    schedule(w, w.control[0].now_ns, MORE, worker, 0)


@inner
def on_answer(w: World, s: HawkState, probe: int, worker: int) -> int:
    """Start the given task at the worker, or free the kept room and return the worker."""
    it = s.probe[probe]
    number, frm = it.group, it.frm - 1
    it.frm = 0
    put = NOBODY
    if is_out(w, worker):
        refuse_answer(w, s, probe, worker)
        s.worker[worker].taken -= 1
    elif it.task < 0:
        s.rules[0].noops += 1
        give_room(w, s, worker, s.group[number].demand)
        put = worker
    elif s.group[number].long == 1:
        start_answered(w, s, probe, worker, STARTED, NOBODY, 0)
        long_starts(w, s, worker, number)
    else:
        start_answered(w, s, probe, worker, LAUNCHED if frm == NOBODY else LAUNCHED_STOLEN, frm, 0)
    put_back(s, probe)
    return put


@inner
def on_end(w: World, s: HawkState, task: int) -> int:
    """Process a task's end, unless it was lost; return the worker that it ran on."""
    row = w.task[task]
    if not still_runs(w, task, w.control[0].now_ns):
        return NOBODY
    worker: int = row.machine
    finish_task(w, task, w.control[0].now_ns)
    s.worker[worker].taken -= 1
    if s.group[row.kind].long == 1:
        long_ends(w, s, worker, row.kind, row.last_start_ns)
        touch(w, worker)
    return worker
