"""The path of tasks to a machine and through its queue, also when machines go out of service.

An event loop passes its events to `on_event`. This returns a task that needs a machine, or NOBODY. The scheduler
chooses the machine and calls `send`. It calls `park` if no machine in service could hold the task.
"""

from __future__ import annotations

from typing import Protocol

from scheduler_core.engine.events import schedule
from scheduler_core.engine.incidents import HAND_BACK, HAS_ROOM, KIND_INCIDENT, LOSE_TASK, MACHINE_IN, go_on, is_out
from scheduler_core.engine.jit import inner
from scheduler_core.engine.lines import join_line, take_first
from scheduler_core.engine.records import NOBODY, Records, World
from scheduler_core.engine.tasks import decide, finish_task, fits, start_task, still_runs, stop_task
from scheduler_core.schedulers.shared.lines.reasons import STARTED
from scheduler_core.world.reasons import HANDED_BACK, LOST

# Kinds of events about task `a`, and `b` is a machine. MORE is about machine `a`: it goes on with its line.
MORE, TASK_END, ARRIVED, PLACE, RETRY = range(1, 6)

LINED_RULES = [("delay_ns", "i8"), ("room", "i8"), ("sent", "i8"), ("waiting_in_line", "i8"), ("retries", "i8")]
"""Columns that the rules of every scheduler with lines begin with."""

_AT_ONCE = 8


class Lined(Protocol):
    """The arrays that the mechanics work on. M machines."""

    @property
    def rules(self) -> Records:
        """(1,) LINED_RULES and more."""

    @property
    def line(self) -> Records:
        """(M + 1,) engine.lines.LINE: of each machine, and of tasks that no machine in service could hold."""


@inner
def on_event(w: World, s: Lined, kind: int, a: int, b: int) -> int:
    """Process an event that is no job's arrival: a task that a machine has to be chosen for, or NOBODY."""
    if kind == TASK_END:
        if still_runs(w, a, w.control[0].now_ns):
            finish_task(w, a, w.control[0].now_ns)
            _serve(w, s, w.task[a].machine)
    elif kind == ARRIVED:
        _on_arrival(w, s, a, b)
    elif kind == MORE:
        _serve(w, s, a)
    elif kind == KIND_INCIDENT:
        _on_incident(w, s, a, b)
    elif kind == RETRY:
        return _next_parked(w, s)
    else:
        return a
    return NOBODY


@inner
def send(w: World, s: Lined, task: int, machine: int) -> None:
    """Send a task to a machine, where it arrives one message later."""
    s.rules[0].sent += 1
    w.control[0].messages += 1
    schedule(w, w.control[0].now_ns + s.rules[0].delay_ns, ARRIVED, task, machine)


@inner
def park(w: World, s: Lined, task: int) -> None:
    """Let a task wait for a machine to come in."""
    join_line(w, s.line, w.machine.shape[0], task)


@inner
def _next_parked(w: World, s: Lined) -> int:
    """Return the next parked task, to try again after a machine has come in."""
    task = take_first(w, s.line, w.machine.shape[0])
    s.rules[0].retries -= 1
    if s.rules[0].retries > 0:
        schedule(w, w.control[0].now_ns, RETRY, 0, 0)
    return task


@inner
def _on_arrival(w: World, s: Lined, task: int, machine: int) -> None:
    """Add a task to a machine's line, unless the machine has gone out of service."""
    if is_out(w, machine):
        _give_back(w, s, task, machine, HANDED_BACK, 0)
        return
    row, now_ns = w.task[task], w.control[0].now_ns
    if row.attempts == 0:
        row.communication_ns = now_ns - w.job[row.job].arrival_ns
    row.since_ns = now_ns
    join_line(w, s.line, machine, task)
    s.rules[0].waiting_in_line += 1
    _serve(w, s, machine)


@inner
def _serve(w: World, s: Lined, machine: int) -> None:
    """Start the first of the line while it fits; what one step has no room for starts at the same instant."""
    now_ns = w.control[0].now_ns
    for _ in range(_AT_ONCE):
        task = s.line[machine].first
        if task == NOBODY or not fits(w, machine, w.task[task].demand):
            return
        take_first(w, s.line, machine)
        s.rules[0].waiting_in_line -= 1
        waited_ns = now_ns - w.task[task].since_ns
        if w.task[task].attempts == 0:
            w.task[task].worker_ns = waited_ns
        decide(w, task, machine, STARTED, NOBODY, NOBODY, waited_ns, 0)
        schedule(w, start_task(w, task, machine, now_ns), TASK_END, task, 0)
    schedule(w, now_ns, MORE, machine, 0)


@inner
def _give_back(w: World, s: Lined, task: int, machine: int, reason: int, lost_ns: int) -> None:
    """Tell the scheduler, one message later, that a task has to be placed again."""
    decide(w, task, machine, reason, NOBODY, NOBODY, lost_ns, 0)
    w.control[0].messages += 1
    schedule(w, w.control[0].now_ns + s.rules[0].delay_ns, PLACE, task, 0)


@inner
def _on_incident(w: World, s: Lined, step: int, number: int) -> None:
    """Process one step of an incident (engine.incidents); shares of queues mean nothing here."""
    now_ns, rules = w.control[0].now_ns, s.rules[0]
    if step == HAND_BACK:
        task = take_first(w, s.line, number)
        if task == NOBODY:
            go_on(w)
            return
        rules.waiting_in_line -= 1
        _give_back(w, s, task, number, HANDED_BACK, now_ns - w.task[task].since_ns)
    elif step == LOSE_TASK:
        stop_task(w, number, now_ns)
        _give_back(w, s, number, w.task[number].machine, LOST, now_ns - w.task[number].last_start_ns)
    elif step == HAS_ROOM:
        _serve(w, s, number)
    elif step == MACHINE_IN:
        parked = s.line[w.machine.shape[0]].length
        if parked > 0 and rules.retries == 0:
            schedule(w, now_ns, RETRY, 0, 0)
        rules.retries = parked
