"""Choose running tasks to preempt: those that the policy allows, in its order, until the waiting task has room.

A task that started at this instant is never preempted, and none more often than the limit, so every run ends.
"""

from __future__ import annotations

import math

import numpy as np

from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.own.choosing import REFUSED, UNDEFINED, offers_all
from scheduler_core.schedulers.own.interpreting import answer, prepare
from scheduler_core.schedulers.own.state import FILTER, MOST_VICTIMS, PREEMPT, SCORE, VICTIM_ORDER, OwnState

_LAST = 1e308


@called
def make_room(w: World, s: OwnState, t: int, demand: int) -> int:
    """Return the machine with the fewest tasks to preempt, then the best score; NOBODY if none helps.

    The tasks are then the first `rules.victims` of `drawn`.
    """
    best, fewest, most = NOBODY, MOST_VICTIMS + 1, REFUSED
    j = w.task[t].job
    for m in range(len(w.machine)):
        count = victims(w, s, t, demand, m)
        if count == 0 or count > fewest:
            continue
        mark = 0.0
        if s.hook[SCORE].there == 1:
            prepare(w, s, SCORE, t, j)
            mark = answer(w, s, SCORE, t, j, m, NOBODY)
            mark = UNDEFINED if math.isnan(mark) else mark
        if count < fewest or mark > most:
            best, fewest, most = m, count, mark
    if best != NOBODY:
        s.rules[0].victims = victims(w, s, t, demand, best)
        s.rules[0].best = most
    return best


@called
def victims(w: World, s: OwnState, t: int, demand: int, m: int) -> int:
    """Put the tasks to preempt on a machine into `drawn` and return their number; 0 if preempting does not help."""
    rules = s.rules[0]
    rules.steps += 1
    if w.machine[m].outage != 0 or not offers_all(w, s, demand, m):
        return 0
    for r in range(w.free.shape[1]):
        if w.capacity[m, r] < w.demand[demand, r]:
            return 0
    if s.hook[FILTER].there == 1:
        prepare(w, s, FILTER, t, w.task[t].job)
        passes = answer(w, s, FILTER, t, w.task[t].job, m, NOBODY)
        if math.isnan(passes) or passes == 0.0:
            return 0
    found = _allowed(w, s, t, m)
    taken = 0
    while taken < found:
        _bring_forward(s, taken, found)
        taken += 1
        if _enough(w, s, demand, m, taken):
            return taken
    return 0


@inner
def _allowed(w: World, s: OwnState, t: int, m: int) -> int:
    """Put the tasks of a machine that the policy lets be preempted into `drawn`, with their keys; return how many."""
    rules, found, v = s.rules[0], 0, w.machine[m].first
    now_ns = w.control[0].now_ns
    while v != NOBODY and found < MOST_VICTIMS:
        row = w.task[v]
        ended = row.last_start_ns + row.duration_ns <= now_ns
        if not ended and row.last_start_ns < now_ns and row.requested < rules.most_preempted:
            j = row.job
            prepare(w, s, PREEMPT, t, j)
            may = answer(w, s, PREEMPT, t, j, m, v)
            if math.isnan(may):
                rules.undefined_preempt += 1
            elif may != 0.0:
                s.drawn[found] = v
                s.victim_key[found] = _key(w, s, t, m, v)
                found += 1
        v = row.next
    return found


@inner
def _key(w: World, s: OwnState, t: int, m: int, v: int) -> float:
    """Return the key by which victims go: the policy's, or how long the task has run."""
    if s.hook[VICTIM_ORDER].there == 0:
        return float(w.control[0].now_ns - w.task[v].last_start_ns)
    j = w.task[v].job
    prepare(w, s, VICTIM_ORDER, t, j)
    key = answer(w, s, VICTIM_ORDER, t, j, m, v)
    if math.isnan(key):
        s.rules[0].undefined_preempt += 1
        return _LAST
    return min(key, _LAST)


@inner
def _bring_forward(s: OwnState, first: int, found: int) -> None:
    """Swap the task with the smallest key of those from `first` on to the place `first`."""
    at = first
    for i in range(first + 1, found):
        smaller = s.victim_key[i] < s.victim_key[at]
        if smaller or (s.victim_key[i] == s.victim_key[at] and s.drawn[i] < s.drawn[at]):
            at = i
    key, task = s.victim_key[at], s.drawn[at]
    s.victim_key[at], s.drawn[at] = s.victim_key[first], s.drawn[first]
    s.victim_key[first], s.drawn[first] = key, task


@inner
def _enough(w: World, s: OwnState, demand: int, m: int, taken: int) -> bool:
    """Return whether the task has room once the first victims are gone."""
    for r in range(w.free.shape[1]):
        room = np.int64(w.free[m, r])
        for i in range(taken):
            room += w.demand[w.task[s.drawn[i]].demand, r]
        if room < w.demand[demand, r]:
            return False
    return True
