"""Handle faults and drains of nodes, and changes of parameters."""

from __future__ import annotations

from scheduler_core.engine.incidents import (
    CHANGED,
    HAS_ROOM,
    LOSE_ON,
    LOSE_TASK,
    MACHINE_IN,
    MACHINE_OUT,
    SET_PARAMS,
    go_on,
)
from scheduler_core.engine.jit import field_copier, inner
from scheduler_core.engine.records import FAILED, NOBODY, World
from scheduler_core.engine.tasks import has_ended
from scheduler_core.kube.model import SCORES, Model
from scheduler_core.schedulers.kubernetes.deciding import note_freed
from scheduler_core.schedulers.kubernetes.placing import stop
from scheduler_core.schedulers.kubernetes.queues import BY_NODE, ask, move_all
from scheduler_core.schedulers.kubernetes.reasons import LOST
from scheduler_core.schedulers.kubernetes.state import Own

CHANGING = (
    "decision_ns", "filter_ns", "score_ns", "preempts", "grace_ns", "first_backoff_ns", "most_backoff_ns",
    "strategy", "percentage",
)  # fmt: skip
_take_over = field_copier(CHANGING)


@inner
def on_incident(w: World, s: Own, m: Model, step: int, number: int) -> None:
    """Process one step of an incident (engine.incidents); the step decides what `number` refers to."""
    if step == MACHINE_OUT or step == MACHINE_IN:
        m.node[number].version += 1
    if step == MACHINE_OUT:
        if w.machine[number].outage & FAILED != 0:
            m.node[number].down = 1
        else:
            m.node[number].cordoned += 1
    elif step == MACHINE_IN:
        if m.node[number].down == 1:
            m.node[number].down = 0
        else:
            m.node[number].cordoned -= 1
        note_freed(s, number)
        move_all(w, s, m, BY_NODE)
        ask(w, s)
    elif step == LOSE_ON:
        _lose_next(w, s, m, number)
    elif step == LOSE_TASK:
        _lose(w, s, m, number)
    elif step == HAS_ROOM:
        note_freed(s, number)
        ask(w, s)
    elif step == CHANGED and w.incident[number].what == SET_PARAMS:
        _change(w, s, m, w.incident[number].x)


@inner
def _change(w: World, s: Own, m: Model, row: int) -> None:
    """Apply a change of the parameters; all pods that wait are tried again."""
    _take_over(s.rules[0], s.setting[row])
    for plugin in range(SCORES):
        m.settings[0].weight[plugin] = s.setting[row].weight[plugin]
    m.settings[0].strategy = s.setting[row].strategy
    m.settings[0].percentage = s.setting[row].percentage
    for c in range(len(s.memo)):
        s.memo[c].failed = 0
    for n in range(len(m.node)):
        m.node[n].version += 1
    move_all(w, s, m, BY_NODE)
    ask(w, s)


@inner
def _lose_next(w: World, s: Own, m: Model, n: int) -> None:
    """Stop the next pod of a node that failed."""
    t = m.node[n].head
    while t != NOBODY and has_ended(w, t):  # what has ended there is not lost
        t = m.pod[t].next
    if t == NOBODY:
        go_on(w)
        return
    _lose(w, s, m, t)


@inner
def _lose(w: World, s: Own, m: Model, t: int) -> None:
    stop(w, s, m, t, LOST, NOBODY)
    s.rules[0].lost += 1
