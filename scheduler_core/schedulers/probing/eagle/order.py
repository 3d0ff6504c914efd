"""Choose the queue entry to serve: the job with the least remaining work, within the limit on bypasses."""

from __future__ import annotations

import numpy as np

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NEVER, NOBODY, World
from scheduler_core.engine.tasks import touch
from scheduler_core.schedulers.probing.eagle.queue import close_gap, put
from scheduler_core.schedulers.probing.eagle.state import FIRST, LATEST, SHORTEST, Sticky
from scheduler_core.schedulers.shared.probing.notes import DROPPED, note
from scheduler_core.schedulers.shared.probing.queues import no_longer_waits
from scheduler_core.schedulers.shared.probing.sampling import put_back
from scheduler_core.schedulers.shared.probing.state import CANCELLED


@inner
def pick(w: World, s: Sticky, worker: int) -> int:
    """Return the place of the entry to serve, NOBODY if none waits; drop probes of jobs without tasks.

    A long task at the head is always next. Otherwise the one that comes first in the worker's order (the job with the
    least remaining work), of equal ones the first, if its estimate is no longer than any probe in front of it may still
    be kept waiting. Probes that have fetched a task keep their places and are passed over until it has ended.

    Source: *Job-aware scheduling in Eagle: divide and stick to your probes* (shortest remaining work, bounded).
    """
    queue, fork = s.worker[worker], s.rules[0].fork
    order, kept, place = queue.order, queue.first, queue.first
    chosen, least, least_ns, slack_ns, waiting = NOBODY, NEVER, NEVER, NEVER, 0
    while place < queue.last:
        probe, number = s.entry[place].probe, s.entry[place].group
        place += 1
        if _is_useless(s, probe, number):
            _drop(w, s, worker, probe, number)
            continue
        if kept < place - 1:
            put(s, kept, place - 1)
        kept += 1
        if number < 0:
            continue
        group = s.group[number]
        if (group.long == 1 and (waiting == 0 or fork == 1)) or order == FIRST:
            chosen = kept - 1
            break
        rank, rank_ns = _rank(s, number, order, waiting)
        if (rank < least or (rank == least and rank_ns < least_ns)) and group.estimate_ns <= slack_ns:
            chosen, least, least_ns = kept - 1, rank, rank_ns
            if group.long == 1:
                break
        if group.long == 0:
            slack_ns = min(slack_ns, s.entry[kept - 1].patience_ns)
        waiting += 1
    close_gap(s, worker, kept, place)
    return chosen


@inner
def _is_useless(s: Sticky, probe: int, number: int) -> bool:
    """Return whether an entry's probe has been answered with nothing, or waits for a job that has no task left."""
    if number < 0:
        answered: bool = s.probe[probe].task == CANCELLED
        return answered
    in_vain: bool = s.group[number].remaining == 0 and s.rules[0].fork == 0
    return in_vain


@inner
def _rank(s: Sticky, number: int, order: int, waiting: int) -> tuple[int, int]:
    """Return what is least of the group that goes first, and of equal ones; `waiting` others are in front of the probe.

    A long task does not go past others for what it asks for.
    """
    group = s.group[number]
    remaining_ns = np.int64(group.estimate_ns) * group.remaining
    if order == SHORTEST:
        return 0, remaining_ns
    if order == LATEST:
        return -waiting, 0
    if group.long == 1:
        return NEVER, NEVER
    return -scarcity(s, s.eligible[group.able].asks), 0 if s.rules[0].fork == 1 else remaining_ns


@inner
def scarcity(s: Sticky, asks: int) -> int:
    """Return the largest ratio of what is asked for."""
    if asks == 0:
        nothing: int = s.rules[0].unconstrained
        return nothing
    most = 0
    for c in range(s.ratio.shape[0]):
        if asks >> c & 1:
            most = max(most, s.ratio[c])
    return most


@inner
def _drop(w: World, s: Sticky, worker: int, probe: int, number: int) -> None:
    """Remove a useless probe."""
    touch(w, worker)
    if number >= 0:
        no_longer_waits(w, s, worker)
        note(w, s, probe, worker, DROPPED, 0)
        s.rules[0].dropped += 1
    put_back(s, probe)
