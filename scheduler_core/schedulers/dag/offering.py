"""Offer a machine with room to the eligible job with the smallest share, the most constrained job first."""

from __future__ import annotations

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.dag.alike import turn_to_next
from scheduler_core.schedulers.dag.jobs import launch
from scheduler_core.schedulers.dag.reasons import Y_SHARE
from scheduler_core.schedulers.dag.state import DagState
from scheduler_core.schedulers.dag.tree import may_hold


@inner
def offer_turn(w: World, s: DagState) -> bool:
    """Start a task on the first machine that may take one, or find that it takes none; False when done.

    Source: *Choosy: max-min fair sharing for datacenter jobs with constraints* (online greedy rule).
    """
    rules, machine = s.rules[0], turn_to_next(w, s)
    if machine == NOBODY:
        return False
    stage = _of_the_poorest(w, s, machine)
    if stage == NOBODY:
        s.freed[machine] = 0
        rules.at = machine + 1
        return True
    row = s.stage[stage]
    row.told = 0
    launch(w, s, stage, machine, rules.reason, row.able, int(s.job[row.job].share_seen * 1e6) << Y_SHARE)
    return True


@inner
def _of_the_poorest(w: World, s: DagState, machine: int) -> int:
    """Return the open stage that gets the machine: of the job with the least share, then the fewest machines."""
    best: int = NOBODY
    for at in range(s.rules[0].kinds):
        heap = s.heap[2 * s.kind[at]]
        stage = s.item[heap.first]
        if may_hold(w, machine, s.stage[stage].demand) and (best == NOBODY or _goes_before(s, stage, best)):
            best = stage
    return best


@inner
def _goes_before(s: DagState, one: int, other: int) -> bool:
    """Return whether a stage goes first: poorer job, then fewer able machines, then earlier job and rank."""
    it, that = s.stage[one], s.stage[other]
    share, others = s.job[it.job].share_seen, s.job[that.job].share_seen
    if share != others:
        return bool(share < others)
    if it.able != that.able:
        return bool(it.able < that.able)
    return bool(it.job < that.job or (it.job == that.job and it.rank < that.rank))
