"""The filter plugins of kube-scheduler: what one node says to one pod.

Source: the plugins of kubernetes/kubernetes, pkg/scheduler/framework/plugins; the order is that of the default profile.
"""

from __future__ import annotations

from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY
from scheduler_core.kube.counting import count_pod
from scheduler_core.kube.model import (
    CORDONED,
    FEASIBLE,
    INTER_POD_AFFINITY,
    LACKING,
    NO_COMPANY,
    NO_DOMAIN,
    NODE_AFFINITY,
    NODE_NAME,
    NODE_PORTS,
    NODE_RESOURCES_FIT,
    NODE_UNSCHEDULABLE,
    NOT_ENFORCED,
    OTHER_LABELS,
    OTHER_NAME,
    OWN_ANTI,
    POD_TOPOLOGY_SPREAD,
    PODS,
    PORTS_TAKEN,
    REFUSED_ENFORCED,
    REFUSED_LABELS,
    REFUSED_NAME,
    REFUSED_TAINT,
    SKEWED,
    TAINT_TOLERATION,
    TAINTED,
    THEIR_ANTI,
    TOO_LITTLE,
    UNRESOLVABLE,
    Model,
)


@called
def verdict_of(m: Model, c: int, n: int) -> int:
    """Return why a node refuses a pod of a class, or FEASIBLE. `note_low` was called for the class.

    The first plugin that refuses decides.
    """
    filters = m.settings[0].filters
    found = _by_node(m, c, n, filters)
    if found == FEASIBLE and filters & NODE_PORTS != 0:
        found = _by_ports(m, c, n)
    if found == FEASIBLE and filters & NODE_RESOURCES_FIT != 0:
        found = _by_resources(m, c, n)
    if found == FEASIBLE and filters & POD_TOPOLOGY_SPREAD != 0:
        found = _by_spread(m, c, n)
    if found == FEASIBLE and filters & INTER_POD_AFFINITY != 0:
        found = _by_pods(m, c, n)
    return int(found)


@called
def verdict_with_nominees(m: Model, p: int, n: int) -> int:
    """Return why a node refuses a pod; pods of at least its priority that are nominated to the node may not lose room.

    The filters have to pass with these pods added, and without them.
    """
    c, added = m.pod[p].klass, 0
    if m.settings[0].nominees > 0 and m.node[n].nominee != NOBODY:
        q = m.node[n].nominee
        while q != NOBODY:
            if q != p and m.pod[q].priority >= m.pod[p].priority:
                count_pod(m, q, n, 1)
                added += 1
            q = m.pod[q].next_nominee
    if added > 0:
        note_low(m, c)
        found = verdict_of(m, c, n)
        q = m.node[n].nominee
        while q != NOBODY:
            if q != p and m.pod[q].priority >= m.pod[p].priority:
                count_pod(m, q, n, -1)
            q = m.pod[q].next_nominee
        note_low(m, c)
        if found != FEASIBLE:
            return int(found)
    return int(verdict_of(m, c, n))


@inner
def note_low(m: Model, c: int) -> None:
    """Find the least count in a domain for each DoNotSchedule constraint of a class, into `low`."""
    it = m.klass[c]
    for k in range(it.first_must, it.end_must):
        constraint = m.spread[k]
        counter = m.counter[constraint.counter]
        low = -1
        if counter.present >= constraint.min_domains:
            for d in range(counter.first, counter.first + counter.domains):
                if m.counted[d] == 1 and (low < 0 or m.tally[d] < low):
                    low = m.tally[d]
        m.low[k - it.first_must] = max(low, 0)


@inner
def _by_node(m: Model, c: int, n: int, filters: int) -> int:
    """NodeUnschedulable, NodeName, TaintToleration and NodeAffinity."""
    it, node = m.klass[c], m.node[n]
    if filters & NODE_UNSCHEDULABLE != 0 and node.cordoned == 1 and it.tolerates_cordon == 0:
        return CORDONED | UNRESOLVABLE
    refused = m.static[it.look, n]
    if refused & REFUSED_NAME != 0 and filters & NODE_NAME != 0:
        return OTHER_NAME | UNRESOLVABLE
    if (refused & REFUSED_TAINT != 0 or node.down == 1) and filters & TAINT_TOLERATION != 0:
        return TAINTED | UNRESOLVABLE
    if filters & NODE_AFFINITY != 0:
        if refused & REFUSED_ENFORCED != 0:
            return NOT_ENFORCED | UNRESOLVABLE
        if refused & REFUSED_LABELS != 0:
            return OTHER_LABELS | UNRESOLVABLE
    return FEASIBLE


@inner
def _by_ports(m: Model, c: int, n: int) -> int:
    """NodePorts."""
    it = m.klass[c]
    for k in range(it.first_clash, it.end_clash):
        if m.taken[m.port[k], n] > 0:
            return PORTS_TAKEN
    return FEASIBLE


@inner
def _by_resources(m: Model, c: int, n: int) -> int:
    """NodeResourcesFit."""
    found, hopeless = 0, False
    if m.used[n, PODS] + 1 > m.capacity[n, PODS]:
        found |= 1 << (LACKING + PODS)
    for r in range(1, m.used.shape[1]):
        request = m.request[c, r]
        if request > 0 and m.resource[3, r] == 0 and request > m.capacity[n, r] - m.used[n, r]:
            found |= 1 << (LACKING + r)
            hopeless = hopeless or request > m.capacity[n, r]
    if found == 0:
        return FEASIBLE
    return found | TOO_LITTLE | (UNRESOLVABLE if hopeless else 0)


@inner
def _by_spread(m: Model, c: int, n: int) -> int:
    """PodTopologySpread, the constraints with DoNotSchedule."""
    it = m.klass[c]
    for k in range(it.first_must, it.end_must):
        constraint = m.spread[k]
        d = m.domain[constraint.key, n]
        if d < 0:
            return NO_DOMAIN | UNRESOLVABLE
        counter = m.counter[constraint.counter]
        there = m.tally[counter.first + d] if m.counted[counter.first + d] == 1 else 0
        if there + constraint.itself - m.low[k - it.first_must] > constraint.max_skew:
            return SKEWED
    return FEASIBLE


@inner
def _by_pods(m: Model, c: int, n: int) -> int:
    """InterPodAffinity: required affinity, then the pod's anti-affinity, then that of the pods that exist."""
    it = m.klass[c]
    together, anybody = True, False
    for k in range(it.first_need, it.end_need):
        counter = m.counter[m.reading[k].counter]
        anybody = anybody or counter.total > 0
        d = m.domain[counter.key, n]
        if d < 0:
            return NO_COMPANY | UNRESOLVABLE
        together = together and m.tally[counter.first + d] > 0
    # The first of a group of pods that want each other may go to any node with the keys.
    if not together and (anybody or it.matches_itself == 0):
        return NO_COMPANY | UNRESOLVABLE
    if _any_there(m, it.first_avoid, it.end_avoid, n):
        return OWN_ANTI
    if _any_there(m, it.first_theirs, it.end_theirs, n):
        return THEIR_ANTI
    return FEASIBLE


@inner
def _any_there(m: Model, first: int, end: int, n: int) -> bool:
    for k in range(first, end):
        counter = m.counter[m.reading[k].counter]
        d = m.domain[counter.key, n]
        if d >= 0 and m.tally[counter.first + d] > 0:
            return True
    return False
