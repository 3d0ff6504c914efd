"""Sparrow's event loop: probe for jobs, serve worker queues, hand out tasks."""

from __future__ import annotations

from scheduler_core.engine.events import schedule, schedule_in_lane
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import MAY_BE_OUT, NOBODY, World
from scheduler_core.engine.tasks import arrive, decide, finish_task, fits, hold, release, start_held, still_runs, touch
from scheduler_core.schedulers.probing.sparrow.faults import on_outage
from scheduler_core.schedulers.probing.sparrow.placing import answer_length, on_length, start, tell_placed
from scheduler_core.schedulers.probing.sparrow.public import on_public
from scheduler_core.schedulers.probing.sparrow.reasons import LAUNCHED, UNSCHEDULABLE
from scheduler_core.schedulers.probing.sparrow.state import SparrowState
from scheduler_core.schedulers.shared.probing.ahead import look_ahead
from scheduler_core.schedulers.shared.probing.notes import ASKED as HAS_ASKED
from scheduler_core.schedulers.shared.probing.notes import CALLED_BACK, GIVEN, IN_VAIN, note
from scheduler_core.schedulers.shared.probing.outages import meets_outage
from scheduler_core.schedulers.shared.probing.queues import drop_first, first_waiting, join
from scheduler_core.schedulers.shared.probing.room import take_step
from scheduler_core.schedulers.shared.probing.sampling import UNLINKED, put_back, send_probes, unlink
from scheduler_core.schedulers.shared.probing.state import (
    ANSWER,
    ASK,
    ASKED,
    AT_ONCE,
    CANCEL,
    CANCELLED,
    FLYING,
    LANE_ANSWER,
    LANE_TO_SCHEDULER,
    LANE_TO_WORKER,
    LENGTH,
    MORE,
    PROBE,
    PUBLIC,
    TASK,
    TASK_END,
    TO_WORKER,
    WAITING,
)


@kernel
def advance(w: World, s: SparrowState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events).

    Source: *Sparrow: distributed, low latency scheduling* (batch sampling, late binding).
    """
    control, rules = w.control[0], s.rules[0]
    last, steps = control.events + max_events, 0
    while True:
        steps, kind, a, b = take_step(w, rules.room, rules.unused_probes < rules.room, until_ns, last, steps)
        if kind < 0:
            return -1 - kind
        look_ahead(w, s)
        if control.walks & MAY_BE_OUT != 0 and meets_outage(w, kind, b):
            on_outage(w, s, kind, a, b)
            steps = 0
            continue
        worker = NOBODY  # whose queue may go on now
        if kind == TASK_END:
            if still_runs(w, a, control.now_ns):
                finish_task(w, a, control.now_ns)
                worker = w.task[a].machine
        elif kind == ANSWER:
            worker = on_answer(w, s, a, b)
        elif kind == ASK:
            on_ask(w, s, a, b)
            if rules.cancels == 1:
                steps = 0
        elif kind == TO_WORKER:
            worker = on_message(w, s, a, b >> 2, b & 3)
        elif kind == PUBLIC:
            on_public(w, s, a, b >> 2, b & 3)
        elif kind == LENGTH:
            on_length(w, s, a, b)
            steps = 0
        elif kind == MORE:
            worker = a
        else:
            on_job(w, s, a)
            steps = 0
        if worker != NOBODY:
            serve(w, s, worker)


@inner
def on_job(w: World, s: SparrowState, job: int) -> None:
    """Process a job's arrival: probe for each group of its tasks (all of them with batch sampling).

    Source: *Sparrow: distributed, low latency scheduling* (batch sampling).
    """
    arrive(w, job, UNSCHEDULABLE)
    draw = 0
    for group in range(s.first_group[job], s.first_group[job + 1]):
        draw = send_probes(w, s, job, group, draw)


@inner
def on_message(w: World, s: SparrowState, probe: int, worker: int, what: int) -> int:
    """Process a scheduler's message about a probe; return the worker if its queue has changed."""
    if what == CANCEL:
        return on_cancel(w, s, probe, worker)
    if s.probe[probe].task == FLYING:
        s.probe[probe].task = WAITING
    if what == PROBE and s.rules[0].late == 0:
        answer_length(w, s, probe, worker)
        return NOBODY
    if what == TASK:
        tell_placed(w, s, probe, worker)
    join(w, s, probe, worker)
    return worker


@inner
def serve(w: World, s: SparrowState, worker: int) -> None:
    """Serve the queue while its first entry fits.

    With late binding: keep room for the probe and ask its scheduler for a task. Without: start the task.
    """
    rules, smallest = s.rules[0], w.demand.shape[0] - 1
    for _ in range(AT_ONCE):
        if not fits(w, worker, smallest):  # a busy worker looks at no probe: they are far
            return
        probe = first_waiting(s, worker)
        if probe == NOBODY:
            return
        it = s.probe[probe]
        demand = s.group[it.group].demand
        if not fits(w, worker, demand):
            return
        drop_first(w, s, worker)
        if rules.late == 0:
            start(w, s, probe, worker)
        else:
            hold(w, worker, demand)
            it.task = ASKED
            note(w, s, probe, worker, HAS_ASKED, 0)
            w.control[0].messages += 1
            schedule_in_lane(w, LANE_TO_SCHEDULER, w.control[0].now_ns + rules.delay_ns, ASK, probe, worker)
    schedule(w, w.control[0].now_ns, MORE, worker, 0)


@inner
def on_ask(w: World, s: SparrowState, probe: int, worker: int) -> None:
    """Hand out the group's next task, or nothing if none remains.

    Source: *Sparrow: distributed, low latency scheduling* (late binding).
    """
    it = s.probe[probe]
    group, rules = s.group[it.group], s.rules[0]
    if group.next < group.end:
        it.task = s.order[group.next]
        group.next += 1
        note(w, s, probe, worker, GIVEN, it.task)
        if rules.cancels == 1:
            unlink(s, probe)
            if group.next == group.end:
                call_back(w, s, it.group)
    else:
        note(w, s, probe, worker, IN_VAIN, 0)
    w.control[0].messages += 1
    schedule_in_lane(w, LANE_ANSWER, w.control[0].now_ns + rules.delay_ns, ANSWER, probe, worker)


@inner
def on_answer(w: World, s: SparrowState, probe: int, worker: int) -> int:
    """Start the given task at the worker, or free the kept room and return the worker."""
    it, rules = s.probe[probe], s.rules[0]
    now_ns, task = w.control[0].now_ns, it.task
    put_back(s, probe)
    if task < 0:
        release(w, worker, s.group[it.group].demand)
        rules.noops += 1
        return worker
    row = w.task[task]
    waited_ns = now_ns - 2 * rules.delay_ns - it.since_ns
    if row.attempts == 0:
        row.worker_ns = waited_ns
        row.communication_ns = now_ns - row.since_ns - waited_ns
    decide(w, task, worker, LAUNCHED, NOBODY, NOBODY, waited_ns, it.ahead)
    schedule(w, start_held(w, task, worker, now_ns), TASK_END, task, 0)
    return NOBODY


@inner
def call_back(w: World, s: SparrowState, number: int) -> None:
    """Call back a group's probes that have not asked, once its tasks are all out (proactive cancellation)."""
    rules = s.rules[0]
    group = s.group[number]
    probe = group.first_probe
    group.first_probe = group.last_probe = NOBODY
    while probe != NOBODY:
        w.control[0].messages += 1
        arrival_ns = w.control[0].now_ns + rules.delay_ns
        schedule_in_lane(w, LANE_TO_WORKER, arrival_ns, TO_WORKER, probe, (s.link[probe].worker << 2) | CANCEL)
        s.link[probe].previous = UNLINKED
        probe = s.link[probe].next


@inner
def on_cancel(w: World, s: SparrowState, probe: int, worker: int) -> int:
    """Remove a called-back probe that still waits; one that has asked meanwhile gets nothing.

    Returns the worker when its queue has changed.
    """
    if s.probe[probe].task != WAITING or s.link[probe].worker != worker:
        return NOBODY
    unlink(s, probe)  # the list has it again only if it went to another machine after its cancellation
    s.probe[probe].task = CANCELLED
    note(w, s, probe, worker, CALLED_BACK, 0)
    s.worker[worker].length -= 1
    touch(w, worker)
    s.rules[0].waiting -= 1
    s.rules[0].cancelled += 1
    return worker
