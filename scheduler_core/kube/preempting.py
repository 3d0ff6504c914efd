"""DefaultPreemption: on which node which pods of lower priority make room for a pod.

Source: kubernetes/kubernetes, pkg/scheduler/framework/preemption and plugins/defaultpreemption.
"""

from __future__ import annotations

from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY
from scheduler_core.kube.counting import count_pod
from scheduler_core.kube.filters import note_low, verdict_with_nominees
from scheduler_core.kube.model import (
    FEASIBLE,
    KIND_MASK,
    NO_HELP,
    NO_VICTIMS,
    UNRESOLVABLE,
    Model,
)

_OFFSET = 1 << 31
"""Added to each priority before the sum, so that negative priorities do not make more victims better."""
_VIOLATING, _VICTIM = 1, 2
BY_PREEMPTION = 2


@inner
def may_preempt(m: Model, p: int, nominated_verdict: int) -> bool:
    """Return whether a pod may preempt others; `nominated_verdict` is why its nominated node refuses it."""
    row = m.pod[p]
    if m.klass[row.klass].never == 1:
        return False
    if row.nominated == NOBODY or nominated_verdict & UNRESOLVABLE != 0:
        return True
    at = m.node[row.nominated].head
    while at != NOBODY:
        if m.pod[at].terminating == BY_PREEMPTION and m.pod[at].priority < row.priority:
            return False
        at = m.pod[at].next
    return True


@called
def find_candidates(m: Model, p: int, offset: int) -> int:
    """Try preemption on the nodes whose `verdict` it may help, from one of them on; return the number of candidates.

    `candidate` holds what it would do on each node, `verdict` why it does not help. `offset` counts these nodes.
    """
    nodes, settings, helped = len(m.node), m.settings[0], 0
    for n in range(nodes):
        m.candidate[n].victims = 0
        if m.verdict[n] == FEASIBLE or m.verdict[n] & UNRESOLVABLE != 0:
            m.verdict[n] = NO_HELP
        else:
            m.feasible[helped] = n
            helped += 1
    most = max(helped * settings.candidate_percentage // 100, settings.candidate_least)
    most = min(most, helped)
    clean, violating = 0, 0
    for i in range(helped):
        n = m.feasible[(offset + i) % helped]
        m.verdict[n] = _try_node(m, p, n)
        it = m.candidate[n]
        if it.victims == 0:
            continue
        if it.violations > 0 and violating < most:
            violating += 1
        elif it.violations == 0 and clean < most:
            clean += 1
        else:
            it.victims = 0
        if clean > 0 and clean + violating >= most:
            break
    return clean + violating


@called
def choose_victims(m: Model, p: int, n: int) -> tuple[int, int]:
    """Mark the victims on a node and return their number, how many of them violate a budget, or (0, why not).

    `removed` lists the pods of lower priority, the most important first; marks of victims are at least 2.
    """
    count = _line_up(m, p, n)
    if count == 0:
        return 0, NO_VICTIMS
    for i in range(count):
        count_pod(m, m.removed[i], n, -1)
    note_low(m, m.pod[p].klass)
    why = verdict_with_nominees(m, p, n)
    victims, violations = 0, 0
    if why == FEASIBLE:
        _mark_violating(m, count)
        for turn in range(2):
            for i in range(count):
                q = m.removed[i]
                if (m.pod[q].mark & _VIOLATING == 0) == (turn == 1) and not _stays(m, p, q, n):
                    m.pod[q].mark |= _VICTIM
                    victims += 1
                    violations += 1 - turn
    for i in range(count):
        q = m.removed[i]
        if why != FEASIBLE or m.pod[q].mark & _VICTIM != 0:
            count_pod(m, q, n, 1)
    return victims, (violations if why == FEASIBLE else why)


@inner
def is_victim(m: Model, q: int) -> bool:
    """Return whether the last `choose_victims` marked a pod."""
    return bool(m.pod[q].mark & _VICTIM != 0)


@inner
def compare(m: Model, one: int, other: int) -> int:
    """Return 1 if preemption on the first node is better than on the other, -1 if it is worse, 0 if they are equal."""
    a, b = m.candidate[one], m.candidate[other]
    if a.violations != b.violations:
        return 1 if a.violations < b.violations else -1
    if a.top != b.top:
        return 1 if a.top < b.top else -1
    if a.total != b.total:
        return 1 if a.total < b.total else -1
    if a.victims != b.victims:
        return 1 if a.victims < b.victims else -1
    if a.start_ns != b.start_ns:
        return 1 if a.start_ns > b.start_ns else -1
    return 0


@inner
def best_candidate(m: Model) -> int:
    """Return the first of the best candidates, or NOBODY."""
    best = NOBODY
    for n in range(len(m.node)):
        if m.candidate[n].victims > 0 and (best == NOBODY or compare(m, n, best) > 0):
            best = n
    return best


@inner
def _try_node(m: Model, p: int, n: int) -> int:
    """Fill a node's row of `candidate`; return why preemption does not help there, or FEASIBLE."""
    victims, more = choose_victims(m, p, n)
    it = m.candidate[n]
    it.victims = victims
    if victims == 0:
        # With all of them back the pod fits, so the filters never refused: upstream takes no such node.
        return more if more & KIND_MASK != FEASIBLE else NO_VICTIMS
    it.violations, it.total, first = more, 0, True
    at = 0
    while victims > 0:
        q = m.removed[at]
        at += 1
        if not is_victim(m, q):
            continue
        victims -= 1
        it.total += m.pod[q].priority + _OFFSET
        if first:
            it.top, it.start_ns, first = m.pod[q].priority, m.pod[q].start_ns, False
        elif m.pod[q].priority == it.top:
            it.start_ns = min(it.start_ns, m.pod[q].start_ns)
    return FEASIBLE


@inner
def _line_up(m: Model, p: int, n: int) -> int:
    """List a node's pods of lower priority in `removed`, the most important first; return their number."""
    count, at = 0, m.node[n].head
    while at != NOBODY:
        row = m.pod[at]
        if row.priority < m.pod[p].priority:
            row.mark = 0
            place = count
            while place > 0 and _before(m, at, m.removed[place - 1]):
                m.removed[place] = m.removed[place - 1]
                place -= 1
            m.removed[place] = at
            count += 1
        at = row.next
    return count


@inner
def _before(m: Model, one: int, other: int) -> bool:
    """Return whether a pod is more important than another: a higher priority, or as high and an earlier start."""
    a, b = m.pod[one], m.pod[other]
    if a.priority != b.priority:
        return bool(a.priority > b.priority)
    return bool(a.start_ns < b.start_ns)


@inner
def _mark_violating(m: Model, count: int) -> None:
    """Mark which of the removed pods would violate a disruption budget, counting from the most important one."""
    if len(m.budget) == 0:
        return
    for b in range(len(m.budget)):
        m.budget[b].left = m.budget[b].allowed
    for i in range(count):
        row = m.pod[m.removed[i]]
        it = m.klass[row.klass]
        for k in range(it.first_budget, it.end_budget):
            budget = m.budget[m.guarded[k]]
            budget.left -= 1
            if budget.left < 0:
                row.mark |= _VIOLATING


@inner
def _stays(m: Model, p: int, q: int, n: int) -> bool:
    """Put a removed pod back, and return whether the new pod still fits beside it; if not, remove it again."""
    count_pod(m, q, n, 1)
    note_low(m, m.pod[p].klass)
    if verdict_with_nominees(m, p, n) == FEASIBLE:
        return True
    count_pod(m, q, n, -1)
    return False
