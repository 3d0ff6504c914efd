"""Order of events of Megha's public simulator: a binary heap whose ties are settled by the heap's own shape.

There every event claims to be smaller than any other of its time. A new one therefore rises above its equals, and
what an instant leaves unverified when a state is copied, hence how many requests go stale, depends on it.
"""

from __future__ import annotations

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World


@inner
def push(w: World, time_ns: int, kind: int, a: int) -> None:
    """Schedule an event. The caller has seen to room in the heap."""
    control = w.control[0]
    hole = control.heap_size
    control.heap_size = hole + 1
    _rise(w, hole, time_ns, kind, a)


@inner
def _rise(w: World, hole: int, time_ns: int, kind: int, a: int) -> None:
    while hole > 0:
        parent = (hole - 1) >> 1
        above = w.heap[parent]
        if above.time_ns < time_ns:
            break
        here = w.heap[hole]
        here.time_ns = above.time_ns
        here.order = above.order
        here.a = above.a
        hole = parent
    here = w.heap[hole]
    here.time_ns = time_ns
    here.order = kind
    here.a = a


@inner
def pop(w: World, until_ns: int) -> tuple[int, int]:
    """Take the first event not later than `until_ns`: (kind, a), kind NOBODY when there is none. Sets the clock."""
    control = w.control[0]
    if control.heap_size == 0 or w.heap[0].time_ns > until_ns:
        return NOBODY, 0
    kind, a = w.heap[0].order, w.heap[0].a
    control.now_ns = w.heap[0].time_ns
    control.events += 1
    size = control.heap_size - 1
    control.heap_size = size
    last = w.heap[size]
    time_ns, last_kind, last_a = last.time_ns, last.order, last.a
    # The hole sinks to a leaf, and the last event rises from there: past its equals, too.
    hole = 0
    while 2 * hole + 1 < size:
        child = 2 * hole + 1
        if child + 1 < size and w.heap[child + 1].time_ns < w.heap[child].time_ns:
            child += 1
        here, below = w.heap[hole], w.heap[child]
        here.time_ns = below.time_ns
        here.order = below.order
        here.a = below.a
        hole = child
    if size > 0:
        _rise(w, hole, time_ns, last_kind, last_a)
    return kind, a
