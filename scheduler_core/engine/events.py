"""The order of events, defined in one place: (time, kind priority, sequence number).

Each event kind is a small integer and its own priority. At one instant a lower kind goes first; within a kind, the
event that was scheduled first goes first. Three sources hold future events: jobs (sorted by arrival), a heap, and
lanes. A lane is a ring for events at a constant delay ahead. Their times never decrease, so they need
no heap. Most events of a protocol are messages with one network delay and fit a lane. An event that would break a
lane's order goes to the heap instead, so the order is always correct.
"""

from __future__ import annotations

from scheduler_core.engine.incidents import KIND_INCIDENT, begin_walk, next_step
from scheduler_core.engine.jit import called, inner, kernel
from scheduler_core.engine.records import LANES, NEVER, Records, World
from scheduler_core.engine.tasks import all_settled

_KIND_SHIFT = 48
KIND_JOB_ARRIVAL = 64
"""Arrivals come after all messages of their instant. Higher kinds are for events that must follow all others."""

# Why `advance` came back.
DONE, REACHED, ENOUGH, LOG_FULL, HEAP_FULL, LANE_FULL, STATE_FULL = range(7)

LOG_HEADROOM = 128
EVENT_HEADROOM = 64


@kernel
def order_key(kind: int, sequence: int) -> int:
    """Return the kind priority and the sequence number as one number."""
    return (kind << _KIND_SHIFT) | sequence


@inner
def _take_sequence(w: World) -> int:
    control = w.control[0]
    sequence: int = control.next_sequence
    control.next_sequence = sequence + 1
    return sequence


@kernel
def schedule(w: World, time_ns: int, kind: int, a: int, b: int) -> None:
    """Schedule an event in the heap. The caller's loop has already ensured free room (EVENT_HEADROOM)."""
    _heap_push(w.heap, w.control, time_ns, order_key(kind, _take_sequence(w)), a, b)


@called
def _heap_push(heap: Records, control: Records, time_ns: int, order: int, a: int, b: int) -> None:
    hole = control[0].heap_size
    control[0].heap_size = hole + 1
    while hole > 0:
        parent = (hole - 1) >> 2
        above = heap[parent]
        if above.time_ns < time_ns or (above.time_ns == time_ns and above.order < order):
            break
        here = heap[hole]
        here.time_ns = above.time_ns
        here.order = above.order
        here.a = above.a
        here.b = above.b
        hole = parent
    here = heap[hole]
    here.time_ns = time_ns
    here.order = order
    here.a = a
    here.b = b


@inner
def _heap_drop_first(w: World) -> None:
    control = w.control[0]
    heap = w.heap
    size = control.heap_size - 1
    control.heap_size = size
    if size == 0:
        return
    last = heap[size]
    time_ns, order, a, b = last.time_ns, last.order, last.a, last.b
    hole = 0
    while True:
        child = 4 * hole + 1
        if child >= size:
            break
        best = child
        best_time, best_order = heap[child].time_ns, heap[child].order
        for other in range(child + 1, min(child + 4, size)):
            other_time = heap[other].time_ns
            if other_time < best_time or (other_time == best_time and heap[other].order < best_order):
                best = other
                best_time, best_order = other_time, heap[other].order
        if time_ns < best_time or (time_ns == best_time and order < best_order):
            break
        here = heap[hole]
        down = heap[best]
        here.time_ns = down.time_ns
        here.order = down.order
        here.a = down.a
        here.b = down.b
        hole = best
    here = heap[hole]
    here.time_ns = time_ns
    here.order = order
    here.a = a
    here.b = b


@kernel
def schedule_in_lane(w: World, lane: int, time_ns: int, kind: int, a: int, b: int) -> None:
    """Schedule an event in a lane if it is the latest there, otherwise in the heap."""
    order = order_key(kind, _take_sequence(w))
    ring = w.lane[lane]
    mask = w.lane_event.shape[1] - 1
    if ring.tail > ring.head:
        newest = w.lane_event[lane, (ring.tail - 1) & mask]
        if newest.time_ns > time_ns or (newest.time_ns == time_ns and newest.order > order):
            _heap_push(w.heap, w.control, time_ns, order, a, b)
            return
    event = w.lane_event[lane, ring.tail & mask]
    event.time_ns = time_ns
    event.order = order
    event.a = a
    event.b = b
    ring.tail += 1


@inner
def steps_with_room(w: World, wanted: int) -> tuple[int, int]:
    """Return (steps, what is full): the number of steps that the log, the heap and every lane have room for.

    A step needs room for `wanted` events. Callers ask once for many steps. If `steps` is 0, the second number names the
    full buffer; otherwise it is REACHED.
    """
    steps, full = (w.log.shape[0] - w.control[0].log_size) // LOG_HEADROOM, LOG_FULL
    left = (w.heap.shape[0] - w.control[0].heap_size) // wanted
    if left < steps:
        steps, full = left, HEAP_FULL
    for lane in range(LANES):
        left = (w.lane_event.shape[1] - (w.lane[lane].tail - w.lane[lane].head)) // wanted
        if left < steps:
            steps, full = left, LANE_FULL
    return max(steps, 0), full if steps < 1 else REACHED


@inner
def nothing_comes(w: World) -> bool:
    """Return True if no events remain. Waiting tasks then wait for machines that never return to service."""
    if w.control[0].heap_size > 0 or w.control[0].next_job < w.job.shape[0]:
        return False
    for lane in range(LANES):
        if w.lane[lane].tail > w.lane[lane].head:
            return False
    return True


@kernel
def next_event(w: World, until_ns: int) -> tuple[int, int, int, int]:
    """Remove the first event up to `until_ns` and return (kind, time_ns, a, b); kind is -1 if there is none.

    Set the clock to the event's time. For a job's arrival `a` is the job.
    """
    control = w.control[0]
    mask = w.lane_event.shape[1] - 1
    time_ns, order, source = NEVER, NEVER, -1
    if control.heap_size > 0:
        time_ns, order, source = w.heap[0].time_ns, w.heap[0].order, LANES
    for lane in range(LANES):
        ring = w.lane[lane]
        if ring.tail > ring.head:
            event = w.lane_event[lane, ring.head & mask]
            if event.time_ns < time_ns or (event.time_ns == time_ns and event.order < order):
                time_ns, order, source = event.time_ns, event.order, lane
    if control.next_job < w.job.shape[0]:
        arrival_ns = w.job[control.next_job].arrival_ns
        arrival_order = order_key(KIND_JOB_ARRIVAL, 0)
        if arrival_ns < time_ns or (arrival_ns == time_ns and arrival_order < order):
            time_ns, order, source = arrival_ns, arrival_order, LANES + 1
    if source < 0 or time_ns > until_ns:
        return -1, time_ns, 0, 0
    control.now_ns = time_ns
    control.events += 1
    if source == LANES + 1:
        job = control.next_job
        control.next_job = job + 1
        return KIND_JOB_ARRIVAL, time_ns, job, 0
    if source == LANES:
        a, b = w.heap[0].a, w.heap[0].b
        _heap_drop_first(w)
    else:
        event = w.lane_event[source, w.lane[source].head & mask]
        a, b = event.a, event.b
        w.lane[source].head += 1
    return order >> _KIND_SHIFT, time_ns, a, b


@inner
def take_event(w: World, until_ns: int, last: int) -> tuple[int, int, int]:
    """Return the next event of a loop as (kind, a, b), or -1 minus the reason to stop as the kind.

    The reasons are DONE, ENOUGH and REACHED. An incident arrives as one event for each step of the walk through it
    (engine.incidents).
    """
    if w.control[0].walking == 0:
        if all_settled(w):
            return -1 - DONE, 0, 0
        if w.control[0].events >= last:
            return -1 - ENOUGH, 0, 0
        kind, _, a, b = next_event(w, until_ns)
        if kind < 0:
            return -1 - REACHED, 0, 0
        if kind != KIND_INCIDENT:
            return kind, a, b
        begin_walk(w, a)
    step, number = next_step(w)
    return KIND_INCIDENT, step, number
