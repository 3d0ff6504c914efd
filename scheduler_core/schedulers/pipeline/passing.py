"""M1 to M6 and B: keep a task here, pass it to a scheduler node below, or to an outside provider."""

from __future__ import annotations

from scheduler_core.engine import rng
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.pipeline.choosing import among, clusters_all, may_hold
from scheduler_core.schedulers.pipeline.clock import lap
from scheduler_core.schedulers.pipeline.codes import (
    BY_LOAD,
    M1,
    M2,
    M3,
    M4,
    M5,
    M6,
    NEXT_NODE,
    NONE,
    R5,
    RANDOM_NODE,
    TWO_CHOICES,
    B,
)
from scheduler_core.schedulers.pipeline.state import PipelineState


@inner
def choose(w: World, s: PipelineState, number: int, task: int) -> int:
    """Return the machine for a task of a line, NOBODY when the filters leave none.

    What B and M6 add to its start goes to `extra_ns`. Counts what the plain algorithms would look at.

    Source: Reference architecture, Section III-D, stages M1 to M6 and B.
    """
    line, rules, machines = s.line[number], s.rules[0], w.free.shape[0]
    rules.extra_ns = 0
    found = NOBODY
    kept = rules.held_machine if rules.held_line == number else NOBODY
    if line.only != NOBODY and line.only == rules.held_machine and kept == NOBODY:
        return NOBODY
    if line.only != NOBODY:
        if may_hold(w, s, line.only, line.demand, line.queue) or _may_broker(w, s, line.only, line.demand):
            found = line.only
            s.stage[R5].operations += 1
            if rules.m2 == 1 and w.machine[found].cluster != rules.provider:
                _pass_on(s, 1)
    elif rules.m2 == 1:
        found = _over_nodes(w, s, number, task)
    else:
        found = among(w, s, line.demand, line.queue, task, 0, machines)
    if found == NOBODY and kept != NOBODY and may_hold(w, s, kept, line.demand, line.queue):
        found = kept
        s.stage[R5].operations += 1
    if found == NOBODY and rules.provider != NOBODY:
        found = _over_provider(w, s, line.demand, task)
    if found != NOBODY and w.machine[found].cluster == rules.provider:
        s.stage[B].calls += 1
        s.stage[B].operations += 1
        rules.brokered += 1
        rules.cost += rules.b_price * w.task[task].duration_ns / 1e9
        rules.extra_ns = rules.b_latency_ns
        lap(s, B)
    return int(found)


@called
def _over_provider(w: World, s: PipelineState, demand: int, task: int) -> int:
    """Return the provider's machine for a task without room here (M1), or NOBODY."""
    provider = s.rules[0].provider
    s.stage[M1].calls += 1
    s.stage[M1].operations += 1
    return among(w, s, demand, clusters_all(s), task, s.cluster_first[provider], s.cluster_first[provider + 1])


@inner
def _may_broker(w: World, s: PipelineState, machine: int, demand: int) -> bool:
    return w.machine[machine].cluster == s.rules[0].provider and may_hold(w, s, machine, demand, clusters_all(s))


@inner
def _pass_on(s: PipelineState, hops: int) -> None:
    """Send a task to a scheduler node (M6), after `hops` nodes without a machine; each takes a message."""
    rules = s.rules[0]
    s.stage[M2].calls += 1
    s.stage[M2].operations += 1
    s.stage[M6].calls += hops
    s.stage[M6].operations += hops
    rules.passed_on += hops
    rules.extra_ns = hops * rules.delay_ns
    lap(s, M6)


@called
def _over_nodes(w: World, s: PipelineState, number: int, task: int) -> int:
    """Return a machine by way of scheduler nodes (M3 to M6); a node without one passes the task on."""
    line, rules, nodes = s.line[number], s.rules[0], s.cluster_first.shape[0] - 1
    s.stage[M3].calls += 1
    s.stage[M3].operations += nodes
    s.stage[M5].calls += 1
    s.stage[M5].operations += nodes
    node = select_node(w, s, line.demand, task)
    lap(s, M5)
    for hop in range(nodes):
        at = (node + hop) % nodes
        if at == rules.provider or not node_left(w, s, at, line.demand):
            continue
        found = among(w, s, line.demand, line.queue, task, s.cluster_first[at], s.cluster_first[at + 1])
        if found != NOBODY:
            rules.next_node = at + 1
            _pass_on(s, hop + 1)
            return found
    return NOBODY


@inner
def node_left(w: World, s: PipelineState, node: int, demand: int) -> bool:
    """Return whether M4 leaves a node."""
    rules = s.rules[0]
    if rules.m4 == NONE:
        return True
    s.stage[M4].calls += 1
    s.stage[M4].operations += 1
    left = True
    if rules.m4 == BY_LOAD:
        left = bool(s.node_free[node, 0] > (1.0 - rules.m4_load) * s.node_total[node, 0])
    else:
        for r in range(s.node_free.shape[1]):
            left = left and s.node_free[node, r] >= w.demand[demand, r]
    lap(s, M4)
    return left


@inner
def select_node(w: World, s: PipelineState, demand: int, task: int) -> int:
    """Return the node that a task goes to first (M5).

    Source: Reference architecture, Section III-D, stages M4 and M5.
    """
    rules, nodes = s.rules[0], s.cluster_first.shape[0] - 1
    if rules.m5 == NEXT_NODE:
        return int(rules.next_node % nodes)
    key = w.task[task].attempts + 1_000 * rules.iterations
    first = rng.below(w.control[0].seed, rng.STREAM_PROBE, task, 2 * key, nodes)
    if rules.m5 == RANDOM_NODE:
        return first
    if rules.m5 == TWO_CHOICES:
        other = rng.below(w.control[0].seed, rng.STREAM_PROBE, task, 2 * key + 1, nodes)
        return other if s.node_free[other, 0] > s.node_free[first, 0] else first
    best = 0
    for node in range(nodes):
        if node != rules.provider and s.node_free[node, 0] > s.node_free[best, 0]:
            best = node
    return best
