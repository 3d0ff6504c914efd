"""Jobs that wait for their scheduler: those ready to try, and those that found too little room.

In both lists, the job that has waited longest is first.
"""

from __future__ import annotations

from scheduler_core.engine.jit import inner
from scheduler_core.engine.lists import put_last, take_out
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.shared_state.omega.reasons import NO_ROOM
from scheduler_core.schedulers.shared_state.omega.state import AWAY, IN_HAND, READY, STUCK, OmegaState


@inner
def join(w: World, s: OmegaState, number: int, state: int) -> None:
    """Add the job to the end of one of its scheduler's lists, READY or STUCK."""
    job = s.job[number]
    me = s.scheduler[job.scheduler]
    last = me.last_ready if state == READY else me.last_stuck
    job.state = state
    job.since_ns = w.control[0].now_ns
    job.next = NOBODY
    job.previous = last
    if last != NOBODY:
        s.job[last].next = number
    elif state == READY:
        me.first_ready = number
    else:
        me.first_stuck = number
    if state == READY:
        me.last_ready = number
    else:
        me.last_stuck = number


@inner
def leave(s: OmegaState, number: int) -> None:
    """Remove the job from its list."""
    job = s.job[number]
    me, ready = s.scheduler[job.scheduler], job.state == READY
    if job.next != NOBODY:
        s.job[job.next].previous = job.previous
    elif ready:
        me.last_ready = job.previous
    else:
        me.last_stuck = job.previous
    if job.previous != NOBODY:
        s.job[job.previous].next = job.next
    elif ready:
        me.first_ready = job.next
    else:
        me.first_stuck = job.next
    job.state = AWAY


@inner
def take_next(w: World, s: OmegaState, who: int) -> int:
    """Return the job to try now, in hand, or NOBODY.

    A stuck one is tried again when room has come back since; the stuck ones are in order of their copies. A job all of
    whose tasks ask for what the last copy had no machine for is not tried before something has come back.
    """
    me, rules = s.scheduler[who], s.rules[0]
    while True:
        ready, stuck = me.first_ready, me.first_stuck
        if stuck != NOBODY and s.job[stuck].seen == rules.freed:
            stuck = NOBODY
        if ready == NOBODY and stuck == NOBODY:
            return NOBODY
        number: int = ready
        if ready == NOBODY or (stuck != NOBODY and s.job[stuck].since_ns <= s.job[ready].since_ns):
            number = stuck
        job = s.job[number]
        leave(s, number)
        if me.vain_freed != rules.freed or job.demand != me.vain_demand:
            job.state = IN_HAND
            return number
        set_aside(w, s, number, NO_ROOM, job.waiting, 0, rules.freed)


@inner
def set_aside(w: World, s: OmegaState, number: int, reason: int, x: int, y: int, seen: int) -> None:
    """Set the job aside until room has come back since `seen`."""
    job = s.job[number]
    job.told = reason
    job.told_x = x
    job.told_y = y
    job.seen = seen
    join(w, s, number, STUCK)


@inner
def append_task(w: World, s: OmegaState, task: int) -> None:
    """Add the task behind the others of its job."""
    job = s.job[w.task[task].job]
    w.task[task].place = NOBODY
    put_last(w.task, job, task)
    job.waiting += 1


@inner
def remove_task(w: World, s: OmegaState, task: int) -> None:
    """Remove the task from the waiting ones."""
    job = s.job[w.task[task].job]
    take_out(w.task, job, task)
    job.waiting -= 1
