"""Read a scheduler's events as a protocol on a message board: lanes, kinds of messages, and the meaning of events.

The kernels record nothing for this. `scheduler_core.explanation.messages` reads the events that a step has scheduled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from scheduler_core.engine.records import World

Lane = tuple[str, int]
"""The kind of a lane and the number of who it stands for."""


class Event(NamedTuple):
    """An event of the engine."""

    kind: int
    time_ns: int
    a: int
    b: int


class Step(NamedTuple):
    """One step: the event that it processed (None: a job arrived), the events that it scheduled, and its decisions.

    Decisions are rows of the log (engine.records.DECISION). A simulation that watches a task has only that task's rows.
    """

    event: Event | None
    scheduled: tuple[Event, ...]
    decisions: tuple[dict[str, int], ...]


class Message(NamedTuple):
    """One message; `task` is -1 if it concerns no task, `job` is set if it concerns a job."""

    kind: str
    frm: Lane
    to: Lane
    sent_ns: int
    arrives_ns: int
    task: int = -1
    job: int = -1


class Span(NamedTuple):
    """A task that runs on a lane from `start_ns`; its end is certain only after it has happened.

    A span without a task is a decision about a job.
    """

    lane: Lane
    task: int
    start_ns: int
    end_ns: int
    job: int = -1


Told = Message | Span


@dataclass(frozen=True)
class LaneKind:
    """A kind of lane. Lanes are drawn in the order of their kinds; a kind that is `alone` has no number."""

    kind: str
    label: str
    help: str
    alone: bool = False
    stands_for: Literal["machine", "cluster", "owner", "group", ""] = ""
    """What of the datacenter has the lane's number."""


@dataclass(frozen=True)
class MessageKind:
    """A kind of message. `quiet` ones are left out of the picture until they are asked for.

    One that `refuses` has the color that refusals have on the map. Those that are not `counted` take no time, and the
    counter of messages does not have them.
    """

    kind: str
    label: str
    help: str
    quiet: bool = False
    counted: bool = True
    refuses: bool = False


OUTAGES = (
    MessageKind(
        "returned",
        "Out of service",
        "The machine is out of service: tasks that waited there or arrive there are returned.",
        refuses=True,
    ),
    MessageKind(
        "lost", "Lost", "The machine failed while the task ran: its scheduler learns that the task must run again."
    ),
)
"""What machines that are out, or whoever watches over them, tell schedulers."""


def nothing(world: World, state: Any, event: Event) -> Iterable[Told]:
    """Return nothing, for a protocol whose messages are all known when they are sent."""
    return ()


@dataclass(frozen=True)
class Board:
    """What a scheduler's protocol looks like. `state` is the class of the states that it can read.

    `after` tells what a step stands for once it is done, `before` what an event stands for just before it is processed;
    both give messages and spans.
    """

    state: type[Any]
    lanes: tuple[LaneKind, ...]
    messages: tuple[MessageKind, ...]
    after: Callable[[World, Any, Step], Iterable[Told]]
    before: Callable[[World, Any, Event], Iterable[Told]] = nothing


def job_of(world: World, task: int) -> int:
    """Return the job of a task."""
    return int(world.task[task].job)
