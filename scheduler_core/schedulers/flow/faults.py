"""Faults and drains of machines, changes of shares and of parameters."""

from __future__ import annotations

from scheduler_core.engine.incidents import (
    FAIL_MACHINES,
    RESTORE_MACHINES,
    SET_PARAMS,
    SET_SHARE,
    SHARE_UNIT,
    restore,
    withhold,
)
from scheduler_core.engine.jit import field_copier, inner
from scheduler_core.engine.records import NOBODY, TASK_RUNNING, World
from scheduler_core.engine.tasks import decide, has_ended, stop_task
from scheduler_core.schedulers.flow.graph import add_task, drop_task, set_width, weigh_kinds
from scheduler_core.schedulers.flow.placing import left_machine
from scheduler_core.schedulers.flow.reasons import LOST
from scheduler_core.schedulers.flow.rounds import ask_round
from scheduler_core.schedulers.flow.state import IDLE, STRIKING, WEIGHTS, FlowState
from scheduler_core.schedulers.flow.switching import weigh_again

_take_over = field_copier((*WEIGHTS, "interval_ns", "cold", "fair", "per_scan_ns", "per_arc_ns"))


@inner
def on_incident(w: World, s: FlowState, number: int) -> None:
    """Begin with row `number` of the incidents; machines go out or come in step by step."""
    row, rules = w.incident[number], s.rules[0]
    if row.what <= RESTORE_MACHINES:
        rules.phase = STRIKING
        rules.striking = number
        rules.at = row.first
        rules.end = 0
        return
    w.control[0].incidents_left -= 1
    if row.what == SET_SHARE:
        s.queue_share[row.first] = row.x / SHARE_UNIT
        weigh_again(s)
    elif row.what == SET_PARAMS:
        _take_over(rules, s.setting[row.x])
        weigh_again(s)


@inner
def strike(w: World, s: FlowState) -> bool:
    """One step: the next machine, or the next task of one that failed. False when the arrays are too small."""
    rules = s.rules[0]
    if rules.requeue != NOBODY:
        if not add_task(w, s, rules.requeue):
            return False
        rules.requeue = NOBODY
        return True
    row, machine = w.incident[rules.striking], rules.at
    if machine == row.end:
        rules.phase = IDLE
        w.control[0].incidents_left -= 1
        ask_round(w, s)
        return True
    if row.what == RESTORE_MACHINES:
        if restore(w, machine, row.x):
            set_width(w, s, machine, s.machine[machine].slots)
            weigh_kinds(w, s, machine)
        rules.at += 1
        return True
    if rules.end == 0:
        withhold(w, machine, row.x)
    if row.what == FAIL_MACHINES:
        while rules.end < s.node[s.machine[machine].node].count:
            node = s.node[s.machine[machine].node]
            t = s.task_of[s.half[node.first + rules.end].to]
            rules.end += 1
            running = t >= 0 and w.task[t].state == TASK_RUNNING and w.task[t].machine == machine
            if running and not has_ended(w, t):
                _lose(w, s, t, machine)
                rules.end -= 1  # another half has taken its place
                return True
    set_width(w, s, machine, w.machine[machine].running)
    weigh_kinds(w, s, machine)
    rules.end = 0
    rules.at += 1
    return True


@inner
def _lose(w: World, s: FlowState, t: int, machine: int) -> None:
    """What a failed machine ran is lost, and comes into the network again; what has ended there is not."""
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
