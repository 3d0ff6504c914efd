"""Probes on a message board: a job's scheduler probes workers; workers request tasks and get one or none.

Some schedulers separate long jobs from short ones. Under these, a central scheduler places the tasks of long jobs,
workers refuse probes (Eagle), and idle workers ask other workers for probes (Hawk).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scheduler_core.engine.records import World
from scheduler_core.schedulers.shared.probing.state import (
    ANSWER,
    ASK,
    BACK,
    CANCEL,
    CONTACT,
    LENGTH,
    LOST_TASK,
    PROBE,
    REFUSED,
    STOLEN,
    TASK,
    TASK_END,
    TO_WORKER,
)
from scheduler_core.world.board import (
    OUTAGES,
    Board,
    Event,
    Lane,
    LaneKind,
    Message,
    MessageKind,
    Span,
    Step,
    Told,
    job_of,
)

_TOLD = {PROBE: "probe", CANCEL: "cancel", TASK: "place"}
_LEFT_BITS = 16
"""Of what a question for work is about: how many may still be asked; above them who is asked."""

_PROBED = (
    MessageKind("probe", "Probe", "A probe joins the worker's queue. It carries no task yet."),
    MessageKind("ask", "Asks", "The probe is served and there is room: the worker asks for a task."),
    MessageKind("task", "Task", "The worker gets the job's next task and starts it."),
    MessageKind("nothing", "Nothing", "The job has no task left; the room is free again."),
    *OUTAGES,
)
_UNBOUND = (
    MessageKind("length", "Length", "Without late binding: the worker reports the length of its queue."),
    MessageKind("place", "Placed", "The task itself joins the worker's queue."),
    MessageKind("cancel", "Called back", "The probe is not needed any more and leaves the queue."),
)
_CENTRAL = (MessageKind("place", "Long task", "A task of a long job joins the queue of the worker chosen for it."),)
REFUSING = (
    MessageKind("refuse", "Refused", "The worker has a long task: the probe returns, with the worker's knowledge of "
        "other long tasks.", refuses=True),
)  # fmt: skip
STEALING = (
    MessageKind("contact", "Asks for work", "A worker with nothing to do asks another for short tasks.", quiet=True),
    MessageKind("none", "Has none", "No short task waits after a long task there.", quiet=True),
    MessageKind("steal", "Stolen", "Probes of short tasks that waited after a long task go to the idle worker."),
)

_JOB = LaneKind("scheduler", "job", "The scheduler of a job: it knows only the workers' answers.")
_CENTRE = LaneKind("central", "central", "The scheduler of all long jobs: it sends each task to the shortest "
    "expected wait.", alone=True)  # fmt: skip
_WORKER = LaneKind("worker", "worker", "A worker: a machine with a queue of probes.", stands_for="machine")


def board_of(state: type[Any]) -> Board:
    """Return the board of a scheduler that only probes; `state` is its own state's class."""
    return _board(state, (_JOB, _WORKER), (*_PROBED, *_UNBOUND))


def hybrid_board_of(state: type[Any], *more: MessageKind) -> Board:
    """Return the board of a scheduler with probes for short jobs and central placement; `more`: other messages."""
    return _board(state, (_CENTRE, _JOB, _WORKER), (*_PROBED, *_CENTRAL, *more))


def _board(state: type[Any], lanes: tuple[LaneKind, ...], messages: tuple[MessageKind, ...]) -> Board:
    return Board(state, lanes, messages, _after)


def _after(world: World, state: Any, step: Step) -> Iterator[Told]:
    for event in step.scheduled:
        yield from _scheduled(world, state, event, step.event)
    asked = step.event
    if asked is not None and asked.kind == CONTACT and all(event.kind != STOLEN for event in step.scheduled):
        thief: Lane = ("worker", asked.a)
        there_ns = asked.time_ns + int(state.rules[0].delay_ns)
        yield Message("none", ("worker", asked.b >> _LEFT_BITS), thief, asked.time_ns, there_ns)


def _scheduled(world: World, state: Any, event: Event, during: Event | None) -> Iterator[Told]:
    sent = event.time_ns - int(state.rules[0].delay_ns)
    if event.kind == TASK_END:
        row = world.task[event.a]
        yield Span(("worker", int(row.machine)), event.a, int(row.last_start_ns), event.time_ns)
    elif event.kind == CONTACT:
        yield Message("contact", ("worker", event.a), ("worker", event.b >> _LEFT_BITS), sent, event.time_ns)
    elif event.kind == STOLEN and (during is None or during.kind != STOLEN):
        victim: Lane = ("worker", int(state.probe[event.a].frm) - 1)
        job = _job(world, state, event.a)
        yield Message("steal", victim, ("worker", event.b), sent, event.time_ns, -1, job)
    elif event.kind == LOST_TASK:
        group, job = state.group[world.task[event.a].kind], job_of(world, event.a)
        hears: Lane = ("central", 0) if group.long else ("scheduler", job)
        yield Message("lost", ("worker", event.b >> 1), hears, sent, event.time_ns, event.a, job)
    elif event.kind in (BACK, TO_WORKER, ASK, ANSWER, LENGTH, REFUSED):
        yield _about_a_probe(world, state, event, during, sent)


def _about_a_probe(world: World, state: Any, event: Event, during: Event | None, sent: int) -> Message:
    job, task = _job(world, state, event.a), max(int(state.probe[event.a].task), -1)
    long = bool(state.group[state.probe[event.a].group].long)
    scheduler: Lane = ("central", 0) if long else ("scheduler", job)
    if event.kind == TO_WORKER:
        kind = _TOLD[event.b & 3]
        return Message(kind, scheduler, ("worker", event.b >> 2), sent, event.time_ns, task, job)
    if event.kind == ANSWER:
        kind = "task" if task >= 0 else "nothing"
        return Message(kind, scheduler, ("worker", event.b), sent, event.time_ns, task, job)
    worker, kind = event.b, "ask" if event.kind == ASK else "length"
    if event.kind == BACK:
        return Message("returned", ("worker", worker), scheduler, sent, event.time_ns, task, job)
    if event.kind == REFUSED:
        assert during is not None  # a probe is refused where it has just come
        worker, kind = during.b >> 2, "refuse"
    return Message(kind, ("worker", worker), scheduler, sent, event.time_ns, -1, job)


def _job(world: World, state: Any, probe: int) -> int:
    group = state.group[state.probe[probe].group]
    return job_of(world, state.order[group.end - 1])
