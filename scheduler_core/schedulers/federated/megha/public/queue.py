"""A Global Master's queue of jobs under the public simulator's rules.

The queue is sorted by the number of tasks that the GM does not know to have ended. The sort is stable and happens only
when a job joins. In between, keys fall and no job moves. A key never rises, so a new sort only moves forward the jobs
whose keys have fallen.
"""

from __future__ import annotations

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY
from scheduler_core.schedulers.federated.megha.public.state import PublicState


@inner
def _insert_after(s: PublicState, gm: int, before: int, job: int) -> None:
    """Put a job behind another one of the queue, or with NOBODY in front of all."""
    me, it = s.gm[gm], s.job[job]
    after = me.first_job if before == NOBODY else s.job[before].next
    it.previous = before
    it.next = after
    if before == NOBODY:
        me.first_job = job
    else:
        s.job[before].next = job
    if after == NOBODY:
        me.last_job = job
    else:
        s.job[after].previous = job


@inner
def _unlink(s: PublicState, gm: int, job: int) -> None:
    me, it = s.gm[gm], s.job[job]
    if it.previous == NOBODY:
        me.first_job = it.next
    else:
        s.job[it.previous].next = it.next
    if it.next == NOBODY:
        me.last_job = it.previous
    else:
        s.job[it.next].previous = it.previous


@inner
def _sort(s: PublicState, gm: int) -> None:
    me = s.gm[gm]
    job = me.first_job
    while me.touched > 0:
        it = s.job[job]
        following = it.next
        if it.touched == 1:
            it.touched = 0
            me.touched -= 1
            before = it.previous
            if before != NOBODY and s.job[before].open > it.open:
                _unlink(s, gm, job)
                while before != NOBODY and s.job[before].open > it.open:
                    before = s.job[before].previous
                _insert_after(s, gm, before, job)
        job = following


@inner
def join_at_tail(s: PublicState, gm: int, job: int) -> None:
    """Add a new job and sort the queue."""
    _sort(s, gm)
    before = s.gm[gm].last_job
    while before != NOBODY and s.job[before].open > s.job[job].open:
        before = s.job[before].previous
    _insert_after(s, gm, before, job)
    s.job[job].queued = 1
    s.gm[gm].jobs += 1


@inner
def join_at_front(s: PublicState, gm: int, job: int) -> None:
    """Return a job to the queue in front of its equals, and sort the queue."""
    _sort(s, gm)
    before, after = NOBODY, s.gm[gm].first_job
    while after != NOBODY and s.job[after].open < s.job[job].open:
        before = after
        after = s.job[after].next
    _insert_after(s, gm, before, job)
    s.job[job].queued = 1
    s.gm[gm].jobs += 1


@inner
def leave(s: PublicState, gm: int, job: int) -> None:
    """Remove a job whose tasks have all been matched."""
    me, it = s.gm[gm], s.job[job]
    _unlink(s, gm, job)
    me.touched -= it.touched
    it.touched = 0
    it.queued = 0
    me.jobs -= 1


@inner
def hear_of_end(s: PublicState, gm: int, job: int) -> None:
    """Process the news, at the GM, that a task of the job has ended."""
    it = s.job[job]
    it.open -= 1
    if it.queued == 1 and it.touched == 0:
        it.touched = 1
        s.gm[gm].touched += 1
