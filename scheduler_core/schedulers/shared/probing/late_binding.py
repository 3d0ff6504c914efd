"""Late binding: a worker that serves a probe reserves room, asks the job's scheduler, and starts the task it gets.

Under the rules of the public simulators, it is decided at once whether a task is left. The worker knows the answer two
messages later.
"""

from __future__ import annotations

from scheduler_core.engine.events import schedule, schedule_in_lane
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide, fits, hold, release, start_held
from scheduler_core.schedulers.shared.probing.notes import ASKED as HAS_ASKED
from scheduler_core.schedulers.shared.probing.notes import GIVEN, IN_VAIN, note
from scheduler_core.schedulers.shared.probing.state import (
    ANSWER,
    ASK,
    ASKED,
    LANE_ANSWER,
    LANE_TO_SCHEDULER,
    TASK_END,
    Probing,
)


@inner
def has_room(w: World, s: Probing, worker: int, demand: int) -> bool:
    """Return whether the worker could begin with one more: in public simulators it does one thing at a time."""
    if s.rules[0].public == 1:
        idle: bool = s.worker[worker].taken == 0
        return idle
    return fits(w, worker, demand)


@inner
def keep_room(w: World, s: Probing, worker: int, demand: int) -> None:
    """Keep room for a task."""
    hold(w, worker, demand)
    s.worker[worker].taken += 1


@inner
def give_room(w: World, s: Probing, worker: int, demand: int) -> None:
    """Free kept room that nobody needs."""
    release(w, worker, demand)
    s.worker[worker].taken -= 1


@inner
def ask(w: World, s: Probing, probe: int, worker: int) -> None:
    """Keep room for a task and ask for one."""
    it = s.probe[probe]
    keep_room(w, s, worker, s.group[it.group].demand)
    it.task = ASKED
    note(w, s, probe, worker, HAS_ASKED, 0)
    w.control[0].messages += 1
    if s.rules[0].public == 1:
        on_ask(w, s, probe, worker)
    else:
        schedule_in_lane(w, LANE_TO_SCHEDULER, w.control[0].now_ns + s.rules[0].delay_ns, ASK, probe, worker)


@inner
def on_ask(w: World, s: Probing, probe: int, worker: int) -> None:
    """Hand out the group's next task, or nothing if none remains."""
    it, rules = s.probe[probe], s.rules[0]
    group = s.group[it.group]
    if group.next < group.end:
        it.task = s.order[group.next]
        group.next += 1
        note(w, s, probe, worker, GIVEN, it.task)
    else:
        note(w, s, probe, worker, IN_VAIN, 0)
    w.control[0].messages += 1
    answer_ns = w.control[0].now_ns + (1 + rules.public) * rules.delay_ns
    schedule_in_lane(w, LANE_ANSWER, answer_ns, ANSWER, probe, worker)


@inner
def start_answered(w: World, s: Probing, probe: int, worker: int, reason: int, frm: int, b: int) -> None:
    """Start the task that the answer brought; `b` comes back with its end."""
    it, now_ns, task = s.probe[probe], w.control[0].now_ns, s.probe[probe].task
    row = w.task[task]
    waited_ns = now_ns - 2 * s.rules[0].delay_ns - it.since_ns
    if row.attempts == 0:
        row.worker_ns = waited_ns
        row.communication_ns = now_ns - row.since_ns - waited_ns
    decide(w, task, worker, reason, frm, NOBODY, waited_ns, it.ahead)
    schedule(w, start_held(w, task, worker, now_ns), TASK_END, task, b)


@inner
def start_given(w: World, s: Probing, probe: int, worker: int, reason: int) -> None:
    """Start a task that came by itself and has waited in the queue."""
    it, now_ns, task = s.probe[probe], w.control[0].now_ns, s.probe[probe].task
    row = w.task[task]
    keep_room(w, s, worker, row.demand)
    if row.attempts == 0:
        row.worker_ns = now_ns - it.since_ns
        row.communication_ns = it.since_ns - row.since_ns
    decide(w, task, worker, reason, NOBODY, NOBODY, now_ns - it.since_ns, it.ahead)
    schedule(w, start_held(w, task, worker, now_ns), TASK_END, task, 0)
