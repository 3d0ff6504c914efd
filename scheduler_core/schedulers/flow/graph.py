"""Build the network of the flow schedulers: the nodes and arcs of tasks, jobs and machines.

The network is Quincy's (Isard et al., SOSP 2009, section 4). A task sends one unit of flow: to machines and racks that
have its data, to the cluster node, or to its job's unscheduled node. The cluster node leads to racks, racks lead to
machines, and machines lead to the sink with as many units as they have slots. If a task does not treat all machines
alike, its flow passes a node of its kind instead of the cluster node and the racks. Policies differ in costs (`costs`)
and in bounds.
"""

from __future__ import annotations

from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.flow.arrays import WATCHED, Net
from scheduler_core.flow.edit import drop_node, new_arc, new_node, set_arc, set_supply
from scheduler_core.schedulers.flow.costs import (
    anywhere_cost,
    counts_resources,
    holds,
    kind_cost,
    least_costs,
    left_cost,
    rack_cost,
    slot_cost,
    task_cost,
    unscheduled_cost,
)
from scheduler_core.schedulers.flow.state import NODES_OF_MACHINES, FlowState

MANY = 1 << 31


@inner
def net_of(s: FlowState) -> Net:
    """Return the network in the state."""
    return Net(
        s.network,
        s.node,
        s.half,
        s.arc,
        s.free_block,
        s.fresh,
        s.dirty,
        s.uneven,
        s.moved,
        s.closed,
        s.ties,
        s.frontier,
    )


@kernel
def lay_out(w: World, s: FlowState, rack_of) -> bool:  # type: ignore[no-untyped-def]
    """Make sink, cluster, racks, machines and the nodes of kinds. False when the arrays are too small."""
    n, rules = net_of(s), s.rules[0]
    rules.sink = new_node(n, 0)
    rules.cluster = new_node(n, 0)
    for r in range(len(s.rack)):
        s.rack[r] = new_node(n, 0)
        s.task_of[s.rack[r]] = NODES_OF_MACHINES - len(s.machine) - r
    for m in range(len(s.machine)):
        it = s.machine[m]
        it.node = new_node(n, 0)
        if it.node < 0 or new_arc(n, s.rack[rack_of[m]], it.node, 0, it.slots, 0) < 0:
            return False
        s.task_of[it.node] = NODES_OF_MACHINES - m
        it.width = it.slots
        arcs = it.slots if rules.spread == 1 else 1
        for k in range(arcs):
            cost = slot_cost(w, s, m, k) if rules.spread == 1 else 0
            arc = new_arc(n, it.node, rules.sink, 0, 1 if rules.spread == 1 else it.slots, cost)
            if arc < 0:
                return False
            if k == 0:
                it.arc = arc
    for r in range(len(s.rack)):
        if new_arc(n, rules.cluster, s.rack[r], 0, MANY, 0) < 0:
            return False
    for k in range(len(s.gather)):
        s.gather[k] = new_node(n, 0)
        s.task_of[s.gather[k]] = NODES_OF_MACHINES - len(s.machine) - len(s.rack) - k
        for m in range(len(s.machine)):
            if s.kind_arc[k, m] != NOBODY:
                s.kind_arc[k, m] = new_arc(
                    n, s.gather[k], s.machine[m].node, 0, kind_room(w, s, k, m), kind_cost(w, s, k, m)
                )
                if s.kind_arc[k, m] < 0:
                    return False
    least_costs(w, s)
    return True


@inner
def kind_room(w: World, s: FlowState, k: int, m: int) -> int:
    """Return how many tasks of a kind a machine may take: by slots, and by bandwidth where it has a cost."""
    slots, r = s.machine[m].slots, s.rules[0].bandwidth
    if s.rules[0].bandwidth_cost > 0.0:
        asked = w.demand[s.kind[k].demand, r]
        if asked > 0:
            return int(max(0, min(slots, w.free[m, r] // asked)))
    return int(slots)


@inner
def weigh_kinds(w: World, s: FlowState, m: int) -> None:
    """Update the cost of a machine for each kind of tasks after a change of its tasks or of the weights."""
    for k in range(len(s.gather)):
        arc = s.kind_arc[k, m]
        if arc == NOBODY:
            continue
        cost, room = kind_cost(w, s, k, m), kind_room(w, s, k, m)
        if s.half[s.arc[arc].half].cost != cost or s.arc[arc].cap != room:
            set_arc(net_of(s), arc, 0, room, cost)


@inner
def set_width(w: World, s: FlowState, m: int, width: int) -> None:
    """Set the number of units that a machine takes."""
    it = s.machine[m]
    if it.width == width:
        return
    it.width = width
    if s.rules[0].spread == 0:
        set_arc(net_of(s), it.arc, 0, width, 0)
    else:
        weigh_slots(w, s, m)


@inner
def weigh_slots(w: World, s: FlowState, m: int) -> None:
    """Set the cost of each slot of a machine to its present value, if slots have costs of their own."""
    it, n = s.machine[m], net_of(s)
    for k in range(it.slots if s.rules[0].spread == 1 else 0):
        room, cost, arc = 1 if k < it.width else 0, slot_cost(w, s, m, k), it.arc + k
        if s.arc[arc].cap != room or s.half[s.arc[arc].half].cost != cost:
            set_arc(n, arc, 0, room, cost)


@inner
def add_job(w: World, s: FlowState, j: int) -> bool:
    """Create a job's unscheduled node; return False if the arrays are too small."""
    n, it = net_of(s), s.job[j]
    if it.node != NOBODY:
        return True
    it.node = new_node(n, 0)
    if it.node < 0:
        it.node = NOBODY
        return False
    s.task_of[it.node] = NOBODY
    it.arc = new_arc(n, it.node, s.rules[0].sink, 0, MANY, unscheduled_cost(w, s, j))
    if it.arc < 0:
        drop_node(n, it.node)
        it.node = NOBODY
        return False
    return True


@inner
def drop_job(s: FlowState, j: int) -> None:
    """Remove a job that has no task in the network any more."""
    if s.job[j].node != NOBODY:
        drop_node(net_of(s), s.job[j].node)
        s.job[j].node = NOBODY


@inner
def rack_room(s: FlowState) -> int:
    """Return whether tasks may go over racks: not where each machine has its own cost to their kind."""
    rules = s.rules[0]
    return 0 if rules.interference_cost > 0.0 or rules.bandwidth_cost > 0.0 or counts_resources(s) else 1


@inner
def add_task(w: World, s: FlowState, t: int) -> bool:
    """Bring a task into the network. False, with nothing changed, when the arrays are too small."""
    n, rules, j = net_of(s), s.rules[0], w.task[t].job
    if not add_job(w, s, j):
        return False
    v = new_node(n, 1)
    if v < 0:
        return False
    kind = s.task[t].kind
    waiting = new_arc(n, v, s.job[j].node, 0, 1, left_cost(w, s, t))
    anywhere = new_arc(n, v, rules.cluster if kind == NOBODY else s.gather[kind], 0, 1, anywhere_cost(s, t))
    room = waiting >= 0 and anywhere >= 0
    if rules.reads == 1:
        for k in range(s.replica.shape[1]):
            at = s.replica[t, k]
            if at == NOBODY or not room or not holds(w, s, at, w.task[t].demand):
                continue
            room = new_arc(n, v, s.machine[at].node, 0, 1, task_cost(w, s, t, at)) >= 0
            known = False
            for other in range(k):
                before = s.replica[t, other]
                known = known or (before != NOBODY and w.machine[before].rack == w.machine[at].rack)
            if room and not known and (kind == NOBODY or s.kind[kind].everywhere == 1):
                room = new_arc(n, v, s.rack[w.machine[at].rack], 0, rack_room(s), rack_cost(s, t)) >= 0
    if not room:
        drop_node(n, v)
        return False
    s.node[v].listed |= WATCHED
    s.task[t].node = v
    s.task[t].here = NOBODY
    s.task_of[v] = t
    s.job[j].here += 1
    rules.supply += 1
    rules.unplaced += 1
    set_supply(n, rules.sink, -rules.supply)
    return True


@inner
def drop_task(w: World, s: FlowState, t: int) -> None:
    """Remove a task from the network."""
    n, rules, j = net_of(s), s.rules[0], w.task[t].job
    drop_node(n, s.task[t].node)
    s.task_of[s.task[t].node] = NOBODY
    s.task[t].node = NOBODY
    s.task[t].here = NOBODY
    rules.supply -= 1
    set_supply(n, rules.sink, -rules.supply)
    s.job[j].here -= 1
    if s.job[j].here == 0:
        drop_job(s, j)
