"""For which machine a task is decided: look at some, leave out those without room, score the others."""

from __future__ import annotations

import numpy as np

from scheduler_core.engine import rng
from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import inner
from scheduler_core.engine.pace import Pace
from scheduler_core.engine.records import NOBODY, TASK_WAITING, World
from scheduler_core.engine.tasks import decide, fits
from scheduler_core.schedulers.queue.lists import next_group, take_first
from scheduler_core.schedulers.queue.preempting import harm, someone_to_stop
from scheduler_core.schedulers.queue.reasons import NO_ROOM
from scheduler_core.schedulers.queue.scoring import score
from scheduler_core.schedulers.queue.state import DECIDED, FROM_ANYWHERE, IDLE, ROTATING, QueueState

_TRIES = 64
"""So many machines are drawn before all are looked at, where chance alone decides."""
_BITS = 20


@inner
def pace_of(s: QueueState) -> Pace:
    """What tasks' times depend on, in the state."""
    return Pace(s.pace, s.paced, s.replica, s.beside, s.discord, s.slowdown)


@inner
def may_run(w: World, s: QueueState, demand: int, m: int) -> bool:
    """Whether a machine is in service and offers what is asked for and cannot be done without."""
    lacking: int = w.asks[demand] & ~w.machine[m].offers & ~s.pace[0].soft_mask
    return lacking == 0 and w.machine[m].outage == 0


@inner
def has_room(w: World, s: QueueState, demand: int, m: int) -> bool:
    """Whether a machine has room for one more task."""
    return w.machine[m].running < s.host[m].slots and fits(w, m, demand)


@inner
def search_turn(w: World, s: QueueState) -> None:
    """One group: its oldest task is decided on, or it finds no room; when no group is left the scheduler rests."""
    rules = s.rules[0]
    g = next_group(s)
    if g != NOBODY:
        rules.spent_ns += rules.decision_ns
        rules.decisions += 1
        m = _choose(w, s, g)
        if m == NOBODY:
            _fail(w, s, g)
            return
        s.line[s.group[g].line].turn = rules.turn + 1
        rules.turn += 1
        rules.task = take_first(w, s, g)
        rules.machine = m
    else:
        rules.task = NOBODY
    rules.phase = IDLE
    if g == NOBODY and rules.spent_ns == 0.0:
        return
    rules.busy = 1
    rules.last_ns = int(rules.spent_ns)
    rules.spent_ns = 0.0
    schedule(w, w.control[0].now_ns + rules.last_ns, DECIDED, rules.task, 0)


@inner
def _fail(w: World, s: QueueState, g: int) -> None:
    """No machine has room: the group is not looked at again before something is freed."""
    it, watched = s.group[g], w.control[0].watched_task
    it.failed = 1
    it.seen = s.rules[0].freed
    s.rules[0].in_vain += 1
    if it.told == 0:
        it.told = NO_ROOM
        waits = watched >= 0 and w.task[watched].kind == g and w.task[watched].state == TASK_WAITING
        told = watched if waits else it.head
        decide(w, told, NOBODY, NO_ROOM, NOBODY, NOBODY, it.waiting, 0)


@inner
def _choose(w: World, s: QueueState, g: int) -> int:
    """The machine for a group's oldest task: the best with room, else one where stopping others does least harm."""
    rules, it, machines = s.rules[0], s.group[g], len(s.host)
    demand, t = it.demand, it.head
    rules.candidates = 0
    rules.victims = 0
    some = it.failed == 1 and rules.freed - it.seen < machines  # elsewhere there is no room
    if rules.chance > 0.0 and not some:
        m = _drawn(w, s, demand, t)
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
        if may_run(w, s, demand, m) and has_room(w, s, demand, m):
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
    if best == NOBODY and rules.preempts == 1 and someone_to_stop(s, it.line):
        return _make_room(w, s, g, count, first, some)
    return best


@inner
def _drawn(w: World, s: QueueState, demand: int, t: int) -> int:
    """A machine with room by chance alone, or NOBODY when so many had none that all are to be looked at."""
    rules, seed = s.rules[0], w.control[0].seed
    for i in range(_TRIES):
        m = rng.below(seed, rng.STREAM_VISIT, t, (int(w.task[t].requested) << _BITS) + i, len(s.host))
        rules.looked += 1
        rules.spent_ns += rules.filter_ns
        if may_run(w, s, demand, m) and has_room(w, s, demand, m):
            rules.candidates = 1
            return m
    return NOBODY


@inner
def _make_room(w: World, s: QueueState, g: int, count: int, first: int, some: bool) -> int:
    """Of the machines where stopping tasks makes room the one that loses least: see preempting.harm."""
    rules, it, machines = s.rules[0], s.group[g], len(s.host)
    best, least_top, least_sum, least_count = NOBODY, np.inf, np.inf, 0
    for i in range(count):
        at = (first + i) % machines
        m = s.freed[at] if some else at
        if not may_run(w, s, it.demand, m):
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
