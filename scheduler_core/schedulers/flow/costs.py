"""The costs of arcs: weighted sums of terms. A policy sets the weights (`policies.WEIGHTS_OF`).

To add a term, write a function here, a line in the sum that it belongs to, and its weight in `policies`. Costs of arcs
are in thousandths.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.engine import rng
from scheduler_core.engine.bits import highest_bit
from scheduler_core.engine.jit import inner
from scheduler_core.engine.pace import IN_ITS_RACK, LOCAL, Pace, disturbance, nearness
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.flow.state import FlowState

UNIT = 1000.0
OLDEST_S = 1 << 20
"""A task that has run for longer counts as one that has run so long."""


@inner
def pace_of(s: FlowState) -> Pace:
    """Return what decides how long tasks take."""
    return Pace(s.pace, s.paced, s.replica, s.beside, s.discord, s.slowdown)


@inner
def whole(cost: float) -> int:
    """Return a cost in thousandths."""
    return int(np.floor(cost * UNIT + 0.5))


# Terms of a task and where it could run.


@inner
def data_cost(w: World, s: FlowState, t: int, m: int) -> float:
    """Return what a task reads over the network if it runs on a machine."""
    near = nearness(w, s.replica, t, m)
    if near == LOCAL:
        return 0.0
    rules = s.rules[0]
    # Over the cluster it may be cheaper than over the rack.
    each: float = min(rules.rack_cost, rules.core_cost) if near == IN_ITS_RACK else rules.core_cost
    return each * input_of(s, t)


@inner
def input_of(s: FlowState, t: int) -> float:
    """Return the input of a task in GB; 1 where inputs have no sizes."""
    return float(s.paced[t].input_gb) if s.pace[0].reads == 1 else 1.0


@inner
def utility(w: World, s: FlowState, k: int, m: int) -> float:
    """Return what the soft constraints that a machine offers are worth to tasks of a kind.

    Source: Sirius, Section 3.1.2, equation 5.
    """
    offered: int = s.kind[k].soft & w.machine[m].offers
    count = 0
    while offered != 0:
        offered &= offered - 1
        count += 1
    return float(count * s.rules[0].soft_utility + s.worth[s.kind[k].wants, s.machine[m].place])


@inner
def least_costs(w: World, s: FlowState) -> None:
    """Note what the machine that is worth most to each kind costs: the least that a task of it could cost."""
    for k in range(len(s.kind) if s.rules[0].waits == 1 else 0):
        s.kind[k].least_cost = 0.0
        most = -np.inf
        for m in range(len(s.machine)):
            if s.kind_arc[k, m] != NOBODY:
                most = max(most, utility(w, s, k, m))
        if most > -np.inf:
            s.kind[k].least_cost = -most


@inner
def counts_resources(s: FlowState) -> bool:
    """Return True if resources in use have a cost."""
    rules = s.rules[0]
    return bool(rules.resource_cost > 0.0 or rules.cpu_cost > 0.0 or rules.memory_cost > 0.0 or rules.other_cost > 0.0)


@inner
def resource_weight(s: FlowState, r: int) -> float:
    """Return the weight of a resource by its number: CPUs, memory, or another.

    Source: Sirius, Section 3.1.3, equation 7.
    """
    if r == 0:
        return float(s.rules[0].cpu_cost)
    return float(s.rules[0].memory_cost if r == 1 else s.rules[0].other_cost)


@inner
def resource_cost(w: World, s: FlowState, k: int, m: int) -> float:
    """Return the cost of the resources in use on a machine with one more task of a kind; all are, out of service.

    The fraction of each resource in use has its weight, and their mean has one.
    """
    out: bool = w.machine[m].outage != 0
    given, used, weighed = 0, 0.0, 0.0
    for r in range(w.capacity.shape[1]):
        capacity = w.capacity[m, r]
        if capacity > 0:
            part = 1.0 if out else (capacity - w.free[m, r] + w.demand[s.kind[k].demand, r]) / capacity
            given += 1
            used += part
            weighed += resource_weight(s, r) * part
    if out:
        return float(s.rules[0].resource_cost + weighed)
    return float(s.rules[0].resource_cost * used / given + weighed) if given > 0 else 0.0


@inner
def own_resource_cost(w: World, s: FlowState, k: int, m: int) -> float:
    """Return the resource cost of one task of a kind on a machine: of the fractions that it uses itself."""
    given, used, weighed = 0, 0.0, 0.0
    for r in range(w.capacity.shape[1]):
        if w.capacity[m, r] > 0:
            part = w.demand[s.kind[k].demand, r] / w.capacity[m, r]
            given += 1
            used += part
            weighed += resource_weight(s, r) * part
    return float(s.rules[0].resource_cost * used / given + weighed) if given > 0 else 0.0


@inner
def interference_cost(s: FlowState, k: int, m: int) -> float:
    """Return the interference cost: the slowdown that running tasks cause to tasks of a kind."""
    return float(s.rules[0].interference_cost * disturbance(pace_of(s), s.kind[k].group, m))


@inner
def bandwidth_cost(w: World, s: FlowState, k: int, m: int) -> float:
    """Return which part of a machine's bandwidth would be in use with one more task of a kind."""
    r = s.rules[0].bandwidth
    capacity, asked = w.capacity[m, r], w.demand[s.kind[k].demand, r]
    if capacity == 0 or w.machine[m].outage != 0:
        return float(s.rules[0].bandwidth_cost)
    return float(s.rules[0].bandwidth_cost * (capacity - w.free[m, r] + asked) / capacity)


# Terms of a machine's slots, and of waiting.


@inner
def slot_draw(w: World, s: FlowState, m: int, k: int) -> float:
    """Return the random cost of slot `k` of a machine; it changes whenever a task has started there."""
    seed, draw = w.control[0].seed, s.machine[m].launches * s.machine[m].slots + k
    return float(s.rules[0].random_cost * rng.uniform(seed, rng.STREAM_PICK, m, draw))


@inner
def task_draw(w: World, s: FlowState, t: int) -> float:
    """Return the random cost of a task, so that waiting is random."""
    return float(s.rules[0].random_cost * rng.uniform(w.control[0].seed, rng.STREAM_TIE, t, 0))


# The sums: what each arc costs.


@inner
def kind_cost(w: World, s: FlowState, k: int, m: int) -> int:
    """Return the cost of the arc from the node of a kind to a machine; NOBODY is the kind over the cluster."""
    if k == NOBODY:
        return 0
    rules, cost = s.rules[0], 0.0
    if s.kind[k].soft != 0 or s.kind[k].wants != 0:
        cost -= utility(w, s, k, m)
    if rules.interference_cost > 0.0:
        cost += interference_cost(s, k, m)
    if rules.bandwidth_cost > 0.0:
        cost += bandwidth_cost(w, s, k, m)
    if counts_resources(s):
        cost += resource_cost(w, s, k, m)
    return whole(cost)


@inner
def task_cost(w: World, s: FlowState, t: int, m: int) -> int:
    """Return the cost of the arc from a task to a machine: where its data is, nothing for them."""
    cost = kind_cost(w, s, s.task[t].kind, m)
    if s.rules[0].reads == 1:
        cost += whole(data_cost(w, s, t, m))
    return cost


@inner
def rack_cost(s: FlowState, t: int) -> int:
    """Return the cost of the arc from a task to a rack that has its data."""
    return whole(s.rules[0].rack_cost * input_of(s, t))


@inner
def anywhere_cost(s: FlowState, t: int) -> int:
    """Return the cost of the arc from a task to wherever there is room."""
    return whole(s.rules[0].core_cost * input_of(s, t)) if s.rules[0].reads == 1 else 0


@inner
def slot_cost(w: World, s: FlowState, m: int, k: int) -> int:
    """Return the cost of the arc from a machine to the sink over its slot `k`, where each slot has its own."""
    rules = s.rules[0]
    cost = rules.load_cost * k
    if rules.random_cost > 0.0:
        cost += slot_draw(w, s, m, k)
    return whole(cost)


@inner
def left_cost(w: World, s: FlowState, t: int) -> int:
    """Return the cost of the arc from a task to its job's unscheduled node: by its duration and priority.

    Source: of the part by priority: Sirius, Section 3.1.3, equation 7.
    """
    rules = s.rules[0]
    cost = -rules.short_cost * w.task[t].own_ns / 1e9
    if rules.random_cost > 0.0:
        cost += task_draw(w, s, t)
    if rules.by_task == 1:
        number = w.task[t].kind
        cost += rules.step_cost * number if rules.strict == 1 else rules.priority_cost * s.level[number]
    if rules.waits == 1:
        cost += cheapest(w, s, t)
    return whole(cost)


@inner
def cheapest(w: World, s: FlowState, t: int) -> float:
    """Return what the machine would cost that costs a task least, were it empty; out of service or not."""
    k = s.task[t].kind
    least = 0.0 if k == NOBODY else s.kind[k].least_cost
    if s.rules[0].reads == 0:
        return float(least)
    found = least + s.rules[0].core_cost * input_of(s, t)
    for i in range(s.replica.shape[1]):
        m = s.replica[t, i]
        if m != NOBODY and holds(w, s, m, w.task[t].demand):
            own = -utility(w, s, k, m) if k != NOBODY and (s.kind[k].soft != 0 or s.kind[k].wants != 0) else 0.0
            found = min(found, own)
    return float(found)


@inner
def holds(w: World, s: FlowState, m: int, demand: int) -> bool:
    """Return whether a machine, empty, holds a demand and offers what it has to have."""
    for r in range(w.capacity.shape[1]):
        if w.capacity[m, r] < w.demand[demand, r]:
            return False
    lacking: int = w.asks[demand] & ~s.rules[0].soft & ~w.machine[m].offers
    return lacking == 0


@inner
def unscheduled_cost(w: World, s: FlowState, j: int) -> int:
    """Return the cost of the arc from a job's unscheduled node to the sink: of leaving a task unscheduled.

    A job's costs grow with its waiting, all by the same: instead of raising them all, those of later jobs begin lower.
    Where tasks may wait for a better machine, costs are compared to those of machines, and grow as time goes by.

    Source: *Quincy: fair scheduling for distributed computing clusters* (the cost of waiting grows).
    """
    rules = s.rules[0]
    cost = rules.base_cost + rules.wait_cost * ((rules.last_arrival_ns - w.job[j].arrival_ns) / 1e9)
    if rules.waits == 1:
        cost = rules.leave_cost + rules.wait_cost * ((w.control[0].now_ns - w.job[j].arrival_ns) / 1e9)
    if rules.by_task == 1:
        return whole(cost)
    if rules.strict == 1:
        return whole(cost + rules.step_cost * _smaller_shares(s, s.job[j].queue))
    return whole(cost + rules.priority_cost * s.queue_share[s.job[j].queue])


@inner
def _smaller_shares(s: FlowState, queue: int) -> int:
    """Return how many queues have a smaller share than a queue."""
    count = 0
    for other in range(len(s.queue_share)):
        if s.queue_share[other] < s.queue_share[queue]:
            count += 1
    return count


@inner
def running_cost(w: World, s: FlowState, t: int, m: int) -> int:
    """Return the cost of the arc from a running task to its machine under preemption, less the cost of stopping.

    The time that it has run counts in powers of two of a second, so that its arc seldom changes. What it uses is in
    use already: were it counted once more, a task would go to and fro between two equal machines for ever.
    """
    rules, k = s.rules[0], s.task[t].kind
    lasting = rules.stay_cost
    if counts_resources(s) and k != NOBODY and w.machine[m].outage == 0:
        lasting += own_resource_cost(w, s, k, m)
    ran_s, counted_s = (w.control[0].now_ns - w.task[t].last_start_ns) // 1_000_000_000, 0
    if ran_s > 0:
        counted_s = min(1 << highest_bit(ran_s), OLDEST_S)
    return task_cost(w, s, t, m) - whole(lasting + rules.run_cost * counted_s)
