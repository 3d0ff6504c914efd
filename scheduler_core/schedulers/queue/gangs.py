"""Gangs: a job's tasks start together or not at all.

One decision looks for machines for all waiting tasks of a gang, one after the other. Each task gets the room that the
previous ones leave. If one task finds no machine, the gang holds nothing and waits, so two gangs never wait for each
other's machines. Kubernetes' gang scheduling does the same in one cycle for a group of pods, and Volcano does it by
discarding a statement.

Meanwhile, tasks behind the gang go first, or are held up (`gang_wait_s`) so that room gathers. To hold up everything
behind a gang is ours. A gang preempts no other task. Once a gang has started, its tasks are like others: a task that is
stopped or loses its machine waits and starts alone, as under Kubernetes while the others still run.
"""

from __future__ import annotations

from scheduler_core.constraints.racks import AFFINITY
from scheduler_core.engine import rng
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, TASK_WAITING, World
from scheduler_core.engine.tasks import decide, hold, release
from scheduler_core.schedulers.queue.choosing import choose
from scheduler_core.schedulers.queue.racks import count_in, has_room, holds_all, note_rule, open_to
from scheduler_core.schedulers.queue.reasons import NOT_TOGETHER
from scheduler_core.schedulers.queue.state import QueueState


@inner
def find_together(w: World, s: QueueState, b: int) -> bool:
    """Find a machine for each task of a gang, and note it as the task's `place`; False when there is no room for all.

    One that keeps to one rack tries all racks that could hold it, from a drawn one on.
    """
    rules, it, racks = s.rules[0], s.band[b], len(s.tally)
    first = rng.below(w.control[0].seed, rng.STREAM_RACK, it.job, 0, racks)
    it.placed = 0
    for i in range(racks if it.rule == AFFINITY else 1):
        rack = (first + i) % racks
        if it.rule == AFFINITY and not holds_all(s, b, rack):
            continue
        placed, whole = _place(w, s, b, rack, True)
        it.placed = max(it.placed, placed)
        if whole:
            return True
    rules.gangs_in_vain += 1
    _wait_together(w, s, b)
    return False


@inner
def fit_together(w: World, s: QueueState, b: int) -> bool:
    """Return whether the machines found for a gang's tasks can still take them all."""
    rack = w.machine[w.task[s.group[s.band[b].first_group].head].place].rack
    return bool(_place(w, s, b, rack, False)[1])


@called
def _place(w: World, s: QueueState, b: int, rack: int, search: bool) -> tuple[int, bool]:
    """Return (tasks of a gang that have room side by side, whether all do); nothing stays held.

    Machines are looked for, or are those that were found before. Under affinity all are in `rack`.
    """
    rules, it, placed, whole = s.rules[0], s.band[b], 0, True
    for g in range(it.first_group, it.first_group + it.groups):
        t = s.group[g].head
        while t != NOBODY and whole:
            note_rule(w, s, g)
            if it.rule == AFFINITY:
                rules.rack = rack
            m = choose(w, s, g, t) if search else _same(w, s, g, t)
            whole = m != NOBODY
            if whole:
                _take(w, s, t, m, 1)
                placed += 1
                t = w.task[t].next
    left = placed
    for g in range(it.first_group, it.first_group + it.groups):
        t = s.group[g].head
        while t != NOBODY and left > 0:
            _take(w, s, t, w.task[t].place, -1)
            left -= 1
            t = w.task[t].next
    rules.tallied = NOBODY
    return placed, whole


@inner
def _same(w: World, s: QueueState, g: int, t: int) -> int:
    """Return the machine found for a task, or NOBODY if it can no longer take it."""
    m: int = w.task[t].place
    return m if open_to(w, s, g, m) and has_room(w, s, s.group[g].demand, m) else NOBODY


@inner
def _take(w: World, s: QueueState, t: int, m: int, count: int) -> None:
    """Take a task's room on a machine, or with -1 give it back."""
    if count > 0:
        hold(w, m, w.task[t].demand)
    else:
        release(w, m, w.task[t].demand)
    w.machine[m].running += count
    w.task[t].place = m
    count_in(w, s, m, count)


@inner
def _wait_together(w: World, s: QueueState, b: int) -> None:
    """Mark a gang as having no room for all its tasks until some task frees room."""
    rules, it, waiting, watched = s.rules[0], s.band[b], 0, w.control[0].watched_task
    rules.in_vain += 1
    told = s.group[it.first_group].told
    for g in range(it.first_group, it.first_group + it.groups):
        s.group[g].failed = 1
        s.group[g].seen = rules.freed
        s.group[g].told = NOT_TOGETHER
        waiting += s.group[g].waiting
    if told == 0:
        mine = watched >= 0 and w.task[watched].job == it.job and w.task[watched].state == TASK_WAITING
        task = watched if mine else s.group[it.first_group].head
        decide(w, task, NOBODY, NOT_TOGETHER, NOBODY, NOBODY, waiting, it.placed)
