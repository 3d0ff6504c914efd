"""One scheduling cycle: find feasible nodes, score them, choose one of the best.

Source: kubernetes/kubernetes, pkg/scheduler/schedule_one.go.
"""

from __future__ import annotations

from scheduler_core.engine import rng
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY
from scheduler_core.kube.filters import note_low, verdict_with_nominees
from scheduler_core.kube.model import CONFLICT, FEASIBLE, NOT_NAMED, UNRESOLVABLE, Model
from scheduler_core.kube.scores import score_nodes

_LEAST_NODES = 100
_BITS = 20


@inner
def nodes_to_find(percentage: int, nodes: int) -> int:
    """Return how many feasible nodes end the search (numFeasibleNodesToFind); percentage 0 is adaptive."""
    if nodes < _LEAST_NODES:
        return nodes
    part = percentage
    if part == 0:
        part = max(5, 50 - nodes // 125)
    if part >= 100:
        return nodes
    return int(max(_LEAST_NODES, nodes * part // 100))


@called
def find_nodes(m: Model, p: int, wanted: int) -> int:
    """Examine nodes from the place where the last search ended; return how many feasible ones `feasible` holds.

    `verdict` holds why the examined nodes refuse, and 0 for the others. `wanted` feasible nodes end the search; 0
    means as many as the settings say.
    """
    settings, c, nodes = m.settings[0], m.pod[p].klass, len(m.node)
    it, found = m.klass[c], 0
    named = it.named != 0
    count = it.end_only - it.first_only if named else nodes
    enough = wanted if wanted > 0 else nodes_to_find(settings.percentage, count)
    others = 0
    if named:
        others = (NOT_NAMED if it.named == 1 else CONFLICT) | UNRESOLVABLE
    for n in range(nodes):
        m.verdict[n] = others
    note_low(m, c)
    examined = 0
    while examined < count and found < enough:
        n = (settings.next_start + examined) % count
        if named:
            n = m.only[it.first_only + n]
        examined += 1
        why = verdict_with_nominees(m, p, n)
        m.verdict[n] = why
        if why == FEASIBLE:
            m.feasible[found] = n
            found += 1
    settings.next_start = (settings.next_start + examined) % max(nodes, 1)
    settings.examined = examined
    settings.found = found
    return int(found)


@inner
def select_host(m: Model, found: int, seed: int, p: int, attempt: int) -> int:
    """Return the place in `feasible` of one of the nodes with the highest total, each equally likely.

    The k-th node of an equal total replaces the choice with probability 1/k, by a keyed draw.
    """
    best, equal = 0, 1
    for i in range(1, found):
        if m.total[i] > m.total[best]:
            best, equal = i, 1
        elif m.total[i] == m.total[best]:
            equal += 1
            if rng.below(seed, rng.STREAM_VISIT, p, (attempt << _BITS) + i, equal) == 0:
                best = i
    return best


@inner
def _nominated_fits(m: Model, p: int) -> bool:
    """Return whether the node to which a pod is nominated takes it; that node is tried before all others."""
    settings, n = m.settings[0], m.pod[p].nominated
    note_low(m, m.pod[p].klass)
    if verdict_with_nominees(m, p, n) != FEASIBLE:
        return False
    m.feasible[0] = n
    settings.found, settings.examined, settings.chosen = 1, 1, 0
    return True


@called
def choose_node(m: Model, p: int, seed: int, attempt: int) -> int:
    """Return the node for a pod, or NOBODY if none is feasible; a single feasible node is taken without scores."""
    if m.pod[p].nominated != NOBODY and _nominated_fits(m, p):
        return int(m.pod[p].nominated)
    found = find_nodes(m, p, 0)
    if found == 0:
        return NOBODY
    place = 0
    if found > 1:
        score_nodes(m, m.pod[p].klass, found)
        place = select_host(m, found, seed, p, attempt)
    m.settings[0].chosen = place
    return int(m.feasible[place])
