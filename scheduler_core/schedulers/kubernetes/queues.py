"""The scheduling queue: active pods, pods that back off, and unschedulable pods that wait for an event.

Source: kubernetes/kubernetes, pkg/scheduler/backend/queue. Pods that back off are tried when no pod is active, as since
release 1.33.
"""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.kube.model import (
    INTER_POD_AFFINITY,
    NODE_PORTS,
    NODE_RESOURCES_FIT,
    POD_TOPOLOGY_SPREAD,
    Model,
)
from scheduler_core.schedulers.kubernetes.state import (
    ACTIVE,
    BACKOFF,
    DECIDE,
    NOWHERE,
    UNSCHEDULABLE_PODS,
    Own,
)

BY_POD_GONE = NODE_PORTS | NODE_RESOURCES_FIT | POD_TOPOLOGY_SPREAD | INTER_POD_AFFINITY
BY_POD_ADDED = POD_TOPOLOGY_SPREAD | INTER_POD_AFFINITY
BY_NODE = 255
_WINDOW_NS = 1_000_000_000


@inner
def ask(w: World, s: Own) -> None:
    """Schedule the next decision: at the end of this instant, or when the current one is over."""
    rules = s.rules[0]
    if rules.pending == 0:
        rules.pending = 1
        schedule(w, max(w.control[0].now_ns, rules.free_at_ns), DECIDE, 0, 0)


@inner
def come(w: World, s: Own, m: Model, t: int) -> None:
    """Let a new pod wait for its first attempt."""
    row = s.queued[t]
    row.attempts = 0
    row.stamp_ns = w.control[0].now_ns
    row.rejected = 0
    _push(s, m, ACTIVE, t)


@inner
def next_pod(w: World, s: Own, m: Model) -> int:
    """Take the next pod from the queue, or return NOBODY: active pods first, then those that back off."""
    rules, now_ns = s.rules[0], w.control[0].now_ns
    while rules.waiting[BACKOFF] > 0:
        first = s.queue[BACKOFF, 0]
        if _window(s.queued[first].ready_ns) > now_ns:
            break
        _push(s, m, ACTIVE, _pop(s, m, BACKOFF))
    if rules.waiting[ACTIVE] > 0:
        return _pop(s, m, ACTIVE)
    if rules.waiting[BACKOFF] > 0:
        return _pop(s, m, BACKOFF)
    return NOBODY


@inner
def fail(w: World, s: Own, t: int, rejected: int) -> None:
    """Let a pod that no node takes wait for an event that may help it; `rejected` are bits of filter plugins."""
    row, rules = s.queued[t], s.rules[0]
    row.stamp_ns = w.control[0].now_ns
    row.rejected = rejected
    row.where = UNSCHEDULABLE_PODS
    row.spot = rules.waiting[UNSCHEDULABLE_PODS]
    s.queue[UNSCHEDULABLE_PODS, row.spot] = t
    rules.waiting[UNSCHEDULABLE_PODS] += 1
    if rejected & BY_POD_ADDED != 0:
        rules.watching += 1


@inner
def move_all(w: World, s: Own, m: Model, helped: int) -> None:
    """Let unschedulable pods be tried again that one of these plugins rejected."""
    at = 0
    while at < s.rules[0].waiting[UNSCHEDULABLE_PODS]:
        t = s.queue[UNSCHEDULABLE_PODS, at]
        if s.queued[t].rejected & helped != 0 or m.pod[t].nominated != NOBODY:
            move(w, s, m, t)
        else:
            at += 1


@called
def move(w: World, s: Own, m: Model, t: int) -> None:
    """Let an unschedulable pod be tried again, after its back-off unless no other pod is active."""
    rules, row = s.rules[0], s.queued[t]
    last = rules.waiting[UNSCHEDULABLE_PODS] - 1
    other = s.queue[UNSCHEDULABLE_PODS, last]
    s.queue[UNSCHEDULABLE_PODS, row.spot] = other
    s.queued[other].spot = row.spot
    rules.waiting[UNSCHEDULABLE_PODS] = last
    if row.rejected & BY_POD_ADDED != 0:
        rules.watching -= 1
    rules.requeued += 1
    backoff_ns, most_ns = rules.first_backoff_ns, rules.most_backoff_ns
    for _ in range(row.attempts - 1):
        if backoff_ns >= most_ns:
            break
        backoff_ns *= 2
    row.ready_ns = row.stamp_ns + min(backoff_ns, most_ns)
    if _window(row.ready_ns) > w.control[0].now_ns:
        _push(s, m, BACKOFF, t)
    else:
        _push(s, m, ACTIVE, t)


@inner
def _window(time_ns: int) -> int:
    return int(time_ns // _WINDOW_NS * _WINDOW_NS)


@called
def _before(s: Own, m: Model, which: int, one: int, other: int) -> bool:
    """Return whether a pod leaves a queue before another: by priority, then by time."""
    a, b = s.queued[one], s.queued[other]
    if which == BACKOFF and _window(a.ready_ns) != _window(b.ready_ns):
        return bool(a.ready_ns < b.ready_ns)
    if m.pod[one].priority != m.pod[other].priority:
        return bool(m.pod[one].priority > m.pod[other].priority)
    if a.stamp_ns != b.stamp_ns:
        return bool(a.stamp_ns < b.stamp_ns)
    return bool(a.order < b.order)


@called
def _push(s: Own, m: Model, which: int, t: int) -> None:
    rules, row = s.rules[0], s.queued[t]
    row.where = which
    row.order = rules.order
    rules.order += 1
    hole = rules.waiting[which]
    rules.waiting[which] = hole + 1
    while hole > 0:
        parent = (hole - 1) >> 1
        if _before(s, m, which, s.queue[which, parent], t):
            break
        s.queue[which, hole] = s.queue[which, parent]
        hole = parent
    s.queue[which, hole] = t


@called
def _pop(s: Own, m: Model, which: int) -> int:
    rules = s.rules[0]
    first = s.queue[which, 0]
    size = rules.waiting[which] - 1
    rules.waiting[which] = size
    t = s.queue[which, size]
    hole = 0
    while True:
        child = 2 * hole + 1
        if child >= size:
            break
        if child + 1 < size and _before(s, m, which, s.queue[which, child + 1], s.queue[which, child]):
            child += 1
        if _before(s, m, which, t, s.queue[which, child]):
            break
        s.queue[which, hole] = s.queue[which, child]
        hole = child
    s.queue[which, hole] = t
    s.queued[first].where = NOWHERE
    return int(first)
