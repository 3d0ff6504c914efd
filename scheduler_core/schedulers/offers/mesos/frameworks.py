"""Frameworks: their waiting tasks, and which of the offered machines they accept."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide
from scheduler_core.schedulers.offers.mesos.reasons import DECLINED
from scheduler_core.schedulers.offers.mesos.state import DECIDED, REPLY, MesosState


@called
def line_up(w: World, s: MesosState, t: int) -> None:
    """Add a waiting task behind the older ones of its group."""
    it = s.group[w.task[t].kind]
    s.framework[w.job[w.task[t].job].queue].waiting += 1
    it.waiting += 1
    if it.waiting == 1 or t > it.tail:
        if it.waiting == 1:
            it.head = t
        else:
            w.task[it.tail].next = t
        it.tail = t
        w.task[t].next = NOBODY
        return
    before, after = NOBODY, it.head
    while after < t:
        before, after = after, w.task[after].next
    w.task[t].next = after
    if before == NOBODY:
        it.head = t
    else:
        w.task[before].next = t


@inner
def on_offer(w: World, s: MesosState, f: int, machines: int) -> None:
    """Deliver offers to a framework, which thinks about them unless it thinks about others."""
    s.framework[f].arrived += machines
    if s.framework[f].in_hand == 0:
        _think(w, s, f)


@inner
def _think(w: World, s: MesosState, f: int) -> None:
    it = s.framework[f]
    it.in_hand = it.arrived
    it.arrived = 0
    schedule(w, w.control[0].now_ns + s.rules[0].decision_ns, DECIDED, f, 0)


@inner
def on_decided(w: World, s: MesosState, f: int) -> None:
    """Let the framework take its oldest fitting tasks, machine by machine, and answer."""
    rules, it, taken = s.rules[0], s.framework[f], 0
    m = it.first
    for _ in range(it.under_way):
        m = s.offer[m].next
    for _ in range(it.in_hand):
        taken += _accept(w, s, f, m)
        m = s.offer[m].next
    if taken == 0 and it.told == 0 and it.waiting > 0:
        it.told = 1
        decide(w, _oldest(w, s, f), NOBODY, DECLINED, NOBODY, f, it.in_hand, it.waiting)
    w.control[0].messages += 1
    schedule(w, w.control[0].now_ns + rules.delay_ns, REPLY, f, it.in_hand)
    it.under_way += it.in_hand
    it.in_hand = 0
    if it.arrived > 0:
        _think(w, s, f)


@inner
def _accept(w: World, s: MesosState, f: int, m: int) -> int:
    """Take tasks for a machine, the oldest that fits first, while any does; how many."""
    for r in range(len(s.room)):
        s.room[r] = s.given[m, r]
    s.offer[m].first = s.offer[m].last = NOBODY
    taken = 0
    while True:
        g = _next_group(w, s, f, m)
        if g == NOBODY:
            return taken
        it = s.group[g]
        t = it.head
        it.head = w.task[t].next
        it.waiting -= 1
        s.framework[f].waiting -= 1
        s.framework[f].told = 0
        w.task[t].next = NOBODY
        if s.offer[m].first == NOBODY:
            s.offer[m].first = t
        else:
            w.task[s.offer[m].last].next = t
        s.offer[m].last = t
        for r in range(len(s.room)):
            s.room[r] -= w.demand[it.demand, r]
        taken += 1


@inner
def _next_group(w: World, s: MesosState, f: int, m: int) -> int:
    """Return the group with the oldest waiting task that a machine has room for in what was offered."""
    best, it = NOBODY, s.framework[f]
    for g in range(it.first_group, it.first_group + it.groups):
        row = s.group[g]
        if row.waiting == 0 or (w.asks[row.demand] & ~w.machine[m].offers) != 0:
            continue
        enough = True
        for r in range(len(s.room)):
            if s.room[r] < w.demand[row.demand, r]:
                enough = False
        if enough and (best == NOBODY or row.head < s.group[best].head):
            best = g
    return best


@inner
def _oldest(w: World, s: MesosState, f: int) -> int:
    """Return the task that stands for a framework in the log: the watched one if it waits there, else the oldest."""
    best, watched, it = NOBODY, w.control[0].watched_task, s.framework[f]
    for g in range(it.first_group, it.first_group + it.groups):
        row = s.group[g]
        if row.waiting > 0 and (best == NOBODY or row.head < best):
            best = row.head
    if watched >= 0 and w.job[w.task[watched].job].queue == f and w.task[watched].attempts == 0:
        return int(watched)
    return int(best)
