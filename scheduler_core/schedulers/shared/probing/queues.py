"""A worker's queue: a list in arrival order."""

from __future__ import annotations

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import touch
from scheduler_core.schedulers.shared.probing.notes import ARRIVED, note
from scheduler_core.schedulers.shared.probing.sampling import put_back
from scheduler_core.schedulers.shared.probing.state import CANCELLED, Probing


@inner
def join(w: World, s: Probing, probe: int, worker: int) -> None:
    """Add a probe, or the task that it carries, to the queue."""
    queue, it = s.worker[worker], s.probe[probe]
    it.next = NOBODY
    it.ahead = queue.length
    it.since_ns = w.control[0].now_ns
    note(w, s, probe, worker, ARRIVED, it.ahead)
    if queue.first == NOBODY:
        queue.first = probe
    else:
        s.probe[queue.last].next = probe
    queue.last = probe
    queue.length += 1
    touch(w, worker)
    s.rules[0].waiting += 1


@inner
def first_waiting(s: Probing, worker: int) -> int:
    """Return the first of the queue that has not been called back; NOBODY when there is none."""
    queue = s.worker[worker]
    while queue.first != NOBODY and s.probe[queue.first].task == CANCELLED:
        probe = queue.first
        queue.first = s.probe[probe].next
        put_back(s, probe)
    first: int = queue.first
    return first


@inner
def drop_first(w: World, s: Probing, worker: int) -> None:
    """Remove the first entry of the queue."""
    queue = s.worker[worker]
    queue.first = s.probe[queue.first].next
    queue.length -= 1
    touch(w, worker)
    s.rules[0].waiting -= 1


@inner
def take_out(w: World, s: Probing, worker: int, before: int, probe: int) -> None:
    """Remove an entry from the queue's list; `before` is the one in front of it."""
    queue, after = s.worker[worker], s.probe[probe].next
    if before == NOBODY:
        queue.first = after
    else:
        s.probe[before].next = after
    if after == NOBODY:
        queue.last = before
    touch(w, worker)


@inner
def no_longer_waits(w: World, s: Probing, worker: int) -> None:
    """Decrease the worker's count of waiting entries by one."""
    s.worker[worker].length -= 1
    s.rules[0].waiting -= 1
    touch(w, worker)
