"""The life of jobs and stages: stages open, their tasks start and end, and then their children open."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, TASK_RUNNING, World
from scheduler_core.engine.tasks import arrive, decide, finish_task, start_task
from scheduler_core.schedulers.dag.alike import forget, notice, notice_waiting
from scheduler_core.schedulers.dag.reasons import HELD_UP, OPENED, UNSCHEDULABLE
from scheduler_core.schedulers.dag.state import DECIDE, PLAN, TASK_END, DagState
from scheduler_core.schedulers.dag.tree import update_room
from scheduler_core.schedulers.shared.groups.tree import FLAT

_MOST_TOLD, _FEW_TOLD = 32, 8
"""Largest number of rows for the stages that one ended stage opens, or that wait in one job."""


@inner
def ask_decision(w: World, s: DagState) -> None:
    """Ask for a decision at the end of this instant, or when the interval is over."""
    rules, now_ns = s.rules[0], w.control[0].now_ns
    if rules.pending == 1:
        return
    rules.pending = 1
    at_ns = now_ns
    if rules.last_ns >= 0:
        at_ns = max(now_ns, rules.last_ns + rules.interval_ns)
    schedule(w, at_ns, DECIDE, 0, 0)


@inner
def on_job(w: World, s: DagState, number: int) -> None:
    """Process a job's arrival: open its stages without parents."""
    job, rules = s.job[number], s.rules[0]
    waiting = arrive(w, number, UNSCHEDULABLE)
    if waiting == 0:
        return
    job.present_at = rules.unfinished
    s.present[rules.unfinished] = number
    rules.unfinished += 1
    rules.weights += job.weight
    rules.reshare = 1
    s.queue_weights[job.queue] += job.weight
    job.stale = 1
    told = 0
    for stage in range(job.first_stage, job.first_stage + job.stages):
        if s.stage[stage].hopeless == 1:
            continue
        if s.stage[stage].waits_for == 0:
            open_stage(s, stage)
        else:
            told = _tell(w, s, stage, HELD_UP, 0, s.stage[stage].waits_for, told, _FEW_TOLD)
    ask_decision(w, s)


@inner
def _tell(w: World, s: DagState, stage: int, reason: int, x: int, y: int, told: int, most: int) -> int:
    """Write down what has become of a stage, about its first task; of more than `most` only if a task is watched."""
    task, watched = s.task_order[s.stage[stage].first], w.control[0].watched_task
    if watched >= 0 and s.stage_of[watched] == stage:
        task = watched
    if told < most or task == watched:
        decide(w, task, NOBODY, reason, NOBODY, NOBODY, x, y)
    return told + 1


@inner
def open_stage(s: DagState, number: int) -> None:
    """Open a stage: insert it by rank among the open stages of its job."""
    stage = s.stage[number]
    job, rules = s.job[stage.job], s.rules[0]
    rules.new_work = 1
    s.open_of[stage.demand] += 1
    if s.open_of[stage.demand] == 1:
        rules.open_classes += 1
    if rules.tree != FLAT:
        s.open_in[job.queue, s.asks_for[stage.demand]] += 1
    rules.reshare = 1
    before, after = NOBODY, job.first_open
    while after != NOBODY and s.stage[after].rank < stage.rank:
        before, after = after, s.stage[after].next_open
    stage.next_open = after
    if before == NOBODY:
        job.first_open = number
    else:
        s.stage[before].next_open = number
    if job.active_at == NOBODY:
        job.active_at = rules.active
        s.active[rules.active] = stage.job
        rules.active += 1
    notice_waiting(s, stage.job)


@inner
def _close_stage(s: DagState, number: int) -> None:
    """Close a stage whose tasks have all started."""
    stage, rules = s.stage[number], s.rules[0]
    rules.reshare = 1
    forget(s, number)
    s.open_of[stage.demand] -= 1
    if s.open_of[stage.demand] == 0:
        rules.open_classes -= 1
    job = s.job[stage.job]
    if rules.tree != FLAT:
        s.open_in[job.queue, s.asks_for[stage.demand]] -= 1
    if job.first_open == number:
        job.first_open = stage.next_open
    else:
        before = job.first_open
        while s.stage[before].next_open != number:
            before = s.stage[before].next_open
        s.stage[before].next_open = stage.next_open
    if job.first_open == NOBODY:
        rules.active -= 1
        last = s.active[rules.active]
        s.active[job.active_at] = last
        s.job[last].active_at = job.active_at
        job.active_at = NOBODY


@inner
def launch(w: World, s: DagState, number: int, machine: int, reason: int, x: int, y: int) -> None:
    """Start the next task of a stage on a machine, one message from now; its end is known one message later."""
    stage, delay_ns, now_ns = s.stage[number], s.rules[0].delay_ns, w.control[0].now_ns
    task = s.task_order[stage.first + stage.started]
    row = w.task[task]
    stage.started += 1
    s.job[stage.job].running += 1
    for r in range(s.held.shape[1]):
        amount = s.asked[number, r]
        s.held[stage.job, r] += amount
        s.queue_held[s.job[stage.job].queue, r] += amount
    if row.attempts == 0:
        row.framework_ns += now_ns - row.since_ns
        row.communication_ns += delay_ns
    w.control[0].messages += 1
    decide(w, task, machine, reason, NOBODY, NOBODY, x, y)
    start_ns = now_ns + delay_ns
    end_ns = start_task(w, task, machine, start_ns)
    schedule(w, end_ns + delay_ns, TASK_END, task, start_ns)
    update_room(w, s, machine)
    notice_waiting(s, stage.job)
    if stage.started == stage.tasks:
        _close_stage(s, number)


@inner
def put_at(w: World, s: DagState, task: int, place: int) -> None:
    """Swap a task with the one at a `place` in `task_order`; it updates each task's `place`."""
    other, was = s.task_order[place], w.task[task].place
    s.task_order[was] = other
    w.task[other].place = was
    s.task_order[place] = task
    w.task[task].place = place


@inner
def on_end(w: World, s: DagState, task: int, start_ns: int) -> None:
    """Process the news of a task's end; the last end of a stage opens its children.

    The run that began at `start_ns` may have ended with its machine's failure.
    """
    row = w.task[task]
    if row.state != TASK_RUNNING or row.last_start_ns != start_ns:
        return
    machine = row.machine
    number = s.stage_of[task]
    stage = s.stage[number]
    job, rules = s.job[stage.job], s.rules[0]
    finish_task(w, task, w.control[0].now_ns - rules.delay_ns)
    w.control[0].messages += 1
    update_room(w, s, machine)
    s.freed[machine] = 1
    put_at(w, s, task, stage.first + stage.ended)
    share = 0.0
    for r in range(s.held.shape[1]):
        amount = s.asked[number, r]
        s.held[stage.job, r] -= amount
        s.queue_held[job.queue, r] -= amount
        if s.total[r] > 0:
            share = max(share, amount / s.total[r])
    if rules.first_phase == PLAN:
        for r in range(s.held.shape[1]):
            s.left[stage.job, r] -= s.asked[number, r]
            s.needs[stage.job, r] = max(s.needs[stage.job, r] - s.asked[number, r], 0)
    job.work -= share * stage.duration_ns
    job.left -= 1
    job.running -= 1
    stage.ended += 1
    notice(s, stage.job)
    if job.left == 0:
        job.work = 0.0
        rules.unfinished -= 1
        last = s.present[rules.unfinished]
        s.present[job.present_at] = last
        s.job[last].present_at = job.present_at
        rules.weights -= job.weight
        rules.reshare = 1
        s.queue_weights[job.queue] = max(s.queue_weights[job.queue] - job.weight, 0.0)
        if rules.unfinished == 0:
            rules.weights = 0.0  # what rounding left
    elif stage.ended == stage.tasks:
        _open_children(w, s, number)
    ask_decision(w, s)


@inner
def _open_children(w: World, s: DagState, number: int) -> None:
    stage, told = s.stage[number], 0
    waited_ns = w.control[0].now_ns - w.job[stage.job].arrival_ns
    for at in range(stage.first_child, stage.first_child + stage.children):
        child = s.relative[at]
        row = s.stage[child]
        row.waits_for -= 1
        if row.waits_for > 0 or row.hopeless == 1:
            continue
        open_stage(s, child)
        told = _tell(w, s, child, OPENED, waited_ns, row.parents, told, _MOST_TOLD)
