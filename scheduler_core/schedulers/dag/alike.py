"""Group open stages with equal requests, so that a machine examines only the first stage of each kind.

Two heaps for each kind hold the stages: those of jobs that may go first (FRONT), and those of jobs that yield because
they hold most (BACK). Two more heaps hold jobs by their share: the last job of FRONT, and the first job of BACK. The
heaps are ordered by copies of the keys. `renew` copies them before machines choose, for the jobs that have changed
since the last copy.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, Records, World
from scheduler_core.schedulers.dag.ordered import key_of
from scheduler_core.schedulers.dag.state import BY_DOMINANT, OFFER, DagState
from scheduler_core.schedulers.dag.tree import next_untried

FRONT, BACK = 0, 1

_PARTS = 1024.0
"""Work left is compared in parts of a nanosecond: what rounding makes of equal jobs decides nothing."""

Items = npt.NDArray[np.int32]


@inner
def notice(s: DagState, number: int) -> None:
    """Note that a job's sort key or share may have changed."""
    rules, job = s.rules[0], s.job[number]
    if rules.sorted == 1 and job.noticed == 0:
        job.noticed = 1
        s.noticed[rules.noticed] = number
        rules.noticed += 1


@inner
def notice_waiting(s: DagState, number: int) -> None:
    """Note a job's change like `notice`, and mark its waiting tasks as needing a new reason."""
    rules, job = s.rules[0], s.job[number]
    notice(s, number)
    if rules.sorted == 1 and job.untold == 0:
        job.untold = 1
        s.untold[rules.untold] = number
        rules.untold += 1


@inner
def turn_to_next(w: World, s: DagState) -> int:
    """Return the next machine that may take a task, with up-to-date heaps; NOBODY for none."""
    rules = s.rules[0]
    if rules.active == 0:
        return NOBODY
    machine = next_untried(w, s, rules.at)
    if machine == NOBODY:
        rules.new_work = 0
        return NOBODY
    rules.at = machine
    if rules.sorted == 0 or rules.noticed > 0:
        renew(w, s)
    return machine


@called
def renew(w: World, s: DagState) -> None:
    """Bring the heaps up to date; from scratch where rules have changed."""
    rules = s.rules[0]
    if rules.sorted == 0:
        _start_over(s)
    for at in range(rules.noticed):
        number = s.noticed[at]
        job = s.job[number]
        job.noticed = 0
        _take_stages(s, number)
        job.share_seen = key_of(s, number, BY_DOMINANT)
        job.sort_by = 0.0
        if rules.first_phase == OFFER:
            job.sort_by = job.share_seen
        elif rules.epsilon > 0.0:
            job.sort_by = np.floor(job.work * _PARTS + 0.5) / _PARTS
        if rules.fairness > 0.0:
            _line_up(s, number)
        _put_stages(s, number)
    changed = rules.noticed > 0
    rules.noticed = 0
    if changed and rules.fairness > 0.0:
        _balance(s)


@inner
def forget(s: DagState, number: int) -> None:
    """Remove a stage whose tasks have all started from its heap."""
    if s.rules[0].sorted == 1 and s.spot[number] != NOBODY:
        _take(s.rules, s.stage, s.job, s.heap, s.item, s.spot, s.kind, number)


@inner
def _start_over(s: DagState) -> None:
    rules = s.rules[0]
    rules.sorted = 1
    rules.noticed = 0
    rules.untold = 0
    rules.kinds = 0
    for item in range(s.spot.shape[0]):
        s.spot[item] = NOBODY
    for heap in range(s.heap.shape[0]):
        s.heap[heap].held = 0
        s.heap[heap].total = 0.0
    for number in range(s.job.shape[0]):
        s.job[number].noticed = 0
        s.job[number].untold = 0
        s.job[number].side = FRONT
    for at in range(rules.active):
        notice_waiting(s, s.active[at])


@inner
def _take_stages(s: DagState, number: int) -> None:
    """Remove the open stages of a job from their heaps."""
    stage = s.job[number].first_open
    while stage != NOBODY:
        if s.spot[stage] != NOBODY:
            _take(s.rules, s.stage, s.job, s.heap, s.item, s.spot, s.kind, stage)
        stage = s.stage[stage].next_open


@called
def _take(
    rules: Records, stage: Records, job: Records, heap: Records, item: Items, spot: Items, kind: Items, number: int
) -> None:
    """Remove a stage from its heap."""
    front = 2 * stage[number].kind
    at = front + job[stage[number].job].side
    it = heap[at]
    _remove(stage, job, heap, item, spot, at, number)
    it.total -= job[stage[number].job].sort_by
    it.changes += 1
    if it.changes > it.held:  # now and then, so that what rounding left does not add up
        it.changes = 0
        it.total = 0.0
        for place in range(it.first, it.first + it.held):
            it.total += job[stage[item[place]].job].sort_by
    if heap[front].held + heap[front + 1].held == 0:
        rules[0].kinds -= 1
        last = kind[rules[0].kinds]
        kind[heap[front].open_at] = last
        heap[2 * last].open_at = heap[front].open_at


@inner
def _put_stages(s: DagState, number: int) -> None:
    """Insert the open stages of a job into the heaps of its side."""
    rules, job = s.rules[0], s.job[number]
    stage = job.first_open
    while stage != NOBODY:
        row = s.stage[stage]
        row.last = row.children > 0 and row.ended >= rules.barrier * row.tasks
        front = 2 * row.kind
        if s.heap[front].held + s.heap[front + 1].held == 0:
            s.heap[front].open_at = rules.kinds
            s.kind[rules.kinds] = row.kind
            rules.kinds += 1
        _insert(s.stage, s.job, s.heap, s.item, s.spot, front + job.side, stage)
        s.heap[front + job.side].total += job.sort_by
        stage = row.next_open


@inner
def _line_up(s: DagState, number: int) -> None:
    """Insert a job into its line, or remove it if it has no more tasks to start."""
    job, item, lines = s.job[number], s.stage.shape[0] + number, s.heap.shape[0] - 2
    if s.spot[item] != NOBODY:
        _remove(s.stage, s.job, s.heap, s.item, s.spot, lines + job.side, item)
    else:
        job.side = BACK
    if job.active_at != NOBODY:
        _insert(s.stage, s.job, s.heap, s.item, s.spot, lines + job.side, item)


@inner
def _balance(s: DagState) -> None:
    """Move jobs between front and back: all but the yielding fraction, at least one job, are in front."""
    rules, front = s.rules[0], s.heap.shape[0] - 2
    back = front + 1
    keep = min(max(1, rules.active - int(rules.fairness * rules.active)), rules.active)
    while True:
        item = NOBODY
        if s.heap[front].held > keep:
            item = s.item[s.heap[front].first]
        elif s.heap[back].held > 0:
            item = s.item[s.heap[back].first]
            if s.heap[front].held == keep and (
                keep == 0 or not _goes_before(s.stage, s.job, front, back, item, s.item[s.heap[front].first])
            ):
                item = NOBODY
        if item == NOBODY:
            return
        _change_sides(s, item)


@inner
def _change_sides(s: DagState, item: int) -> None:
    number, lines = item - s.stage.shape[0], s.heap.shape[0] - 2
    job = s.job[number]
    _take_stages(s, number)
    _remove(s.stage, s.job, s.heap, s.item, s.spot, lines + job.side, item)
    job.side = BACK - job.side
    _insert(s.stage, s.job, s.heap, s.item, s.spot, lines + job.side, item)
    _put_stages(s, number)


# -- heaps of stages and, the last two, of jobs, whose items continue the numbers of stages ----------------------------


@inner
def _goes_before(stage: Records, job: Records, lines: int, heap: int, one: int, other: int) -> bool:
    """Return whether an item is nearer to the top of a heap than another one; heaps from `lines` on are of jobs."""
    if heap >= lines:
        a, b = job[one - stage.shape[0]].share_seen, job[other - stage.shape[0]].share_seen
        less = a < b or (a == b and one < other)
        return bool(less == (heap == lines + BACK))
    it, that = stage[one], stage[other]
    if it.last != that.last:
        return bool(it.last > that.last)
    if it.job != that.job:
        a, b = job[it.job].sort_by, job[that.job].sort_by
        return bool(a < b or (a == b and it.job < that.job))
    return bool(it.rank < that.rank)


@called
def _insert(stage: Records, job: Records, heap: Records, item: Items, spot: Items, at: int, new: int) -> None:
    heap[at].held += 1
    _rise(stage, job, heap, item, spot, at, heap[at].held - 1, new)


@called
def _remove(stage: Records, job: Records, heap: Records, item: Items, spot: Items, at: int, old: int) -> None:
    it, place = heap[at], spot[old]
    spot[old] = NOBODY
    it.held -= 1
    if place == it.held:
        return
    moved = item[it.first + it.held]
    above = item[it.first + ((max(place, 1) - 1) >> 1)]
    if place > 0 and _goes_before(stage, job, heap.shape[0] - 2, at, moved, above):
        _rise(stage, job, heap, item, spot, at, place, moved)
    else:
        _sink(stage, job, heap, item, spot, at, place, moved)


@inner
def _rise(stage: Records, job: Records, heap: Records, item: Items, spot: Items, at: int, place: int, new: int) -> None:
    first, lines = heap[at].first, heap.shape[0] - 2
    while place > 0:
        above = (place - 1) >> 1
        other = item[first + above]
        if not _goes_before(stage, job, lines, at, new, other):
            break
        item[first + place] = other
        spot[other] = place
        place = above
    item[first + place] = new
    spot[new] = place


@inner
def _sink(stage: Records, job: Records, heap: Records, item: Items, spot: Items, at: int, place: int, new: int) -> None:
    first, size, lines = heap[at].first, heap[at].held, heap.shape[0] - 2
    while True:
        below = 2 * place + 1
        if below >= size:
            break
        if below + 1 < size and _goes_before(stage, job, lines, at, item[first + below + 1], item[first + below]):
            below += 1
        other = item[first + below]
        if _goes_before(stage, job, lines, at, new, other):
            break
        item[first + place] = other
        spot[other] = place
        place = below
    item[first + place] = new
    spot[new] = place
