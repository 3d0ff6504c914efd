"""Pack by alignment: a machine with room takes the best-aligned task; short jobs and last tasks get priority.

A task's score has two parts. The first is its alignment (its demand times the free resources, as fractions of the
machine), divided by the sum of the alignments of all tasks that fit. The second part, subtracted and weighted by
epsilon, is the work left of its job, divided by the sum over their jobs. The paper divides by means instead of sums,
which gives the same order.
"""

from __future__ import annotations

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.dag.alike import BACK, FRONT, turn_to_next
from scheduler_core.schedulers.dag.beside import take_nearest
from scheduler_core.schedulers.dag.fitting import alignment_on
from scheduler_core.schedulers.dag.jobs import launch
from scheduler_core.schedulers.dag.reasons import LEFT_OVER, Y_SHARE
from scheduler_core.schedulers.dag.state import PLAN, DagState
from scheduler_core.schedulers.dag.tree import may_hold


@inner
def pack_turn(w: World, s: DagState) -> bool:
    """Start the best task on the first machine that may take one, or find that it takes none; False when done."""
    rules, machine = s.rules[0], turn_to_next(w, s)
    if machine == NOBODY:
        return False
    stage = NOBODY
    sides = FRONT if rules.fairness > 0.0 else BACK
    while stage == NOBODY and sides <= BACK:
        stage = _best(w, s, machine, sides)
        sides += 1
    if stage == NOBODY:
        s.freed[machine] = 0
        rules.at = machine + 1
        return True
    _start(w, s, stage, machine)
    return True


@inner
def _start(w: World, s: DagState, stage: int, machine: int) -> None:
    rules, row = s.rules[0], s.stage[stage]
    reason = rules.reason
    if rules.first_phase == PLAN:
        reason = LEFT_OVER
        rules.from_leftover += 1
        s.job[row.job].stale = 1
    row.told = 0
    if rules.has_data == 1:
        take_nearest(w, s, stage, machine)
    aligned = int(alignment_on(w, s, machine, stage) * 1e6)
    launch(w, s, stage, machine, reason, int(s.job[row.job].work), aligned << Y_SHARE)


@inner
def _urgency(s: DagState, stage: int) -> float:
    """Return 1, or with an order of a job's stages less for those behind its first open one."""
    if s.rules[0].in_place == 0:
        return 1.0
    row = s.stage[stage]
    job = s.job[row.job]
    behind = max(row.place - s.stage[job.first_open].place, 0)
    urgency: float = 1.0 - behind / job.stages
    return urgency


@inner
def _best(w: World, s: DagState, machine: int, sides: int) -> int:
    """Return the open stage whose next task scores best on the machine, of jobs in front or, up to BACK, of all.

    Stages that have all but a few tasks ended and hold others up go before the rest. Of each kind the first one of a
    heap stands for all: they have the same alignment, and it has the least work left of its job.

    Source: *Multi-resource packing for cluster schedulers* (alignment and remaining work).
    """
    rules = s.rules[0]
    alignment, work, count = 0.0, 0.0, 0
    for at in range(rules.kinds):
        for side in range(sides + 1):
            heap = s.heap[2 * s.kind[at] + side]
            if heap.held > 0 and may_hold(w, machine, s.stage[s.item[heap.first]].demand):
                stage = s.item[heap.first]
                alignment += heap.held * _urgency(s, stage) * alignment_on(w, s, machine, stage)
                work += heap.total
                count += 1
    if count == 0:
        return NOBODY
    best, best_score = NOBODY, 0.0
    for at in range(rules.kinds):
        for side in range(sides + 1):
            heap = s.heap[2 * s.kind[at] + side]
            if heap.held > 0 and may_hold(w, machine, s.stage[s.item[heap.first]].demand):
                stage = s.item[heap.first]
                score = 0.0
                if alignment > 0.0:
                    score = _urgency(s, stage) * alignment_on(w, s, machine, stage) / alignment
                if work > 0.0:
                    score -= rules.epsilon * s.job[s.stage[stage].job].sort_by / work
                if best == NOBODY or _goes_before(s, stage, score, best, best_score):
                    best, best_score = stage, score
    return best


@inner
def _goes_before(s: DagState, one: int, score: float, other: int, others: float) -> bool:
    it, that = s.stage[one], s.stage[other]
    if it.last != that.last:
        return bool(it.last > that.last)
    if score != others:
        return bool(score > others)
    return bool(it.job < that.job or (it.job == that.job and it.rank < that.rank))
