"""The event loop of the flow schedulers: events change the network, and a round solves it."""

from __future__ import annotations

from scheduler_core.engine.consult import CONSULT
from scheduler_core.engine.events import STATE_FULL, steps_with_room, take_event
from scheduler_core.engine.incidents import KIND_INCIDENT
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import TASK_RUNNING, TASK_WAITING, World
from scheduler_core.engine.tasks import arrive, finish_task
from scheduler_core.schedulers.flow.faults import add_lost, on_incident
from scheduler_core.schedulers.flow.graph import add_task, drop_task, set_width
from scheduler_core.schedulers.flow.placing import grow_older, left_machine
from scheduler_core.schedulers.flow.reasons import UNSCHEDULABLE
from scheduler_core.schedulers.flow.rounds import (
    ask_round,
    begin_placing,
    begin_round,
    look_later,
    place_turn,
    solve_turn,
    solved,
)
from scheduler_core.schedulers.flow.shares import relax, tell_turn
from scheduler_core.schedulers.flow.state import (
    ADDING,
    ASKED,
    IDLE,
    LATER,
    OLDER,
    PLACE,
    PLACING,
    ROUND,
    SOLVING,
    STRIKING,
    SWITCHING,
    TASK_END,
    TELLING,
    FlowState,
)
from scheduler_core.schedulers.flow.switching import switch_turn


@kernel
def advance(w: World, s: FlowState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events, engine.consult).

    Source: Sirius, Section 3.2, Table 3, lines 3 to 7: events change the graph, which is then solved again.
    """
    control, rules = w.control[0], s.rules[0]
    last, steps = control.events + max_events, 0
    while True:
        if steps == 0:
            steps, full = steps_with_room(w, rules.room)
            if steps == 0:
                return full
        steps -= 1
        if rules.phase != IDLE:
            if rules.phase == ASKED:
                return CONSULT
            if not _turn(w, s):
                return STATE_FULL
            continue
        kind, a, b = take_event(w, until_ns, last)
        if kind < 0:
            return -1 - kind
        if kind == TASK_END:
            _on_end(w, s, a, b)
        elif kind == ROUND:
            begin_round(w, s)
        elif kind == PLACE:
            begin_placing(w, s)
        elif kind == OLDER:
            grow_older(w, s, a, b)
        elif kind == LATER:
            look_later(w, s)
        elif kind == KIND_INCIDENT:
            on_incident(w, s, a, b)
        else:
            _on_job(w, s, a)


@inner
def _turn(w: World, s: FlowState) -> bool:
    """Return a short piece of what the loop is in the middle of. False when the arrays are too small for it."""
    phase = s.rules[0].phase
    if phase == ADDING:
        return _add_next(w, s)
    if phase == PLACING:
        return place_turn(w, s)
    if phase == STRIKING:
        return add_lost(w, s)
    if phase == SOLVING:
        solve_turn(w, s)
    elif phase == SWITCHING:
        switch_turn(w, s)
    elif phase == TELLING:
        tell_turn(w, s)
    return True


@inner
def _on_job(w: World, s: FlowState, number: int) -> None:
    """Process a job's arrival: its tasks enter the network one by one."""
    rules, job = s.rules[0], w.job[number]
    if arrive(w, number, UNSCHEDULABLE) > 0:
        rules.phase = ADDING
        rules.at = job.first_task
        rules.end = job.first_task + job.tasks
    else:
        rules.adding = number + 1


@inner
def _add_next(w: World, s: FlowState) -> bool:
    rules = s.rules[0]
    if w.task[rules.at].state == TASK_WAITING and not add_task(w, s, rules.at):
        return False
    rules.at += 1
    if rules.at == rules.end:
        rules.adding = w.task[rules.at - 1].job + 1
        rules.phase = IDLE
        ask_round(w, s)
    return True


@inner
def _on_end(w: World, s: FlowState, task: int, token: int) -> None:
    """Process the news of a task's end, unless it was stopped meanwhile."""
    if s.task[task].token != token or w.task[task].state != TASK_RUNNING:
        return
    rules, row, machine = s.rules[0], w.task[task], w.task[task].machine
    finish_task(w, task, row.end_ns)
    left_machine(w, s, task, machine)
    w.control[0].messages += 1
    s.job[row.job].running -= 1
    drop_task(w, s, task)
    out = w.machine[machine].outage != 0
    set_width(w, s, machine, w.machine[machine].running if out else s.machine[machine].slots)
    if rules.unplaced > 0 or rules.preempts == 1:
        ask_round(w, s)


@kernel
def take_over(w: World, s: FlowState) -> None:
    """Take over the reference's solution of the round; `at` is the time of its work, in ns."""
    rules = s.rules[0]
    spent_ns = rules.at
    rules.stuck = 1 if s.network[0].uneven > 0 else 0
    if rules.stuck == 1 and relax(s):
        return
    rules.infeasible += rules.stuck
    solved(w, s, s.network[0].scanned - rules.last_scanned, spent_ns)
