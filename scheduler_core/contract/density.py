"""Density: how many tasks wait and start in each place, for a picture of too many single tasks."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from scheduler_core.contract.base import exact
from scheduler_core.contract.summary import WaitKind


@exact
class DensityWaits(TypedDict):
    """Where tasks waited before their first start, over time. Spans are of equal length and cover the run."""

    kind: WaitKind
    name: str
    """The name of the queue; `short` or `long`; empty for all tasks."""
    parts: bytes
    """For each part of a wait (`framework`, `processing`, `communication`, `worker`) and each span the mean number of
    tasks in it, times 16: 4 bytes each, stored like the columns of a track."""


@exact
class Density(TypedDict):
    """A summary of a track at some instants of a run, as one MessagePack map.

    Columns are integers of 4 bytes, stored as four runs of bytes, lowest byte first. Instants are the slowest index.
    """

    v: Literal[1]
    """The version of the format."""
    count: Annotated[int, Field(ge=1)]
    """The number of instants, which are those of the recording's frames."""
    times: bytes
    """The instants, in units of `unit_ns`."""
    unit_ns: Annotated[int, Field(ge=1)]
    """How many nanoseconds one unit of time is."""
    keepers: Annotated[int, Field(ge=1)]
    """The number of keepers, as in a track."""
    shelves: Annotated[int, Field(ge=1)]
    """The number of keepers that have a count of their own (a shelf), at most 8. The last shelf counts all others."""
    places: Annotated[int, Field(ge=1)]
    """The number of places, at most 8. A place is a group of clusters; all places have about as many clusters."""
    waiting: bytes
    """By instant and shelf: tasks that have arrived, do not run, and are in no machine's queue."""
    machines: bytes
    """By instant: tasks in the queues of machines."""
    arrived: bytes
    """By instant and shelf: tasks that arrived since the instant before."""
    started: bytes
    """By instant, shelf and place: tasks that started since the instant before."""
    spans: Annotated[int, Field(ge=1)]
    """The number of spans of `waits`."""
    span_ns: Annotated[int, Field(ge=1)]
    """The length of a span, in nanoseconds."""
    waits: list[DensityWaits]
    """Where tasks waited: all of them, and those of each queue and class, as in `waits` of the summary."""
