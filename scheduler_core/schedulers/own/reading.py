"""The words of a policy that change during a run, computed from the state. Views of machines are here, too."""

from __future__ import annotations

import math

from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.pace import LOCAL, REMOTE, nearness
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.policy.words import BY_TEXT
from scheduler_core.schedulers.own.state import OF_ALL, OF_JOB, OF_MACHINE, OF_TASK, OF_VICTIM, STALE, OwnState

_UNIT = 1000.0
"""Resources are counted in thousandths."""


def _number(text: str) -> int:
    return BY_TEXT[text].number


TASK_WAIT, TASK_OVER, TASK_LOST = _number("task.wait_s"), _number("task.over_share"), _number("task.preemptions")
JOB_LEFT, JOB_RUNNING, JOB_WAITING = (_number(f"job.tasks_{name}") for name in ("left", "running", "waiting"))
JOB_WORK, JOB_SHARE = _number("job.work_left"), _number("job.dominant_share")
QUEUE_SHARE, QUEUE_USED, QUEUE_OVER = (_number(f"queue.{name}") for name in ("share", "used_share", "over_share"))
QUEUE_RUNNING, QUEUE_WAITING = _number("queue.tasks_running"), _number("queue.tasks_waiting")
FREE_CPUS, FREE_MEMORY, FREE_GPUS = (_number(f"machine.free_{name}") for name in ("cpus", "memory_gb", "gpus"))
USED, TASKS, WAITING = (_number(f"machine.{name}") for name in ("used", "tasks", "waiting"))
LEFT_MEAN, LEFT_LEAST, LEFT_SPREAD = (_number(f"machine.left_{name}") for name in ("mean", "least", "spread"))
ALIGNMENT, SAME_JOB, HAS_DATA = (_number(f"machine.{name}") for name in ("alignment", "same_job", "has_data"))
RACK_TASKS, RACK_DATA = _number("rack.tasks"), _number("rack.has_data")
ALL_USED, ALL_RUNNING, ALL_WAITING = (
    _number(f"cluster.{name}") for name in ("used_cpus", "tasks_running", "tasks_waiting")
)
RAN, LEFT, VICTIM_LOST = (_number(f"victim.{name}") for name in ("ran_s", "left_s", "preemptions"))


@inner
def free(w: World, s: OwnState, m: int, r: int) -> int:
    """Return the free amount of a resource on a machine, as the deciding scheduler sees it."""
    rules = s.rules[0]
    return int(s.seen_free[rules.viewer, m, r] if rules.news == STALE else w.free[m, r])


@inner
def running(w: World, s: OwnState, m: int) -> int:
    """Return how many tasks run on a machine, as the deciding scheduler sees it."""
    rules = s.rules[0]
    return int(s.seen_tasks[rules.viewer, m, 0] if rules.news == STALE else w.machine[m].running)


@inner
def waiting(s: OwnState, m: int) -> int:
    """Return how many tasks wait at a machine or are on their way, as the deciding scheduler sees it."""
    rules = s.rules[0]
    return int(s.seen_tasks[rules.viewer, m, 1] if rules.news == STALE else s.line[m].length + s.bound_for[m])


@inner
def read(w: World, s: OwnState, number: int, t: int, j: int, m: int, v: int) -> float:
    """Return the value of a word for a task, a job, a machine and a running task that could be preempted."""
    source = s.source[number]
    if source.kind == OF_TASK:
        return float(s.task_column[t, source.column])
    if source.kind == OF_JOB:
        return float(s.job_column[j, source.column])
    if source.kind == OF_MACHINE:
        return float(s.machine_column[m, source.column])
    if source.kind == OF_ALL:
        return float(s.whole[source.column])
    if source.kind == OF_VICTIM:
        return float(s.task_column[v, source.column])
    if number <= QUEUE_WAITING:
        return _of_work(w, s, number, t, j)
    if number <= RACK_DATA:
        return _of_machine(w, s, number, t, j, m)
    return _of_rest(w, s, number, v)


@called
def _of_work(w: World, s: OwnState, number: int, t: int, j: int) -> float:
    """Return a word of a task, a job or a queue."""
    now_ns = w.control[0].now_ns
    if number == TASK_WAIT:
        return float((now_ns - w.job[w.task[t].job].arrival_ns) / 1e9)
    if number == TASK_OVER:
        return _over(s, w.job[w.task[t].job].queue)
    if number == TASK_LOST:
        return float(w.task[t].requested)
    if number == JOB_LEFT:
        return float(w.job[j].tasks - w.job[j].done)
    if number == JOB_RUNNING:
        return float(s.job[j].running)
    if number == JOB_WAITING:
        return float(s.job[j].waiting)
    if number == JOB_WORK:
        return float(s.job[j].work / 1e9)
    if number == JOB_SHARE:
        share = 0.0
        for r in range(s.job_held.shape[1]):
            if s.total[0, r] > 0:
                share = max(share, s.job_held[j, r] / s.total[0, r])
        return share
    queue = w.job[j].queue
    if number == QUEUE_SHARE:
        return float(s.queue[queue].share)
    if number == QUEUE_USED:
        return _used(s, queue)
    if number == QUEUE_OVER:
        return _over(s, queue)
    return float(s.queue[queue].running if number == QUEUE_RUNNING else s.queue[queue].waiting)


@inner
def _used(s: OwnState, queue: int) -> float:
    """Return the largest share of any resource that a queue's tasks hold."""
    share = 0.0
    for r in range(s.queue_held.shape[1]):
        if s.total[0, r] > 0:
            share = max(share, s.queue_held[queue, r] / s.total[0, r])
    return share


@inner
def _over(s: OwnState, queue: int) -> float:
    return float(_used(s, queue) - s.queue[queue].share)


@called
def _of_machine(w: World, s: OwnState, number: int, t: int, j: int, m: int) -> float:
    """Return a word of a machine or a rack."""
    if number == FREE_CPUS or number == FREE_MEMORY or number == FREE_GPUS:
        r = number - FREE_CPUS
        return free(w, s, m, r) / _UNIT if r < w.free.shape[1] else 0.0
    if number == TASKS:
        return float(running(w, s, m))
    if number == WAITING:
        return float(waiting(s, m))
    if number == SAME_JOB:
        return float(_siblings(w, j, m))
    if number == HAS_DATA:
        return 1.0 if s.pace[0].placed == 1 and nearness(w, s.replica, t, m) == LOCAL else 0.0
    if number == RACK_DATA:
        return 1.0 if s.pace[0].placed == 1 and nearness(w, s.replica, t, m) != REMOTE else 0.0
    if number == RACK_TASKS:
        return float(s.rack_tasks[w.machine[m].rack])
    return _parts(w, s, number, w.task[t].demand, m)


@inner
def _parts(w: World, s: OwnState, number: int, demand: int, m: int) -> float:
    """Return what would be left of a machine's resources, in parts of the whole."""
    kinds, total, squares, low, aligned, used = 0, 0.0, 0.0, 1.0, 0.0, 0.0
    for r in range(w.free.shape[1]):
        if w.capacity[m, r] > 0:
            amount = free(w, s, m, r)
            left = (amount - w.demand[demand, r]) / w.capacity[m, r]
            kinds += 1
            total += left
            squares += left * left
            low = min(low, left)
            used = max(used, 1.0 - amount / w.capacity[m, r])
            aligned += w.demand[demand, r] / s.total[1, r] * (amount / s.total[1, r])
    mean = total / kinds if kinds > 0 else 1.0
    if number == LEFT_MEAN:
        return mean
    if number == LEFT_LEAST:
        return low
    if number == USED:
        return used
    if number == ALIGNMENT:
        return aligned
    return math.sqrt(max(squares / kinds - mean * mean, 0.0)) if kinds > 0 else 0.0


@inner
def _siblings(w: World, j: int, m: int) -> int:
    """Return how many tasks of a job run on a machine."""
    count, at = 0, w.machine[m].first
    while at != NOBODY:
        if w.task[at].job == j:
            count += 1
        at = w.task[at].next
    return count


@called
def _of_rest(w: World, s: OwnState, number: int, v: int) -> float:
    """Return a word of the cluster, of a running task or of the clock."""
    now_ns = w.control[0].now_ns
    if number == ALL_USED:
        return float(w.used[0] / _UNIT)
    if number == ALL_RUNNING:
        return float(w.control[0].tasks_running)
    if number == ALL_WAITING:
        return float(w.control[0].tasks_waiting)
    if number == RAN:
        return float((now_ns - w.task[v].last_start_ns) / 1e9)
    if number == LEFT:
        return float((w.task[v].last_start_ns + w.task[v].duration_ns - now_ns) / 1e9)
    if number == VICTIM_LOST:
        return float(w.task[v].requested)
    return float(now_ns / 1e9)
