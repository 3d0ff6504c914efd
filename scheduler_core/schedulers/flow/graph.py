"""The network of the schedulers that solve a flow: what a task, a job, a machine is in it, and what it costs.

Quincy's graph (Isard et al., SOSP 2009, section 4): a task gives one unit, to machines and racks that have its data,
to the cluster, or to its job's unscheduled node; the cluster leads to racks, racks to machines, machines to the sink by
as many units as they have slots. Policies differ in costs and in bounds. Costs are thousandths.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.flow.arrays import WATCHED, Net
from scheduler_core.flow.edit import drop_node, new_arc, new_node, set_arc, set_supply
from scheduler_core.schedulers.flow.state import NODES_OF_MACHINES, FlowState

UNIT = 1000.0
MANY = 1 << 31
LOCAL, IN_ITS_RACK, REMOTE = range(3)
_HORIZON_NS = 1_000_000 * 1_000_000_000


@inner
def net_of(s: FlowState) -> Net:
    """The network in the state."""
    return Net(
        s.network, s.node, s.half, s.arc, s.free_block, s.fresh, s.dirty, s.uneven, s.moved, s.closed, s.ties,
        s.frontier,
    )


@inner
def whole(cost: float) -> int:
    """A cost in thousandths."""
    return int(np.floor(cost * UNIT + 0.5))


@kernel
def lay_out(s: FlowState, rack_of) -> bool:  # type: ignore[no-untyped-def]
    """Make sink, cluster, racks and machines. False when the arrays are too small."""
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
            arc = new_arc(n, it.node, rules.sink, 0, 1 if rules.spread == 1 else it.slots, whole(rules.load_cost * k))
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
    for i in range(len(s.gather_arc)):
        m = s.gather_arc[i, 1]
        if new_arc(n, s.gather[s.gather_arc[i, 0]], s.machine[m].node, 0, s.machine[m].slots, 0) < 0:
            return False
    return True


@inner
def set_width(s: FlowState, m: int, width: int) -> None:
    """Let a machine take so many units."""
    it = s.machine[m]
    if it.width == width:
        return
    n, rules = net_of(s), s.rules[0]
    it.width = width
    if rules.spread == 0:
        set_arc(n, it.arc, 0, width, 0)
        return
    for k in range(it.slots):
        set_arc(n, it.arc + k, 0, 1 if k < width else 0, whole(rules.load_cost * k))


@inner
def unscheduled_cost(w: World, s: FlowState, j: int) -> int:
    """What it costs that a task of a job does not run.

    A job's costs grow with its waiting, all by the same: instead of raising them all, those of later jobs begin lower.
    """
    rules = s.rules[0]
    waited_s = max(_HORIZON_NS - w.job[j].arrival_ns, 0) / 1e9
    return whole(rules.base_cost + rules.wait_cost * waited_s + rules.priority_cost * s.queue_share[s.job[j].queue])


@inner
def add_job(w: World, s: FlowState, j: int) -> bool:
    """Give a job its unscheduled node. False when the arrays are too small."""
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
    """A job has no task in the network any more."""
    if s.job[j].node != NOBODY:
        drop_node(net_of(s), s.job[j].node)
        s.job[j].node = NOBODY


@inner
def nearness(w: World, s: FlowState, t: int, m: int) -> int:
    """How near a machine is to a task's data."""
    near = REMOTE
    for k in range(s.replica.shape[1]):
        at = s.replica[t, k]
        if at == m:
            return LOCAL
        if at != NOBODY and w.machine[at].rack == w.machine[m].rack:
            near = IN_ITS_RACK
    return near


@inner
def task_cost(w: World, s: FlowState, t: int, m: int) -> int:
    """What it costs to run a task on a machine: where its data is, nothing."""
    rules = s.rules[0]
    if rules.reads == 0:
        return 0
    near = nearness(w, s, t, m)
    if near == LOCAL:
        return 0
    # Over the cluster it may be cheaper than over the rack.
    return whole(min(rules.rack_cost, rules.core_cost) if near == IN_ITS_RACK else rules.core_cost)


@inner
def left_cost(w: World, s: FlowState, t: int) -> int:
    """What a task's own arc to its job's unscheduled node costs: less, the longer it takes."""
    return whole(-s.rules[0].short_cost * w.task[t].duration_ns / 1e9)


@inner
def anywhere_cost(s: FlowState) -> int:
    """What it costs to run a task wherever the cluster has room."""
    return whole(s.rules[0].core_cost) if s.rules[0].reads == 1 else 0


@inner
def could_run(w: World, m: int, demand: int) -> bool:
    """Whether a machine, empty, holds a demand and offers what it asks for."""
    for r in range(w.capacity.shape[1]):
        if w.capacity[m, r] < w.demand[demand, r]:
            return False
    lacking: int = w.asks[demand] & ~w.machine[m].offers
    return lacking == 0


@inner
def add_task(w: World, s: FlowState, t: int) -> bool:
    """Bring a task into the network. False, with nothing changed, when the arrays are too small."""
    n, rules, j = net_of(s), s.rules[0], w.task[t].job
    if not add_job(w, s, j):
        return False
    v = new_node(n, 1)
    if v < 0:
        return False
    waiting = new_arc(n, v, s.job[j].node, 0, 1, left_cost(w, s, t))
    some = s.set_of[w.task[t].demand]
    anywhere = new_arc(n, v, rules.cluster if some == NOBODY else s.gather[some], 0, 1, anywhere_cost(s))
    room = waiting >= 0 and anywhere >= 0
    if rules.reads == 1:
        for k in range(s.replica.shape[1]):
            at = s.replica[t, k]
            if at == NOBODY or not room or not could_run(w, at, w.task[t].demand):
                continue
            room = new_arc(n, v, s.machine[at].node, 0, 1, 0) >= 0
            known = False
            for other in range(k):
                before = s.replica[t, other]
                known = known or (before != NOBODY and w.machine[before].rack == w.machine[at].rack)
            if room and not known and some == NOBODY:
                room = new_arc(n, v, s.rack[w.machine[at].rack], 0, 1, whole(rules.rack_cost)) >= 0
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
    """A task leaves the network."""
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
