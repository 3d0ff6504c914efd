"""Ask a policy about one task and one machine, without deciding anything: for explanations and editors."""

from __future__ import annotations

import math

from scheduler_core.engine.jit import kernel
from scheduler_core.engine.records import NOBODY, Ints, World
from scheduler_core.schedulers.own.choosing import has_room, offers_all
from scheduler_core.schedulers.own.interpreting import answer, prepare
from scheduler_core.schedulers.own.packing import Floats
from scheduler_core.schedulers.own.reading import free, read
from scheduler_core.schedulers.own.state import FILTER, SCORE, OwnState

NO_ROOM, FILTERED, USABLE, UNSUITED, OUT_OF_SERVICE = range(5)
VERDICTS = {
    "out_of_service": OUT_OF_SERVICE,
    "unsuited": UNSUITED,
    "no_room": NO_ROOM,
    "filtered": FILTERED,
    "usable": USABLE,
}
"""What becomes of a machine, by name; `unsuited` lacks a constraint that the task asks for."""


@kernel
def judge(w: World, s: OwnState, viewer: int, t: int, m: int) -> int:
    """Return what becomes of a machine for a task, as scheduler `viewer` sees it; the score's rows are then computed.

    `register` holds the terms of the score afterwards; the steps that this takes are the caller's.
    """
    s.rules[0].viewer = viewer
    if free(w, s, m, 0) < 0:
        return OUT_OF_SERVICE
    if not offers_all(w, s, w.task[t].demand, m):
        return UNSUITED
    if not has_room(w, s, w.task[t].demand, m):
        return NO_ROOM
    j = w.task[t].job
    if s.hook[FILTER].there == 1:
        prepare(w, s, FILTER, t, j)
        passes = answer(w, s, FILTER, t, j, m, NOBODY)
        if math.isnan(passes) or passes == 0.0:
            return FILTERED
    if s.hook[SCORE].there == 1:
        prepare(w, s, SCORE, t, j)
        answer(w, s, SCORE, t, j, m, NOBODY)
    return USABLE


@kernel
def word_value(w: World, s: OwnState, number: int, t: int, m: int) -> float:
    """Return the value of a word for a waiting task and a machine."""
    return read(w, s, number, t, w.task[t].job, m, t)


@kernel
def word_range(
    w: World, s: OwnState, number: int, viewer: int, t: int, machines: Ints, victims: Ints, out: Floats
) -> None:
    """Write the smallest and the largest value of a word for a task into `out`, shape (2,).

    `machines` and `victims` list what the values are taken over. Without a value, `out` has NaN.
    """
    s.rules[0].viewer = viewer
    out[0] = out[1] = math.nan
    for m in machines:
        for v in victims:
            value = read(w, s, number, t, w.task[t].job, m, v)
            if not math.isnan(value):
                out[0] = value if math.isnan(out[0]) else min(out[0], value)
                out[1] = value if math.isnan(out[1]) else max(out[1], value)
