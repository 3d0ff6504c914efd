"""Faults and drains of machines, and changes of parameters."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.incidents import FAIL_MACHINES, RESTORE_MACHINES, SET_PARAMS, restore, withhold
from scheduler_core.engine.jit import field_copier, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide, has_ended, stop_task
from scheduler_core.schedulers.shared_state.omega.copies import note_change
from scheduler_core.schedulers.shared_state.omega.queues import append_task, join, leave
from scheduler_core.schedulers.shared_state.omega.reasons import LOST
from scheduler_core.schedulers.shared_state.omega.state import (
    AWAY,
    IDLE,
    READY,
    REPLY,
    SETTING,
    STRIKING,
    STUCK,
    OmegaState,
)

_take_over = field_copier(SETTING.names or ())


@inner
def on_incident(w: World, s: OmegaState, number: int) -> None:
    """Begin with row `number` of the incidents; machines go out or come in step by step."""
    row, rules = w.incident[number], s.rules[0]
    if row.what <= RESTORE_MACHINES:
        rules.phase = STRIKING
        rules.striking = number
        rules.strike_at = row.first
        return
    w.control[0].incidents_left -= 1
    if row.what == SET_PARAMS:
        _take_over(rules, s.setting[row.x])  # they hold from the next decision, and from the next commit, on


@inner
def strike(w: World, s: OmegaState) -> None:
    """One step: the next machine, or the next task of one that failed."""
    rules = s.rules[0]
    row, machine = w.incident[rules.striking], rules.strike_at
    if machine == row.end:
        rules.phase = IDLE
        w.control[0].incidents_left -= 1
        if row.what == RESTORE_MACHINES:
            rules.freed += 1
        for who in range(s.scheduler.shape[0]):
            if s.scheduler[who].job == NOBODY:
                schedule(w, w.control[0].now_ns, REPLY, who, 0)
        return
    if row.what == RESTORE_MACHINES:
        restore(w, machine, row.x)
    else:
        if withhold(w, machine, row.x):
            s.machine[machine].sequence += 1
        task = _first_running(w, s, machine) if row.what == FAIL_MACHINES else NOBODY
        if task != NOBODY:
            _lose(w, s, task)
            return
    note_change(s, machine)
    rules.strike_at += 1


@inner
def _first_running(w: World, s: OmegaState, machine: int) -> int:
    """A task of the machine that has not ended yet. Of one that has, the news is on its way."""
    task: int = s.machine[machine].first
    while task != NOBODY and has_ended(w, task):
        task = w.task[task].next
    return task


@inner
def _lose(w: World, s: OmegaState, task: int) -> None:
    """A task whose machine failed waits again, and its job may be tried."""
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
    """The task is not among those of its machine any more."""
    row = w.task[task]
    if row.next != NOBODY:
        w.task[row.next].previous = row.previous
    if row.previous != NOBODY:
        w.task[row.previous].next = row.next
    else:
        s.machine[row.machine].first = row.next
