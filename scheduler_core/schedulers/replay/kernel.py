"""The event loop of the replay: start each task at its recorded time."""

from __future__ import annotations

from scheduler_core.engine.events import KIND_JOB_ARRIVAL, schedule, steps_with_room, take_event
from scheduler_core.engine.incidents import KIND_INCIDENT, LOSE_TASK, WALKED
from scheduler_core.engine.jit import called, inner, kernel
from scheduler_core.engine.records import NOBODY, TASK_RUNNING, TASK_WAITING, World
from scheduler_core.engine.tasks import arrive, decide, finish_task, fits, start_task, stop_task
from scheduler_core.schedulers.replay.reasons import (
    AS_RECORDED,
    BEHIND,
    FULL,
    LOST,
    MACHINE_FOUND,
    MOVED,
    NO_START,
    UNSCHEDULABLE,
)
from scheduler_core.schedulers.replay.state import START, TASK_END, TRY, ReplayState


@kernel
def advance(w: World, s: ReplayState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events).

    Source: the recording itself; a task goes to the first machine with room where the recorded one is unknown or full.
    """
    rules, last, steps = s.rules[0], w.control[0].events + max_events, 0
    while True:
        if steps == 0:
            steps, full = steps_with_room(w, rules.room)
            if steps == 0:
                return full
        steps -= 1
        if rules.trying == 1:
            _try_turn(w, s)
            continue
        kind, a, b = take_event(w, until_ns, last)
        if kind < 0:
            return -1 - kind
        if kind == TASK_END:
            _on_end(w, s, a, b)
        elif kind == START:
            _on_start(w, s, a, b)
        elif kind == KIND_JOB_ARRIVAL:
            _on_job(w, s, a)
        elif kind == TRY:
            _begin_tries(s)
        elif kind == KIND_INCIDENT:
            if a == LOSE_TASK:
                _lose(w, s, b)
            elif a == WALKED:
                _ask(w, s)


@called
def _on_job(w: World, s: ReplayState, number: int) -> None:
    """Process a job's arrival: each of its tasks waits for its recorded start."""
    job, rules, now_ns = w.job[number], s.rules[0], w.control[0].now_ns
    arrive(w, number, UNSCHEDULABLE)
    for t in range(job.first_task, job.first_task + job.tasks):
        if w.task[t].state != TASK_WAITING:
            continue
        start_ns = s.plan[t].start_ns
        if start_ns < 0:
            rules.not_recorded += 1
            if rules.on_arrival == 0:
                continue
        schedule(w, max(start_ns, now_ns), START, t, w.task[t].requested)


@called
def _on_start(w: World, s: ReplayState, t: int, token: int) -> None:
    """Start a task at its time; one without room waits among those that are late."""
    row, rules = w.task[t], s.rules[0]
    if row.requested != token or row.state != TASK_WAITING:
        return
    if not _begin(w, s, t):
        s.late[rules.waiting] = t
        rules.waiting += 1
        decide(w, t, NOBODY, FULL, NOBODY, NOBODY, 0, 0)


@inner
def _begin(w: World, s: ReplayState, t: int) -> bool:
    """Start a task on its recorded machine, else on the first one with room; return False without room."""
    row, plan, rules, now_ns = w.task[t], s.plan[t], s.rules[0], w.control[0].now_ns
    m, there = NOBODY, False
    if plan.machine != NOBODY and _holds(w, plan.machine, row.demand):
        m, there = plan.machine, True
    else:
        for other in range(w.machine.shape[0]):
            if _holds(w, other, row.demand):
                m = other
                break
    if m == NOBODY:
        return False
    late_ns = now_ns - max(plan.start_ns, w.job[row.job].arrival_ns)
    reason = AS_RECORDED
    if plan.start_ns < 0:
        reason = NO_START
    elif late_ns > 0:
        reason = BEHIND
    elif plan.machine == NOBODY:
        reason = MACHINE_FOUND
    elif not there:
        reason = MOVED
    decide(w, t, m, reason, NOBODY, NOBODY, late_ns, 0)
    if row.attempts == 0:
        row.framework_ns += now_ns - row.since_ns
        if late_ns > 0:
            rules.behind += 1
        elif plan.start_ns >= 0:
            rules.on_time += 1
        if plan.machine != NOBODY and not there:
            rules.elsewhere += 1
    end_ns = start_task(w, t, m, now_ns)
    row.requested += 1
    schedule(w, end_ns, TASK_END, t, row.requested)
    return True


@inner
def _holds(w: World, machine: int, demand: int) -> bool:
    """Return True if a machine offers the constraints of a class of demand and has room for it."""
    return (w.machine[machine].offers & w.asks[demand]) == w.asks[demand] and fits(w, machine, demand)


@inner
def _on_end(w: World, s: ReplayState, t: int, token: int) -> None:
    """Process a task's end, unless the task stopped meanwhile; late tasks may have room then."""
    row = w.task[t]
    if row.requested != token or row.state != TASK_RUNNING:
        return
    finish_task(w, t, w.control[0].now_ns)
    _ask(w, s)


@inner
def _ask(w: World, s: ReplayState) -> None:
    """Ask for a try of the late tasks at the end of this instant."""
    rules = s.rules[0]
    if rules.waiting > 0 and rules.asked == 0:
        rules.asked = 1
        schedule(w, w.control[0].now_ns, TRY, 0, 0)


@inner
def _begin_tries(s: ReplayState) -> None:
    """Begin to try the late tasks in order."""
    rules = s.rules[0]
    rules.asked, rules.trying, rules.at, rules.kept = 0, 1, 0, 0
    for demand in range(len(s.full)):
        s.full[demand] = 0


@called
def _try_turn(w: World, s: ReplayState) -> None:
    """Try the next late task, or finish. A class of demand that found no room is not tried again."""
    rules = s.rules[0]
    if rules.at == rules.waiting:
        rules.waiting, rules.trying = rules.kept, 0
        return
    t = s.late[rules.at]
    rules.at += 1
    demand = w.task[t].demand
    if s.full[demand] == 0:
        if _begin(w, s, t):
            return
        s.full[demand] = 1
    s.late[rules.kept] = t
    rules.kept += 1


@called
def _lose(w: World, s: ReplayState, t: int) -> None:
    """Stop a task whose machine failed; it waits for room, because its recorded start has passed."""
    row, rules, now_ns = w.task[t], s.rules[0], w.control[0].now_ns
    worked_ns, m = max(0, now_ns - row.last_start_ns), row.machine
    stop_task(w, t, now_ns)
    row.since_ns = now_ns
    row.requested += 1
    rules.lost += 1
    decide(w, t, m, LOST, NOBODY, NOBODY, worked_ns, 0)
    s.late[rules.waiting] = t
    rules.waiting += 1
