"""Start a step of an event loop where only job arrivals create many events, and count the steps with room."""

from __future__ import annotations

from scheduler_core.engine.events import (
    EVENT_HEADROOM,
    HEAP_FULL,
    LANE_FULL,
    LOG_FULL,
    LOG_HEADROOM,
    REACHED,
    STATE_FULL,
    take_event,
)
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import LANES, World


@inner
def steps_until_many(w: World, wanted: int) -> tuple[int, int]:
    """Return (steps, what is full) like engine.events.steps_with_room, for steps of up to EVENT_HEADROOM events.

    Before each of them there is room for `wanted`, so any event may make this number; after that one the caller has
    to ask again. A division for each lane at nearly every event would cost a tenth of the run where jobs are large.
    """
    steps, full = (w.log.shape[0] - w.control[0].log_size) // LOG_HEADROOM, LOG_FULL
    spare = w.heap.shape[0] - w.control[0].heap_size - wanted
    if spare < 0:
        return 0, HEAP_FULL
    steps = min(steps, 1 + spare // EVENT_HEADROOM)
    for lane in range(LANES):
        spare = w.lane_event.shape[1] - (w.lane[lane].tail - w.lane[lane].head) - wanted
        if spare < 0:
            return 0, LANE_FULL
        steps = min(steps, 1 + spare // EVENT_HEADROOM)
    return max(steps, 0), full if steps < 1 else REACHED


@inner
def take_step(w: World, wanted: int, lacking: bool, until_ns: int, last: int, steps: int) -> tuple[int, int, int, int]:
    """Return (further steps with room, kind, a, b) of the next event.

    `steps` is what it gave the last time, or 0 where that one may have used up the room of many; `lacking`: the
    scheduler's own arrays are too full. The kind is -1 minus the reason to come back where no event is to be processed.
    """
    if steps == 0:
        steps, full = steps_until_many(w, wanted)
        if steps == 0:
            return 0, -1 - full, 0, 0
    if lacking:
        return 0, -1 - STATE_FULL, 0, 0
    kind, a, b = take_event(w, until_ns, last)
    return steps - 1, kind, a, b
