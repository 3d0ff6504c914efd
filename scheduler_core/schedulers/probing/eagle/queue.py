"""A worker's queue: a contiguous run of entries in arrival order. A full queue moves to twice the room."""

from __future__ import annotations

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import World
from scheduler_core.engine.tasks import touch
from scheduler_core.schedulers.probing.eagle.state import Sticky
from scheduler_core.schedulers.shared.probing.notes import ARRIVED, note
from scheduler_core.schedulers.shared.probing.state import WAITING


@inner
def lacks_room(s: Sticky) -> bool:
    """Return True if the next event could exhaust the probes, the changes of the bitmap, or the entries of queues.

    An event may need a run of entries twice as long as the longest.
    """
    rules = s.rules[0]
    if rules.unused_probes < rules.room or rules.flips + rules.room > s.flip.shape[0]:
        return True
    lacks: bool = rules.entries + 2 * rules.longest > s.entry.shape[0]
    return lacks


@inner
def join(w: World, s: Sticky, probe: int, worker: int) -> None:
    """Add a probe, or the task that it carries, to the queue."""
    queue, it = s.worker[worker], s.probe[probe]
    it.ahead = queue.length
    it.since_ns = w.control[0].now_ns
    note(w, s, probe, worker, ARRIVED, it.ahead)
    if queue.last - queue.first == 1 << queue.power:
        _move(s, worker)
    entry = s.entry[queue.last]
    entry.probe, entry.group, entry.patience_ns = probe, it.group, patience_ns(s, it.group)
    queue.last += 1
    queue.length += 1
    s.rules[0].waiting += 1
    touch(w, worker)


@inner
def _move(s: Sticky, worker: int) -> None:
    """Move a run to the end of all; where it was remains unused."""
    rules, queue = s.rules[0], s.worker[worker]
    first, length = rules.entries, queue.last - queue.first
    for place in range(length):
        put(s, first + place, queue.first + place)
    queue.first, queue.last = first, first + length
    queue.power += 1
    rules.entries += 2 * length
    rules.longest = max(rules.longest, 2 * length)


@inner
def put(s: Sticky, to: int, frm: int) -> None:
    """Copy an entry from one place to another."""
    here, there = s.entry[to], s.entry[frm]
    here.probe, here.group, here.patience_ns = there.probe, there.group, there.patience_ns


@inner
def close_gap(s: Sticky, worker: int, to: int, frm: int) -> None:
    """Move the entries from `frm` on up to `to` and behind."""
    queue = s.worker[worker]
    if to < frm:
        for place in range(frm, queue.last):
            put(s, to + place - frm, place)
        queue.last -= frm - to


@inner
def place_of(s: Sticky, worker: int, probe: int) -> int:
    """Return where the probe stands."""
    place: int = s.worker[worker].first
    while s.entry[place].probe != probe:
        place += 1
    return place


@inner
def patience_ns(s: Sticky, number: int) -> int:
    """Return how long others may keep a probe of the group waiting by going past it."""
    patience: int = s.rules[0].cap * s.group[number].estimate_ns // 1000
    return patience


@inner
def waits_again(w: World, s: Sticky, worker: int, probe: int) -> None:
    """Let a probe whose task has ended wait again in its place.

    Source: *Job-aware scheduling in Eagle: divide and stick to your probes* (sticky probes).
    """
    entry = s.entry[place_of(s, worker, probe)]
    entry.group = ~entry.group
    s.probe[probe].task = WAITING
    s.worker[worker].length += 1
    s.rules[0].waiting += 1
    touch(w, worker)


@inner
def overtake(s: Sticky, worker: int, probe: int) -> tuple[int, int]:
    """Charge entries in front for being overtaken; return how many there are and the probe's place.

    Tasks that came by themselves are not counted.
    """
    estimate_ns, passed, place = s.group[s.probe[probe].group].estimate_ns, 0, s.worker[worker].first
    while s.entry[place].probe != probe:
        entry = s.entry[place]
        if entry.group >= 0 and (s.rules[0].public == 1 or s.group[entry.group].long == 0):
            entry.patience_ns -= estimate_ns
            passed += 1
        place += 1
    return passed, place
