"""An iteration of the pipeline: let jobs in, count what sorting and filtering look at, submit task after task."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NEVER, NOBODY, TASK_WAITING, World
from scheduler_core.engine.tasks import decide, start_task
from scheduler_core.schedulers.pipeline.choosing import choose, update_room
from scheduler_core.schedulers.pipeline.lines import first_line, join, leave
from scheduler_core.schedulers.pipeline.reasons import NO_ROOM, NOT_LET_IN, ONLY_ONE, SUBMITTED
from scheduler_core.schedulers.pipeline.state import (
    ADMITTING,
    BY_KEY,
    CHOOSING,
    FLOW_CONTROL,
    IDLE,
    ITERATE,
    J2,
    J3,
    J4,
    R1,
    R3,
    R4,
    R5,
    SHUFFLED,
    T1,
    T2,
    T3,
    T4,
    TASK_END,
    USER_CAP,
    PipelineState,
)


@inner
def ask_iteration(w: World, s: PipelineState, at_once: bool) -> None:
    """Something has changed: iterate at the end of this instant (`at_once`) or at the timer's next tick."""
    rules, at_ns = s.rules[0], w.control[0].now_ns
    if not at_once:
        if rules.timer_ns == 0:
            return
        at_ns = -(-at_ns // rules.timer_ns) * rules.timer_ns
    at_ns = max(at_ns, rules.busy_ns)
    if rules.pending_ns <= at_ns:
        return
    rules.pending_ns = at_ns
    rules.token += 1
    schedule(w, at_ns, ITERATE, rules.token, 0)


@inner
def begin_iteration(s: PipelineState, token: int) -> None:
    """An iteration begins, unless an earlier one was asked for meanwhile."""
    rules = s.rules[0]
    if token != rules.token:
        return
    rules.pending_ns = NEVER
    rules.iterations += 1
    rules.draws = 0
    rules.spent_ns = 0
    rules.placed = 0
    rules.phase = ADMITTING
    _count(s, J2, 1, rules.incoming)


@inner
def _count(s: PipelineState, stage: int, calls: int, operations: int) -> None:
    """A stage was called so many times, and its plain algorithm did so many operations in all."""
    seen = s.stage[stage]
    seen.calls += calls
    seen.operations += operations
    s.rules[0].spent_ns += round(operations * s.cost_ns[stage])


@inner
def _comparisons(many: int) -> int:
    """What sorting takes: n times the binary digits of n - 1."""
    digits, left = 0, many - 1
    while left > 0:
        digits += 1
        left >>= 1
    return many * digits


@inner
def admit_turn(w: World, s: PipelineState) -> None:
    """J2 lets the next job in; without one, what the sorting stages and filters would look at is counted."""
    number = _next_let_in(w, s)
    if number != NOBODY:
        _let_in(w, s, number)
        return
    rules = s.rules[0]
    if rules.incoming > 0:
        _tell_held_back(w, s)
    rules.phase = CHOOSING
    many, jobs, machines = rules.eligible, rules.jobs_in, w.free.shape[0]
    rules.last_length = many
    _count(s, J3, rules.j3, _comparisons(jobs) * rules.j3)
    _count(s, J4, 1, jobs)
    _count(s, T1, rules.t1, rules.unsubmitted * rules.t1)
    if rules.t2 == BY_KEY:
        _count(s, T2, 1, _comparisons(many))
    elif rules.t2 == SHUFFLED:
        _count(s, T2, 1, many)
    _count(s, T3, 1, many)
    _count(s, R1, 1, machines)
    if rules.r3 == 1:
        _count(s, R3, many, many * machines)
    _count(s, R4, many, rules.looked_at)


@inner
def _next_let_in(w: World, s: PipelineState) -> int:
    """The first job, by arrival, of those at the heads of their queues that J2 lets in; NOBODY without one."""
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
def _tell_held_back(w: World, s: PipelineState) -> None:
    """Say once of the first job that was not let in why it waits."""
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
def _let_in(w: World, s: PipelineState, number: int) -> None:
    """A job goes on: what waits for nothing is eligible."""
    job, rules, queue = s.job[number], s.rules[0], s.queue[w.job[number].queue]
    queue.head = job.next
    queue.jobs_in += 1
    job.inside = 1
    rules.incoming -= 1
    rules.jobs_in += 1
    rules.tasks_in += job.left
    rules.unsubmitted += job.left
    for node in range(job.first_node, job.first_node + job.nodes):
        if s.node[node].waits_for == 0:
            open_node(w, s, node)


@inner
def open_node(w: World, s: PipelineState, number: int) -> None:
    """The tasks of a node become eligible."""
    node = s.node[number]
    for place in range(node.first, node.first + node.tasks):
        task = s.task_order[place]
        if w.task[task].state == TASK_WAITING:
            join(w, s, task)


@inner
def choose_turn(w: World, s: PipelineState) -> None:
    """The task that goes first is submitted, or its line shut; without one the iteration is over."""
    rules = s.rules[0]
    number, place = first_line(w, s)
    if number == NOBODY:
        _end_iteration(w, s)
        return
    line = s.line[number]
    task = s.entry[line.first + place].task
    before = s.stage[R5].operations
    machine = choose(w, s, number, task)
    s.stage[R5].calls += 1
    rules.spent_ns += round((s.stage[R5].operations - before) * s.cost_ns[R5])
    if machine == NOBODY:
        line.shut = 1
        line.only = NOBODY
        told = task if w.control[0].watched_task < 0 else _watched_in(w, s, number, task)
        if line.told != told:
            line.told = told
            decide(w, told, NOBODY, NO_ROOM, NOBODY, NOBODY, line.count, 0)
        return
    leave(s, number, place)
    _submit(w, s, task, machine, ONLY_ONE if line.only != NOBODY else SUBMITTED)


@inner
def _watched_in(w: World, s: PipelineState, number: int, task: int) -> int:
    """The watched task where it waits in this line, else the one given."""
    watched = w.control[0].watched_task
    waits = w.task[watched].state == TASK_WAITING and s.task[watched].line == number
    return int(watched) if waits else task


@inner
def _submit(w: World, s: PipelineState, task: int, machine: int, reason: int) -> None:
    """T4: the task takes its resources now and starts when it has heard, behind what the iteration has cost so far."""
    rules, row, now_ns = s.rules[0], w.task[task], w.control[0].now_ns
    _count(s, T4, 1, 1)
    charged_ns = rules.spent_ns if rules.charge == 1 else 0
    start_ns = now_ns + charged_ns + rules.delay_ns
    if row.attempts == 0:
        row.framework_ns += now_ns - row.since_ns
        row.processing_ns += charged_ns
        row.communication_ns += rules.delay_ns
    if s.slowness.shape[0] > 1:
        row.duration_ns = round(s.own_ns[task] * s.slowness[machine])
    s.task[task].token += 1
    rules.unsubmitted -= 1
    rules.submitted += 1
    rules.placed += 1
    rules.cursor = machine + 1
    s.queue[w.job[row.job].queue].running += 1
    w.control[0].messages += 1
    decide(w, task, machine, reason, NOBODY, NOBODY, rules.iterations, 0)
    end_ns = start_task(w, task, machine, start_ns)
    row.previous = NOBODY
    row.next = s.first_on[machine]
    if row.next != NOBODY:
        w.task[row.next].previous = task
    s.first_on[machine] = task
    schedule(w, end_ns + rules.delay_ns, TASK_END, task, s.task[task].token)
    update_room(w, s, machine)


@inner
def take_off(w: World, s: PipelineState, task: int) -> None:
    """A task is no longer among those of its machine."""
    row = w.task[task]
    if row.previous == NOBODY:
        s.first_on[row.machine] = row.next
    else:
        w.task[row.previous].next = row.next
    if row.next != NOBODY:
        w.task[row.next].previous = row.previous
    row.next = row.previous = NOBODY
    s.queue[w.job[row.job].queue].running -= 1


@inner
def _end_iteration(w: World, s: PipelineState) -> None:
    rules = s.rules[0]
    rules.phase = IDLE
    rules.last_spent_ns = rules.spent_ns
    rules.last_placed = rules.placed
    if rules.charge == 1:
        rules.busy_ns = w.control[0].now_ns + rules.spent_ns
