"""One decision: take the next pod, find its node, or make room for it by preemption."""

from __future__ import annotations

from scheduler_core.engine import rng
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide
from scheduler_core.kube.counting import nominate, unnominate
from scheduler_core.kube.cycle import choose_node
from scheduler_core.kube.filters import note_low, verdict_with_nominees
from scheduler_core.kube.model import (
    CORDONED,
    FEASIBLE,
    INTER_POD_AFFINITY,
    KIND_MASK,
    NO_COMPANY,
    NO_DOMAIN,
    NODE_AFFINITY,
    NODE_NAME,
    NODE_PORTS,
    NODE_RESOURCES_FIT,
    NODE_UNSCHEDULABLE,
    OTHER_NAME,
    POD_TOPOLOGY_SPREAD,
    PORTS_TAKEN,
    SCORES,
    SKEWED,
    TAINT_TOLERATION,
    TAINTED,
    THEIR_ANTI,
    TOO_LITTLE,
    Model,
)
from scheduler_core.kube.preempting import choose_victims, compare, find_candidates, may_preempt
from scheduler_core.schedulers.kubernetes.placing import start
from scheduler_core.schedulers.kubernetes.queues import ask, fail, move, next_pod
from scheduler_core.schedulers.kubernetes.reasons import MADE_ROOM, NO_NODE
from scheduler_core.schedulers.kubernetes.state import ACTIVE, BACKOFF, STOPPING, UNSCHEDULABLE_PODS, Own

_MANY = 1 << 30


@inner
def decide_turn(w: World, s: Own, m: Model) -> None:
    """Try one pod, and schedule the next decision for when this one is over."""
    rules = s.rules[0]
    rules.pending = 0
    t = next_pod(w, s, m)
    if t == NOBODY:
        return
    rules.decisions += 1
    s.queued[t].attempts += 1
    n, spent_ns = _search(w, s, m, t)
    rules.last_ns = int(spent_ns)
    rules.free_at_ns = w.control[0].now_ns + rules.last_ns
    if n != NOBODY:
        unnominate_and_release(s, m, t)
        start(w, s, m, t, n, _tenths(m))
    else:
        _give_up(w, s, m, t)
    if rules.phase != STOPPING and rules.waiting[ACTIVE] + rules.waiting[BACKOFF] > 0:
        ask(w, s)


@inner
def _search(w: World, s: Own, m: Model, t: int) -> tuple[int, float]:
    """Return the node for a pod or NOBODY, and how long the decision takes in ns."""
    rules, settings, c = s.rules[0], m.settings[0], m.pod[t].klass
    nodes = len(m.node)
    if _still_none(s, m, t):
        rules.looked += nodes
        return NOBODY, rules.decision_ns + rules.filter_ns * nodes
    n = choose_node(m, t, w.control[0].seed, s.queued[t].attempts)
    scored = settings.found if settings.found > 1 else 0
    rules.looked += settings.examined
    rules.scored += scored
    memo = s.memo[c]
    memo.failed = 1 if n == NOBODY else 0
    memo.seen = rules.released
    if n == NOBODY:
        memo.rejected = _rejected(m)
    return n, rules.decision_ns + rules.filter_ns * settings.examined + rules.score_ns * scored


@inner
def _still_none(s: Own, m: Model, t: int) -> bool:
    """Return whether no node can be feasible because none was for the pod's class, and none has got room since.

    Only for pods whose chances new pods cannot improve, and if there is nothing to preempt.
    """
    memo, it = s.memo[m.pod[t].klass], m.klass[m.pod[t].klass]
    if memo.failed == 0 or it.first_need != it.end_need or it.first_must != it.end_must:
        return False
    since = s.rules[0].released - memo.seen
    if since >= len(m.node) or m.pod[t].nominated != NOBODY or m.settings[0].nominees > 0:
        return False
    if s.rules[0].preempts == 1 and it.never == 0:
        for level in range(s.queued[t].level):
            if s.running[level] > 0:
                return False
    note_low(m, m.pod[t].klass)
    for k in range(memo.seen, s.rules[0].released):
        why = verdict_with_nominees(m, t, s.freed[k % len(s.freed)])
        if why == FEASIBLE:
            return False
        memo.rejected |= _plugin_of(why & KIND_MASK)
    memo.seen = s.rules[0].released
    return True


@inner
def _rejected(m: Model) -> int:
    """Return the filter plugins that refused the pod on some node, as bits."""
    found = 0
    for n in range(len(m.node)):
        found |= _plugin_of(m.verdict[n] & KIND_MASK)
    return found


@inner
def _plugin_of(kind: int) -> int:
    if kind == TOO_LITTLE:
        return NODE_RESOURCES_FIT
    if kind == CORDONED:
        return NODE_UNSCHEDULABLE
    if kind == OTHER_NAME:
        return NODE_NAME
    if kind == TAINTED:
        return TAINT_TOLERATION
    if kind == PORTS_TAKEN:
        return NODE_PORTS
    if kind == NO_DOMAIN or kind == SKEWED:
        return POD_TOPOLOGY_SPREAD
    if NO_COMPANY <= kind <= THEIR_ANTI:
        return INTER_POD_AFFINITY
    return NODE_AFFINITY if kind != FEASIBLE else 0


@inner
def _give_up(w: World, s: Own, m: Model, t: int) -> None:
    """Try preemption for a pod that no node takes; the pod waits in any case."""
    rules, row = s.rules[0], s.queued[t]
    rejected = s.memo[m.pod[t].klass].rejected
    n = _make_room(w, s, m, t) if rules.preempts == 1 else NOBODY
    fail(w, s, t, rejected)
    if n == NOBODY:
        rules.in_vain += 1
        if row.told == 0 or w.control[0].watched_task == t:
            row.told = 1
            decide(w, t, NOBODY, NO_NODE, NOBODY, NOBODY, row.attempts, 0)
        return
    rules.nominations += 1
    rules.task, rules.machine = t, n
    rules.phase, rules.at = STOPPING, 0
    decide(w, t, n, MADE_ROOM, NOBODY, NOBODY, rules.victims, 0)


@inner
def _make_room(w: World, s: Own, m: Model, t: int) -> int:
    """Return the node where preemption makes room for a pod, or NOBODY; the victims are marked and `removed`.

    The node is the pod's nominated one from now on; pods of lower priority lose their nomination to it.
    """
    rules, row = s.rules[0], m.pod[t]
    lower = False
    for level in range(s.queued[t].level):
        lower = lower or s.running[level] > 0
    nominated = m.verdict[row.nominated] if row.nominated != NOBODY else 0
    if not lower or not may_preempt(m, t, nominated):
        return NOBODY
    attempt, seed = s.queued[t].attempts, w.control[0].seed
    offset = rng.below(seed, rng.STREAM_CHANCE, t, attempt, _MANY)
    if find_candidates(m, t, offset) == 0:
        unnominate_and_release(s, m, t)
        return NOBODY
    best, equal = NOBODY, 1
    for n in range(len(m.node)):
        if m.candidate[n].victims > 0:
            better = 1 if best == NOBODY else compare(m, n, best)
            if better > 0:
                best, equal = n, 1
            elif better == 0:
                equal += 1
                if rng.below(seed, rng.STREAM_TIE, t, (attempt << 20) + n, equal) == 0:
                    best = n
    rules.victims, _ = choose_victims(m, t, best)
    rules.end = _count_removed(m, t, best)
    _clear_nominees(w, s, m, t, best)
    unnominate_and_release(s, m, t)
    nominate(m, t, best)
    return int(best)


@inner
def _count_removed(m: Model, t: int, n: int) -> int:
    """Return how many pods of lower priority are on a node: the length of the list `removed`."""
    count, at = 0, m.node[n].head
    while at != NOBODY:
        if m.pod[at].priority < m.pod[t].priority:
            count += 1
        at = m.pod[at].next
    return count


@inner
def _clear_nominees(w: World, s: Own, m: Model, t: int, n: int) -> None:
    at = m.node[n].nominee
    while at != NOBODY:
        after = m.pod[at].next_nominee
        if m.pod[at].priority < m.pod[t].priority:
            unnominate_and_release(s, m, at)
            if s.queued[at].where == UNSCHEDULABLE_PODS:
                move(w, s, m, at)
        at = after


@called
def unnominate_and_release(s: Own, m: Model, t: int) -> None:
    """Forget a pod's nomination: its node may take others again."""
    n = m.pod[t].nominated
    if n != NOBODY:
        unnominate(m, t)
        note_freed(s, n)


@inner
def note_freed(s: Own, n: int) -> None:
    """Note that a node has got room."""
    rules = s.rules[0]
    s.freed[rules.released % len(s.freed)] = n
    rules.released += 1


@inner
def _tenths(m: Model) -> int:
    """Return the score of the chosen node in tenths of a point, where the best possible is 100 points."""
    settings, weights = m.settings[0], 0
    if settings.found < 2:
        return 0
    for plugin in range(SCORES):
        weights += settings.weight[plugin]
    return int(m.total[settings.chosen] * 10 // weights) if weights > 0 else 0
