"""Offering: a machine with room goes to the job with the least share that may use it, the most constrained first."""

from __future__ import annotations

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.dag.jobs import launch
from scheduler_core.schedulers.dag.ordered import key_of
from scheduler_core.schedulers.dag.reasons import Y_SHARE
from scheduler_core.schedulers.dag.state import BY_DOMINANT, DagState
from scheduler_core.schedulers.dag.tree import may_hold, next_untried


@inner
def find_shares(s: DagState) -> None:
    """The share, by weight, of each job that has tasks to start."""
    for at in range(s.rules[0].active):
        job = s.active[at]
        s.key[job] = key_of(s, job, BY_DOMINANT)


@inner
def offer_turn(w: World, s: DagState) -> bool:
    """Start a task on the first machine that may take one, or find that it takes none; False when done."""
    rules = s.rules[0]
    if rules.active == 0:
        return False
    machine = next_untried(w, s, rules.at)
    if machine == NOBODY:
        rules.new_work = 0
        return False
    rules.at = machine
    stage = _of_the_poorest(w, s, machine)
    if stage == NOBODY:
        s.freed[machine] = 0
        rules.at = machine + 1
        return True
    row = s.stage[stage]
    row.told = 0
    launch(w, s, stage, machine, rules.reason, row.able, int(s.key[row.job] * 1e6) << Y_SHARE)
    s.key[row.job] = key_of(s, row.job, BY_DOMINANT)
    return True


@inner
def _of_the_poorest(w: World, s: DagState, machine: int) -> int:
    """The open stage that gets the machine: of the job with the least share, then the one that fewest could run."""
    best, best_job = NOBODY, NOBODY
    for at in range(s.rules[0].active):
        job = s.active[at]
        if best != NOBODY and s.key[job] > s.key[best_job]:
            continue
        stage = s.job[job].first_open
        while stage != NOBODY:
            if may_hold(w, machine, s.stage[stage].demand) and (
                best == NOBODY or s.key[job] < s.key[best_job] or _goes_before(s, stage, best)
            ):
                best, best_job = stage, job
            stage = s.stage[stage].next_open
    return best


@inner
def _goes_before(s: DagState, one: int, other: int) -> bool:
    """Of two stages of equally poor jobs: the one that fewer machines could run, then the job that came first."""
    it, that = s.stage[one], s.stage[other]
    if it.able != that.able:
        fewer: bool = it.able < that.able
        return fewer
    first: bool = it.job < that.job or (it.job == that.job and it.rank < that.rank)
    return first
