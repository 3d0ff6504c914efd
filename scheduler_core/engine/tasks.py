"""The life of a task in every protocol (it arrives, holds a machine, ends), and the decision row that says why."""

from __future__ import annotations

from scheduler_core.engine.bits import highest_bit
from scheduler_core.engine.company import join_company, leave_company
from scheduler_core.engine.jit import called, inner, kernel
from scheduler_core.engine.records import (
    HISTOGRAM_BINS,
    HISTOGRAM_LOWEST_BIT,
    HISTOGRAM_STEPS,
    KINDS_DISTURB,
    LISTS,
    NOBODY,
    SHARES_DISTURB,
    TASK_DONE,
    TASK_RUNNING,
    TASK_UNSCHEDULABLE,
    TASK_WAITING,
    Records,
    World,
)

_DISTURB = KINDS_DISTURB | SHARES_DISTURB
_AT_START = LISTS | _DISTURB


@inner
def decide(w: World, task: int, machine: int, reason: int, frm: int, to: int, x: int, y: int) -> None:
    """Append one row to the decision log. While a user watches a task, keep only its rows."""
    control = w.control[0]
    if control.watched_task >= 0 and control.watched_task != task:
        return
    row = w.log[control.log_size]
    control.log_size += 1
    row.t_ns = control.now_ns
    row.task = task
    row.machine = machine
    row.reason = reason
    row.frm = frm
    row.to = to
    row.count = 1
    row.x = x
    row.y = y


@inner
def decide_again(w: World, task: int, reason: int, to: int, x: int, times: int, first_ns: int) -> None:
    """Append one row for `times` repeats of a decision: the first at `first_ns`, the last before now."""
    before = w.control[0].log_size
    decide(w, task, NOBODY, reason, NOBODY, to, x, first_ns)
    if w.control[0].log_size > before:
        w.log[before].count = times


@inner
def fits(w: World, machine: int, demand: int) -> bool:
    """Return True if the machine's actual free resources cover the demand."""
    for r in range(w.free.shape[1]):
        if w.free[machine, r] < w.demand[demand, r]:
            return False
    return True


@called
def _enter_list(task: Records, machine: Records, number: int, where: int) -> None:
    """Insert a task at the head of its machine's list of running tasks."""
    first = machine[where].first
    task[number].next = first
    task[number].previous = NOBODY
    if first != NOBODY:
        task[first].previous = number
    machine[where].first = number


@called
def _leave_list(task: Records, machine: Records, number: int) -> None:
    """Remove a task from its machine's list of running tasks."""
    row = task[number]
    if row.next != NOBODY:
        task[row.next].previous = row.previous
    if row.previous != NOBODY:
        task[row.previous].next = row.next
    else:
        machine[row.machine].first = row.next


@inner
def _on_start(w: World, task: int, machine: int) -> None:
    """Do the work that only some runs need when a task starts: list the task, slow it down."""
    walks = w.control[0].walks
    if walks & _DISTURB != 0:
        join_company(w, task, machine)
    if walks & LISTS != 0:
        _enter_list(w.task, w.machine, task, machine)


@inner
def _on_leaving(w: World, task: int, stopped: bool) -> None:
    """Do the work that only some runs need when a task leaves its machine."""
    walks = w.control[0].walks
    if walks & _DISTURB != 0:
        leave_company(w, task, stopped)
    if walks & LISTS != 0:
        _leave_list(w.task, w.machine, task)


@inner
def could_hold(w: World, machine: int, demand: int) -> bool:
    """Return True if the machine, when empty, could run a class of demand: constraints and capacity both fit."""
    if (w.machine[machine].offers & w.asks[demand]) != w.asks[demand]:
        return False
    for r in range(w.capacity.shape[1]):
        if w.capacity[machine, r] < w.demand[demand, r]:
            return False
    return True


@inner
def still_runs(w: World, task: int, end_ns: int) -> bool:
    """Return True if a task's end at `end_ns` belongs to its present run, not to a run that stopped before."""
    row = w.task[task]
    return bool(row.state == TASK_RUNNING and row.last_start_ns + row.duration_ns == end_ns)


@inner
def has_ended(w: World, task: int) -> bool:
    """Return True if a started task has ended on its machine, even if the report has not arrived yet."""
    row = w.task[task]
    return bool(row.last_start_ns + row.duration_ns <= w.control[0].now_ns)


@inner
def runs_now(w: World, task: int) -> bool:
    """Return True if a task runs at this instant: it has started on its machine and has not ended there."""
    row = w.task[task]
    return bool(row.state == TASK_RUNNING and row.last_start_ns <= w.control[0].now_ns and not has_ended(w, task))


@inner
def touch(w: World, machine: int) -> None:
    """Mark a machine so that the next frame compares what the map shows of it."""
    w.touched[machine] = 1


@inner
def hold(w: World, machine: int, demand: int) -> None:
    """Take the demand from the machine's free resources."""
    for r in range(w.free.shape[1]):
        w.free[machine, r] -= w.demand[demand, r]
        w.used[r] += w.demand[demand, r]
    touch(w, machine)


@inner
def release(w: World, machine: int, demand: int) -> None:
    """Return the demand to the machine's free resources."""
    for r in range(w.free.shape[1]):
        w.free[machine, r] += w.demand[demand, r]
        w.used[r] -= w.demand[demand, r]
    touch(w, machine)


@inner
def arrive(w: World, job: int, reason: int) -> int:
    """Make the tasks of a job arrive and return the number of them that wait.

    Tasks that no machine could ever hold do not wait. They share one decision row with `reason`, on the first of them
    (or on the watched task).
    """
    control = w.control[0]
    row = w.job[job]
    hopeless, first = 0, NOBODY
    for task in range(row.first_task, row.first_task + row.tasks):
        it = w.task[task]
        if it.state != TASK_UNSCHEDULABLE:
            it.state = TASK_WAITING
            it.since_ns = control.now_ns
        else:
            hopeless += 1
            if first == NOBODY or task == control.watched_task:
                first = task
    control.tasks_arrived += row.tasks
    control.tasks_waiting += row.tasks - hopeless
    control.tasks_unschedulable += hopeless
    if hopeless > 0:
        decide(w, first, NOBODY, reason, NOBODY, NOBODY, hopeless, w.task[first].place)
    waiting: int = row.tasks - hopeless
    return waiting


@kernel
def delay_bin(delay_ns: int) -> int:
    """Return the bin of the queueing-delay histogram, found from the leading bits: 8 bins an octave."""
    if delay_ns < (1 << (HISTOGRAM_LOWEST_BIT + 1)):
        return 0
    octave = highest_bit(delay_ns)
    step = (delay_ns - (1 << octave)) * HISTOGRAM_STEPS >> octave
    return min(1 + (octave - HISTOGRAM_LOWEST_BIT - 1) * HISTOGRAM_STEPS + step, HISTOGRAM_BINS - 1)


@inner
def start_task(w: World, task: int, machine: int, start_ns: int) -> int:
    """Start a task on a machine at `start_ns` and return the time of its end in ns.

    `start_ns` is now, or later by the delay of the launch message. The task takes its resources at once.
    """
    hold(w, machine, w.task[task].demand)
    return start_held(w, task, machine, start_ns)


@inner
def start_held(w: World, task: int, machine: int, start_ns: int) -> int:
    """Start a task like `start_task`, with resources that it already holds."""
    row = w.task[task]
    control = w.control[0]
    if control.walks & _AT_START != 0:
        _on_start(w, task, machine)
    w.machine[machine].running += 1
    row.machine = machine
    row.state = TASK_RUNNING
    row.attempts += 1
    row.last_start_ns = start_ns
    if row.attempts == 1:
        row.first_start_ns = start_ns
        control.tasks_started += 1
        w.histogram[delay_bin(start_ns - w.job[row.job].arrival_ns)] += 1
    control.tasks_waiting -= 1
    control.tasks_running += 1
    end_ns: int = start_ns + row.duration_ns
    return end_ns


@inner
def finish_task(w: World, task: int, end_ns: int) -> None:
    """Finish a task that ended at `end_ns` (ns) and return its resources to its machine.

    `end_ns` is now, or earlier if the report of the end took time to arrive.
    """
    row = w.task[task]
    control = w.control[0]
    release(w, row.machine, row.demand)
    if control.walks & _AT_START != 0:
        _on_leaving(w, task, False)
    w.machine[row.machine].running -= 1
    row.state = TASK_DONE
    row.end_ns = end_ns
    control.tasks_running -= 1
    control.tasks_done += 1
    control.last_end_ns = max(control.last_end_ns, end_ns)
    job = w.job[row.job]
    job.done += 1
    job.end_ns = max(job.end_ns, end_ns)
    if job.done == job.tasks:
        control.jobs_done += 1


@inner
def stop_task(w: World, task: int, stop_ns: int) -> None:
    """Stop a running task at `stop_ns` (ns): it loses its work and waits again.

    `stop_ns` is now, or the time at which the stop message arrives. If the launch message has not arrived by then, the
    start does not count.
    """
    row = w.task[task]
    control = w.control[0]
    release(w, row.machine, row.demand)
    if control.walks & _AT_START != 0:
        _on_leaving(w, task, True)
    w.machine[row.machine].running -= 1
    row.state = TASK_WAITING
    control.tasks_running -= 1
    control.tasks_waiting += 1
    if stop_ns >= row.last_start_ns:
        row.lost_ns += stop_ns - row.last_start_ns
        return
    row.attempts -= 1
    if row.attempts == 0:
        row.communication_ns -= row.last_start_ns - stop_ns
        w.histogram[delay_bin(row.first_start_ns - w.job[row.job].arrival_ns)] -= 1
        row.first_start_ns = -1
        control.tasks_started -= 1


@inner
def all_settled(w: World) -> bool:
    """Return True if the wanted number of tasks have ended or can never start, or if nothing can happen any more."""
    control = w.control[0]
    settled: bool = control.tasks_done + control.tasks_unschedulable >= control.tasks_wanted or control.stuck == 1
    return settled


@kernel
def paint_load(w: World, machines, out) -> None:  # type: ignore[no-untyped-def]
    """Write the load layer of `machines` into `out` (uint8): the largest used share of any resource, 0 to 255."""
    for number in range(len(machines)):
        machine = machines[number]
        level = 0
        for r in range(w.free.shape[1]):
            capacity = w.capacity[machine, r]
            if capacity > 0:
                used = capacity - w.free[machine, r]
                if w.machine[machine].outage != 0:
                    used -= capacity + 1  # withheld, not used (engine.incidents)
                level = max(level, used * 255 // capacity)
        out[number] = level


@kernel
def paint_resource(w: World, r: int, machines, out) -> None:  # type: ignore[no-untyped-def]
    """Write the used share of resource `r` on each of `machines` into `out` (uint8), 0 to 255."""
    for number in range(len(machines)):
        machine = machines[number]
        capacity = w.capacity[machine, r]
        used = capacity - w.free[machine, r]
        if w.machine[machine].outage != 0:
            used -= capacity + 1  # withheld, not used (engine.incidents)
        out[number] = used * 255 // capacity if capacity > 0 else 0
