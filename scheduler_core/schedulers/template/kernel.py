"""The template's event loop: it chooses machines, and the shared queues do the rest."""

from __future__ import annotations

from scheduler_core.engine import rng
from scheduler_core.engine.events import KIND_JOB_ARRIVAL, steps_with_room, take_event
from scheduler_core.engine.incidents import is_out
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import NEVER, NOBODY, TASK_WAITING, World
from scheduler_core.engine.tasks import arrive, could_hold, decide
from scheduler_core.schedulers.shared.lines.mechanics import on_event, park, send
from scheduler_core.schedulers.shared.lines.reasons import UNSCHEDULABLE
from scheduler_core.schedulers.template.reasons import SENT
from scheduler_core.schedulers.template.state import TemplateState


@kernel
def advance(w: World, s: TemplateState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events)."""
    last, steps = w.control[0].events + max_events, 0
    while True:
        if steps == 0:
            steps, full = steps_with_room(w, s.rules[0].room)
            if steps == 0:
                return full
        steps -= 1
        kind, a, b = take_event(w, until_ns, last)
        if kind < 0:
            return -1 - kind
        first, end = NOBODY, NOBODY
        if kind == KIND_JOB_ARRIVAL:
            arrive(w, a, UNSCHEDULABLE)
            first, end = w.job[a].first_task, w.job[a].first_task + w.job[a].tasks
        else:
            first = on_event(w, s, kind, a, b)
            end = NOBODY if first == NOBODY else first + 1
        for task in range(first, end):
            if w.task[task].state == TASK_WAITING:
                _place(w, s, task)


@inner
def _place(w: World, s: TemplateState, task: int) -> None:
    """Send a task to the machine with the fewest tasks of those drawn; of equal ones the first wins."""
    best, fewest, choices = NOBODY, NEVER, s.rules[0].choices
    for _ in range(choices):
        machine = _draw(w, task)
        if machine != NOBODY and s.line[machine].length + w.machine[machine].running < fewest:
            best, fewest = machine, s.line[machine].length + w.machine[machine].running
    if best == NOBODY:
        park(w, s, task)
        return
    decide(w, task, best, SENT, NOBODY, NOBODY, fewest, choices)
    send(w, s, task, best)


@inner
def _draw(w: World, task: int) -> int:
    """Return the first machine in service that could hold the task, from one drawn at random on; NOBODY for none."""
    row, machines = w.task[task], w.machine.shape[0]
    row.requested += 1
    first = rng.below(w.control[0].seed, rng.STREAM_PICK, task, row.requested, machines)
    for step in range(machines):
        machine: int = (first + step) % machines
        if not is_out(w, machine) and could_hold(w, machine, row.demand):
            return machine
    return NOBODY
