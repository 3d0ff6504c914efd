"""The event loop of a pipeline: arrivals, ends and ticks request iterations, which run turn by turn."""

from __future__ import annotations

from scheduler_core.engine.events import EVENT_HEADROOM, steps_with_room, take_event
from scheduler_core.engine.incidents import KIND_INCIDENT
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import NOBODY, TASK_RUNNING, World
from scheduler_core.engine.tasks import arrive, decide, finish_task
from scheduler_core.schedulers.pipeline.admitting import end_job, leave_job, open_job, open_node
from scheduler_core.schedulers.pipeline.choosing import update_room
from scheduler_core.schedulers.pipeline.clock import ENGINE, lap, next_step, start_clock
from scheduler_core.schedulers.pipeline.codes import (
    ADMITTING,
    CHOOSING,
    CLEANED,
    COPY_END,
    COPYING,
    ITERATE,
    J1,
    J5,
    J6,
    J7,
    LATE,
    LEASED,
    NONE,
    R4,
    R6,
    R7,
    RETRY,
    SCALE,
    SCALING,
    SET_UP,
    T1,
    T7,
    T8,
    T9,
    TASK_END,
)
from scheduler_core.schedulers.pipeline.copying import copy_turn, copy_wins, drop_copies, on_late
from scheduler_core.schedulers.pipeline.faults import on_incident, on_retry
from scheduler_core.schedulers.pipeline.iterating import (
    admit_turn,
    ask_iteration,
    begin_iteration,
    choose_turn,
    end_iteration,
)
from scheduler_core.schedulers.pipeline.lines import open_lines
from scheduler_core.schedulers.pipeline.reasons import ELIGIBLE, HELD_UP, UNSCHEDULABLE
from scheduler_core.schedulers.pipeline.running import take_off
from scheduler_core.schedulers.pipeline.scaling import on_leased, scale_turn, wake_to_scale
from scheduler_core.schedulers.pipeline.state import PipelineState

NOT_AT_ALL, AT_TICK, AT_ONCE = range(3)
"""When an event asks for an iteration."""
_MOST_TOLD = 32
"""Largest number of rows for the tasks that one ended task makes eligible, or that one job holds up."""


@kernel
def advance(w: World, s: PipelineState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events).

    Source: Reference architecture, Sections III-C and III-D.
    """
    control, rules = w.control[0], s.rules[0]
    last, steps = control.events + max_events, 0
    start_clock(s)
    while True:
        next_step(s)
        if steps == 0:
            steps, full = steps_with_room(w, EVENT_HEADROOM)
            if steps == 0:
                return full
        steps -= 1
        if rules.phase == CHOOSING:
            choose_turn(w, s)
            continue
        if rules.phase == ADMITTING:
            admit_turn(w, s)
            continue
        if rules.phase == SCALING:
            scale_turn(w, s)
            lap(s, R6)
            continue
        if rules.phase == COPYING:
            if rules.to_copy != NOBODY:
                copy_turn(w, s)
                lap(s, T9)
            else:
                end_iteration(w, s)
            continue
        kind, a, b = take_event(w, until_ns, last)
        lap(s, ENGINE)
        if kind < 0:
            return -1 - kind
        asks = NOT_AT_ALL
        if kind == TASK_END or kind == COPY_END:
            task = _ended(w, s, a, b) if kind == TASK_END else copy_wins(w, s, a, b)
            if kind == COPY_END:
                lap(s, T9)
            if task != NOBODY:
                asks = _end(w, s, task)
        elif kind == ITERATE:
            begin_iteration(w, s, a)
        elif kind == KIND_INCIDENT:
            on_incident(w, s, a, b)
        elif kind == RETRY:
            on_retry(w, s, a)
        elif kind == LEASED or kind == SCALE:
            if kind == LEASED:
                on_leased(w, s, a)
                lap(s, R6)
            else:
                wake_to_scale(w, s)
                lap(s, R7)
            asks = AT_ONCE
        elif kind == LATE:
            on_late(w, s, a, b)
            lap(s, T9)
        elif kind == CLEANED:
            leave_job(w, s, a)
            lap(s, J7)
            asks = AT_ONCE
        elif kind == SET_UP:
            lap(s, J5)
            open_job(w, s, a)
            asks = AT_ONCE
        else:
            asks = _on_job(w, s, a)
        if asks != NOT_AT_ALL:
            ask_iteration(w, s, asks == AT_ONCE)


@inner
def _on_job(w: World, s: PipelineState, number: int) -> int:
    """Process a job's arrival (J1): it waits behind those of its queue. Return when to iterate.

    Source: Reference architecture, Section III-D, stage J1.
    """
    rules, job = s.rules[0], w.job[number]
    if arrive(w, number, UNSCHEDULABLE) == 0:
        lap(s, J1)
        return NOT_AT_ALL
    queue = s.queue[job.queue]
    if queue.head == NOBODY:
        queue.head = number
    else:
        s.job[queue.tail].next = number
    queue.tail = number
    rules.incoming += 1
    _tell_held_up(w, s, number)
    lap(s, J1)
    return AT_ONCE if rules.on_arrival == 1 else AT_TICK


@inner
def _tell_held_up(w: World, s: PipelineState, number: int) -> None:
    """Record which parts of a job wait for others; if there are many, only those of a watched task."""
    job, told = s.job[number], 0
    for at in range(job.first_node, job.first_node + job.nodes):
        node = s.node[at]
        if node.waits_for > 0 and node.hopeless == 0:
            told = _tell(w, s, at, HELD_UP, 0, node.waits_for, told)


@inner
def _tell(w: World, s: PipelineState, at: int, reason: int, x: int, y: int, told: int) -> int:
    watched = w.control[0].watched_task
    task = s.task_order[s.node[at].first]
    if watched >= 0 and s.task[watched].node == at:
        task = watched
    if told < _MOST_TOLD or task == watched:
        decide(w, task, NOBODY, reason, NOBODY, NOBODY, x, y)
    return told + 1


@inner
def _ended(w: World, s: PipelineState, task: int, token: int) -> int:
    """Return the task, or NOBODY when it was stopped meanwhile."""
    return task if s.task[task].token == token and w.task[task].state == TASK_RUNNING else NOBODY


@inner
def _end(w: World, s: PipelineState, task: int) -> int:
    """Process the news of a task's end (T7); the last of a node makes children eligible. Return when to iterate.

    Source: Reference architecture, Section III-D, stage T7.
    """
    rules, row, machine = s.rules[0], w.task[task], w.task[task].machine
    finish_task(w, task, w.control[0].now_ns - rules.delay_ns - rules.t8_ns)
    w.control[0].messages += 1
    take_off(w, s, task)
    lap(s, T7)
    update_room(w, s, machine)
    lap(s, R4)
    s.last_on[machine] = task
    if s.task[task].copies > 0:
        drop_copies(w, s, task)
        lap(s, T9)
    if rules.t8_ns > 0:
        s.stage[T8].calls += 1
        s.stage[T8].operations += 1
    s.stage[T7].calls += 1
    s.stage[T7].operations += 1
    job, node = s.job[row.job], s.node[s.task[task].node]
    node.left -= 1
    job.left -= 1
    rules.tasks_in -= 1
    lap(s, T7)
    if job.left == 0:
        end_job(w, s, row.job)
        lap(s, J6)
    elif node.left == 0:
        _open_children(w, s, s.task[task].node)
        lap(s, T1)
    if w.machine[machine].outage == 0:
        open_lines(w, s, machine)
        lap(s, R4)
    if rules.unsubmitted > 0 or rules.incoming > 0 or rules.r7 != NONE:
        return AT_ONCE if rules.on_end == 1 else AT_TICK
    return NOT_AT_ALL


@inner
def _open_children(w: World, s: PipelineState, number: int) -> None:
    node, told = s.node[number], 0
    waited_ns = w.control[0].now_ns - w.job[node.job].arrival_ns
    for at in range(node.first_child, node.first_child + node.children):
        child = s.child[at]
        row = s.node[child]
        row.waits_for -= 1
        if row.waits_for > 0 or row.hopeless == 1:
            continue
        open_node(w, s, child)
        told = _tell(w, s, child, ELIGIBLE, waited_ns, row.parents, told)
