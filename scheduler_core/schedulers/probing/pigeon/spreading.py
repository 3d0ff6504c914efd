"""Distributors: spread the tasks of a job as evenly as possible over masters with suitable workers."""

from __future__ import annotations

from scheduler_core.engine import rng
from scheduler_core.engine.events import schedule_in_lane
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.probing.pigeon.state import LANE_TO_MASTER, TO_MASTER, PigeonState


@inner
def spread(w: World, s: PigeonState, job: int, first: int, end: int, draw: int) -> int:
    """Send tasks first .. end - 1 to masters with workers for them, as evenly as can be: the number of the next draw.

    The part that is left over goes to masters drawn at random, the last drawn one first; then every master gets one in
    each round, the last master first. Without any such worker in service the tasks are parked.

    Source: *Pigeon: an effective distributed, hierarchical datacenter job scheduler* (tasks spread evenly over
    masters).
    """
    demand, kind, rules = w.task[first].demand, w.task[first].kind, s.rules[0]
    able = s.able[demand, kind]
    if able.in_service == 0:
        for task in range(first, end):
            _park(w, s, task)
        return draw
    rules.spreads += 1
    left, task = (end - first) % able.in_service, first
    found = 0
    while found < left:
        master = s.able_master[able.first + rng.below(w.control[0].seed, rng.STREAM_PICK, job, draw, able.masters)]
        draw += 1
        if s.drawn_for[master] != rules.spreads and has_holder(s, demand, kind, master):
            s.drawn_for[master] = rules.spreads
            s.chosen[found] = master
            found += 1
    while found > 0:
        found -= 1
        _send(w, s, task, s.chosen[found])
        task += 1
    while task < end:
        for place in range(able.masters - 1, -1, -1):
            master = s.able_master[able.first + place]
            if task < end and has_holder(s, demand, kind, master):
                _send(w, s, task, master)
                task += 1
    return draw


@inner
def has_holder(s: PigeonState, demand: int, kind: int, master: int) -> bool:
    """Return whether a master that could hold a demand has a worker in service that could."""
    return bool(s.rules[0].outages == 0 or s.holders[demand, kind, master] > 0)


@inner
def _send(w: World, s: PigeonState, task: int, master: int) -> None:
    w.control[0].messages += 1
    schedule_in_lane(w, LANE_TO_MASTER, w.control[0].now_ns + s.rules[0].delay_ns, TO_MASTER, task, master)


@inner
def _park(w: World, s: PigeonState, task: int) -> None:
    """Park a task that no worker in service could hold, behind the others."""
    rules = s.rules[0]
    w.task[task].next = NOBODY
    if rules.parked == NOBODY:
        rules.parked = task
    else:
        w.task[rules.last_parked].next = task
    rules.last_parked = task
    rules.parks += 1
