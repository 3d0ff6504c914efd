"""T10: where a task finds no room, others are stopped. A policy is a branch of `_may_stop`."""

from __future__ import annotations

from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide, stop_task
from scheduler_core.schedulers.pipeline.choosing import update_room
from scheduler_core.schedulers.pipeline.lines import join
from scheduler_core.schedulers.pipeline.reasons import STOPPED
from scheduler_core.schedulers.pipeline.state import (
    BY_FAIRNESS,
    BY_PRIORITY,
    OLDEST,
    T10,
    PipelineState,
)

_MOST_VICTIMS = 32


@called
def make_room(w: World, s: PipelineState, number: int, task: int) -> int:
    """A machine on which stopping the fewest tasks makes room for this one, after they are stopped; NOBODY without."""
    rules, line = s.rules[0], s.line[number]
    if rules.t10 == OLDEST and w.control[0].now_ns - w.task[task].since_ns < rules.t10_wait_ns:
        return NOBODY
    best, fewest, oldest_ns = NOBODY, _MOST_VICTIMS + 1, w.control[0].now_ns
    s.stage[T10].calls += 1
    for machine in range(w.free.shape[0]):
        it = w.machine[machine]
        asks = w.asks[line.demand]
        if it.outage != 0 or it.running == 0 or it.cluster == rules.provider or (it.offers & asks) != asks:
            continue
        if s.allowed[line.queue, it.cluster] == 0:
            continue
        victims, since_ns = _victims(w, s, machine, line.demand, task, False)
        if victims == 0:
            continue
        better = since_ns < oldest_ns if rules.t10 == OLDEST else victims < fewest
        if better:
            best, fewest, oldest_ns = machine, victims, since_ns
    if best != NOBODY:
        _victims(w, s, best, line.demand, task, True)
    return best


@called
def _victims(w: World, s: PipelineState, machine: int, demand: int, task: int, stop: bool) -> tuple[int, int]:
    """(how many tasks of a machine have to stop for one, since when the first of them runs); 0 if that is not enough.

    Those that started last go first: they lose the least work. With `stop` they are stopped.
    """
    count, since_ns, now_ns = 0, w.control[0].now_ns, w.control[0].now_ns
    for r in range(s.freed.shape[0]):
        s.freed[r] = 0
    victim, enough = s.first_on[machine], False
    while victim != NOBODY and not enough and count < _MOST_VICTIMS:
        row = w.task[victim]
        after = row.next
        s.stage[T10].operations += 1
        # Once stopped they no longer count as running; before, as if all so far were of this one's queue.
        if _may_stop(w, s, victim, task, 0 if stop else count):
            count += 1
            since_ns = min(since_ns, row.last_start_ns)
            if stop:
                _stop(w, s, victim, now_ns)
            else:
                for r in range(s.freed.shape[0]):
                    s.freed[r] += w.demand[row.demand, r]
            enough = True
            for r in range(s.freed.shape[0]):
                enough = enough and w.free[machine, r] + s.freed[r] >= w.demand[demand, r]
        victim = after
    return (count, since_ns) if enough else (0, since_ns)


@inner
def _may_stop(w: World, s: PipelineState, victim: int, task: int, gone: int) -> bool:
    """Whether T10 lets one task stop another: it has begun and not ended, and was not stopped too often.

    `gone` tasks of its queue will have been stopped before it.
    """
    rules, row, now_ns = s.rules[0], w.task[victim], w.control[0].now_ns
    begun = row.last_start_ns <= now_ns < row.last_start_ns + row.duration_ns
    if not begun or s.task[victim].stops >= rules.t10_times:
        return False
    mine, other = w.job[w.task[task].job].queue, w.job[row.job].queue
    if rules.t10 == BY_PRIORITY:
        return bool(s.queue[other].share < s.queue[mine].share)
    if rules.t10 == BY_FAIRNESS:
        own_step, their_step = 1.0 / max(s.queue[mine].share, 1e-9), 1.0 / max(s.queue[other].share, 1e-9)
        own, theirs = s.queue[mine].running * own_step, (s.queue[other].running - gone) * their_step
        return bool(other != mine and own + own_step <= theirs - their_step)
    return True


@inner
def _stop(w: World, s: PipelineState, victim: int, now_ns: int) -> None:
    """A task is stopped: its work is lost, and it queues again."""
    machine, rules = w.task[victim].machine, s.rules[0]
    decide(w, victim, machine, STOPPED, NOBODY, NOBODY, now_ns - w.task[victim].last_start_ns, 0)
    stop_running(w, s, victim, now_ns)
    s.task[victim].stops += 1
    rules.preemptions += 1
    join(w, s, victim)


@inner
def stop_running(w: World, s: PipelineState, task: int, now_ns: int) -> None:
    """A running task no longer runs; what it held is free, and its end is no news."""
    machine = w.task[task].machine
    take_off(w, s, task)
    stop_task(w, task, now_ns)
    w.task[task].since_ns = now_ns
    update_room(w, s, machine)
    s.task[task].token += 1
    s.rules[0].unsubmitted += 1


@inner
def take_off(w: World, s: PipelineState, task: int) -> None:
    """A task is no longer among those of its machine and of its queue."""
    row = w.task[task]
    if row.previous == NOBODY:
        s.first_on[row.machine] = row.next
    else:
        w.task[row.previous].next = row.next
    if row.next != NOBODY:
        w.task[row.next].previous = row.previous
    row.next = row.previous = NOBODY
    queue = w.job[row.job].queue
    s.queue[queue].running -= 1
    for r in range(s.queue_held.shape[1]):
        s.queue_held[queue, r] -= w.demand[row.demand, r]
