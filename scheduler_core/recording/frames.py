"""Frames: a viewer's data for one instant of simulated time, their wire format, and merging.

A frame is a MessagePack map (docs/development/design/library.md). A key frame is complete; a delta frame holds the
changes since the previous frame. A merged frame covers `from_seq .. seq` and is a key frame if its first part was one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgpack
import numpy as np
import numpy.typing as npt

VERSION = 1
MAX_FRAME_BYTES = 1 << 20
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class LayerChange:
    """A change of one map layer: complete (`full`), or the changed machines `index` and their new `value`."""

    full: Bytes | None = None
    index: npt.NDArray[np.uint32] | None = None
    value: Bytes | None = None

    def to_wire(self) -> dict[str, bytes]:
        """Return the change as plain data for MessagePack."""
        if self.full is not None:
            return {"full": self.full.tobytes()}
        assert self.index is not None
        assert self.value is not None
        return {"idx": self.index.astype("<u4").tobytes(), "val": self.value.tobytes()}

    @classmethod
    def from_wire(cls, wire: dict[str, bytes]) -> LayerChange:
        """Return the change from plain data."""
        if "full" in wire:
            return cls(full=np.frombuffer(wire["full"], np.uint8))
        return cls(index=np.frombuffer(wire["idx"], "<u4"), value=np.frombuffer(wire["val"], np.uint8))

    @classmethod
    def between(cls, old: Bytes, new: Bytes) -> LayerChange | None:
        """Return the change from `old` to `new` in its smaller form; None if they are equal."""
        index = np.flatnonzero(old != new).astype(np.uint32)
        if not len(index):
            return None
        if 5 * len(index) >= len(new):
            return cls(full=new.copy())
        return cls(index=index, value=new[index])

    @classmethod
    def of(cls, index: npt.NDArray[Any], value: Bytes, whole: Bytes) -> LayerChange:
        """Return a change of some values of a layer in its smaller form.

        `index` ascends; `whole` is the layer with the new values.
        """
        if 5 * len(index) >= len(whole):
            return cls(full=whole.copy())
        return cls(index=index.astype(np.uint32), value=value.copy())

    def then(self, later: LayerChange) -> LayerChange:
        """Return this change followed by a later one."""
        if later.full is not None:
            return later
        assert later.index is not None
        assert later.value is not None
        if self.full is not None:
            full = self.full.copy()
            full[later.index] = later.value
            return LayerChange(full=full)
        assert self.index is not None
        assert self.value is not None
        index = np.concatenate([self.index, later.index])[::-1]
        value = np.concatenate([self.value, later.value])[::-1]
        unique, first = np.unique(index, return_index=True)
        return LayerChange(index=unique.astype(np.uint32), value=value[first])


@dataclass(frozen=True)
class Frame:
    """One frame (see the module's docstring). `hist` maps a name to {"edges"?, "idx", "val"}; `end` is the summary."""

    seq: int
    from_seq: int
    t_ns: int
    key: bool
    state: str
    counters: dict[str, int]
    layers: dict[str, LayerChange] = field(default_factory=dict)
    hist: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    series: dict[str, list[list[float]]] = field(default_factory=dict)
    marks: list[list[Any]] = field(default_factory=list)
    end: dict[str, Any] | None = None

    def to_wire(self) -> dict[str, Any]:
        """Return the frame as plain data for MessagePack."""
        wire: dict[str, Any] = {
            "v": VERSION,
            "seq": self.seq,
            "from_seq": self.from_seq,
            "t_ns": self.t_ns,
            "key": self.key,
            "state": self.state,
            "counters": self.counters,
            "layers": {name: change.to_wire() for name, change in self.layers.items()},
            "hist": self.hist,
            "series": self.series,
            "marks": self.marks,
        }
        if self.end is not None:
            wire["end"] = self.end
        return wire

    @classmethod
    def from_wire(cls, wire: dict[str, Any]) -> Frame:
        """Return the frame from plain data."""
        layers = {name: LayerChange.from_wire(change) for name, change in wire["layers"].items()}
        rest = {name: value for name, value in wire.items() if name not in ("v", "layers")}
        return cls(layers=layers, **rest)

    def encode(self) -> bytes:
        """Return the frame as MessagePack bytes."""
        packed: bytes = msgpack.packb(self.to_wire())
        return packed

    @classmethod
    def decode(cls, data: bytes) -> Frame:
        """Return the frame from MessagePack bytes; raise ValueError for other bytes."""
        wire = msgpack.unpackb(data)
        if not isinstance(wire, dict) or wire.get("v") != VERSION:
            raise ValueError(f"not a frame of version {VERSION}")
        return cls.from_wire(wire)

    def only(self, layers: Iterable[str]) -> Frame:
        """Return the same frame with only the named layers."""
        wanted = set(layers)
        return replace(self, layers={name: change for name, change in self.layers.items() if name in wanted})


def merge(frames: Sequence[Frame]) -> Frame:
    """Merge consecutive frames into one: later values win, it joins series and marks and loses nothing.

    Raises ValueError if the frames are not consecutive.
    """
    if not frames:
        raise ValueError("nothing to merge")
    merged = frames[0]
    for frame in frames[1:]:
        if frame.from_seq != merged.seq + 1:
            raise ValueError(f"frame {frame.from_seq} does not follow frame {merged.seq}")
        merged = _merge_two(merged, frame)
    return merged


def _merge_two(a: Frame, b: Frame) -> Frame:
    layers = dict(a.layers)
    for name, change in b.layers.items():
        layers[name] = layers[name].then(change) if name in layers else change
    series = {name: list(points) for name, points in a.series.items()}
    for name, points in b.series.items():
        series.setdefault(name, []).extend(points)
    hist = {name: merge_bins(a.hist.get(name), b.hist.get(name)) for name in {**a.hist, **b.hist}}
    return Frame(
        seq=b.seq,
        from_seq=a.from_seq,
        t_ns=b.t_ns,
        key=a.key,
        state=b.state,
        counters={**a.counters, **b.counters},
        layers=layers,
        hist=hist,
        series=series,
        marks=[*a.marks, *b.marks],
        end=b.end,
    )


def merge_bins(a: dict[str, list[int]] | None, b: dict[str, list[int]] | None) -> dict[str, list[int]]:
    """Merge two histogram changes; the later one wins bin by bin."""
    if a is None or b is None:
        return dict(a or b or {})
    bins = dict(zip(a["idx"], a["val"], strict=True)) | dict(zip(b["idx"], b["val"], strict=True))
    merged = {"idx": sorted(bins), "val": [bins[i] for i in sorted(bins)]}
    edges = a.get("edges") or b.get("edges")
    return {"edges": edges, **merged} if edges else merged
