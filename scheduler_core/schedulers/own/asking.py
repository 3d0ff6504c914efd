"""Ask a policy about one task and one machine, without deciding anything: for explanations and editors."""

from __future__ import annotations

import math

from scheduler_core.engine.jit import kernel
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.own.choosing import has_room
from scheduler_core.schedulers.own.interpreting import answer, prepare
from scheduler_core.schedulers.own.reading import read
from scheduler_core.schedulers.own.state import FILTER, SCORE, OwnState

NO_ROOM, FILTERED, USABLE = range(3)


@kernel
def judge(w: World, s: OwnState, viewer: int, t: int, m: int) -> int:
    """Return what becomes of a machine for a task, as scheduler `viewer` sees it; the score's rows are then computed.

    `register` holds the terms of the score afterwards; the steps that this takes are the caller's.
    """
    s.rules[0].viewer = viewer
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
