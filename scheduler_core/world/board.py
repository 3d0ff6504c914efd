"""Read a scheduler's events as a protocol on a message board: lanes, kinds of messages, and the meaning of events.

The kernels record nothing for this. `scheduler_core.explanation.messages` reads the events that a step has scheduled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from scheduler_core.engine.records import World

Lane = tuple[str, int]
"""The kind of a lane, and the number of the machine, master or other part that it represents."""


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
    """One message; `task` is -1 if it concerns no task, `job` has a number if it concerns a job."""

    kind: str
    frm: Lane
    to: Lane
    sent_ns: int
    arrives_ns: int
    task: int = -1
    job: int = -1


class Span(NamedTuple):
    """A task that runs on a lane from `start_ns` to `end_ns`; a fault or preemption may still change a future end.

    A span without a task is a decision about a job. Times are in ns.
    """

    lane: Lane
    task: int
    start_ns: int
    end_ns: int
    job: int = -1


Told = Message | Span


@dataclass(frozen=True)
class LaneKind:
    """A kind of lane. Lanes appear in the order of their kinds; a kind that is `alone` has one lane, unnumbered."""

    kind: str
    label: str
    help: str
    alone: bool = False
    stands_for: Literal["machine", "cluster", "owner", "group", ""] = ""
    """The part of the datacenter that the lane's number identifies."""


@dataclass(frozen=True)
class MessageKind:
    """A kind of message. The picture hides `quiet` kinds until a user asks for them.

    A kind that `refuses` has the map's color for refusals. A kind that is not `counted` takes no time and does not add
    to the counter `messages`.
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
"""Messages about machines out of service, from the machine or its monitor to a scheduler."""


def nothing(world: World, state: Any, event: Event) -> Iterable[Told]:
    """Return no messages, for a protocol that knows all messages when it sends them."""
    return ()


@dataclass(frozen=True)
class Board:
    """The picture of a scheduler's protocol. `state` is the class of the states that the board can read.

    `after` returns the messages and spans of a finished step; `before` returns those of an event just before the
    kernel processes it.
    """

    state: type[Any]
    lanes: tuple[LaneKind, ...]
    messages: tuple[MessageKind, ...]
    after: Callable[[World, Any, Step], Iterable[Told]]
    before: Callable[[World, Any, Event], Iterable[Told]] = nothing


def job_of(world: World, task: int) -> int:
    """Return the job of a task."""
    return int(world.task[task].job)
