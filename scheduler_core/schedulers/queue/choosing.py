"""Choose a machine for one task: examine some machines, skip those without room, score the others."""

from __future__ import annotations

import numpy as np

from scheduler_core.engine import rng
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.pace import Pace
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.queue.preempting import harm, someone_to_stop
from scheduler_core.schedulers.queue.racks import has_room, is_gang, open_to
from scheduler_core.schedulers.queue.scoring import score
from scheduler_core.schedulers.queue.state import FROM_ANYWHERE, ROTATING, QueueState

_TRIES = 64
"""Number of random machines to try before all machines are checked, if the choice is random."""
_BITS = 20


@inner
def pace_of(s: QueueState) -> Pace:
    """Return what tasks' times depend on, in the state."""
    return Pace(s.pace, s.paced, s.replica, s.beside, s.discord, s.slowdown)


@called
def choose(w: World, s: QueueState, g: int, t: int) -> int:
    """Return the machine for a task of a group: the best with room, else one where stopping others does least harm."""
    rules, it, machines = s.rules[0], s.group[g], len(s.host)
    demand = it.demand
    rules.spent_ns += rules.decision_ns
    rules.decisions += 1
    rules.candidates = 0
    rules.victims = 0
    # Elsewhere there is no room; but what a rule on racks allows changes by itself.
    some = it.failed == 1 and it.band == NOBODY and rules.freed - it.seen < machines
    if rules.chance > 0.0 and not some:
        m = _drawn(w, s, g, t)
        if m != NOBODY:
            return m
    count, first, step = machines, 0, 1
    if some:
        count, first = rules.freed - it.seen, it.seen % machines
    elif rules.visits == FROM_ANYWHERE:
        first, step = rng.below(w.control[0].seed, rng.STREAM_VISIT, t, w.task[t].requested, machines), rules.step
    elif rules.visits == ROTATING:
        first = rules.next_start
    best, most, i = NOBODY, -np.inf, 0
    while i < count and rules.candidates < rules.wanted:
        at = (first + i * step) % machines
        m = s.freed[at] if some else at
        i += 1
        if open_to(w, s, g, m) and has_room(w, s, demand, m):
            rules.candidates += 1
            mark = score(w, s, pace_of(s), t, demand, m)
            if mark > most or (mark == most and w.machine[m].running < w.machine[best].running):
                best, most = m, mark
    rules.looked += i
    rules.scored += rules.candidates
    rules.spent_ns += rules.filter_ns * i + rules.score_ns * rules.candidates
    if rules.visits == ROTATING and not some:
        rules.next_start = (first + i) % machines
    rules.best = most
    if best == NOBODY and rules.preempts == 1 and not is_gang(s, g) and someone_to_stop(s, it.line):
        return _make_room(w, s, g, count, first, some)
    return best


@inner
def _drawn(w: World, s: QueueState, g: int, t: int) -> int:
    """Return a random machine with room, or NOBODY if the tries are used up and all machines have to be checked."""
    rules, seed, demand = s.rules[0], w.control[0].seed, s.group[g].demand
    for i in range(_TRIES):
        m = rng.below(seed, rng.STREAM_VISIT, t, (int(w.task[t].requested) << _BITS) + i, len(s.host))
        rules.looked += 1
        rules.spent_ns += rules.filter_ns
        if open_to(w, s, g, m) and has_room(w, s, demand, m):
            rules.candidates = 1
            rules.best = 0.0
            return m
    return NOBODY


@inner
def _make_room(w: World, s: QueueState, g: int, count: int, first: int, some: bool) -> int:
    """Return the machine where stopping tasks to make room does least harm (preempting.harm)."""
    rules, it, machines = s.rules[0], s.group[g], len(s.host)
    best, least_top, least_sum, least_count = NOBODY, np.inf, np.inf, 0
    for i in range(count):
        at = (first + i) % machines
        m = s.freed[at] if some else at
        if not open_to(w, s, g, m):
            continue
        top, total, victims = harm(w, s, it.line, it.demand, m)
        if victims == 0:
            continue
        if (
            best == NOBODY
            or top < least_top
            or (top == least_top and (total < least_sum or (total == least_sum and victims < least_count)))
        ):
            best, least_top, least_sum, least_count = m, top, total, victims
    rules.looked += count
    rules.spent_ns += rules.filter_ns * count
    rules.victims = least_count
    return best
