"""One iteration of the pipeline: admit jobs, charge for sorting and filtering, submit task after task."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NEVER, NOBODY, TASK_WAITING, World
from scheduler_core.engine.tasks import decide
from scheduler_core.schedulers.pipeline.admitting import count, let_in, next_let_in, tell_held_back
from scheduler_core.schedulers.pipeline.clock import lap
from scheduler_core.schedulers.pipeline.codes import (
    ADMITTING,
    BY_KEY,
    CHOOSING,
    COPYING,
    IDLE,
    ITERATE,
    J2,
    J3,
    J4,
    NONE,
    OLDEST,
    ON_CONTENTION,
    PREDICTED,
    R1,
    R2,
    R3,
    R4,
    R5,
    R7,
    SHUFFLED,
    T1,
    T2,
    T3,
    T4,
    T5,
    T9,
    T10,
    T12,
)
from scheduler_core.schedulers.pipeline.copying import after_submission
from scheduler_core.schedulers.pipeline.lines import first_line, leave, open_lines_again
from scheduler_core.schedulers.pipeline.moving import move_aside
from scheduler_core.schedulers.pipeline.passing import choose
from scheduler_core.schedulers.pipeline.predicting import keep_machine, let_go, look_again
from scheduler_core.schedulers.pipeline.reasons import BROKERED, HAS_ROOM_NOW, NO_ROOM, ONLY_ONE, SUBMITTED, TOOK_OVER
from scheduler_core.schedulers.pipeline.running import start_on
from scheduler_core.schedulers.pipeline.scaling import begin_scaling
from scheduler_core.schedulers.pipeline.state import PipelineState
from scheduler_core.schedulers.pipeline.stopping import make_room


@inner
def ask_iteration(w: World, s: PipelineState, at_once: bool) -> None:
    """Ask for an iteration at the end of this instant (`at_once`) or at the timer's next tick."""
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


@called
def ask_now(w: World, s: PipelineState) -> None:
    """Ask for an iteration at once; not inlined, for rare events."""
    ask_iteration(w, s, True)


@inner
def begin_iteration(w: World, s: PipelineState, token: int) -> None:
    """Begin an iteration, unless an earlier one was asked for meanwhile."""
    rules = s.rules[0]
    if token != rules.token:
        return
    rules.pending_ns = NEVER
    rules.iterations += 1
    rules.draws = 0
    rules.spent_ns = 0
    rules.placed = 0
    rules.phase = ADMITTING
    if rules.t10 != NONE or rules.t12 == ON_CONTENTION:
        for at in range(rules.lines):  # the tasks that preemption may stop change with time and with the running tasks
            s.line[s.live[at]].shut = 0
    look_again(w, s)
    count(s, J2, 1, rules.incoming)


@inner
def _comparisons(many: int) -> int:
    """Return what sorting takes: n times the binary digits of n - 1."""
    digits, left = 0, many - 1
    while left > 0:
        digits += 1
        left >>= 1
    return many * digits


@inner
def admit_turn(w: World, s: PipelineState) -> None:
    """Admit the next job (J2); with none left, count what the sorting stages and filters would look at.

    Source: Reference architecture, Section III-D, stages J2 to J4.
    """
    number = next_let_in(w, s)
    if number != NOBODY:
        let_in(w, s, number)
        return
    rules = s.rules[0]
    if rules.incoming > 0:
        tell_held_back(w, s)
    lap(s, J2)
    rules.phase = CHOOSING
    many, jobs, machines = rules.eligible, rules.jobs_in, w.free.shape[0]
    rules.last_length = many
    count(s, J3, rules.j3, _comparisons(jobs) * rules.j3)
    count(s, J4, 1, jobs)
    count(s, T1, rules.t1, rules.unsubmitted * rules.t1)
    if rules.t2 == BY_KEY:
        count(s, T2, 1, _comparisons(many))
    elif rules.t2 == SHUFFLED:
        count(s, T2, 1, many)
    count(s, T3, 1, many)
    count(s, R1, 1, machines)
    if rules.r2 == 1:
        count(s, R2, many, many * machines)
    if rules.r3 == 1:
        count(s, R3, many, many * machines)
    count(s, R4, many, rules.looked_at)


@inner
def choose_turn(w: World, s: PipelineState) -> None:
    """Submit the first task or close its line; without one, end the iteration.

    Source: Reference architecture, Section III-D, stages T3, R4 and R5.
    """
    rules = s.rules[0]
    number, place = first_line(w, s)
    lap(s, T2)
    if number == NOBODY:
        end_iteration(w, s)
        return
    line = s.line[number]
    task = s.entry[line.first + place].task
    before = s.stage[R5].operations
    machine, reason = choose(w, s, number, task), SUBMITTED
    s.stage[R5].calls += 1
    rules.spent_ns += round((s.stage[R5].operations - before) * s.cost_ns[R5])
    lap(s, R5)
    if machine == NOBODY and rules.t12 == ON_CONTENTION:
        machine, reason = move_aside(w, s, number), HAS_ROOM_NOW
        lap(s, T12)
    if machine == NOBODY and rules.t10 != NONE:
        machine, reason = make_room(w, s, number, task), TOOK_OVER
        lap(s, T10)
    elif reason == HAS_ROOM_NOW:
        pass
    elif machine != NOBODY and w.machine[machine].cluster == rules.provider:
        reason = BROKERED
    elif line.only != NOBODY:
        reason = ONLY_ONE
    if machine == NOBODY:
        _shut(w, s, number, task)
        lap(s, R4)
        return
    if reason == TOOK_OVER or reason == HAS_ROOM_NOW:
        open_lines_again(w, s, machine)
    leave(s, number, place, task)
    lap(s, T2)
    _submit(w, s, task, machine, reason)
    if rules.held_line == number:
        let_go(w, s)
    if rules.t9 != NONE:
        after_submission(w, s, task)
        lap(s, T9)


@inner
def _shut(w: World, s: PipelineState, number: int, task: int) -> None:
    """Pass over a line without room for its tasks until a machine has room."""
    line = s.line[number]
    line.shut = 1
    line.only = NOBODY
    told = task if w.control[0].watched_task < 0 else _watched_in(w, s, number, task)
    if line.told != told:
        line.told = told
        decide(w, told, NOBODY, NO_ROOM, NOBODY, NOBODY, line.count, 0)
    if s.rules[0].r4 == PREDICTED and s.rules[0].held_machine == NOBODY:
        keep_machine(w, s, number, told)


@inner
def _watched_in(w: World, s: PipelineState, number: int, task: int) -> int:
    """Return the watched task where it waits in this line, else the one given."""
    watched = w.control[0].watched_task
    waits = w.task[watched].state == TASK_WAITING and s.task[watched].line == number
    return int(watched) if waits else task


@inner
def _submit(w: World, s: PipelineState, task: int, machine: int, reason: int) -> None:
    """Submit a task (T4): take its resources now; it starts behind the costs of the iteration so far.

    Source: Reference architecture, Section III-D, stage T4.
    """
    rules, row, now_ns = s.rules[0], w.task[task], w.control[0].now_ns
    count(s, T4, 1, 1)
    charged_ns = rules.spent_ns if rules.charge == 1 else 0
    sent_ns = rules.delay_ns + rules.extra_ns + rules.t5_ns
    start_ns = now_ns + charged_ns + sent_ns
    if rules.t5_ns > 0:
        s.stage[T5].calls += 1
        s.stage[T5].operations += 1
    if row.attempts == 0:
        row.framework_ns += now_ns - row.since_ns
        row.processing_ns += charged_ns
        row.communication_ns += sent_ns
    rules.submitted += 1
    rules.placed += 1
    decide(w, task, machine, reason, NOBODY, NOBODY, rules.iterations, 0)
    start_on(w, s, task, machine, start_ns)


@inner
def end_iteration(w: World, s: PipelineState) -> None:
    """End an iteration after all waiting tasks were tried: T9 copies submitted tasks, R7 checks the pool."""
    rules = s.rules[0]
    if rules.to_copy != NOBODY:
        rules.phase = COPYING
        return
    rules.phase = IDLE
    if rules.r7 != NONE:
        begin_scaling(w, s)
        lap(s, R7)
    if rules.t10 == OLDEST and rules.eligible > 0 and rules.placed == 0 and w.control[0].tasks_running > 0:
        _wake_for_patience(w, s)
    rules.last_spent_ns = rules.spent_ns
    rules.last_placed = rules.placed
    if rules.charge == 1:
        rules.busy_ns = w.control[0].now_ns + rules.spent_ns


@inner
def _wake_for_patience(w: World, s: PipelineState) -> None:
    """Schedule an iteration for waiting tasks that may stop others later."""
    rules = s.rules[0]
    at_ns = w.control[0].now_ns + rules.t10_wait_ns
    if rules.t10_wait_ns > 0 and rules.pending_ns > at_ns:
        rules.pending_ns = at_ns
        rules.token += 1
        schedule(w, at_ns, ITERATE, rules.token, 0)
