"""Pigeon's event loop: jobs are spread over masters, which give tasks to the workers of their groups."""

from __future__ import annotations

from scheduler_core.engine import rng
from scheduler_core.engine.events import schedule_in_lane
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import NOBODY, TASK_UNSCHEDULABLE, World
from scheduler_core.engine.tasks import arrive, finish_task
from scheduler_core.schedulers.probing.pigeon.masters import has_room_again, match, wait_at
from scheduler_core.schedulers.probing.pigeon.reasons import UNSCHEDULABLE
from scheduler_core.schedulers.probing.pigeon.state import LANE_TO_MASTER, MORE, TASK_END, TO_MASTER, PigeonState
from scheduler_core.schedulers.shared.probing.room import take_step


@kernel
def advance(w: World, s: PigeonState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events)."""
    rules, last, steps = s.rules[0], w.control[0].events + max_events, 0
    while True:
        steps, kind, a, b = take_step(w, rules.room, False, until_ns, last, steps)
        if kind < 0:
            return -1 - kind
        master, came = NOBODY, NOBODY
        if kind == TASK_END:
            master = on_end(w, s, a)
        elif kind == TO_MASTER:
            wait_at(w, s, a, b)
            master, came = b, a
        elif kind == MORE:
            master, came = a, b
        else:
            on_job(w, s, a)
            steps = 0
        if master != NOBODY:
            match(w, s, master, came)


@inner
def on_end(w: World, s: PigeonState, task: int) -> int:
    """The master hears that a task has ended one message ago: the master."""
    worker = w.task[task].machine
    finish_task(w, task, w.control[0].now_ns - s.rules[0].delay_ns)
    s.worker[worker].longs -= w.task[task].kind
    has_room_again(s, worker)
    master: int = s.worker[worker].master
    return master


@inner
def on_job(w: World, s: PigeonState, job: int) -> None:
    """A job arrives: its tasks go to the masters, those of one kind after those of another."""
    arrive(w, job, UNSCHEDULABLE)
    row = w.job[job]
    draw, first = 0, row.first_task
    while first < row.first_task + row.tasks:
        end = first + 1
        while end < row.first_task + row.tasks and w.task[end].demand == w.task[first].demand:
            end += 1
        if w.task[first].state != TASK_UNSCHEDULABLE:
            draw = spread(w, s, job, first, end, draw)
        first = end


@inner
def spread(w: World, s: PigeonState, job: int, first: int, end: int, draw: int) -> int:
    """Send tasks first .. end - 1 to masters with workers for them, as evenly as can be: the number of the next draw.

    The part that is left over goes to masters drawn at random, the last drawn one first; then every master gets one in
    each round, the last master first.
    """
    able = s.able[w.task[first].demand, w.task[first].kind]
    left, task = (end - first) % able.masters, first
    found = 0
    while found < left:
        master = s.able_master[able.first + rng.below(w.control[0].seed, rng.STREAM_PICK, job, draw, able.masters)]
        draw += 1
        if s.drawn_for[master] != first + 1:
            s.drawn_for[master] = first + 1
            s.chosen[found] = master
            found += 1
    while found > 0:
        found -= 1
        _send(w, s, task, s.chosen[found])
        task += 1
    while task < end:
        for place in range(able.masters - 1, -1, -1):
            _send(w, s, task, s.able_master[able.first + place])
            task += 1
    return draw


@inner
def _send(w: World, s: PigeonState, task: int, master: int) -> None:
    w.control[0].messages += 1
    schedule_in_lane(w, LANE_TO_MASTER, w.control[0].now_ns + s.rules[0].delay_ns, TO_MASTER, task, master)
