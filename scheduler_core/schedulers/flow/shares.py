"""Shares as bounds: each job runs exactly its max-min share; where that is impossible, record who falls short."""

from __future__ import annotations

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, TASK_WAITING, World
from scheduler_core.engine.tasks import decide
from scheduler_core.flow.edit import set_arc
from scheduler_core.schedulers.flow.graph import MANY, net_of
from scheduler_core.schedulers.flow.reasons import SHORT
from scheduler_core.schedulers.flow.state import IDLE, TELLING, FlowState


@inner
def bound_jobs(w: World, s: FlowState) -> None:
    """Bound each job as in Sirius' fairness: exactly its max-min share of the slots runs.

    Water is filled in: each round of it gives every job that wants more the same.

    Source: Sirius, Section 3.1.1, equations 1 and 2.
    """
    n, left, wanting = net_of(s), 0, 0
    for m in range(len(s.machine)):
        left += s.machine[m].width
    for j in range(s.rules[0].first_open, s.rules[0].adding):
        s.job[j].share = 0
        if s.job[j].node != NOBODY:
            wanting += 1
    while left > 0 and wanting > 0:
        each, given = max(1, left // wanting), 0
        wanting = 0
        for j in range(s.rules[0].first_open, s.rules[0].adding):
            it = s.job[j]
            if it.node == NOBODY or it.share == it.here:
                continue
            more = min(each, it.here - it.share, left)
            it.share += more
            left -= more
            given += more
            if it.share < it.here:
                wanting += 1
        if given == 0:
            break
    for j in range(s.rules[0].first_open, s.rules[0].adding):
        it = s.job[j]
        if it.node == NOBODY:
            continue
        # Without preemption what runs goes on: of the waiting tasks, those beyond the share stay behind.
        least = it.here - it.share
        most = least
        if s.rules[0].preempts == 0:
            least, most = min(least, it.here - it.running), MANY
        arc = s.arc[it.arc]
        if arc.low != least or arc.cap != most:
            set_arc(n, it.arc, least, most, s.half[arc.half].cost)


@inner
def relax(s: FlowState) -> bool:
    """Let more of each job wait than its share leaves over, where bounds ask too much; False where none do."""
    rules, n = s.rules[0], net_of(s)
    if rules.fair == 0 or rules.relaxed == 1:
        return False
    rules.relaxed = 1
    rules.unfair += 1
    for j in range(rules.first_open, rules.adding):
        if s.job[j].node != NOBODY:
            arc = s.arc[s.job[j].arc]
            set_arc(n, s.job[j].arc, arc.low, MANY, s.half[arc.half].cost)
    return True


@inner
def begin_telling(s: FlowState) -> None:
    """Begin to look at each job after a round whose shares could not be met, now or the last time."""
    rules = s.rules[0]
    rules.phase = TELLING
    rules.at = rules.first_open
    rules.short_jobs = 0


@inner
def tell_turn(w: World, s: FlowState) -> None:
    """Log for one job that more of its tasks wait than its share allows."""
    rules = s.rules[0]
    if rules.at >= rules.adding:
        rules.phase = IDLE
        return
    it, missing = s.job[rules.at], 0
    if it.node != NOBODY and rules.relaxed == 1:
        missing = s.half[s.arc[it.arc].half].back
    rules.at += 1
    rules.short_jobs += 1 if missing > 0 else 0
    if missing > 0 and it.short != missing:
        t = _who_waits(w, s, it.node)
        if t != NOBODY:
            decide(w, t, NOBODY, SHORT, NOBODY, NOBODY, it.share, it.share - missing)
    it.short = missing


@inner
def _who_waits(w: World, s: FlowState, node: int) -> int:
    """Return a task whose unit flows through a job's unscheduled node, the watched one if it does; or NOBODY."""
    found = NOBODY
    for h in range(s.node[node].first, s.node[node].first + s.node[node].count):
        half = s.half[h]
        t: int = s.task_of[half.to]
        if half.arc & 1 == 1 and half.residual > 0 and t >= 0 and w.task[t].state == TASK_WAITING:
            if t == w.control[0].watched_task:
                return t
            if found == NOBODY or t < found:
                found = t
    return found
