"""Waiting tasks: in entries that are alike to the order, and entries in kinds that are alike to filter and room.

Where the order cannot change while tasks wait, the entries of a kind are a heap. Otherwise every decision computes the
order of all entries that could find a machine.
"""

from __future__ import annotations

import math

from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, TASK_WAITING, World
from scheduler_core.schedulers.own.interpreting import answer, prepare
from scheduler_core.schedulers.own.state import ORDER, SAMPLE, OwnState

LAST = 1e308
"""The key of an entry whose order is undefined."""


@inner
def line_up(w: World, s: OwnState, t: int) -> None:
    """Add a waiting task to its entry, behind those that come before it in the workload."""
    row = w.task[t]
    row.state = TASK_WAITING
    e = row.kind
    it = s.entry[e]
    kind = s.kind[it.kind]
    it.waiting += 1
    kind.waiting += 1
    s.scheduler[kind.scheduler].waiting += 1
    if it.waiting == 1:
        it.head, it.tail = t, t
        row.next = NOBODY
        _open(w, s, e)
        return
    if t > it.tail:
        w.task[it.tail].next = t
        row.next = NOBODY
        it.tail = t
        return
    before, after = NOBODY, it.head
    while after < t:
        before, after = after, w.task[after].next
    row.next = after
    if before != NOBODY:
        w.task[before].next = t
        return
    it.head = t
    rekey(w, s, e)


@inner
def take_first(w: World, s: OwnState, e: int) -> int:
    """Return the first waiting task of an entry, which waits no more."""
    it, kind = s.entry[e], s.kind[s.entry[e].kind]
    t = it.head
    it.head = w.task[t].next
    it.waiting -= 1
    kind.waiting -= 1
    kind.told = 0
    s.scheduler[kind.scheduler].waiting -= 1
    if it.waiting == 0:
        it.tail = NOBODY
        _close(s, e)
    else:
        rekey(w, s, e)
    return int(t)


@called
def _open(w: World, s: OwnState, e: int) -> None:
    """Add an entry to its kind, and the kind to its scheduler's."""
    it, k = s.entry[e], s.entry[e].kind
    kind = s.kind[k]
    if kind.open == 0:
        scheduler = s.scheduler[kind.scheduler]
        kind.spot = scheduler.first_kind + scheduler.open
        s.open_kind[kind.spot] = k
        scheduler.open += 1
        kind.failed = 0
    it.spot = kind.first + kind.open
    s.item[it.spot] = e
    kind.open += 1
    if s.rules[0].static == 1:
        it.key = key_of(w, s, e)
        _rise(s, kind.first, it.spot)


@called
def _close(s: OwnState, e: int) -> None:
    """Remove an entry from its kind, and a kind without entries from its scheduler's."""
    it = s.entry[e]
    kind = s.kind[it.kind]
    kind.open -= 1
    last, spot = s.item[kind.first + kind.open], it.spot
    if last != e:
        s.item[spot] = last
        s.entry[last].spot = spot
        if s.rules[0].static == 1:
            _rise(s, kind.first, spot)
            _sink(s, kind.first, kind.open, s.entry[last].spot)
    if kind.open == 0:
        scheduler = s.scheduler[kind.scheduler]
        scheduler.open -= 1
        other = s.open_kind[scheduler.first_kind + scheduler.open]
        s.open_kind[kind.spot] = other
        s.kind[other].spot = kind.spot


@inner
def rekey(w: World, s: OwnState, e: int) -> None:
    """Move an entry of a heap after its first task has become another one."""
    if s.rules[0].static == 1:
        it = s.entry[e]
        it.key = key_of(w, s, e)
        kind = s.kind[it.kind]
        _rise(s, kind.first, it.spot)
        _sink(s, kind.first, kind.open, it.spot)


@called
def key_of(w: World, s: OwnState, e: int) -> float:
    """Return the order of an entry's first task; the task's number without an order. Undefined goes last."""
    t, rules = s.entry[e].head, s.rules[0]
    if s.hook[ORDER].there == 0 or rules.fallen == 1:
        return float(t)
    j = w.task[t].job
    prepare(w, s, ORDER, t, j)
    key = answer(w, s, ORDER, t, j, NOBODY, NOBODY)
    if math.isnan(key):
        rules.undefined_order += 1
        return LAST
    return min(key, LAST)


@inner
def before(s: OwnState, one: int, other: int) -> bool:
    """Return whether an entry goes before another one: by its key, then by its job's arrival."""
    a, b = s.entry[one].key, s.entry[other].key
    return a < b or (a == b and one < other)


@inner
def _rise(s: OwnState, first: int, spot: int) -> None:
    """Let the entry at a spot of a heap rise to its place."""
    e = s.item[spot]
    while spot > first:
        above = first + ((spot - first - 1) >> 1)
        if not before(s, e, s.item[above]):
            break
        s.item[spot] = s.item[above]
        s.entry[s.item[spot]].spot = spot
        spot = above
    s.item[spot] = e
    s.entry[e].spot = spot


@inner
def _sink(s: OwnState, first: int, size: int, spot: int) -> None:
    """Let the entry at a spot of a heap sink to its place."""
    e = s.item[spot]
    while True:
        child = first + 2 * (spot - first) + 1
        if child >= first + size:
            break
        if child + 1 < first + size and before(s, s.item[child + 1], s.item[child]):
            child += 1
        if before(s, e, s.item[child]):
            break
        s.item[spot] = s.item[child]
        s.entry[s.item[spot]].spot = spot
        spot = child
    s.item[spot] = e
    s.entry[e].spot = spot


@inner
def may_try(w: World, s: OwnState, k: int) -> bool:
    """Return whether a kind could find a machine: it has not failed, or something has changed for it since."""
    kind, rules = s.kind[k], s.rules[0]
    if kind.failed == 0:
        return True
    if kind.seen_freed != rules.freed:
        return True
    if rules.restless == 1 and rules.fallen == 0 and kind.seen_moves != rules.moves:
        return True
    counts = rules.timed == 1 and (rules.fallen == 0 or rules.news == SAMPLE)
    return bool(counts and kind.seen_ns != w.control[0].now_ns)


@called
def next_entry(w: World, s: OwnState, k: int) -> int:
    """Return the entry of scheduler `k` that is next, of those that could find a machine; NOBODY for none."""
    scheduler, rules, best = s.scheduler[k], s.rules[0], NOBODY
    for at in range(scheduler.first_kind, scheduler.first_kind + scheduler.open):
        number = s.open_kind[at]
        if rules.overtake == 1 and not may_try(w, s, number):
            continue
        e = _first_of(w, s, number)
        if best == NOBODY or before(s, e, best):
            best = e
    if best != NOBODY and rules.overtake == 0 and not may_try(w, s, s.entry[best].kind):
        return NOBODY
    return best


@inner
def _first_of(w: World, s: OwnState, k: int) -> int:
    """Return the first entry of a kind in order."""
    kind = s.kind[k]
    best = s.item[kind.first]
    if s.rules[0].static == 1:
        return int(best)
    for at in range(kind.first, kind.first + kind.open):
        e = s.item[at]
        s.entry[e].key = key_of(w, s, e)
        if before(s, e, best):
            best = e
    return int(best)


@called
def sort_again(w: World, s: OwnState) -> None:
    """Compute all keys again after a change of the policy's numbers; every kind may try again."""
    for k in range(len(s.kind)):
        kind = s.kind[k]
        kind.failed = 0
        if s.rules[0].static == 0:
            continue
        for at in range(kind.first, kind.first + kind.open):
            s.entry[s.item[at]].key = key_of(w, s, s.item[at])
        for at in range(kind.first + (kind.open >> 1), kind.first - 1, -1):
            if at < kind.first + kind.open:
                _sink(s, kind.first, kind.open, at)
