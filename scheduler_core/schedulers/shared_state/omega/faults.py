"""Handle faults and drains of machines, and parameter changes."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.incidents import (
    CHANGED,
    LOSE_ON,
    LOSE_TASK,
    MACHINE_IN,
    MACHINE_OUT,
    RESTORE_MACHINES,
    SET_PARAMS,
    STOP_TASK,
    WALKED,
    go_on,
)
from scheduler_core.engine.jit import field_copier, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide, has_ended, stop_task
from scheduler_core.schedulers.shared_state.omega.copies import note_change
from scheduler_core.schedulers.shared_state.omega.queues import append_task, join, leave
from scheduler_core.schedulers.shared_state.omega.reasons import LOST
from scheduler_core.schedulers.shared_state.omega.state import (
    AWAY,
    READY,
    REPLY,
    SETTING,
    STUCK,
    OmegaState,
)

_take_over = field_copier(SETTING.names or ())


@inner
def on_incident(w: World, s: OmegaState, step: int, number: int) -> None:
    """Process one step of an incident (engine.incidents); the step decides what `number` refers to."""
    if step == MACHINE_OUT:
        s.machine[number].sequence += 1
        note_change(s, number)
    elif step == MACHINE_IN:
        note_change(s, number)
    elif step == LOSE_ON:
        task = _first_running(w, s, number)
        if task == NOBODY:
            note_change(s, number)
            go_on(w)
        else:
            _lose(w, s, task)
    elif step == LOSE_TASK:
        _lose(w, s, number)
        note_change(s, w.task[number].machine)
    elif step == WALKED:
        _look_again(w, s, w.incident[number].what)
    elif step == CHANGED and w.incident[number].what == SET_PARAMS:
        _take_over(s.rules[0], s.setting[w.incident[number].x])  # they hold from the next decision and commit on


@inner
def _look_again(w: World, s: OmegaState, what: int) -> None:
    """Let idle schedulers look at their jobs again after machines have gone out or come in, or a task was stopped."""
    if what == RESTORE_MACHINES or what == STOP_TASK:
        s.rules[0].freed += 1
    for who in range(s.scheduler.shape[0]):
        if s.scheduler[who].job == NOBODY:
            schedule(w, w.control[0].now_ns, REPLY, who, 0)


@inner
def _first_running(w: World, s: OmegaState, machine: int) -> int:
    """Return a task of the machine that has not ended yet. Of one that has, the news is on its way."""
    task: int = s.machine[machine].first
    while task != NOBODY and has_ended(w, task):
        task = w.task[task].next
    return task


@inner
def _lose(w: World, s: OmegaState, task: int) -> None:
    """Lose a task whose machine failed; it waits again, and its job may be tried."""
    row, now_ns = w.task[task], w.control[0].now_ns
    number, machine = row.job, row.machine
    job, lost_ns = s.job[number], max(now_ns - row.last_start_ns, 0)
    stop_task(w, task, now_ns)
    leave_machine(w, s, task)
    row.since_ns = now_ns
    decide(w, task, machine, LOST, NOBODY, job.scheduler, lost_ns, 0)
    append_task(w, s, task)
    if job.state == STUCK:
        leave(s, number)
    if job.state == AWAY:
        join(w, s, number, READY)


@inner
def leave_machine(w: World, s: OmegaState, task: int) -> None:
    """Remove the task from those of its machine."""
    row = w.task[task]
    if row.next != NOBODY:
        w.task[row.next].previous = row.previous
    if row.previous != NOBODY:
        w.task[row.previous].next = row.next
    else:
        s.machine[row.machine].first = row.next
