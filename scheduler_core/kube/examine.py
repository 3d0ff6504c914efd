"""Ask a model one question from Python. The functions are those that the scheduler `kubernetes` runs."""

from __future__ import annotations

from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import NOBODY
from scheduler_core.kube.counting import enter, leave
from scheduler_core.kube.cycle import find_nodes, nodes_to_find, select_host
from scheduler_core.kube.model import Model
from scheduler_core.kube.preempting import (
    best_candidate,
    choose_victims,
    compare,
    find_candidates,
    is_victim,
    may_preempt,
)
from scheduler_core.kube.scores import broken_line, collects_company, normalize, requests_any, score_nodes

PLACE, FIND, SCORE, PREEMPT, VICTIMS, ELIGIBLE, TIES, TO_FIND, LINE, NORMALIZE, COLLECTS, REQUESTS, HOST, TAKE = range(
    14
)


@inner
def _victims(m: Model, p: int, n: int) -> int:
    victims, _ = choose_victims(m, p, n)
    found, at = 0, 0
    while found < victims:
        q = m.removed[at]
        at += 1
        if is_victim(m, q):
            m.removed[found] = q
            found += 1
    return victims


@kernel
def examine(m: Model, what: int, p: int, x: int) -> int:
    """Answer a question about pod `p`; the arrays of the model hold the rest of the answer.

    PLACE: put the pod on node x. TAKE: take it away. FIND: examine nodes until x are feasible; their number. SCORE:
    score `feasible[:x]`. PREEMPT: fill `candidate` from the x-th possible node on; their number. VICTIMS: number of
    victims on node x; `removed` lists them first. ELIGIBLE: whether the pod may preempt, x the verdict of its nominated
    node. TIES: whether node x is as good as the best candidate. TO_FIND: how many of x nodes a search wants. LINE:
    value of the broken line at x. NORMALIZE: scale `points[0, :x]`; p = 1: reversed. COLLECTS, REQUESTS: whether pod
    affinity and balance take part in the score. HOST: the chosen one of x nodes by `total`, with p as seed.
    """
    if what == PLACE:
        enter(m, p, x)
    elif what == FIND:
        return find_nodes(m, p, x)
    elif what == SCORE:
        score_nodes(m, m.pod[p].klass, x)
    elif what == PREEMPT:
        return find_candidates(m, p, x)
    elif what == VICTIMS:
        return _victims(m, p, x)
    elif what == ELIGIBLE:
        return 1 if may_preempt(m, p, x) else 0
    elif what == TIES:
        best = best_candidate(m)
        return 1 if best != NOBODY and m.candidate[x].victims > 0 and compare(m, x, best) == 0 else 0
    elif what == TO_FIND:
        return nodes_to_find(m.settings[0].percentage, x)
    elif what == LINE:
        return broken_line(m, x, 1)
    elif what == NORMALIZE:
        normalize(m, x, p == 1)
    elif what == COLLECTS:
        return 1 if collects_company(m, m.pod[p].klass) else 0
    elif what == REQUESTS:
        return 1 if requests_any(m, m.pod[p].klass) else 0
    elif what == HOST:
        return select_host(m, x, p, 0, 0)
    elif what == TAKE:
        leave(m, p)
    return 0
