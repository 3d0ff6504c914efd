"""Place pods on nodes and take them away; keep the requested resources, host ports and counters up to date."""

from __future__ import annotations

from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY
from scheduler_core.kube.model import PODS, Model


@called
def count_pod(m: Model, p: int, n: int, sign: int) -> None:
    """Add a pod to what its node holds and to the counters (sign 1), or take it away (-1)."""
    c = m.pod[p].klass
    it = m.klass[c]
    for r in range(m.used.shape[1]):
        m.used[n, r] += sign * m.request[c, r]
        m.scored[n, r] += sign * m.scoring[c, r]
    m.used[n, PODS] += sign
    m.node[n].version += 1
    for k in range(it.first_port, it.end_port):
        m.taken[m.port[k], n] += sign
    for u in range(it.first_update, it.end_update):
        if m.update[u].live == 0 or m.pod[p].terminating == 0:
            _add(m, u, n, sign)


@called
def begin_terminating(m: Model, p: int, why: int) -> None:
    """Mark a pod as terminating: topology spreading no longer counts it."""
    it, row = m.klass[m.pod[p].klass], m.pod[p]
    if row.terminating != 0:
        return
    for u in range(it.first_update, it.end_update):
        if m.update[u].live == 1:
            _add(m, u, row.node, -1)
    row.terminating = why


@inner
def _add(m: Model, u: int, n: int, sign: int) -> None:
    row = m.update[u]
    counter = m.counter[row.counter]
    d = m.domain[counter.key, n]
    if d < 0 or (counter.eligible >= 0 and m.eligible[counter.eligible, n] == 0):
        return
    m.tally[counter.first + d] += sign * row.amount
    counter.total += sign * row.amount


@inner
def enter(m: Model, p: int, n: int) -> None:
    """Place a pod on a node, behind the others."""
    node, row = m.node[n], m.pod[p]
    row.node = n
    row.next = NOBODY
    row.previous = node.tail
    if node.tail == NOBODY:
        node.head = p
    else:
        m.pod[node.tail].next = p
    node.tail = p
    count_pod(m, p, n, 1)


@inner
def leave(m: Model, p: int) -> None:
    """Take a pod from its node."""
    row = m.pod[p]
    node = m.node[row.node]
    count_pod(m, p, row.node, -1)
    if row.previous == NOBODY:
        node.head = row.next
    else:
        m.pod[row.previous].next = row.next
    if row.next == NOBODY:
        node.tail = row.previous
    else:
        m.pod[row.next].previous = row.previous
    row.node = NOBODY
    row.terminating = 0


@inner
def nominate(m: Model, p: int, n: int) -> None:
    """Nominate a pod to a node: other pods of at most its priority leave it the room."""
    row = m.pod[p]
    row.nominated = n
    row.next_nominee = m.node[n].nominee
    m.node[n].nominee = p
    m.settings[0].nominees += 1


@inner
def unnominate(m: Model, p: int) -> None:
    """Forget the node to which a pod is nominated, if there is one."""
    row = m.pod[p]
    if row.nominated == NOBODY:
        return
    node = m.node[row.nominated]
    if node.nominee == p:
        node.nominee = row.next_nominee
    else:
        at = node.nominee
        while m.pod[at].next_nominee != p:
            at = m.pod[at].next_nominee
        m.pod[at].next_nominee = row.next_nominee
    row.nominated = NOBODY
    row.next_nominee = NOBODY
    m.settings[0].nominees -= 1
