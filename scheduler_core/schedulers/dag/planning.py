"""Plan a job within its share: when it would end, and how late each task may start without a later end.

The tasks of the job are packed in virtual time into its share of all resources, as if this were one machine. Packing
forward gives the end of the job. Packing backward from this end gives the latest starts. Tasks of a stage that start
together are one row.
"""

from __future__ import annotations

from scheduler_core.engine import rng
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide
from scheduler_core.schedulers.dag.giving import own_amount, own_part, share_of
from scheduler_core.schedulers.dag.reasons import PUT_OFF
from scheduler_core.schedulers.dag.state import DagState

_LIMIT, _USED = 0, 1
_MOVED = 1.05
"""A share that has grown or shrunk by this factor makes a new plan; less does not, or every end would make them all."""
_MOST_TOLD = 16
"""Number of rows of a plan that are checked for tasks that it puts off."""


@inner
def plan_turn(w: World, s: DagState) -> bool:
    """Look at the next altruistic job: a new plan if its share or what is left of it has changed; False when done.

    Source: Carbyne, Pseudocode 1, lines 16 to 25 (IntraJobScheduler).
    """
    rules = s.rules[0]
    if rules.at >= rules.active:
        return False
    number = s.active[rules.at]
    rules.at += 1
    job = s.job[number]
    job.altruistic = _volunteers(w, s, number)
    rules.selfish += 1 - job.altruistic
    if job.altruistic == 1:
        share = share_of(s, number)
        moved = share > job.plan_share * _MOVED or share < job.plan_share / _MOVED
        new = job.stale == 1 or moved
        if new:
            _make_plan(w, s, number, share)
        _fall_due(w, s, number)
        if new:
            _tell_put_off(w, s, number)
    return True


@inner
def _volunteers(w: World, s: DagState, number: int) -> int:
    """Return 1 if a job is altruistic in this decision, drawn for the decision or once for the job.

    Source: Carbyne, P(Altruism).
    """
    rules, draw = s.rules[0], s.job[number].draw
    if rules.draws == 1 and 0.0 < rules.altruism < 1.0:
        draw = rng.uniform(w.control[0].seed, rng.STREAM_ALTRUISM, number, rules.decisions)
    return 1 if draw < rules.altruism else 0


@inner
def next_planned(s: DagState, number: int) -> int:
    """Return the open stage whose next task starts soonest by its job's plan, not known to fit nowhere."""
    job = s.job[number]
    for at in range(job.plan_at, job.plan_end):
        stage: int = s.plan[at].stage
        row = s.stage[stage]
        if row.waits_for == 0 and row.started < row.tasks and s.failed[row.demand] != s.rules[0].tries:
            return stage
    return NOBODY


@inner
def _fall_due(w: World, s: DagState, number: int) -> None:
    """Count what has to start now: what could not wait for the next decision.

    Source: Carbyne, Pseudocode 1, lines 21 to 23.
    """
    job, now_ns = s.job[number], w.control[0].now_ns
    while job.plan_at < job.plan_end and s.plan[job.plan_at].latest_ns <= now_ns + s.rules[0].interval_ns:
        stage, count = s.plan[job.plan_at].stage, s.plan[job.plan_at].count
        s.stage[stage].due += count
        for r in range(s.total.shape[0]):
            s.needs[number, r] += count * s.asked[stage, r]
        job.plan_at += 1


@inner
def _tell_put_off(w: World, s: DagState, number: int) -> None:
    job, now_ns = s.job[number], w.control[0].now_ns
    for at in range(job.plan_at, min(job.plan_end, job.plan_at + _MOST_TOLD)):
        _tell(w, s, s.plan[at].stage, s.plan[at].latest_ns - now_ns)


@inner
def _tell(w: World, s: DagState, number: int, later_ns: int) -> None:
    stage, watched = s.stage[number], w.control[0].watched_task
    if stage.told != 0 or stage.waits_for > 0 or stage.started == stage.tasks or stage.started < stage.due:
        return
    stage.told = PUT_OFF
    task = s.task_order[stage.first + stage.started]
    if watched >= 0 and s.stage_of[watched] == number and w.task[watched].machine == NOBODY:
        task = watched
    decide(w, task, NOBODY, PUT_OFF, NOBODY, NOBODY, later_ns, stage.tasks - stage.started)


@inner
def _make_plan(w: World, s: DagState, number: int, share: float) -> None:
    """Make a plan and keep it, unless the old one still holds and ends earlier: a larger share may pack worse.

    Source: Carbyne, Pseudocode 1, lines 17 to 20.
    """
    rules, job, now_ns = s.rules[0], s.job[number], w.control[0].now_ns
    rules.plans += 1
    job.stale = 0
    part = own_part(s, number, share)
    for r in range(s.total.shape[0]):
        s.limit[_LIMIT, r] = int(own_amount(s, number, r, part) + 1e-6)
    groups = _set_out(w, s, number, False)
    ahead, finish_ns = _pack(w, s, number, 0, groups, now_ns, False)
    holds = share >= job.plan_share and job.plan_share > 0.0
    job.plan_share = share
    if holds and finish_ns > job.finish_ns:
        return
    job.finish_ns = finish_ns
    _set_out(w, s, number, True)
    back, length_ns = _pack(w, s, number, ahead, 0, 0, True)
    first = w.job[number].first_task
    job.plan_at = first
    for r in range(s.total.shape[0]):
        s.needs[number, r] = s.held[number, r]
    for stage in range(job.first_stage, job.first_stage + job.stages):
        s.stage[stage].due = s.stage[stage].started
    if length_ns > finish_ns - now_ns:  # no backward plan fits: tasks can wait only as the forward plan has it
        job.plan_end = first + ahead
        for at in range(ahead):
            _write(s, first + at, s.draft[at].latest_ns, s.draft[at].stage, s.draft[at].count)
    else:
        job.plan_end = first + back
        for at in range(back):
            row = s.draft[ahead + at]
            runs_ns = s.stage[row.stage].duration_ns + 2 * rules.delay_ns
            _write(s, first + at, finish_ns - row.latest_ns - runs_ns, row.stage, row.count)
    _sort(s, job.plan_at, job.plan_end)


@inner
def _write(s: DagState, at: int, latest_ns: int, stage: int, count: int) -> None:
    row = s.plan[at]
    row.latest_ns = latest_ns
    row.stage = stage
    row.count = count


@inner
def _sort(s: DagState, first: int, end: int) -> None:
    """Sort rows by their latest start (Shell's sort: nearly sorted rows are quick); equal ones may change places."""
    gap = 1
    while gap < (end - first) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for at in range(first + gap, end):
            latest_ns, stage, count = s.plan[at].latest_ns, s.plan[at].stage, s.plan[at].count
            hole = at
            while hole >= first + gap and s.plan[hole - gap].latest_ns > latest_ns:
                other = s.plan[hole - gap]
                _write(s, hole, other.latest_ns, other.stage, other.count)
                hole -= gap
            _write(s, hole, latest_ns, stage, count)
        gap //= 3


@inner
def _set_out(w: World, s: DagState, number: int, backward: bool) -> int:
    """Begin a plan with what is left of a job; gives how many groups of its tasks run. Backward nothing does."""
    job, groups = s.job[number], 0
    for r in range(s.total.shape[0]):
        s.limit[_USED, r] = 0
    for local in range(job.stages):
        stage, it = s.stage[job.first_stage + local], s.virtual[local]
        it.left = 0
        it.unended = 0
        it.waits_for = 0
        if stage.hopeless == 1:
            continue
        it.left = stage.tasks - stage.started
        it.unended = it.left
        if backward:
            for at in range(stage.first_child, stage.first_child + stage.children):
                child = s.stage[s.relative[at]]
                if child.hopeless == 0 and child.started < child.tasks:
                    it.waits_for += 1
        else:
            it.waits_for = stage.waits_for
            it.unended = stage.tasks - stage.ended
            groups = _add_running(w, s, job.first_stage + local, groups)
    return groups


@inner
def _add_running(w: World, s: DagState, number: int, groups: int) -> int:
    """Return the tasks of a stage that run are the ones started last; those that end together are one group."""
    stage, delay_ns = s.stage[number], s.rules[0].delay_ns
    for at in range(stage.first + stage.ended, stage.first + stage.started):
        row = w.task[s.task_order[at]]
        end_ns = row.last_start_ns + row.duration_ns + delay_ns
        if groups > 0 and s.group[groups - 1].stage == number and s.group[groups - 1].end_ns == end_ns:
            s.group[groups - 1].count += 1
        else:
            s.group[groups].end_ns = end_ns
            s.group[groups].stage = number
            s.group[groups].count = 1
            groups += 1
        for r in range(s.total.shape[0]):
            s.limit[_USED, r] += s.asked[number, r]
    return groups


@inner
def _pack(
    w: World, s: DagState, number: int, first_row: int, groups: int, now_ns: int, backward: bool
) -> tuple[int, int]:
    """Pack what is left of a job into its share, best aligned first; gives how many rows were written and the end."""
    job, rows = s.job[number], 0
    while True:
        best, count = _best_stage(w, s, number, groups, backward)
        if best != NOBODY:
            stage = s.stage[job.first_stage + best]
            row, group = s.draft[first_row + rows], s.group[groups]
            row.latest_ns = now_ns
            row.stage = job.first_stage + best
            row.count = count
            rows += 1
            group.end_ns = now_ns + stage.duration_ns + 2 * s.rules[0].delay_ns
            group.stage = job.first_stage + best
            group.count = count
            groups += 1
            s.virtual[best].left -= count
            for r in range(s.total.shape[0]):
                s.limit[_USED, r] += count * s.asked[job.first_stage + best, r]
            continue
        if groups == 0:
            return rows, now_ns
        next_ns = s.group[0].end_ns
        for at in range(1, groups):
            next_ns = min(next_ns, s.group[at].end_ns)
        now_ns = max(now_ns, next_ns)
        groups = _end_groups(w, s, job.first_stage, groups, next_ns, backward)


@inner
def _best_stage(w: World, s: DagState, number: int, groups: int, backward: bool) -> tuple[int, int]:
    """Return (the stage's place in its job, tasks to start now); NOBODY if none fits. Alone, one task always may."""
    job, best, best_count, best_score = s.job[number], NOBODY, 0, -1.0
    for local in range(job.stages):
        it = s.virtual[local]
        if it.left == 0 or it.waits_for > 0:
            continue
        count, score = it.left, 0.0
        for r in range(s.total.shape[0]):
            asked, limit = s.asked[job.first_stage + local, r], s.limit[_LIMIT, r]
            if asked > 0:
                left = limit - s.limit[_USED, r]
                count = min(count, left // asked)
                if limit > 0:
                    score += (asked / limit) * (left / limit)
        if count < 1:
            if groups > 0:
                continue
            count = 1
        if s.rules[0].in_place == 1:  # by an order from an earlier search, not by alignment
            place = s.stage[job.first_stage + local].place
            score = place * 1.0 if backward else 1.0 * (job.stages - place)
        if score > best_score or best == NOBODY:
            best, best_count, best_score = local, count, score
    return best, best_count


@inner
def _end_groups(w: World, s: DagState, first_stage: int, groups: int, end_ns: int, backward: bool) -> int:
    """End the groups that end at a time: free their resources and open the stages behind finished ones."""
    at = 0
    while at < groups:
        group = s.group[at]
        if group.end_ns != end_ns:
            at += 1
            continue
        stage, it = s.stage[group.stage], s.virtual[group.stage - first_stage]
        for r in range(s.total.shape[0]):
            s.limit[_USED, r] -= group.count * s.asked[group.stage, r]
        it.unended -= group.count
        if it.unended == 0:
            first, end = stage.first_child, stage.first_child + stage.children
            if backward:
                first, end = stage.first_parent, stage.first_parent + stage.parents
            for place in range(first, end):
                s.virtual[s.relative[place] - first_stage].waits_for -= 1
        groups -= 1
        last = s.group[groups]
        group.end_ns = last.end_ns
        group.stage = last.stage
        group.count = last.count
    return groups
