"""Switch the policy during a run: give every arc its cost and bounds under the new policy."""

from __future__ import annotations

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.flow.edit import set_arc
from scheduler_core.schedulers.flow.costs import (
    anywhere_cost,
    left_cost,
    rack_cost,
    running_cost,
    task_cost,
    unscheduled_cost,
)
from scheduler_core.schedulers.flow.graph import MANY, net_of, rack_room, weigh_kinds, weigh_slots
from scheduler_core.schedulers.flow.rounds import ask_round
from scheduler_core.schedulers.flow.state import IDLE, NODES_OF_MACHINES, SWITCHING, FlowState


@inner
def weigh_again(s: FlowState) -> None:
    """Begin to give every arc the cost that it has now."""
    s.rules[0].phase = SWITCHING
    s.rules[0].at = 0


@inner
def switch_turn(w: World, s: FlowState) -> None:
    """Update one node: a task's, a machine's or a job's."""
    rules, nodes = s.rules[0], s.network[0].nodes
    at = rules.at
    rules.at += 1
    if at < nodes:
        what = s.task_of[at]
        if what >= 0:
            _weigh_task(w, s, what)
        elif what != NOBODY and NODES_OF_MACHINES - what < len(s.machine):
            _weigh_machine(w, s, NODES_OF_MACHINES - what)
    elif rules.first_open + at - nodes < rules.adding:
        _weigh_job(w, s, rules.first_open + at - nodes)
    else:
        rules.phase = IDLE
        ask_round(w, s)


@inner
def _weigh_task(w: World, s: FlowState, t: int) -> None:
    n, rules, it = net_of(s), s.rules[0], s.task[t]
    node, room = s.node[it.node], 1
    for h in range(node.first, node.first + node.count):
        to, arc = s.half[h].to, s.half[h].arc >> 1
        place = NODES_OF_MACHINES - s.task_of[to]
        room = 1
        if to == s.job[w.task[t].job].node:
            cost = left_cost(w, s, t)
        elif to == rules.cluster or place >= len(s.machine) + len(s.rack):
            cost = anywhere_cost(s, t)
        elif place >= len(s.machine):
            cost, room = rack_cost(s, t), rack_room(s)
        elif arc == it.here and rules.preempts == 1:
            cost = running_cost(w, s, t, place)
        elif arc == it.here:
            continue  # it has no other way
        else:
            cost = task_cost(w, s, t, place)
        if cost != s.half[h].cost or room != s.arc[arc].cap:
            set_arc(n, arc, 0, room, cost)


@inner
def _weigh_machine(w: World, s: FlowState, m: int) -> None:
    weigh_slots(w, s, m)
    weigh_kinds(w, s, m)


@inner
def _weigh_job(w: World, s: FlowState, j: int) -> None:
    if s.job[j].node != NOBODY:
        set_arc(net_of(s), s.job[j].arc, 0, MANY, unscheduled_cost(w, s, j))
