"""Probes on a board: the scheduler of each job probes workers, workers ask for tasks, and get one or nothing.

Of schedulers that tell long jobs from short ones also: tasks of long jobs come from a central scheduler, workers refuse
probes (Eagle), and idle workers ask others for theirs (Hawk).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scheduler_core.engine.records import World
from scheduler_core.schedulers.boards import Board, Event, Lane, LaneKind, Message, MessageKind, Span
from scheduler_core.schedulers.probing.state import (
    ANSWER,
    ASK,
    CANCEL,
    CONTACT,
    LENGTH,
    PROBE,
    REFUSED,
    STOLEN,
    TASK,
    TASK_END,
    TO_WORKER,
)

_TOLD = {PROBE: "probe", CANCEL: "cancel", TASK: "place"}
_LEFT_BITS = 16
"""Of what a question for work is about: how many may still be asked; above them who is asked."""

_PROBED = (
    MessageKind("probe", "Probe", "A probe joins the worker's queue, and brings no task yet."),
    MessageKind("ask", "Asks", "The probe is served and there is room: the worker asks for a task."),
    MessageKind("task", "Task", "The worker gets the job's next task and starts it."),
    MessageKind("nothing", "Nothing", "All tasks of the job are out already; the room is free again."),
)
_UNBOUND = (
    MessageKind("length", "Length", "Without late binding: the worker tells how long its queue is."),
    MessageKind("place", "Placed", "The task itself joins the worker's queue."),
    MessageKind("cancel", "Called back", "The probe is not needed any more and leaves the queue."),
)
_CENTRAL = (MessageKind("place", "Long task", "A task of a long job joins the queue of the worker chosen for it."),)
REFUSING = (
    MessageKind("refuse", "Refused", "The worker has a long task: the probe comes back, with what the worker knows of "
                "others."),
)  # fmt: skip
STEALING = (
    MessageKind("contact", "Asks for work", "A worker with nothing to do asks another for short tasks.", quiet=True),
    MessageKind("none", "Has none", "No short task stands behind a long one there.", quiet=True),
    MessageKind("steal", "Stolen", "Probes of short tasks that stood behind a long one go to the idle worker."),
)

_JOB = LaneKind("scheduler", "job", "The scheduler of a job: it knows nothing but what workers answer.")
_CENTRE = LaneKind("central", "central", "The scheduler of all long jobs: it sends each task where it is thought to "
                   "wait least.", alone=True)  # fmt: skip
_WORKER = LaneKind("worker", "worker", "A worker: a machine with a queue of probes.")


def board_of(state: type[Any]) -> Board:
    """The board of a scheduler that only probes; `state` is its own state's class."""
    return _board(state, (_JOB, _WORKER), (*_PROBED, *_UNBOUND))


def hybrid_board_of(state: type[Any], *more: MessageKind) -> Board:
    """The board of a scheduler that probes for short jobs and places long ones; `more`: what else its workers say."""
    return _board(state, (_CENTRE, _JOB, _WORKER), (*_PROBED, *_CENTRAL, *more))


def _board(state: type[Any], lanes: tuple[LaneKind, ...], messages: tuple[MessageKind, ...]) -> Board:
    reading = _Reading()
    return Board(state, lanes, messages, reading.scheduled, reading.delivered)


class _Reading:
    """Reads events in the order of a run and knows the one that is being processed: only that says who refuses."""

    def __init__(self) -> None:
        self.event: Event | None = None
        self.unanswered = False

    def delivered(self, world: World, state: Any, event: Event) -> Iterator[Message | Span]:
        # The last of those that were asked for work had none, and no event follows from that.
        yield from self._none(state)
        self.event, self.unanswered = event, event.kind == CONTACT

    def scheduled(self, world: World, state: Any, event: Event) -> Iterator[Message | Span]:
        sent = event.time_ns - int(state.rules[0].delay_ns)
        if event.kind == TASK_END:
            row = world.task[event.a]
            yield Span(("worker", int(row.machine)), event.a, int(row.last_start_ns), event.time_ns)
        elif event.kind == CONTACT:
            yield from self._none(state)
            asked: Lane = ("worker", event.b >> _LEFT_BITS)
            yield Message("contact", ("worker", event.a), asked, sent, event.time_ns)
        elif event.kind == STOLEN:
            self.unanswered = False
            victim: Lane = ("worker", int(state.probe[event.a].frm) - 1)
            yield Message("steal", victim, ("worker", event.b), sent, event.time_ns, -1, _job(world, state, event.a))
        elif event.kind in (TO_WORKER, ASK, ANSWER, LENGTH, REFUSED):
            yield self._about_a_probe(world, state, event, sent)

    def _about_a_probe(self, world: World, state: Any, event: Event, sent: int) -> Message:
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
        if event.kind == REFUSED:
            assert self.event is not None  # a probe is refused where it has just come
            worker, kind = self.event.b >> 2, "refuse"
        return Message(kind, ("worker", worker), scheduler, sent, event.time_ns, -1, job)

    def _none(self, state: Any) -> Iterator[Message]:
        """What a worker says that was asked for work and sent none."""
        if self.event is not None and self.unanswered:
            self.unanswered = False
            thief: Lane = ("worker", self.event.a)
            asked: Lane = ("worker", self.event.b >> _LEFT_BITS)
            now_ns = self.event.time_ns
            yield Message("none", asked, thief, now_ns, now_ns + int(state.rules[0].delay_ns))


def _job(world: World, state: Any, probe: int) -> int:
    group = state.group[state.probe[probe].group]
    return int(world.task[state.order[group.end - 1]].job)
