"""The event loop of a user's own policy: process events, then let each scheduler place tasks one by one."""

from __future__ import annotations

from scheduler_core.engine.events import ENOUGH, KIND_JOB_ARRIVAL, steps_with_room, take_event
from scheduler_core.engine.incidents import (
    CHANGED,
    HAND_BACK,
    HAS_ROOM,
    KIND_INCIDENT,
    LOSE_TASK,
    MACHINE_IN,
    MACHINE_OUT,
    SET_PARAMS,
    SET_SHARE,
    SHARE_UNIT,
    WALKED,
    go_on,
)
from scheduler_core.engine.jit import called, field_copier, inner, kernel
from scheduler_core.engine.records import NOBODY, TASK_WAITING, World
from scheduler_core.engine.tasks import arrive
from scheduler_core.schedulers.own.books import ask, ask_all, count_waiting, note_freed, note_true_change
from scheduler_core.schedulers.own.lists import line_up, sort_again
from scheduler_core.schedulers.own.machines import (
    give_back_next,
    on_end_of,
    on_heartbeat,
    on_refusal,
    on_request,
    scheduler_of,
    serve,
)
from scheduler_core.schedulers.own.placing import commit, search_turn, stop
from scheduler_core.schedulers.own.reasons import UNSCHEDULABLE
from scheduler_core.schedulers.own.state import (
    DECIDE,
    DECIDED,
    HEARTBEAT,
    MORE,
    PLACE,
    REFUSED,
    REPORT,
    REQUEST,
    TASK_END,
    TICK,
    OwnState,
)
from scheduler_core.world.reasons import LOST

_MOST_STEPS = 50_000_000
"""Number of steps before the loop returns, so that a watching caller can stop it."""
_take_over = field_copier(("decision_ns",))


@kernel
def advance(w: World, s: OwnState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events).

    Source: the policy's text, by the rules of docs/reference/policy.md.
    """
    rules, last, steps = s.rules[0], w.control[0].events + max_events, 0
    most = rules.steps + _MOST_STEPS
    while True:
        if steps == 0:
            steps, full = steps_with_room(w, rules.room)
            if steps == 0:
                return full
        steps -= 1
        if rules.steps > most:
            return ENOUGH
        if rules.phase != 0:
            search_turn(w, s)
            continue
        kind, a, b = take_event(w, until_ns, last)
        if kind < 0:
            return -1 - kind
        if kind == TASK_END:
            on_end_of(w, s, a, b)
        elif kind == REQUEST:
            on_request(w, s, a, b)
        elif kind == KIND_JOB_ARRIVAL:
            _on_job(w, s, a)
        elif kind == KIND_INCIDENT:
            _on_incident(w, s, a, b)
        else:
            _on_schedule(w, s, kind, a, b)


@called
def _on_schedule(w: World, s: OwnState, kind: int, a: int, b: int) -> None:
    """Process an event of a scheduler or the rest of a machine's line."""
    rules = s.rules[0]
    if kind == DECIDE:
        s.scheduler[a].pending = 0
        rules.viewer = a
        rules.phase = 1
    elif kind == DECIDED:
        it = s.scheduler[a]
        it.busy = 0
        rules.viewer = a
        rules.phase = 1
        rules.victims = 0
        commit(w, s, a, b, it.machine)
    elif kind == REFUSED or kind == PLACE:
        on_refusal(w, s, a)
    elif kind == REPORT:
        ask(w, s, a)
    elif kind == HEARTBEAT:
        on_heartbeat(w, s, a)
    elif kind == TICK:
        s.scheduler[a].ticking = 0
        rules.looks += 1
        rules.steps += 1
        ask(w, s, a)
    elif kind == MORE:
        serve(w, s, a)


@called
def _on_job(w: World, s: OwnState, number: int) -> None:
    """Process a job's arrival: its tasks wait at its scheduler."""
    job = w.job[number]
    s.rules[0].moves += 1
    if arrive(w, number, UNSCHEDULABLE) > 0:
        t = NOBODY
        for t in range(job.first_task, job.first_task + job.tasks):
            if w.task[t].state == TASK_WAITING:
                count_waiting(w, s, t, 1)
                line_up(w, s, t)
        ask(w, s, scheduler_of(w, s, t))


@called
def _on_incident(w: World, s: OwnState, step: int, number: int) -> None:
    """Process one step of an incident (engine.incidents); the step decides what `number` refers to."""
    rules = s.rules[0]
    if step == MACHINE_IN or step == MACHINE_OUT or step == HAS_ROOM:
        note_freed(s, number)
        rules.moves += 1
        note_true_change(s, number)
        if step != MACHINE_OUT:
            serve(w, s, number)
    elif step == HAND_BACK:
        if not give_back_next(w, s, number):
            go_on(w)
    elif step == LOSE_TASK:
        stop(w, s, number, LOST, NOBODY)
    elif step == WALKED:
        ask_all(w, s)
    elif step == CHANGED:
        _change(w, s, number)


@inner
def _change(w: World, s: OwnState, number: int) -> None:
    """Apply a change of a queue's share or of the parameters."""
    row = w.incident[number]
    if row.what == SET_SHARE:
        s.queue[row.first].share = row.x / SHARE_UNIT
    elif row.what == SET_PARAMS:
        _take_over(s.rules[0], s.setting[row.x])
        for at in range(len(s.constant)):
            s.constant[at] = s.constants_after[row.x, at]
    for tree in range(len(s.kept)):
        s.kept[tree, 0] -= len(w.machine)
    sort_again(w, s)
    ask_all(w, s)
