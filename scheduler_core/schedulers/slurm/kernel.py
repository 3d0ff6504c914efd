"""The event loop of Slurm: process events, then start jobs in order and by backfill."""

from __future__ import annotations

from scheduler_core.engine.events import ENOUGH, KIND_JOB_ARRIVAL, schedule, steps_with_room, take_event
from scheduler_core.engine.incidents import CHANGED, KIND_INCIDENT, LOSE_TASK, SET_PARAMS, SET_SHARE, SHARE_UNIT, WALKED
from scheduler_core.engine.jit import called, field_copier, inner, kernel
from scheduler_core.engine.records import NOBODY, TASK_RUNNING, TASK_WAITING, World
from scheduler_core.engine.tasks import arrive, decide, finish_task
from scheduler_core.schedulers.slurm.launching import ask, launch, launch_turn, leave, lose
from scheduler_core.schedulers.slurm.letting import begin_link, begin_unit, end_job, hold_back
from scheduler_core.schedulers.slurm.planning import begin_plan, plan_later, plan_turn
from scheduler_core.schedulers.slurm.priority import calculate, tick_later
from scheduler_core.schedulers.slurm.reasons import NO_ROOM, STARTED, UNSCHEDULABLE
from scheduler_core.schedulers.slurm.room import place_now
from scheduler_core.schedulers.slurm.state import (
    BACKFILL,
    CALCULATE,
    DECIDE,
    FULL,
    IDLE,
    IN_ORDER,
    LAUNCHING,
    NONE,
    READY,
    TASK_END,
    SlurmState,
)
from scheduler_core.schedulers.slurm.waiting import enter, sort_again, speaker, take

_ROOM = 4
"""Events that one step may schedule."""
_MOST_LOOKS = 20_000
"""Number of jobs to test before the loop returns, so that a watching caller can stop it."""
CHANGING = (
    "weight_age", "weight_fair", "weight_size", "weight_partition", "weight_qos", "max_age_ns", "half_life_ns",
    "period_ns", "favor_small", "fair_tree", "backfill", "interval_ns", "window_ns", "resolution_ns", "most_tests",
    "depth", "every_ns",
)  # fmt: skip
_take_over = field_copier(CHANGING)


@kernel
def advance(w: World, s: SlurmState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events).

    Source: Slurm's documentation, Scheduling Configuration Guide.
    """
    rules, last, steps = s.rules[0], w.control[0].events + max_events, 0
    most = rules.looked + _MOST_LOOKS
    while True:
        if steps == 0:
            steps, full = steps_with_room(w, _ROOM)
            if steps == 0:
                return full
        steps -= 1
        if rules.phase == LAUNCHING:
            if launch_turn(w, s):
                begin_unit(w, s, rules.unit)
            continue
        if rules.looked > most:
            return ENOUGH
        if rules.phase == IN_ORDER:
            _order_turn(w, s)
            continue
        if rules.phase != IDLE:
            plan_turn(w, s)
            continue
        kind, a, b = take_event(w, until_ns, last)
        if kind < 0:
            return -1 - kind
        if kind == TASK_END:
            _on_end(w, s, a, b)
        elif kind == KIND_JOB_ARRIVAL:
            _on_job(w, s, a)
        elif kind == KIND_INCIDENT:
            _on_incident(w, s, a, b)
        elif kind == READY:
            begin_link(w, s, a, b)
        else:
            _on_clock(w, s, kind)


@called
def _on_clock(w: World, s: SlurmState, kind: int) -> None:
    """Begin a pass, or calculate all priorities."""
    rules = s.rules[0]
    if kind == DECIDE:
        rules.pending = 0
        _begin_order(w, s)
    elif kind == BACKFILL:
        rules.planned = 0
        if rules.tail > rules.head and rules.backfill != NONE:
            begin_plan(w, s)
    elif kind == FULL:
        rules.full_ns = NOBODY
        if rules.tail > rules.head:
            ask(w, s)
    elif kind == CALCULATE:
        rules.ticking = 0
        calculate(w, s)
        sort_again(w, s)
        tick_later(w, s)
        if rules.tail > rules.head:
            ask(w, s)


@called
def _on_job(w: World, s: SlurmState, number: int) -> None:
    """Process a job's arrival: it waits, or each of its tasks does, for other jobs or for room."""
    job, told, watched = w.job[number], 0, w.control[0].watched_task
    if arrive(w, number, UNSCHEDULABLE) == 0:
        return
    tick_later(w, s)
    for t in range(job.first_task, job.first_task + job.tasks):
        if w.task[t].state == TASK_WAITING:
            u = w.task[t].kind
            s.unit[u].waiting += 1
            it = s.unit[u]
            if it.waiting == 1:
                it.ready_ns = w.control[0].now_ns
                if it.needs <= 0:
                    enter(w, s, u)
                elif told == 0 or (it.first <= watched and watched < it.first + it.tasks):
                    told = 1
                    hold_back(w, s, u)
    ask(w, s)


@inner
def _on_end(w: World, s: SlurmState, t: int, token: int) -> None:
    """Process the news of a task's end, unless it stopped meanwhile."""
    row = w.task[t]
    if row.requested != token or row.state != TASK_RUNNING:
        return
    finish_task(w, t, row.end_ns)
    w.control[0].messages += 1
    leave(w, s, t)
    if w.job[row.job].done == w.job[row.job].tasks:
        end_job(w, s, row.job)
    if s.rules[0].tail > s.rules[0].head:
        ask(w, s)


@inner
def _begin_order(w: World, s: SlurmState) -> None:
    """Begin a pass in the order of priorities: a full one at a multiple of its interval, else one after an event."""
    rules, now_ns = s.rules[0], w.control[0].now_ns
    rules.phase, rules.at = IN_ORDER, rules.head
    rules.left = len(s.unit) if now_ns > 0 and now_ns % rules.every_ns == 0 else rules.depth
    rules.cut = NOBODY
    if len(s.failed) > 1:
        for m in range(len(s.blocked)):
            s.blocked[m] = 0
    for p in range(len(s.failed)):
        s.failed[p] = 0


@called
def _order_turn(w: World, s: SlurmState) -> None:
    """Start the next job in order, or find that it does not fit: its partition then waits with it."""
    rules, now_ns = s.rules[0], w.control[0].now_ns
    if rules.at == rules.tail or (len(s.failed) == 1 and s.failed[0] == 1):
        _end_order(w, s, now_ns)
        return
    u = s.pending[rules.at]
    if rules.left == 0:
        rules.cut = u
        rules.cuts += 1
        _full_later(w, s, now_ns)
        _end_order(w, s, now_ns)
        return
    rules.left -= 1
    it = s.unit[u]
    if s.failed[it.partition] == 1:
        rules.at += 1
        return
    if place_now(w, s, u):
        take(s, rules.at)
        rules.at += 1
        launch(w, s, u, STARTED, IN_ORDER)
        return
    rules.at += 1
    s.failed[it.partition] = 1
    if len(s.failed) > 1:
        for m in range(len(s.blocked)):
            s.blocked[m] |= s.allowed[it.partition, m]
    if it.told == 0:
        it.told = NO_ROOM
        decide(w, speaker(w, s, u), NOBODY, NO_ROOM, NOBODY, NOBODY, it.waiting, rules.placed)


@inner
def _full_later(w: World, s: SlurmState, now_ns: int) -> None:
    """Schedule the next full pass, unless it is scheduled. Without a pass that was cut short, it would find nothing.

    Source: Slurm's documentation, slurm.conf: SchedulerParameters, default_queue_depth and sched_interval.
    """
    rules = s.rules[0]
    if rules.full_ns == NOBODY:
        rules.full_ns = (now_ns // rules.every_ns + 1) * rules.every_ns
        schedule(w, rules.full_ns, FULL, 0, 0)


@inner
def _end_order(w: World, s: SlurmState, now_ns: int) -> None:
    """Finish the pass in order; backfill follows now, or when its interval is over."""
    rules = s.rules[0]
    rules.phase = IDLE
    if rules.tail == rules.head or rules.backfill == NONE:
        return
    if now_ns >= rules.last_plan_ns + rules.interval_ns:
        begin_plan(w, s)
    else:
        plan_later(w, s, rules.last_plan_ns + rules.interval_ns)


@called
def _on_incident(w: World, s: SlurmState, step: int, number: int) -> None:
    """Process one step of an incident (engine.incidents); the step decides what `number` refers to."""
    if step == LOSE_TASK:
        lose(w, s, number)
    elif step == WALKED:
        ask(w, s)
        tick_later(w, s)
    elif step == CHANGED:
        row = w.incident[number]
        if row.what == SET_SHARE and row.first < len(s.account):
            s.account[row.first].share = row.x / SHARE_UNIT
        elif row.what == SET_PARAMS:
            _take_over(s.rules[0], s.setting[row.x])
        calculate(w, s)
        sort_again(w, s)
        ask(w, s)
        tick_later(w, s)
