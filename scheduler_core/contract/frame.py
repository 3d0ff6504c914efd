"""Frames: the changes up to one instant of simulated time. A frame travels as one MessagePack map of at most 1 MB."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field, Strict
from typing_extensions import TypedDict

from scheduler_core.contract.base import exact
from scheduler_core.contract.summary import Summary

Point = Annotated[tuple[int, float], Strict(False)]
"""A simulated time in nanoseconds, and a value."""

FrameMark = Annotated[tuple[int, str, int, int], Strict(False)]
"""A simulated time in nanoseconds, the kind of mark, the machine and the task (-1 for none)."""

FrameState = Literal["running", "done"]


@exact
class FullLayer(TypedDict):
    """A layer with every machine."""

    full: bytes
    """One byte per machine."""


@exact
class ChangedLayer(TypedDict):
    """The machines of a layer that changed since the frame before."""

    idx: bytes
    """The machines' numbers, as little-endian 32-bit integers without sign."""
    val: bytes
    """One byte per machine in `idx`."""


@exact
class HistogramChange(TypedDict):
    """The bins of a histogram that changed. Values are totals since the start of the run."""

    edges: NotRequired[list[int]]
    """The lower bound of each bin in nanoseconds, in key frames only."""
    idx: list[int]
    """The numbers of the bins."""
    val: list[int]
    """How many values each bin in `idx` has."""


@exact
class Frame(TypedDict):
    """What changed since the frame before. A key frame is complete and needs nothing before it.

    A merged frame covers all of `from_seq` to `seq`, so exactly one frame covers every number.
    """

    v: Literal[1]
    """The version of the format."""
    seq: Annotated[int, Field(ge=0)]
    """The number of the last frame that this one covers."""
    from_seq: Annotated[int, Field(ge=0)]
    """The number of the first frame that this one covers."""
    t_ns: Annotated[int, Field(ge=0)]
    """The simulated time in nanoseconds."""
    key: bool
    """Whether the frame is complete. Earlier points of series and earlier marks are never repeated."""
    state: FrameState
    """What the run was doing when the frame was made."""
    counters: dict[str, int]
    """The counters' values at `t_ns`, by the names in meta."""
    layers: dict[str, FullLayer | ChangedLayer]
    """The layers that changed, by the names in meta."""
    hist: dict[str, HistogramChange]
    """The histograms, by the names in meta."""
    series: dict[str, list[Point]]
    """The new points of each series, by the names in meta."""
    marks: list[FrameMark]
    """What happened since the frame before, thinned out evenly where there is much of it."""
    end: NotRequired[Summary]
    """In the last frame only: the summary of the run."""
