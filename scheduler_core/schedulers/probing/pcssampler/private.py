"""A scheduler's private state: the workers that reported room."""

from __future__ import annotations

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import touch
from scheduler_core.schedulers.probing.pcssampler.state import LOOKED_AT, PcsSamplerState


@inner
def find_known(w: World, s: PcsSamplerState, who: int, demand: int) -> int:
    """Return the able worker last heard from among those known to have room; NOBODY for none."""
    mine = s.scheduler[who]
    oldest_ns = w.control[0].now_ns - s.rules[0].remember_ns
    while mine.last != NOBODY and s.entry[who, mine.last].told_ns < oldest_ns:
        _unlist(w, s, who, mine.last)
    worker = mine.first
    for _ in range(LOOKED_AT):
        if worker == NOBODY:
            return NOBODY
        if (w.machine[worker].offers & w.asks[demand]) == w.asks[demand] and _has_room(w, s, who, worker, demand):
            found: int = worker
            return found
        worker = s.entry[who, worker].next
    return NOBODY


@inner
def learn(w: World, s: PcsSamplerState, who: int, worker: int, message: int) -> None:
    """Note what a worker told, unless tasks are on their way there, which it did not know of."""
    it = s.entry[who, worker]
    if it.flying > 0:
        return
    for r in range(w.free.shape[1]):
        s.room[who, worker, r] = s.told[message, r]
    it.told_ns = s.probe[message].since_ns
    _unlist(w, s, who, worker)
    if s.probe[message].length > 0 or not _has_room(w, s, who, worker, w.demand.shape[0] - 1):
        return
    mine = s.scheduler[who]
    it.next = mine.first
    it.previous = NOBODY
    if mine.first == NOBODY:
        mine.last = worker
    else:
        s.entry[who, mine.first].previous = worker
    mine.first = worker
    _count(w, s, who, worker, 1)


@inner
def promise(w: World, s: PcsSamplerState, who: int, worker: int, demand: int) -> None:
    """Deduct a task that is sent to a worker."""
    for r in range(w.free.shape[1]):
        s.room[who, worker, r] -= w.demand[demand, r]
    s.entry[who, worker].flying += 1
    if not _has_room(w, s, who, worker, w.demand.shape[0] - 1):
        _unlist(w, s, who, worker)


@inner
def _has_room(w: World, s: PcsSamplerState, who: int, worker: int, demand: int) -> bool:
    for r in range(w.free.shape[1]):
        if s.room[who, worker, r] < w.demand[demand, r]:
            return False
    return True


@inner
def _unlist(w: World, s: PcsSamplerState, who: int, worker: int) -> None:
    """Remove the worker from those with room, if it is among them."""
    it, mine = s.entry[who, worker], s.scheduler[who]
    if it.listed == 0:
        return
    if it.next == NOBODY:
        mine.last = it.previous
    else:
        s.entry[who, it.next].previous = it.previous
    if it.previous == NOBODY:
        mine.first = it.next
    else:
        s.entry[who, it.previous].next = it.next
    _count(w, s, who, worker, -1)


@inner
def _count(w: World, s: PcsSamplerState, who: int, worker: int, sign: int) -> None:
    s.entry[who, worker].listed += sign
    s.worker[worker].known_by += sign
    s.rules[0].listed += sign
    touch(w, worker)
