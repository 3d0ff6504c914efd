"""Handle faults and drains of machines, and changes of shares and parameters."""

from __future__ import annotations

from scheduler_core.engine.incidents import (
    CHANGED,
    HAS_ROOM,
    LOSE_ON,
    LOSE_TASK,
    MACHINE_IN,
    SET_PARAMS,
    SET_SHARE,
    SHARE_UNIT,
    WALKED,
    go_on,
)
from scheduler_core.engine.jit import field_copier, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import has_ended
from scheduler_core.schedulers.queue.lists import look_by_rule, look_everywhere, note_freed, rank_of
from scheduler_core.schedulers.queue.placing import ask, stop
from scheduler_core.schedulers.queue.reasons import LOST
from scheduler_core.schedulers.queue.state import IDLE, SORTING, QueueState

_take_over = field_copier(
    (
        "decision_ns",
        "filter_ns",
        "score_ns",
        "preempts",
        "production",
        "wanted",
        "reason",
        "least",
        "most",
        "balanced",
        "pvm",
        "stranded",
        "near",
        "apart",
        "soft",
        "chance",
        "gang_wait_ns",
    )
)


@inner
def on_incident(w: World, s: QueueState, step: int, number: int) -> None:
    """Process one step of an incident (engine.incidents); the step decides what `number` refers to."""
    if step == MACHINE_IN or step == HAS_ROOM:
        note_freed(s, number)
    elif step == LOSE_ON:
        _lose_next(w, s, number)
    elif step == LOSE_TASK:
        _lose(w, s, number)
    elif step == WALKED:
        look_by_rule(s)
        ask(w, s)
    elif step == CHANGED:
        _change(w, s, number)


@inner
def _change(w: World, s: QueueState, number: int) -> None:
    """Apply a change of a queue's share or of the parameters."""
    row, rules = w.incident[number], s.rules[0]
    if row.what == SET_SHARE:
        if rules.by_share == 1:
            s.line[row.first].rank = row.x / SHARE_UNIT
        rules.phase = SORTING
        rules.at = 0
    elif row.what == SET_PARAMS:
        _take_over(rules, s.setting[row.x])
        ask(w, s)
    look_everywhere(s)


@inner
def _lose_next(w: World, s: QueueState, m: int) -> None:
    """Stop the next task of a machine that failed."""
    t = s.host[m].head
    while t != NOBODY and has_ended(w, t):  # what has ended there is not lost
        t = w.task[t].next
    if t == NOBODY:
        go_on(w)
        return
    _lose(w, s, t)


@inner
def _lose(w: World, s: QueueState, t: int) -> None:
    stop(w, s, t, LOST, NOBODY)
    s.rules[0].lost += 1


@inner
def sort_turn(w: World, s: QueueState) -> None:
    """Sort the tasks of one machine by changed shares."""
    rules, m = s.rules[0], s.rules[0].at
    if m == len(s.host):
        rules.phase = IDLE
        ask(w, s)
        return
    rules.at += 1
    if rules.by_priority == 0 or s.host[m].head == NOBODY:
        return
    t = w.task[s.host[m].head].next
    while t != NOBODY:
        after, before, mine = w.task[t].next, w.task[t].previous, rank_of(w, s, t)
        while before != NOBODY and rank_of(w, s, before) < mine:
            before = w.task[before].previous
        if before != w.task[t].previous:
            _move(w, s, m, t, before)
        t = after


@inner
def _move(w: World, s: QueueState, m: int, t: int, before: int) -> None:
    """Put a machine's task right behind another one, or first."""
    host, behind, ahead = s.host[m], w.task[t].next, w.task[t].previous
    w.task[ahead].next = behind
    if behind == NOBODY:
        host.tail = ahead
    else:
        w.task[behind].previous = ahead
    after = host.head if before == NOBODY else w.task[before].next
    w.task[t].previous = before
    w.task[t].next = after
    w.task[after].previous = t
    if before == NOBODY:
        host.head = t
    else:
        w.task[before].next = t
