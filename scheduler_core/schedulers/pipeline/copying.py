"""T9 replicates tasks: copies run on other machines, and the first to end counts.

A copy is not a task of its own: it holds resources and has an end. If the task's own run is lost, the copy takes its
place.
"""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, TASK_RUNNING, World
from scheduler_core.engine.tasks import decide, delay_bin, hold, release
from scheduler_core.schedulers.pipeline.admitting import count
from scheduler_core.schedulers.pipeline.choosing import among, update_room
from scheduler_core.schedulers.pipeline.codes import COPIES, COPY_END, LATE, R5, STRAGGLERS, T9, TASK_END
from scheduler_core.schedulers.pipeline.lines import open_lines_again
from scheduler_core.schedulers.pipeline.reasons import COPIED, COPY_GOES_ON, COPY_WON
from scheduler_core.schedulers.pipeline.running import count_held, pace, put_on, stop_running
from scheduler_core.schedulers.pipeline.state import PipelineState

_MOST_LOOKS = 64
_MOST_DROPPED = 32
"""Copies that one step takes off a machine: each has a row of the decision log, where a step has room for some."""


@called
def after_submission(w: World, s: PipelineState, task: int) -> None:
    """Schedule copies of a task just submitted, behind all others of the iteration or when it runs too long."""
    rules, row = s.rules[0], w.task[task]
    if rules.t9 == COPIES:
        s.task[task].copied_next = NOBODY
        if rules.to_copy == NOBODY:
            rules.to_copy = task
        else:
            s.task[rules.to_copy_last].copied_next = task
        rules.to_copy_last = task
    elif rules.t9 == STRAGGLERS:
        late_ns = round(rules.t9_factor * s.node[s.task[task].node].mean_ns)
        if row.duration_ns > late_ns:
            schedule(w, row.last_start_ns + late_ns, LATE, task, s.task[task].token)


@called
def copy_turn(w: World, s: PipelineState) -> None:
    """Copy the next task of the iteration, as often as there is room."""
    rules, task = s.rules[0], s.rules[0].to_copy
    rules.to_copy = s.task[task].copied_next
    for _ in range(rules.t9_more):
        if w.task[task].state != TASK_RUNNING or not _copy(w, s, task, s.task[task].left_ns):
            return


@called
def on_late(w: World, s: PipelineState, task: int, token: int) -> None:
    """Copy a task that has run longer than others of its stage, or look again later."""
    it = s.task[task]
    if it.token != token or w.task[task].state != TASK_RUNNING or it.copies > 0 or s.rules[0].t9 != STRAGGLERS:
        return
    mean_ns = s.node[it.node].mean_ns
    if not _copy(w, s, task, mean_ns):
        # However short the mean is, one run asks for room a limited number of times.
        later_ns = max(mean_ns, w.task[task].duration_ns // _MOST_LOOKS, 1)
        schedule(w, w.control[0].now_ns + later_ns, LATE, task, token)


@inner
def _copy(w: World, s: PipelineState, task: int, work_ns: int) -> bool:
    """Send a copy with the given work where R5 says, to a machine without the task; False without room."""
    rules, row, line = s.rules[0], w.task[task], s.line[s.task[task].line]
    before = s.stage[R5].operations
    rules.copy_of = task
    machine = among(w, s, line.demand, line.queue, task, 0, w.free.shape[0])
    rules.copy_of = NOBODY
    rules.spent_ns += round((s.stage[R5].operations - before) * s.cost_ns[R5])
    if machine == NOBODY:
        return False
    number = task * rules.t9_more
    while s.copy[number].live == 1:
        number += 1
    copy = s.copy[number]
    copy.live = 1
    copy.machine = machine
    copy.token += 1
    charged_ns = rules.spent_ns if rules.charge == 1 else 0
    copy.start_ns = w.control[0].now_ns + charged_ns + rules.delay_ns + rules.t5_ns
    copy.duration_ns = pace(s, work_ns, machine)
    row.attempts += 1
    hold(w, machine, row.demand)
    w.machine[machine].running += 1
    update_room(w, s, machine)
    count_held(w, s, task, 1)
    s.task[task].copies += 1
    rules.copies += 1
    w.control[0].messages += 1
    count(s, T9, 1, 1)
    decide(w, task, machine, COPIED, NOBODY, NOBODY, rules.iterations, 0)
    end_ns = copy.start_ns + copy.duration_ns
    schedule(w, end_ns + rules.t8_ns + rules.delay_ns, COPY_END, number, copy.token)
    return True


@inner
def _free_copy(w: World, s: PipelineState, number: int) -> None:
    """Free a copy and the room that it held."""
    copy, task = s.copy[number], number // s.rules[0].t9_more
    copy.live = 0
    copy.token += 1
    release(w, copy.machine, w.task[task].demand)
    w.machine[copy.machine].running -= 1
    update_room(w, s, copy.machine)
    count_held(w, s, task, -1)
    s.task[task].copies -= 1


@called
def drop_copies(w: World, s: PipelineState, task: int) -> None:
    """Stop the copies of a task that has ended; their work is lost."""
    now_ns, more = w.control[0].now_ns, s.rules[0].t9_more
    for number in range(task * more, task * more + more):
        copy = s.copy[number]
        if copy.live == 1:
            w.task[task].lost_ns += max(now_ns - copy.start_ns, 0)
            _free_copy(w, s, number)
            if w.machine[copy.machine].outage == 0:
                open_lines_again(w, s, copy.machine)


@called
def drop_copies_on(w: World, s: PipelineState, machine: int, reason: int) -> bool:
    """Lose the copies on a machine that goes out; their tasks run on. False if some are left for now."""
    now_ns, dropped = w.control[0].now_ns, 0
    for number in range(s.copy.shape[0]):
        copy = s.copy[number]
        if copy.live == 1 and copy.machine == machine:
            if dropped == _MOST_DROPPED:
                return False
            task, worked_ns = number // s.rules[0].t9_more, max(now_ns - copy.start_ns, 0)
            w.task[task].lost_ns += worked_ns
            _free_copy(w, s, number)
            decide(w, task, machine, reason, NOBODY, NOBODY, worked_ns, 0)
            dropped += 1
    return True


@inner
def _take_place(w: World, s: PipelineState, number: int) -> None:
    """Make a copy the task's own run, which was stopped."""
    copy, task, control = s.copy[number], number // s.rules[0].t9_more, w.control[0]
    row = w.task[task]
    copy.live = 0
    copy.token += 1
    s.task[task].copies -= 1
    if copy.start_ns < row.first_start_ns:
        _was_first(w, task, copy.start_ns)
    row.machine = copy.machine
    row.last_start_ns = copy.start_ns
    row.duration_ns = copy.duration_ns
    row.state = TASK_RUNNING
    control.tasks_waiting -= 1
    control.tasks_running += 1
    s.rules[0].unsubmitted -= 1
    put_on(w, s, task, copy.machine)


@inner
def _was_first(w: World, task: int, start_ns: int) -> None:
    """Correct the task's wait: a copy began earlier than the task's own launch."""
    row, arrival_ns = w.task[task], w.job[w.task[task].job].arrival_ns
    row.communication_ns -= row.first_start_ns - start_ns
    w.histogram[delay_bin(row.first_start_ns - arrival_ns)] -= 1
    w.histogram[delay_bin(start_ns - arrival_ns)] += 1
    row.first_start_ns = start_ns


@called
def goes_on(w: World, s: PipelineState, task: int) -> bool:
    """Return whether a task that was stopped has a copy, which takes its place."""
    rules, it = s.rules[0], s.task[task]
    if it.copies == 0:
        return False
    number = task * rules.t9_more
    while s.copy[number].live == 0:
        number += 1
    _take_place(w, s, number)
    row = w.task[task]
    end_ns = row.last_start_ns + row.duration_ns
    schedule(w, end_ns + rules.t8_ns + rules.delay_ns, TASK_END, task, it.token)
    decide(w, task, row.machine, COPY_GOES_ON, NOBODY, NOBODY, max(w.control[0].now_ns - row.last_start_ns, 0), 0)
    return True


@called
def copy_wins(w: World, s: PipelineState, number: int, token: int) -> int:
    """Process a copy that ended first: it replaces the task's own run. Return the task, or NOBODY if outdated.

    The decision's `y` is 1 where that run's launch had not come yet, so that it never started.
    """
    copy = s.copy[number]
    if copy.live == 0 or copy.token != token:
        return NOBODY
    task = number // s.rules[0].t9_more
    other = w.task[task].machine
    ran_ns, attempts = max(w.control[0].now_ns - w.task[task].last_start_ns, 0), w.task[task].attempts
    stop_running(w, s, task, 0)
    taken_back = attempts - w.task[task].attempts
    _take_place(w, s, number)
    s.rules[0].copies_won += 1
    decide(w, task, w.task[task].machine, COPY_WON, NOBODY, NOBODY, ran_ns, taken_back)
    if w.machine[other].outage == 0:
        open_lines_again(w, s, other)
    return int(task)
