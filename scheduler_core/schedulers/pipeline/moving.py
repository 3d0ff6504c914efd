"""T12 migrates a running task because its machine drains, or because a waiting task would then fit."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide
from scheduler_core.schedulers.pipeline.admitting import count
from scheduler_core.schedulers.pipeline.choosing import next_fit
from scheduler_core.schedulers.pipeline.codes import RETRY, T12
from scheduler_core.schedulers.pipeline.copying import goes_on
from scheduler_core.schedulers.pipeline.lines import queue_again
from scheduler_core.schedulers.pipeline.reasons import MOVED, MOVED_ASIDE
from scheduler_core.schedulers.pipeline.running import saved_by_move, start_on, stop_running
from scheduler_core.schedulers.pipeline.state import PipelineState
from scheduler_core.schedulers.pipeline.stopping import may_make_room


@called
def move_off(w: World, s: PipelineState, task: int) -> None:
    """Move a running task off a draining machine: queue it again, unless a copy of it runs elsewhere."""
    rules, machine, now_ns = s.rules[0], w.task[task].machine, w.control[0].now_ns
    worked_ns = max(0, now_ns - w.task[task].last_start_ns)
    stop_running(w, s, task, saved_by_move(w, s, task))
    count(s, T12, 1, 1)
    rules.migrations += 1
    decide(w, task, machine, MOVED, NOBODY, NOBODY, worked_ns, 0)
    if goes_on(w, s, task):
        return
    if rules.t12_ns > 0:
        schedule(w, now_ns + rules.t12_ns, RETRY, task, 0)
    else:
        queue_again(w, s, task)


@called
def move_aside(w: World, s: PipelineState, number: int) -> int:
    """Move a task from a machine to make room for a line's tasks there: the machine, or NOBODY."""
    line = s.line[number]
    for machine in range(w.free.shape[0]):
        if not may_make_room(w, s, machine, number):
            continue
        victim = s.first_on[machine]
        while victim != NOBODY:
            count(s, T12, 0, 1)
            if _would_do(w, s, victim, machine, line.demand):
                other = _elsewhere(w, s, victim, machine)
                if other != NOBODY:
                    _move(w, s, victim, other)
                    return machine
            victim = w.task[victim].next
    return NOBODY


@inner
def _would_do(w: World, s: PipelineState, victim: int, machine: int, demand: int) -> bool:
    """Return whether a demand would have room without a task that has begun and runs only here."""
    row, now_ns = w.task[victim], w.control[0].now_ns
    if not row.last_start_ns <= now_ns < row.last_start_ns + row.duration_ns or s.task[victim].copies > 0:
        return False
    for r in range(w.free.shape[1]):
        if w.free[machine, r] + w.demand[row.demand, r] < w.demand[demand, r]:
            return False
    return True


@inner
def _elsewhere(w: World, s: PipelineState, victim: int, machine: int) -> int:
    """Return the first other machine with room for a task."""
    line, machines = s.line[s.task[victim].line], w.free.shape[0]
    found = next_fit(w, s, line.demand, line.queue, 0, machines)
    if found == machine:
        found = next_fit(w, s, line.demand, line.queue, machine + 1, machines)
    return int(found)


@inner
def _move(w: World, s: PipelineState, task: int, other: int) -> None:
    rules, now_ns = s.rules[0], w.control[0].now_ns
    worked_ns = now_ns - w.task[task].last_start_ns
    stop_running(w, s, task, saved_by_move(w, s, task))
    count(s, T12, 1, 0)
    rules.migrations += 1
    decide(w, task, other, MOVED_ASIDE, NOBODY, NOBODY, worked_ns, 0)
    start_on(w, s, task, other, now_ns + rules.delay_ns + rules.t12_ns)
