"""One scheduling cycle: find feasible nodes, score them, choose one of the best.

Source: kubernetes/kubernetes, pkg/scheduler/schedule_one.go.
"""

from __future__ import annotations

from scheduler_core.engine import rng
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY
from scheduler_core.kube.filters import note_low, verdict_of, verdict_with_nominees
from scheduler_core.kube.model import CONFLICT, FEASIBLE, NOT_NAMED, UNRESOLVABLE, Model
from scheduler_core.kube.scores import balance_score, fit_score, score_nodes

_LEAST_NODES = 100


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


@inner
def _known_verdict(m: Model, p: int, c: int, n: int) -> int:
    """Return why a node refuses a pod, from the cache if nothing has changed on the node since."""
    it = m.klass[c]
    if it.cached == NOBODY or it.alone == 0 or m.node[n].nominee != NOBODY:
        return int(verdict_with_nominees(m, p, n))
    row = m.cached[it.cached, n]
    if row.version != m.node[n].version:
        _refresh(m, c, n)
    return int(row.verdict)


@called
def _refresh(m: Model, c: int, n: int) -> None:
    row = m.cached[m.klass[c].cached, n]
    row.verdict = verdict_of(m, c, n)
    row.version = m.node[n].version
    if row.verdict == FEASIBLE:
        row.fit = fit_score(m, c, n)
        row.balance = balance_score(m, c, n)


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
    examined, at = 0, settings.next_start % max(count, 1)
    while examined < count and found < enough:
        n = m.only[it.first_only + at] if named else at
        at = at + 1 if at + 1 < count else 0
        examined += 1
        why = _known_verdict(m, p, c, n)
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

    Upstream replaces its choice by the k-th node of an equal total with probability 1/k. One keyed draw among all of
    them has the same distribution.
    """
    top, equal = m.total[0], 1
    for i in range(1, found):
        if m.total[i] > top:
            top, equal = m.total[i], 1
        elif m.total[i] == top:
            equal += 1
    left = rng.below(seed, rng.STREAM_VISIT, p, attempt, equal)
    for i in range(found):
        if m.total[i] == top:
            if left == 0:
                return i
            left -= 1
    return 0


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
