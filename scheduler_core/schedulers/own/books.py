"""Keep count of what jobs, queues and racks hold, and of machines whose state has changed."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import World
from scheduler_core.schedulers.own.state import DECIDE, STALE, OwnState


@inner
def note_change(s: OwnState, view: int, m: int) -> None:
    """Note that a machine's state has changed in a view."""
    s.ring[view, s.changed[view] % s.ring.shape[1]] = m
    s.changed[view] += 1


@inner
def note_true_change(s: OwnState, m: int) -> None:
    """Note that a machine's real state has changed; stale copies do not see it."""
    if s.rules[0].news != STALE:
        note_change(s, 0, m)


@inner
def note_freed(s: OwnState, m: int) -> None:
    """Note that something has become free on a machine."""
    rules = s.rules[0]
    s.freed_ring[rules.freed % len(s.freed_ring)] = m
    rules.freed += 1


@called
def count_start(w: World, s: OwnState, t: int, m: int) -> None:
    """Count a task that starts on a machine."""
    row = w.task[t]
    queue = w.job[row.job].queue
    s.job[row.job].running += 1
    s.queue[queue].running += 1
    s.rack_tasks[w.machine[m].rack] += 1
    _hold(w, s, row.job, queue, row.demand, 1)
    s.rules[0].moves += 1
    note_true_change(s, m)


@called
def count_end(w: World, s: OwnState, t: int, m: int, done: bool) -> None:
    """Count a task that has ended or stopped on a machine."""
    row = w.task[t]
    queue, rules = w.job[row.job].queue, s.rules[0]
    s.job[row.job].running -= 1
    s.queue[queue].running -= 1
    s.rack_tasks[w.machine[m].rack] -= 1
    _hold(w, s, row.job, queue, row.demand, -1)
    if done:
        s.job[row.job].work -= s.entry[row.kind].part
        if w.job[row.job].done == w.job[row.job].tasks:
            s.job[row.job].work = 0.0
    rules.moves += 1
    note_freed(s, m)
    note_true_change(s, m)


@inner
def _hold(w: World, s: OwnState, job: int, queue: int, demand: int, sign: int) -> None:
    """Add a task's demand to what its job and its queue hold, or take it off."""
    for r in range(w.demand.shape[1]):
        s.queue_held[queue, r] += sign * w.demand[demand, r]
        if s.rules[0].held == 1:
            s.job_held[job, r] += sign * w.demand[demand, r]


@inner
def count_waiting(w: World, s: OwnState, t: int, sign: int) -> None:
    """Count a task that begins to wait, or with -1 waits no more."""
    job = w.task[t].job
    s.job[job].waiting += sign
    s.queue[w.job[job].queue].waiting += sign


@inner
def ask(w: World, s: OwnState, k: int) -> None:
    """Ask a scheduler for a decision at the end of this instant, unless one is under way or nothing waits."""
    it = s.scheduler[k]
    if it.busy == 0 and it.pending == 0 and it.waiting > 0:
        it.pending = 1
        schedule(w, w.control[0].now_ns, DECIDE, k, 0)


@called
def ask_all(w: World, s: OwnState) -> None:
    """Ask all schedulers."""
    for k in range(len(s.scheduler)):
        ask(w, s, k)
