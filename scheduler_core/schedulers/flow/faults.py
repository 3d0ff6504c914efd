"""Handle faults and drains of machines, and changes of shares and parameters."""

from __future__ import annotations

from scheduler_core.engine.incidents import (
    CHANGED,
    FAIL_MACHINES,
    LOSE_ON,
    LOSE_TASK,
    MACHINE_IN,
    MACHINE_OUT,
    SET_PARAMS,
    SET_SHARE,
    SHARE_UNIT,
    WALKED,
    go_on,
)
from scheduler_core.engine.jit import field_copier, inner
from scheduler_core.engine.records import NOBODY, TASK_RUNNING, World
from scheduler_core.engine.tasks import decide, has_ended, stop_task
from scheduler_core.schedulers.flow.costs import least_costs
from scheduler_core.schedulers.flow.graph import add_task, drop_task, set_width, weigh_kinds
from scheduler_core.schedulers.flow.placing import left_machine
from scheduler_core.schedulers.flow.reasons import LOST
from scheduler_core.schedulers.flow.rounds import ask_round
from scheduler_core.schedulers.flow.state import IDLE, STRIKING, WEIGHTS, FlowState
from scheduler_core.schedulers.flow.switching import weigh_again

_take_over = field_copier(
    (*WEIGHTS, "interval_ns", "cold", "scaling", "fair", "per_scan_ns", "per_arc_ns", "waits", "leave_cost")
)


@inner
def on_incident(w: World, s: FlowState, step: int, number: int) -> None:
    """Process one step of an incident (engine.incidents); the step decides what `number` refers to."""
    if step == MACHINE_OUT:
        if w.incident[w.control[0].walking - 1].what != FAIL_MACHINES:
            _close(w, s, number)
    elif step == MACHINE_IN:
        set_width(w, s, number, s.machine[number].slots)
        weigh_kinds(w, s, number)
    elif step == LOSE_ON:
        _lose_next(w, s, number)
    elif step == LOSE_TASK:
        machine = w.task[number].machine
        _lose(w, s, number, machine)
        out = w.machine[machine].outage != 0
        set_width(w, s, machine, w.machine[machine].running if out else s.machine[machine].slots)
    elif step == WALKED:
        ask_round(w, s)
    elif step == CHANGED:
        row = w.incident[number]
        if row.what == SET_SHARE:
            s.queue_share[row.first] = row.x / SHARE_UNIT
        elif row.what == SET_PARAMS:
            _take_over(s.rules[0], s.setting[row.x])
            least_costs(w, s)
        weigh_again(s)


@inner
def _close(w: World, s: FlowState, machine: int) -> None:
    """Close a machine to flow, except for the tasks that run there."""
    set_width(w, s, machine, w.machine[machine].running)
    weigh_kinds(w, s, machine)
    s.rules[0].half_at = 0


@inner
def add_lost(w: World, s: FlowState) -> bool:
    """Add the lost task to the network again; False if the arrays are too small."""
    if not add_task(w, s, s.rules[0].requeue):
        return False
    s.rules[0].requeue = NOBODY
    s.rules[0].phase = IDLE
    return True


@inner
def _lose_next(w: World, s: FlowState, machine: int) -> None:
    """Lose the next task of a failed machine; `half_at` is the place among the machine's arcs."""
    rules = s.rules[0]
    while rules.half_at < s.node[s.machine[machine].node].count:
        node = s.node[s.machine[machine].node]
        t = s.task_of[s.half[node.first + rules.half_at].to]
        rules.half_at += 1
        running = t >= 0 and w.task[t].state == TASK_RUNNING and w.task[t].machine == machine
        if running and not has_ended(w, t):
            _lose(w, s, t, machine)
            rules.half_at -= 1  # another half has taken its place
            return
    _close(w, s, machine)
    go_on(w)


@inner
def _lose(w: World, s: FlowState, t: int, machine: int) -> None:
    """Lose a task of a failed machine and add it to the network again, unless it has ended."""
    row, now_ns = w.task[t], w.control[0].now_ns
    worked_ns = max(0, now_ns - row.last_start_ns)
    stop_task(w, t, now_ns)
    left_machine(w, s, t, machine)
    row.since_ns = now_ns
    decide(w, t, machine, LOST, NOBODY, NOBODY, worked_ns, 0)
    s.task[t].token += 1
    s.job[row.job].running -= 1
    drop_task(w, s, t)
    s.rules[0].requeue = t
    s.rules[0].phase = STRIKING
