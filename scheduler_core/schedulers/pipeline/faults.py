"""Faults and drains of machines: what ran on one that fails is lost, and waits again."""

from __future__ import annotations

from scheduler_core.engine.incidents import FAIL_MACHINES, RESTORE_MACHINES, SET_SHARE, SHARE_UNIT, restore, withhold
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import DRAINED, FAILED, NOBODY, World
from scheduler_core.engine.tasks import decide, stop_task
from scheduler_core.schedulers.pipeline.choosing import update_room
from scheduler_core.schedulers.pipeline.iterating import ask_iteration, take_off
from scheduler_core.schedulers.pipeline.lines import join, open_lines, sort_again
from scheduler_core.schedulers.pipeline.reasons import LOST
from scheduler_core.schedulers.pipeline.state import IDLE, STRIKING, PipelineState


@inner
def on_incident(w: World, s: PipelineState, number: int) -> None:
    """Begin with row `number` of the incidents; machines go out or come in step by step."""
    row, rules = w.incident[number], s.rules[0]
    if row.what <= RESTORE_MACHINES:
        rules.phase = STRIKING
        rules.striking = number
        rules.strike_at = row.first
        return
    w.control[0].incidents_left -= 1
    if row.what == SET_SHARE:
        s.queue[row.first].share = row.x / SHARE_UNIT
        if rules.by_share > 0:
            sort_again(w, s, row.first, -row.x)
        ask_iteration(w, s, True)


@inner
def strike(w: World, s: PipelineState) -> None:
    """One step: the next machine goes out or comes in, or the next task of one that failed is lost."""
    rules = s.rules[0]
    row, machine = w.incident[rules.striking], rules.strike_at
    if machine == row.end:
        rules.phase = IDLE
        w.control[0].incidents_left -= 1
        ask_iteration(w, s, True)
        return
    if row.what == RESTORE_MACHINES:
        if restore(w, machine, row.x):
            update_room(w, s, machine)
            open_lines(w, s, machine)
    else:
        withhold(w, machine, FAILED if row.what == FAIL_MACHINES else DRAINED)
        update_room(w, s, machine)
        if row.what == FAIL_MACHINES and _lose_next(w, s, machine):
            return
    rules.strike_at += 1


@inner
def _lose_next(w: World, s: PipelineState, machine: int) -> bool:
    """Lose the next task that runs on a machine; False when there is none. One that has ended there is not lost."""
    now_ns, task = w.control[0].now_ns, s.first_on[machine]
    while task != NOBODY:
        row = w.task[task]
        if row.last_start_ns + row.duration_ns > now_ns:
            _lose(w, s, task, machine)
            return True
        task = row.next
    return False


@inner
def _lose(w: World, s: PipelineState, task: int, machine: int) -> None:
    """T11: a lost task queues again."""
    row, rules, now_ns = w.task[task], s.rules[0], w.control[0].now_ns
    worked_ns = max(0, now_ns - row.last_start_ns)
    take_off(w, s, task)
    stop_task(w, task, now_ns)
    row.since_ns = now_ns
    update_room(w, s, machine)
    decide(w, task, machine, LOST, NOBODY, NOBODY, worked_ns, 0)
    s.task[task].token += 1
    rules.unsubmitted += 1
    rules.lost += 1
    join(w, s, task)
