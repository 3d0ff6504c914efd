"""Decisions of a scheduler: rows of the decision log, and the same decisions as sentences."""

from __future__ import annotations

from typing_extensions import TypedDict

from scheduler_core.contract.base import exact


@exact
class DecisionRow(TypedDict):
    """A row of `decisions.parquet` in a recording. -1 stands for none."""

    t_ns: int
    """The simulated time in nanoseconds."""
    task: int
    """The number of the task."""
    machine: int
    """The number of the machine."""
    reason: int
    """The code of a reason in meta."""
    frm: int
    """The number of the sender, where the reason names one."""
    to: int
    """The number of the receiver, where the reason names one."""
    count: int
    """How many times in a row."""
    x: int
    """A number for the reason's sentence: the template in meta says what it is."""
    y: int
    """A number for the reason's sentence: the template in meta says what it is."""


@exact
class ToldDecision(TypedDict):
    """A decision about one task, as `explain` reports it."""

    t_s: float
    """The simulated time in seconds."""
    reason: str
    """The name of the reason in meta."""
    sentence: str
    """The template of the reason in meta, filled with the arguments."""
    arguments: dict[str, str]
    """The values of the template's fields, by their names."""
    times: int
    """How many times in a row."""
    edits: list[str]
    """The changes of the experiment that could have changed the decision."""
    machine: int | None
    """The number of the machine; null if the decision is about none."""
    stops: bool
    """Whether the task lost its machine by the decision."""
    now: bool
    """Whether the task waits for this reason at this moment."""
