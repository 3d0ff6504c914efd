"""Packing: a machine with room takes the task that uses best what it has free, short jobs and last tasks first.

A task's score is its alignment (demand times what is free, as parts of the machine) over the sum of those that fit,
minus epsilon times the work left of its job over the sum of theirs: the order of the paper's scores, which use means.
"""

from __future__ import annotations

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.dag.jobs import launch
from scheduler_core.schedulers.dag.ordered import drop_first, put_in_order
from scheduler_core.schedulers.dag.reasons import LEFT_OVER, Y_SHARE
from scheduler_core.schedulers.dag.state import BY_DOMINANT, PLAN, DagState
from scheduler_core.schedulers.dag.tree import may_hold, next_fit


@inner
def pack_turn(w: World, s: DagState) -> bool:
    """Start the best task on the first machine that may take one, or find that it takes none; False when done."""
    rules = s.rules[0]
    smallest = w.demand.shape[0] - 1
    machine = NOBODY
    if rules.active > 0:
        machine = next_fit(w, s, smallest, rules.at)
        # What was tried before fits only where something has ended since.
        while machine != NOBODY and rules.new_work == 0 and s.freed[machine] == 0:
            machine = next_fit(w, s, smallest, machine + 1)
    if machine == NOBODY:
        if rules.active > 0:
            rules.new_work = 0
        return False
    rules.at = machine
    stage = NOBODY
    if rules.fairness > 0.0:
        if rules.rechoose == 1:
            _choose_jobs(w, s)
        stage = _best(w, s, machine, rules.considered)
    if stage == NOBODY:
        stage = _best(w, s, machine, NOBODY)
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
    rules.rechoose = 1
    aligned = int(_alignment(w, s, machine, stage) * 1e6)
    launch(w, s, stage, machine, reason, int(s.job[row.job].work), aligned << Y_SHARE)


@inner
def _alignment(w: World, s: DagState, machine: int, stage: int) -> float:
    total = 0.0
    for r in range(w.free.shape[1]):
        capacity = w.capacity[machine, r]
        if capacity > 0:
            total += (s.asked[stage, r] / capacity) * (w.free[machine, r] / capacity)
    return total


@inner
def _urgency(s: DagState, stage: int) -> float:
    """1, or with an order of a job's stages less for those behind its first open one."""
    if s.rules[0].in_place == 0:
        return 1.0
    row = s.stage[stage]
    job = s.job[row.job]
    behind = max(row.place - s.stage[job.first_open].place, 0)
    urgency: float = 1.0 - behind / job.stages
    return urgency


@inner
def _choose_jobs(w: World, s: DagState) -> None:
    """Mark the jobs that are furthest below their share: all but the part that has to stand back, at least one."""
    rules = s.rules[0]
    rules.rechoose = 0
    rules.considered += 1
    put_in_order(w, s, BY_DOMINANT)
    for _ in range(max(1, rules.active - int(rules.fairness * rules.active))):
        s.job[s.order[0]].considered = rules.considered
        drop_first(s)


@inner
def _best(w: World, s: DagState, machine: int, considered: int) -> int:
    """The open stage whose next task scores best on the machine, among marked jobs unless `considered` is NOBODY.

    Stages that have all but a few tasks ended and hold others up go before the rest.
    """
    rules = s.rules[0]
    alignment, work, count = 0.0, 0.0, 0
    for at in range(rules.active):
        job = s.job[s.active[at]]
        stage = job.first_open
        while stage != NOBODY and (considered == NOBODY or job.considered == considered):
            if may_hold(w, machine, s.stage[stage].demand):
                alignment += _urgency(s, stage) * _alignment(w, s, machine, stage)
                work += job.work
                count += 1
            stage = s.stage[stage].next_open
    if count == 0:
        return NOBODY
    best, best_job, best_score, best_last = NOBODY, NOBODY, 0.0, False
    for at in range(rules.active):
        job = s.job[s.active[at]]
        stage = job.first_open
        while stage != NOBODY and (considered == NOBODY or job.considered == considered):
            row = s.stage[stage]
            if may_hold(w, machine, row.demand):
                score = 0.0
                if alignment > 0.0:
                    score = _urgency(s, stage) * _alignment(w, s, machine, stage) / alignment
                if work > 0.0:
                    score -= rules.epsilon * job.work / work
                last = row.children > 0 and row.ended >= rules.barrier * row.tasks
                better = best == NOBODY or score > best_score or (score == best_score and row.job < best_job)
                if (last and not best_last) or (last == best_last and better):
                    best, best_job, best_score, best_last = stage, row.job, score, last
            stage = row.next_open
    return best
