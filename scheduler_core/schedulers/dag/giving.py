"""DRF's level of shares, and what altruistic jobs leave of theirs."""

from __future__ import annotations

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.dag.state import BY_QUEUE, DagState

_LEFT = 2
SLOTS = 100
"""Parts of the share that are given up are counted in so many slots."""
_HALVINGS = 24


@inner
def share_of(s: DagState, number: int) -> float:
    """What part of everything is a job's own: DRF's level, at least its weight's part; or its part of its queue's."""
    rules, job = s.rules[0], s.job[number]
    if rules.order == BY_QUEUE:
        shares = 0.0
        for queue in range(s.queue_share.shape[0]):
            if s.queue_weights[queue] > 0.0:
                shares += s.queue_share[queue]
        return float(s.queue_share[job.queue] / shares * job.weight / s.queue_weights[job.queue])
    return float(min(max(job.weight / rules.weights, rules.level * job.weight), 1.0))


@inner
def find_level(w: World, s: DagState) -> None:
    """Up to which dominant share, by weight, progressive filling would serve all jobs: those that want less get that.

    What a job wants is what its tasks hold and what those that may start would take; filled as one pool.
    """
    rules, resources = s.rules[0], s.total.shape[0]
    rules.reshare = 0
    for at in range(rules.active):
        number = s.active[at]
        for r in range(resources):
            s.wants[at, r] = s.held[number, r]
        stage = s.job[number].first_open
        while stage != NOBODY:
            row = s.stage[stage]
            for r in range(resources):
                s.wants[at, r] += (row.tasks - row.started) * s.asked[stage, r]
            stage = row.next_open
        most = 0.0
        for r in range(resources):
            if s.in_service[r] > 0:
                s.wants[at, r] /= s.in_service[r]
                most = max(most, s.wants[at, r])
        s.key[number] = most
    low, high = 0.0, 1.0
    if _overfull(s, high) == 0:
        rules.level = high
        return
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        if _overfull(s, middle) == 1:
            high = middle
        else:
            low = middle
    rules.level = low


@inner
def _overfull(s: DagState, level: float) -> int:
    """Whether more than there is of some resource is used when jobs are filled up to a level."""
    rules = s.rules[0]
    for r in range(s.total.shape[0]):
        if s.in_service[r] == 0:
            continue
        used = 0.0
        for at in range(rules.active):
            number = s.active[at]
            most = s.key[number]
            if most > 0.0:
                used += s.wants[at, r] * min(level * s.job[number].weight / most, 1.0)
        if used > 1.0:
            return 1
    return 0


@inner
def give_up(s: DagState) -> None:
    """After plans are made: count what altruistic jobs with tasks to start leave of their shares."""
    rules, resources, some = s.rules[0], s.total.shape[0], False
    for r in range(resources):
        s.limit[_LEFT, r] = 0
        some = some or s.in_service[r] > 0
    if not some:
        return  # all machines are out: there are no shares
    shares = 0.0
    for at in range(rules.active):
        number = s.active[at]
        job = s.job[number]
        if job.altruistic == 0:
            continue
        share, mean, counted = job.plan_share, 0.0, 0
        shares += share
        for r in range(resources):
            if s.in_service[r] > 0:
                left = max(share * s.in_service[r] - s.needs[number, r], 0.0)
                s.limit[_LEFT, r] += int(left)
                mean += left / (share * s.in_service[r])
                counted += 1
        job.gave += mean / counted
        job.times += 1
    if shares > 0.0:
        _count(s, shares)


@inner
def _count(s: DagState, shares: float) -> None:
    resources = s.total.shape[0]
    mean, counted = 0.0, 0
    for r in range(resources):
        if s.in_service[r] > 0:
            part = min(s.limit[_LEFT, r] / (shares * s.in_service[r]), 1.0)
            s.given[r, int(part * SLOTS)] += 1
            mean += part
            counted += 1
    s.given[resources, int(mean / counted * SLOTS)] += 1
