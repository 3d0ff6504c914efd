"""The event loop: process events instant by instant, and call Python at the instant of a cycle."""

from __future__ import annotations

import numpy as np

from scheduler_core.engine.consult import CONSULT
from scheduler_core.engine.events import schedule, steps_with_room, take_event
from scheduler_core.engine.incidents import KIND_INCIDENT
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import arrive, decide, finish_task, start_task, still_runs
from scheduler_core.schedulers.spacetime.faults import on_incident
from scheduler_core.schedulers.spacetime.reasons import HELD_UP, OPENED, RELAXED, UNSCHEDULABLE
from scheduler_core.schedulers.spacetime.state import (
    ANSWERED,
    ASKED,
    CYCLE,
    IDLE,
    NEXT_CYCLE,
    NEXT_ROUND,
    TASK_END,
    SpaceState,
)

_MOST_TOLD = 32
"""Largest number of rows for the groups that one ended group opens."""


@kernel
def advance(w: World, s: SpaceState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events, engine.consult).

    Source: *TetriSched: global rescheduling with adaptive plan-ahead in dynamic heterogeneous clusters*.
    """
    control, rules = w.control[0], s.rules[0]
    last, steps = control.events + max_events, 0
    while True:
        if steps == 0:
            steps, full = steps_with_room(w, rules.room)
            if steps == 0:
                return full
        steps -= 1
        if rules.phase == ASKED:
            return CONSULT
        if rules.phase == ANSWERED:
            _carry_out(w, s)
            continue
        kind, a, b = take_event(w, until_ns, last)
        if kind < 0:
            return -1 - kind
        if kind == TASK_END:
            _on_end(w, s, a)
        elif kind == KIND_INCIDENT:
            if on_incident(w, s, a, b):
                _ask_cycle(w, s)
        elif kind == CYCLE:
            rules.pending = 0
            rules.last_ns = control.now_ns
            rules.cycles += 1
            rules.phase = ASKED
        else:
            _on_job(w, s, a)


@inner
def _ask_cycle(w: World, s: SpaceState) -> None:
    """Ask for a cycle at the next multiple of the interval, if tasks wait."""
    rules = s.rules[0]
    if rules.pending == 1 or rules.open == 0:
        return
    rules.pending = 1
    interval_ns = rules.interval_ns
    at_ns = (w.control[0].now_ns + interval_ns - 1) // interval_ns * interval_ns
    if at_ns == rules.last_ns:
        at_ns += interval_ns
    schedule(w, at_ns, CYCLE, 0, 0)


@inner
def _on_job(w: World, s: SpaceState, number: int) -> None:
    """Process a job's arrival: open its groups without parents."""
    job, told = s.job[number], 0
    if arrive(w, number, UNSCHEDULABLE) == 0:
        return
    s.rules[0].unfinished += 1
    for group in range(job.first_group, job.first_group + job.groups):
        if s.group[group].hopeless == 1:
            continue
        if s.group[group].waits_for == 0:
            s.group[group].open = 1
            s.rules[0].open += 1
        else:
            told = _tell(w, s, group, HELD_UP, 0, s.group[group].waits_for, told)
    _ask_cycle(w, s)


@inner
def _tell(w: World, s: SpaceState, group: int, reason: int, x: int, y: int, told: int) -> int:
    """Write down what has become of a group, about its next task; of more than a few only if a task is watched."""
    row = s.group[group]
    task, watched = s.task_order[row.first + row.started], w.control[0].watched_task
    if watched >= 0 and s.group_of[watched] == group and w.task[watched].machine == NOBODY:
        task = watched
    if told < _MOST_TOLD or task == watched:
        decide(w, task, NOBODY, reason, NOBODY, NOBODY, x, y)
    return told + 1


@inner
def _on_end(w: World, s: SpaceState, task: int) -> None:
    """Process the news of a task's end; the last one of a group opens the groups behind it.

    Of one that was lost the news is outdated.
    """
    group = s.group[s.group_of[task]]
    job, rules = s.job[group.job], s.rules[0]
    end_ns = w.control[0].now_ns - rules.delay_ns
    if not still_runs(w, task, end_ns):
        return
    finish_task(w, task, end_ns)
    w.control[0].messages += 1
    group.ended += 1
    job.left -= 1
    if job.left == 0:
        rules.unfinished -= 1
        if end_ns > job.deadline_ns:
            rules.late += 1
    elif group.ended == group.tasks:
        _open_children(w, s, s.group_of[task])
    _ask_cycle(w, s)


@inner
def _open_children(w: World, s: SpaceState, number: int) -> None:
    group, told = s.group[number], 0
    waited_ns = w.control[0].now_ns - w.job[group.job].arrival_ns
    for at in range(group.first_child, group.first_child + group.children):
        child = s.child[at]
        row = s.group[child]
        row.waits_for -= 1
        if row.waits_for > 0 or row.hopeless == 1:
            continue
        row.open = 1
        s.rules[0].open += 1
        told = _tell(w, s, child, OPENED, waited_ns, row.parents, told)


@inner
def _carry_out(w: World, s: SpaceState) -> None:
    """Carry out one start of the answer, or log one reason to wait."""
    rules = s.rules[0]
    if rules.at == rules.rows:
        rules.phase = ASKED if rules.again == NEXT_ROUND else IDLE
        if rules.again == NEXT_CYCLE:
            _ask_cycle(w, s)
        return
    row = s.answer[rules.at]
    if row.machine == NOBODY:
        group = s.group[row.group]
        if group.told != row.reason:
            _tell(w, s, row.group, row.reason, row.x, row.y, 0)
        group.told = row.reason
        group.x = row.x
        group.y = row.y
        rules.at += 1
        return
    _launch(w, s, row.group, row.machine, row.reason, row.x)
    row.count -= 1
    if row.count == 0:
        rules.at += 1


@inner
def _launch(w: World, s: SpaceState, number: int, machine: int, reason: int, x: int) -> None:
    """Start the next task of a group on a machine, one message from now; its end is known one message later."""
    group, rules, now_ns = s.group[number], s.rules[0], w.control[0].now_ns
    task = s.task_order[group.first + group.started]
    row = w.task[task]
    group.started += 1
    group.told = 0
    if row.attempts == 0:
        row.framework_ns = now_ns - row.since_ns
        row.communication_ns = rules.delay_ns
    w.control[0].messages += 1
    decide(w, task, machine, reason, NOBODY, NOBODY, x, 0)
    lacking = w.asks[row.demand] & ~w.machine[machine].offers
    row.duration_ns = row.own_ns  # the task may have run on a machine that lacked something
    if lacking != 0:
        rules.relaxed += 1
        factor = 1.0
        for c in range(s.slowdown.shape[0]):
            if lacking >> c & 1:
                factor *= s.slowdown[c]
        row.duration_ns = np.int64(np.floor(row.own_ns * factor + 0.5))
        decide(w, task, machine, RELAXED, NOBODY, NOBODY, lacking, row.duration_ns)
    row.end_ns = start_task(w, task, machine, now_ns + rules.delay_ns)
    schedule(w, row.end_ns + rules.delay_ns, TASK_END, task, 0)
    if group.started == group.tasks:
        group.open = 0
        rules.open -= 1
