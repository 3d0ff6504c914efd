"""Handle faults and drains of machines, and changes of shares and parameters."""

from __future__ import annotations

from scheduler_core.engine.incidents import (
    CHANGED,
    HAS_ROOM,
    LOSE_TASK,
    MACHINE_IN,
    SET_PARAMS,
    SET_SHARE,
    SHARE_UNIT,
    WALKED,
)
from scheduler_core.engine.jit import field_copier, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide, stop_task
from scheduler_core.schedulers.offers.mesos.frameworks import line_up
from scheduler_core.schedulers.offers.mesos.master import ask, changed
from scheduler_core.schedulers.offers.mesos.state import SETTING, MesosState
from scheduler_core.schedulers.shared.groups.sharing import change_weight
from scheduler_core.world.reasons import LOST

_take_over = field_copier(SETTING.names or ())


@inner
def on_incident(w: World, s: MesosState, step: int, number: int) -> None:
    """Process one step of an incident (engine.incidents); the step decides what `number` refers to."""
    if step == MACHINE_IN or step == HAS_ROOM:
        changed(w, s, number)
    elif step == LOSE_TASK:
        _lose(w, s, number)
    elif step == WALKED:
        ask(w, s)
    elif step == CHANGED:
        row = w.incident[number]
        if row.what == SET_SHARE:
            change_weight(s.node, s.framework[row.first].node, row.x / SHARE_UNIT)
        elif row.what == SET_PARAMS:
            _take_over(s.rules[0], s.setting[row.x])
        ask(w, s)


@inner
def _lose(w: World, s: MesosState, t: int) -> None:
    """Return a task whose machine failed to the waiting ones."""
    row, now_ns = w.task[t], w.control[0].now_ns
    worked_ns = max(now_ns - row.last_start_ns, 0)
    forget(w, s, t)
    stop_task(w, t, now_ns)
    row.since_ns = now_ns
    s.rules[0].lost += 1
    decide(w, t, row.machine, LOST, NOBODY, NOBODY, worked_ns, 0)
    line_up(w, s, t)


@inner
def forget(w: World, s: MesosState, t: int) -> None:
    """Remove a task that no longer runs from its framework's use."""
    f = w.job[w.task[t].job].queue
    for r in range(len(s.spare)):
        s.use[f, r] -= w.demand[w.task[t].demand, r]
