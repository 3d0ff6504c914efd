"""Give tasks one by one to the first job in order, as long as machines have room."""

from __future__ import annotations

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide
from scheduler_core.schedulers.dag.beside import machine_for, take_nearest
from scheduler_core.schedulers.dag.giving import share_of
from scheduler_core.schedulers.dag.jobs import launch
from scheduler_core.schedulers.dag.ordered import dominant_share, drop_first, key_of, sink
from scheduler_core.schedulers.dag.planning import next_planned
from scheduler_core.schedulers.dag.reasons import BESIDE, LEAST_SHARE, LEFT_OVER, MUST, NO_ROOM, OVER_SHARE, Y_SHARE
from scheduler_core.schedulers.dag.state import (
    BY_ARRIVAL,
    BY_DOMINANT,
    BY_LENGTH,
    BY_ONE,
    BY_QUEUE,
    BY_WORK,
    FILL,
    LEFTOVER,
    NODE,
    RACK,
    SHARE,
    DagState,
)

_A_LITTLE = 1e-9
_MOST_TOLD = 32
"""Number of rows that a turn may log; others follow with the next decision."""


@inner
def share_turn(w: World, s: DagState, order: int) -> bool:
    """Start a task of the job that is first in order, or find that none of its tasks can start; False when done."""
    rules = s.rules[0]
    if rules.ordered == 0 or (rules.failed_open == rules.open_classes and rules.strict == 0):
        return False
    job = s.order[0]
    key = key_of(s, job, order)
    if key > s.key[job]:
        s.key[job] = key
        sink(s, 0)
        return True
    if _has_share(s, job):
        drop_first(s)  # a selfish job has its share; the leftover is not its own
        return True
    stage = next_stage(w, s, job)
    if stage != NOBODY and rules.phase == LEFTOVER and s.job[job].altruistic == 1:
        stage = next_planned(s, job)
    if stage == NOBODY:
        drop_first(s)
        return True
    packs = rules.packs == 1 and (rules.phase == LEFTOVER or s.job[job].altruistic == 1)
    machine = machine_for(w, s, stage, packs)
    if machine == NOBODY:
        no_room(w, s, stage)
        return True
    start_shared(w, s, job, stage, machine, order, key)
    return True


@inner
def _has_share(s: DagState, job: int) -> bool:
    """Return whether a selfish job among altruistic ones has its own share in the first pass (maybe nothing)."""
    rules = s.rules[0]
    if rules.limits == 0 or rules.phase != SHARE or s.job[job].altruistic == 1:
        return False
    if rules.sets_aside == 1:
        return True  # DRF gives it its own later, in FILL
    return dominant_share(s, job) >= share_of(s, job)


@inner
def next_stage(w: World, s: DagState, job: int) -> int:
    """Return the first open stage of the job that may start a task now and is not known to fit nowhere; or NOBODY."""
    rules, it = s.rules[0], s.job[job]
    dutiful = rules.phase != LEFTOVER and it.altruistic == 1
    stage: int = it.first_open
    told = 0
    while stage != NOBODY:
        row = s.stage[stage]
        if s.failed[row.demand] != rules.tries and not (dutiful and row.started >= row.due):
            if rules.strict == 0 or _within_share(s, job, stage):
                return stage
            if told < _MOST_TOLD:
                told += 1
                tell_once(w, s, stage, OVER_SHARE)
        stage = row.next_open
    return NOBODY


@inner
def _within_share(s: DagState, job: int, stage: int) -> bool:
    """Return whether one more task keeps the job within its share; a job that holds nothing may start one."""
    fair, holds = s.job[job].weight / s.rules[0].weights + _A_LITTLE, 0
    for r in range(s.held.shape[1]):
        holds += s.held[job, r]
    if holds == 0:
        return True
    for r in range(s.held.shape[1]):
        if s.held[job, r] + s.asked[stage, r] > fair * s.in_service[r]:
            return False
    return True


@inner
def fits_nowhere(s: DagState, stage: int) -> None:
    """Mark a stage's demand as fitting nowhere until some task frees room."""
    s.failed[s.stage[stage].demand] = s.rules[0].tries
    s.rules[0].failed_open += 1


@inner
def no_room(w: World, s: DagState, stage: int) -> None:
    """Mark a stage's demand as having no room in this decision, and log it once."""
    fits_nowhere(s, stage)
    tell_once(w, s, stage, NO_ROOM)


@inner
def tell_once(w: World, s: DagState, stage: int, reason: int) -> None:
    """Write down why the next task of a stage has to wait, once until one of its tasks starts."""
    row = s.stage[stage]
    if row.told == reason:
        return
    row.told = reason
    task, watched = s.task_order[row.first + row.started], w.control[0].watched_task
    if watched >= 0 and s.stage_of[watched] == stage and w.task[watched].machine == NOBODY:
        task = watched
    decide(w, task, NOBODY, reason, NOBODY, NOBODY, row.tasks - row.started, 0)


@inner
def tell_turn(w: World, s: DagState) -> bool:
    """Write down, after machines have chosen, that what still waits of the next job has no room; False when done."""
    rules = s.rules[0]
    if rules.at >= rules.untold:
        rules.untold = 0
        return False
    job = s.job[s.untold[rules.at]]
    job.untold = 0
    stage, told = job.first_open, 0
    rules.at += 1
    while stage != NOBODY and told < _MOST_TOLD:
        told += 1
        tell_once(w, s, stage, NO_ROOM)
        stage = s.stage[stage].next_open
    return True


@inner
def start_shared(w: World, s: DagState, job: int, stage: int, machine: int, order: int, key: float) -> None:
    """Start the next task of a stage, for the reason of the phase that a decision is in."""
    rules, row = s.rules[0], s.stage[stage]
    row.told = 0
    reason, x, y = rules.reason, 0, 0
    if rules.phase == LEFTOVER:
        reason = LEFT_OVER
        rules.from_leftover += 1
        s.job[job].stale = 1
    elif s.job[job].altruistic == 1:
        reason = MUST
    elif rules.phase == FILL:
        s.job[job].stale = 1
    if rules.has_data == 1:
        nearness = take_nearest(w, s, stage, machine)
        if reason == LEAST_SHARE and (nearness == NODE or nearness == RACK):
            reason = BESIDE
    if order == BY_LENGTH:
        x = s.job[job].length_ns
    elif order == BY_WORK:
        x = int(key)
    elif order == BY_ARRIVAL:
        x = row.path_ns
    elif order in (BY_DOMINANT, BY_ONE, BY_QUEUE):
        y = int(key * 1e6) << Y_SHARE
    launch(w, s, stage, machine, reason, x, y)
