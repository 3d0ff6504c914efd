"""T10 preempts tasks where another finds no room. A policy is a branch of `_may_stop`."""

from __future__ import annotations

from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide
from scheduler_core.schedulers.pipeline.codes import BY_FAIRNESS, BY_PRIORITY, OLDEST, T10
from scheduler_core.schedulers.pipeline.copying import goes_on
from scheduler_core.schedulers.pipeline.lines import queue_again
from scheduler_core.schedulers.pipeline.reasons import STOPPED
from scheduler_core.schedulers.pipeline.running import saved_by_t6, stop_running
from scheduler_core.schedulers.pipeline.state import PipelineState

_MOST_VICTIMS = 32


@called
def make_room(w: World, s: PipelineState, number: int, task: int) -> int:
    """Stop the fewest tasks that make room for this one: the machine, or NOBODY."""
    rules, line = s.rules[0], s.line[number]
    if rules.t10 == OLDEST and w.control[0].now_ns - w.task[task].since_ns < rules.t10_wait_ns:
        return NOBODY
    best, fewest, oldest_ns = NOBODY, _MOST_VICTIMS + 1, w.control[0].now_ns
    s.stage[T10].calls += 1
    for machine in range(w.free.shape[0]):
        if not may_make_room(w, s, machine, number):
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


@inner
def may_make_room(w: World, s: PipelineState, machine: int, number: int) -> bool:
    """Return whether a machine that runs something could hold tasks of a line, were there room."""
    rules, line, it = s.rules[0], s.line[number], w.machine[machine]
    asks = w.asks[line.demand]
    if it.outage != 0 or s.first_on[machine] == NOBODY or it.cluster == rules.provider or (it.offers & asks) != asks:
        return False
    if machine == rules.held_machine and number != rules.held_line:
        return False
    return bool(s.allowed[line.queue, it.cluster] == 1)


@called
def _victims(w: World, s: PipelineState, machine: int, demand: int, task: int, stop: bool) -> tuple[int, int]:
    """Return (tasks of a machine that must stop for one, the first's start); 0 if they are not enough.

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
    """Return whether T10 lets one task stop another: it has begun and not ended, and was not stopped too often.

    `gone` tasks of its queue will have been stopped before it.
    """
    rules, row, now_ns = s.rules[0], w.task[victim], w.control[0].now_ns
    begun = row.last_start_ns <= now_ns < row.last_start_ns + row.duration_ns
    if not begun or s.task[victim].stops >= rules.t10_times:
        return False
    mine, other = w.job[w.task[task].job].queue, w.job[row.job].queue
    if rules.t10 == BY_PRIORITY and rules.by_task == 1:
        return bool(row.kind < w.task[task].kind)
    if rules.t10 == BY_PRIORITY:
        return bool(s.queue[other].share < s.queue[mine].share)
    if rules.t10 == BY_FAIRNESS:
        own_step, their_step = 1.0 / max(s.queue[mine].share, 1e-9), 1.0 / max(s.queue[other].share, 1e-9)
        own, theirs = s.queue[mine].running * own_step, (s.queue[other].running - gone) * their_step
        return bool(other != mine and own + own_step <= theirs - their_step)
    return True


@inner
def _stop(w: World, s: PipelineState, victim: int, now_ns: int) -> None:
    """Stop a task: it queues again with the work that T6 saved, unless a copy of it runs on."""
    machine, rules = w.task[victim].machine, s.rules[0]
    decide(w, victim, machine, STOPPED, NOBODY, NOBODY, now_ns - w.task[victim].last_start_ns, 0)
    stop_running(w, s, victim, saved_by_t6(w, s, victim))
    s.task[victim].stops += 1
    rules.preemptions += 1
    if not goes_on(w, s, victim):
        queue_again(w, s, victim)
