"""Compute DRF's level of shares, and what altruistic jobs leave of their shares."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.dag.state import BY_QUEUE, DagState

_LEFT, _OWN = 2, 3
SLOTS = 100
"""Number of slots in which parts of a share that are given up are counted."""
_HALVINGS = 24
_FOUND = 1.0 + 1e-6
"""The level is found from below: without this a job whose share holds whole tasks would have one less."""


@inner
def share_of(s: DagState, number: int) -> float:
    """Return the fraction of everything that is a job's own: DRF's level, or its part of its queue's share."""
    rules, job = s.rules[0], s.job[number]
    if rules.order == BY_QUEUE:
        shares = 0.0
        for queue in range(s.queue_share.shape[0]):
            if s.queue_weights[queue] > 0.0:
                shares += s.queue_share[queue]
        return float(s.queue_share[job.queue] / shares * job.weight / s.queue_weights[job.queue])
    return float(min(max(job.weight / rules.weights, rules.level * job.weight), 1.0))


@inner
def own_part(s: DagState, number: int, share: float) -> float:
    """Return the fraction of a job's remaining demand that a dominant share covers, at most 1; else the share."""
    if s.rules[0].by_vector == 0:
        return share
    most = 0.0
    for r in range(s.total.shape[0]):
        if s.in_service[r] > 0:
            most = max(most, s.left[number, r] / s.in_service[r])
    return float(min(share * _FOUND / most, 1.0)) if most > 0.0 else 0.0


@inner
def own_amount(s: DagState, number: int, r: int, part: float) -> float:
    """Return how much of a resource is a job's own, by `own_part`."""
    if s.rules[0].by_vector == 1:
        return float(part * s.left[number, r])
    return float(part * s.in_service[r])


@inner
def find_level(w: World, s: DagState) -> None:
    """Find the dominant share by weight up to which progressive filling serves all jobs; smaller wants are met.

    Filled as one pool. With DRF's vector a job wants all that is left of it, and all that have not ended count; without
    it wants what its tasks hold and what those that may start would take, and those that have such tasks count.

    Source: Carbyne, Pseudocode 1, lines 8 to 15 (InterJobScheduler), by DRF.
    """
    rules = s.rules[0]
    rules.reshare = 0
    jobs, count = s.active, rules.active
    if rules.by_vector == 1:
        jobs, count = s.present, rules.unfinished
    for at in range(count):
        number = jobs[at]
        if rules.by_vector == 1:
            for r in range(s.total.shape[0]):
                s.wants[at, r] = s.left[number, r]
        else:
            _want_now(s, at, number)
        most = 0.0
        for r in range(s.total.shape[0]):
            if s.in_service[r] > 0:
                s.wants[at, r] /= s.in_service[r]
                most = max(most, s.wants[at, r])
        s.key[number] = most
    low, high = 0.0, 1.0
    if _overfull(s, jobs, count, high) == 0:
        rules.level = high
        return
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        if _overfull(s, jobs, count, middle) == 1:
            high = middle
        else:
            low = middle
    rules.level = low


@inner
def _want_now(s: DagState, at: int, number: int) -> None:
    """Compute what a job's tasks hold plus what its open tasks would take."""
    for r in range(s.total.shape[0]):
        s.wants[at, r] = s.held[number, r]
    stage = s.job[number].first_open
    while stage != NOBODY:
        row = s.stage[stage]
        for r in range(s.total.shape[0]):
            s.wants[at, r] += (row.tasks - row.started) * s.asked[stage, r]
        stage = row.next_open


@inner
def _overfull(s: DagState, jobs: npt.NDArray[np.int32], count: int, level: float) -> int:
    """Return whether more than there is of some resource is used when jobs are filled up to a level."""
    for r in range(s.total.shape[0]):
        if s.in_service[r] == 0:
            continue
        used = 0.0
        for at in range(count):
            number = jobs[at]
            most = s.key[number]
            if most > 0.0:
                used += s.wants[at, r] * min(level * s.job[number].weight / most, 1.0)
        if used > 1.0:
            return 1
    return 0


@inner
def give_up(s: DagState) -> None:
    """Count, after planning, what altruistic jobs with tasks to start leave of their shares.

    A resource that no task of a job asks for is none that the job could leave.

    Source: Carbyne, Pseudocode 1, line 23.
    """
    rules, resources, some = s.rules[0], s.total.shape[0], False
    for r in range(resources):
        s.limit[_LEFT, r] = 0
        s.limit[_OWN, r] = 0
        some = some or s.in_service[r] > 0
    if not some:
        return  # all machines are out: there are no shares
    for at in range(rules.active):
        number = s.active[at]
        job = s.job[number]
        if job.altruistic == 0:
            continue
        part, mean, counted = own_part(s, number, job.plan_share), 0.0, 0
        for r in range(resources):
            own = own_amount(s, number, r, part)
            if (job.asks >> r) & 1 == 1 and own >= 1.0:
                left = max(own - s.needs[number, r], 0.0)
                s.limit[_LEFT, r] += int(left)
                s.limit[_OWN, r] += int(own)
                mean += left / own
                counted += 1
        if counted > 0:
            job.gave += mean / counted
            job.times += 1
    _count(s)


@inner
def _count(s: DagState) -> None:
    resources = s.total.shape[0]
    mean, counted = 0.0, 0
    for r in range(resources):
        if s.limit[_OWN, r] > 0:
            part = min(s.limit[_LEFT, r] / s.limit[_OWN, r], 1.0)
            s.given[r, int(part * SLOTS)] += 1
            mean += part
            counted += 1
    if counted > 0:
        s.given[resources, int(mean / counted * SLOTS)] += 1
