"""Which entry of its queue a worker serves: the job with the least remaining work, past others only up to a cap."""

from __future__ import annotations

import numpy as np

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NEVER, NOBODY, World
from scheduler_core.engine.tasks import touch
from scheduler_core.schedulers.eagle.state import FIRST, LATEST, SHORTEST, Sticky
from scheduler_core.schedulers.probing.notes import DROPPED, note
from scheduler_core.schedulers.probing.queues import no_longer_waits, take_out
from scheduler_core.schedulers.probing.sampling import put_back
from scheduler_core.schedulers.probing.state import CANCELLED, WAITING


@inner
def pick(w: World, s: Sticky, worker: int) -> tuple[int, int]:
    """The entry to serve, NOBODY when none waits, and the entry before it. Probes of jobs without tasks are dropped.

    A long task at the head is always next. Otherwise the one that comes first in the worker's order (the job with the
    least remaining work), of equal ones the first, if its estimate is no longer than any probe in front of it may still
    be kept waiting. Probes that have fetched a task keep their places and are passed over until it has ended.
    """
    rules, order = s.rules[0], s.worker[worker].order
    chosen, before_chosen, least, least_ns, slack_ns, waiting = NOBODY, NOBODY, NEVER, NEVER, NEVER, 0
    before, probe = NOBODY, s.worker[worker].first
    while probe != NOBODY:
        it = s.probe[probe]
        group, after = s.group[it.group], it.next
        if it.task == CANCELLED or (group.remaining == 0 and it.task == WAITING and rules.fork == 0):
            _drop(w, s, worker, before, probe)
        else:
            if group.long == 1 or it.task == WAITING:
                if (group.long == 1 and (waiting == 0 or rules.fork == 1)) or order == FIRST:
                    return probe, before
                rank, rank_ns = _rank(s, it.group, order, waiting)
                if (rank < least or (rank == least and rank_ns < least_ns)) and group.estimate_ns <= slack_ns:
                    chosen, before_chosen, least, least_ns = probe, before, rank, rank_ns
                    if group.long == 1:
                        return chosen, before_chosen
                if group.long == 0:
                    slack_ns = min(slack_ns, rules.cap * group.estimate_ns // 1000 - it.bypassed_ns)
                waiting += 1
            before = probe
        probe = after
    return chosen, before_chosen


@inner
def _rank(s: Sticky, number: int, order: int, waiting: int) -> tuple[int, int]:
    """What is least of the group that goes first, and of equal ones; `waiting` others are in front of the probe.

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
    """The largest ratio of what is asked for."""
    if asks == 0:
        nothing: int = s.rules[0].unconstrained
        return nothing
    most = 0
    for c in range(s.ratio.shape[0]):
        if asks >> c & 1:
            most = max(most, s.ratio[c])
    return most


@inner
def _drop(w: World, s: Sticky, worker: int, before: int, probe: int) -> None:
    """A probe that is of no use is forgotten."""
    take_out(w, s, worker, before, probe)
    if s.probe[probe].task == WAITING:
        no_longer_waits(w, s, worker)
        note(w, s, probe, worker, DROPPED, 0)
        s.rules[0].dropped += 1
    put_back(s, probe)


@inner
def waits_again(w: World, s: Sticky, worker: int, probe: int) -> None:
    """A probe whose task has ended waits again, where it is."""
    s.probe[probe].task = WAITING
    s.worker[worker].length += 1
    s.rules[0].waiting += 1
    touch(w, worker)


@inner
def overtake(s: Sticky, worker: int, probe: int) -> int:
    """A task was fetched past those in front: each of them has been kept waiting by its estimate. How many they are."""
    estimate_ns, passed = s.group[s.probe[probe].group].estimate_ns, 0
    other = s.worker[worker].first
    while other != probe:
        it = s.probe[other]
        if it.task == WAITING:
            it.bypassed_ns += estimate_ns
            passed += 1
        other = it.next
    return passed
