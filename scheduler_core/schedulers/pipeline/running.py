"""Tasks on a machine: a task starts, is stopped, or leaves; T6 and T12 save part of its work."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import start_task, stop_task
from scheduler_core.schedulers.pipeline.choosing import update_room
from scheduler_core.schedulers.pipeline.clock import lap
from scheduler_core.schedulers.pipeline.codes import R4, SAVES, T4, TASK_END
from scheduler_core.schedulers.pipeline.state import PipelineState


@inner
def start_on(w: World, s: PipelineState, task: int, machine: int, start_ns: int) -> None:
    """Start a task on a machine at a time; it takes as long there as its remaining work."""
    rules, row, it = s.rules[0], w.task[task], s.task[task]
    row.duration_ns = pace(s, it.left_ns, machine)
    it.token += 1
    rules.unsubmitted -= 1
    rules.cursor = machine + 1
    w.control[0].messages += 1
    end_ns = start_task(w, task, machine, start_ns)
    put_on(w, s, task, machine)
    count_held(w, s, task, 1)
    schedule(w, end_ns + rules.t8_ns + rules.delay_ns, TASK_END, task, it.token)
    lap(s, T4)
    update_room(w, s, machine)
    lap(s, R4)


@inner
def pace(s: PipelineState, work_ns: int, machine: int) -> int:
    """Return how long a machine takes for work that the fastest one does in `work_ns`."""
    return round(work_ns * s.slowness[machine]) if s.slowness.shape[0] > 1 else work_ns


@inner
def put_on(w: World, s: PipelineState, task: int, machine: int) -> None:
    """Add a task to those of its machine."""
    row = w.task[task]
    row.previous = NOBODY
    row.next = s.first_on[machine]
    if row.next != NOBODY:
        w.task[row.next].previous = task
    s.first_on[machine] = task


@inner
def count_held(w: World, s: PipelineState, task: int, sign: int) -> None:
    """Count one running task, or copy, more (1) or less (-1) for a queue."""
    queue = w.job[w.task[task].job].queue
    s.queue[queue].running += sign
    for r in range(s.queue_held.shape[1]):
        s.queue_held[queue, r] += sign * w.demand[w.task[task].demand, r]


@inner
def take_off(w: World, s: PipelineState, task: int) -> None:
    """Remove a task from those of its machine and of its queue."""
    row = w.task[task]
    if row.previous == NOBODY:
        s.first_on[row.machine] = row.next
    else:
        w.task[row.previous].next = row.next
    if row.next != NOBODY:
        w.task[row.next].previous = row.previous
    row.next = row.previous = NOBODY
    count_held(w, s, task, -1)


@called
def stop_running(w: World, s: PipelineState, task: int, saved_ns: int) -> None:
    """Stop a running task: free its room and ignore its end; `saved_ns` of its work count."""
    row, it, now_ns = w.task[task], s.task[task], w.control[0].now_ns
    machine = row.machine
    take_off(w, s, task)
    stop_task(w, task, now_ns)
    row.since_ns = now_ns
    update_room(w, s, machine)
    it.token += 1
    s.rules[0].unsubmitted += 1
    if saved_ns > 0:
        row.lost_ns -= saved_ns
        done_ns = round(saved_ns / s.slowness[machine]) if s.slowness.shape[0] > 1 else saved_ns
        it.left_ns = max(it.left_ns - done_ns, 1)
        if s.rules[0].by_left == 1:
            it.second_key = it.left_ns


@inner
def saved_by_t6(w: World, s: PipelineState, task: int) -> int:
    """Return how long a running task had run when T6 last looked, where it saves what it sees; else 0."""
    rules = s.rules[0]
    if rules.t6 != SAVES or rules.t6_ns == 0:
        return 0
    looked_ns = w.control[0].now_ns // rules.t6_ns * rules.t6_ns
    return int(max(looked_ns - w.task[task].last_start_ns, 0))


@inner
def saved_by_move(w: World, s: PipelineState, task: int) -> int:
    """Return how much of its time on a machine a task takes along when T12 moves it."""
    if s.rules[0].t12_live == 1:
        return int(max(w.control[0].now_ns - w.task[task].last_start_ns, 0))
    return saved_by_t6(w, s, task)
