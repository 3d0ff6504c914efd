"""How a scheduler's events read as a protocol on a board: lanes, kinds of messages, and what each event stands for.

Nothing is recorded by the kernels: `scheduler_core.why.messages` looks at the events that a step has scheduled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from scheduler_core.engine.records import World

Lane = tuple[str, int]
"""The kind of a lane and the number of who it stands for."""


class Event(NamedTuple):
    """An event of the engine."""

    kind: int
    time_ns: int
    a: int
    b: int


class Message(NamedTuple):
    """One message: `task` is -1 where it is about none, `job` where it is about a job."""

    kind: str
    frm: Lane
    to: Lane
    sent_ns: int
    arrives_ns: int
    task: int = -1
    job: int = -1


class Span(NamedTuple):
    """A task that runs on a lane from `start_ns`; its end is not certain before it has come."""

    lane: Lane
    task: int
    start_ns: int
    end_ns: int


@dataclass(frozen=True)
class LaneKind:
    """A kind of lane; lanes are drawn in the order of their kinds. One that is `alone` has no number."""

    kind: str
    label: str
    help: str
    alone: bool = False


@dataclass(frozen=True)
class MessageKind:
    """A kind of message. `quiet` ones are left out of the picture until they are asked for."""

    kind: str
    label: str
    help: str
    quiet: bool = False


@dataclass(frozen=True)
class Board:
    """What a scheduler's protocol looks like. `state` is the class of the states that it can read.

    `scheduled` tells what an event stands for once the step that scheduled it is done, `delivered` just before it is
    processed; both give messages and spans.
    """

    state: type[Any]
    lanes: tuple[LaneKind, ...]
    messages: tuple[MessageKind, ...]
    scheduled: Callable[[World, Any, Event], Iterable[Message | Span]]
    delivered: Callable[[World, Any, Event], Iterable[Message | Span]]
