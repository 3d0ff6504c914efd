"""Job stages: J2 admits jobs, J5 sets them up, J6 and J7 end them; and the counting that all stages share."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, TASK_WAITING, World
from scheduler_core.engine.tasks import decide
from scheduler_core.schedulers.pipeline.clock import lap
from scheduler_core.schedulers.pipeline.codes import (
    CLEANED,
    FLOW_CONTROL,
    J2,
    J5,
    J6,
    J7,
    NONE,
    SET_UP,
    T1,
    T2,
    USER_CAP,
)
from scheduler_core.schedulers.pipeline.lines import join
from scheduler_core.schedulers.pipeline.reasons import NOT_LET_IN
from scheduler_core.schedulers.pipeline.state import PipelineState


@inner
def count(s: PipelineState, stage: int, calls: int, operations: int) -> None:
    """Record calls of a stage and the operations of its plain algorithm."""
    seen = s.stage[stage]
    seen.calls += calls
    seen.operations += operations
    s.rules[0].spent_ns += round(operations * s.cost_ns[stage])


@inner
def next_let_in(w: World, s: PipelineState) -> int:
    """Return the first job, by arrival, of those at the heads of their queues that J2 lets in; NOBODY without one."""
    rules, best = s.rules[0], NOBODY
    if rules.incoming == 0 or (rules.j2 == FLOW_CONTROL and rules.tasks_in >= rules.j2_tasks):
        return NOBODY
    for number in range(s.queue.shape[0]):
        queue = s.queue[number]
        if queue.head == NOBODY or (rules.j2 == USER_CAP and queue.jobs_in >= rules.j2_jobs):
            continue
        if best == NOBODY or queue.head < best:
            best = queue.head
    return best


@inner
def tell_held_back(w: World, s: PipelineState) -> None:
    """Record once why the first job that was not admitted waits."""
    rules, first = s.rules[0], NOBODY
    for number in range(s.queue.shape[0]):
        head = s.queue[number].head
        if head != NOBODY and (first == NOBODY or head < first):
            first = head
    watched = w.control[0].watched_task
    if watched >= 0 and s.job[w.task[watched].job].inside == 0 and w.task[watched].job < w.control[0].next_job:
        first = w.task[watched].job
    if first == rules.told_job:
        return
    rules.told_job = first
    task = watched if watched >= 0 and w.task[watched].job == first else w.job[first].first_task
    decide(w, task, NOBODY, NOT_LET_IN, NOBODY, NOBODY, rules.jobs_in, rules.tasks_in)


@inner
def let_in(w: World, s: PipelineState, number: int) -> None:
    """Let a job proceed: its tasks without open parents become eligible."""
    job, rules, queue = s.job[number], s.rules[0], s.queue[w.job[number].queue]
    queue.head = job.next
    queue.jobs_in += 1
    job.inside = 1
    rules.incoming -= 1
    rules.jobs_in += 1
    rules.tasks_in += job.left
    rules.unsubmitted += job.left
    lap(s, J2)
    if rules.j5 == NONE:
        open_job(w, s, number)
        return
    count(s, J5, 1, 1)
    ready_ns = w.control[0].now_ns + rules.j5_job_ns + rules.j5_task_ns * job.left
    schedule(w, ready_ns, SET_UP, number, 0)
    lap(s, J5)


@inner
def open_job(w: World, s: PipelineState, number: int) -> None:
    """Make the tasks of a job without open parents eligible."""
    job = s.job[number]
    for node in range(job.first_node, job.first_node + job.nodes):
        if s.node[node].waits_for == 0:
            open_node(w, s, node)
    lap(s, T1)


@inner
def open_node(w: World, s: PipelineState, number: int) -> None:
    """Make the tasks of a node eligible."""
    node = s.node[number]
    for place in range(node.first, node.first + node.tasks):
        task = s.task_order[place]
        if w.task[task].state == TASK_WAITING:
            lap(s, T1)
            join(w, s, task)
            lap(s, T2)


@inner
def end_job(w: World, s: PipelineState, number: int) -> None:
    """Finish a job (J6); J7 may keep it under way for a while."""
    s.stage[J6].calls += 1
    s.stage[J6].operations += 1
    if s.rules[0].j7_ns > 0:
        count(s, J7, 1, 1)
        schedule(w, w.control[0].now_ns + s.rules[0].j7_ns, CLEANED, number, 0)
    else:
        leave_job(w, s, number)


@inner
def leave_job(w: World, s: PipelineState, number: int) -> None:
    """Remove a job from those under way."""
    s.rules[0].jobs_in -= 1
    s.queue[w.job[number].queue].jobs_in -= 1
