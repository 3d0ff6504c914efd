"""A policy changes while a run goes on: every arc gets the cost and the bounds that it has under the new one."""

from __future__ import annotations

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.flow.edit import set_arc
from scheduler_core.schedulers.flow.graph import (
    MANY,
    anywhere_cost,
    left_cost,
    net_of,
    task_cost,
    unscheduled_cost,
    whole,
)
from scheduler_core.schedulers.flow.rounds import ask_round
from scheduler_core.schedulers.flow.state import IDLE, NODES_OF_MACHINES, SWITCHING, FlowState


@inner
def switch(s: FlowState, number: int) -> None:
    """Begin to take over the rules that an event sets."""
    rules, new = s.rules[0], s.setting[number]
    rules.interval_ns = new.interval_ns
    rules.cold = new.cold
    rules.fair = new.fair
    rules.core_cost = new.core_cost
    rules.rack_cost = new.rack_cost
    rules.wait_cost = new.wait_cost
    rules.load_cost = new.load_cost
    rules.short_cost = new.short_cost
    rules.priority_cost = new.priority_cost
    rules.stay_cost = new.stay_cost
    rules.per_scan_ns = new.per_scan_ns
    rules.per_arc_ns = new.per_arc_ns
    weigh_again(s)


@inner
def weigh_again(s: FlowState) -> None:
    """Begin to give every arc the cost that it has now."""
    s.rules[0].phase = SWITCHING
    s.rules[0].at = 0


@inner
def switch_turn(w: World, s: FlowState) -> None:
    """One node: a task's, a machine's or a job's."""
    rules, nodes = s.rules[0], s.network[0].nodes
    at = rules.at
    rules.at += 1
    if at < nodes:
        what = s.task_of[at]
        if what >= 0:
            _weigh_task(w, s, what)
        elif what != NOBODY and NODES_OF_MACHINES - what < len(s.machine):
            _weigh_machine(s, NODES_OF_MACHINES - what)
    elif rules.first_open + at - nodes < rules.adding:
        _weigh_job(w, s, rules.first_open + at - nodes)
    else:
        rules.phase = IDLE
        ask_round(w, s)


@inner
def _weigh_task(w: World, s: FlowState, t: int) -> None:
    n, rules, it = net_of(s), s.rules[0], s.task[t]
    node = s.node[it.node]
    for h in range(node.first, node.first + node.count):
        to, arc = s.half[h].to, s.half[h].arc >> 1
        if to == s.job[w.task[t].job].node:
            cost = left_cost(w, s, t)
        elif to == rules.cluster or NODES_OF_MACHINES - s.task_of[to] >= len(s.machine) + len(s.rack):
            cost = anywhere_cost(s)
        elif NODES_OF_MACHINES - s.task_of[to] >= len(s.machine):
            cost = whole(rules.rack_cost)
        else:
            cost = task_cost(w, s, t, NODES_OF_MACHINES - s.task_of[to])
            if arc == it.here and rules.preempts == 1:
                cost -= whole(rules.stay_cost)
        if cost != s.half[h].cost:
            set_arc(n, arc, 0, 1, cost)


@inner
def _weigh_machine(s: FlowState, m: int) -> None:
    it, rules = s.machine[m], s.rules[0]
    for k in range(it.slots if rules.spread == 1 else 0):
        set_arc(net_of(s), it.arc + k, 0, 1 if k < it.width else 0, whole(rules.load_cost * k))


@inner
def _weigh_job(w: World, s: FlowState, j: int) -> None:
    if s.job[j].node != NOBODY:
        set_arc(net_of(s), s.job[j].arc, 0, MANY, unscheduled_cost(w, s, j))
