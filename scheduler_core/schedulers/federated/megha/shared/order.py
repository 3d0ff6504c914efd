"""The event order of Megha's public programs: a binary heap whose shape decides ties.

In that program, every event compares as smaller than any other event of the same time. So a new event rises above its
equals. This decides which requests are not yet verified when a state is copied, and therefore how many requests are
refused.

The program's clock is a floating point number of seconds. Sums that are equal on paper differ in their last bit if they
were added up in different ways (a hundredth of a second, and twenty delays of half a millisecond). Each event here also
carries that number. Of two events in the same nanosecond, the one with the smaller number comes first.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, Records, World


class Clocked(Protocol):
    """The state of one of the programs: `rules[0].now_s` is its clock, in s."""

    @property
    def rules(self) -> Records:
        """Return the one row of rules."""
        ...


@inner
def push(w: World, time_ns: int, at_s: float, kind: int, a: int) -> None:
    """Schedule an event; `at_s` is its time as the public simulator adds it up. The caller has seen to room."""
    control = w.control[0]
    hole = control.heap_size
    control.heap_size = hole + 1
    # Floating point numbers that are not negative are in the order of their bits.
    _rise(w, hole, time_ns, np.float64(at_s).view(np.int64), kind, a)  # type: ignore[arg-type]


@inner
def _rise(w: World, hole: int, time_ns: int, at: int, kind: int, a: int) -> None:
    while hole > 0:
        parent = (hole - 1) >> 1
        above = w.heap[parent]
        if above.time_ns < time_ns or (above.time_ns == time_ns and above.b < at):
            break
        _move(w, parent, hole)
        hole = parent
    here = w.heap[hole]
    here.time_ns = time_ns
    here.b = at
    here.order = kind
    here.a = a


@inner
def _move(w: World, source: int, hole: int) -> None:
    event, here = w.heap[source], w.heap[hole]
    here.time_ns = event.time_ns
    here.b = event.b
    here.order = event.order
    here.a = event.a


@inner
def pop(w: World, s: Clocked, until_ns: int) -> tuple[int, int]:
    """Take the first event not later than `until_ns`: (kind, a), kind NOBODY when there is none. Sets both clocks."""
    control = w.control[0]
    if control.heap_size == 0 or w.heap[0].time_ns > until_ns:
        return NOBODY, 0
    kind, a = w.heap[0].order, w.heap[0].a
    control.now_ns = w.heap[0].time_ns
    s.rules[0].now_s = np.int64(w.heap[0].b).view(np.float64)
    control.events += 1
    size = control.heap_size - 1
    control.heap_size = size
    last = w.heap[size]
    time_ns, at, last_kind, last_a = last.time_ns, last.b, last.order, last.a
    # The hole sinks to a leaf, and the last event rises from there: past its equals, too.
    hole = 0
    while 2 * hole + 1 < size:
        child = 2 * hole + 1
        if child + 1 < size:
            left, right = w.heap[child], w.heap[child + 1]
            if right.time_ns < left.time_ns or (right.time_ns == left.time_ns and right.b < left.b):
                child += 1
        _move(w, child, hole)
        hole = child
    if size > 0:
        _rise(w, hole, time_ns, at, last_kind, last_a)
    return kind, a
