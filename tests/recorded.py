"""Recordings, read without the page's scripts."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import msgpack
import numpy as np


def unpacked(data: bytes) -> Iterator[Any]:
    """The messages that follow each other in some bytes."""
    reader = msgpack.Unpacker(strict_map_key=False)
    reader.feed(data)
    yield from reader


class Instant(NamedTuple):
    """What a recording holds of one frame: waits are the lower edges of bins, and the tasks in each of them."""

    place: int
    t_ns: int
    counters: dict[str, int]
    load: Any
    edges: Any
    bins: Any


class Recorded:
    """A recording's frames and what comes with them, read without the page's scripts.

    `summary` is None while a run has not ended; `track` and `density` are None for a recording without one.
    """

    def __init__(
        self, meta: Any, frames: list[Any], summary: Any = None, track: Any = None, density: Any = None
    ) -> None:
        self.meta, self.frames, self.summary, self.track, self.density = meta, frames, summary, track, density
        self.moments: list[Any] = []
        self.path = Path()

    @classmethod
    def read(cls, path: Path) -> Recorded:
        with zipfile.ZipFile(path) as file:
            there = set(file.namelist())

            def part(name: str) -> Any:
                if name not in there:
                    return None
                data = file.read(name)
                return json.loads(data) if name.endswith(".json") else next(unpacked(data))

            names = sorted(name for name in there if name.startswith("frames/"))
            frames = [frame for name in names for frame in unpacked(file.read(name))]
            names = ["summary.json", "track.msgpack", "density.msgpack"]
            found = cls(part("meta.json"), frames, *(part(name) for name in names))
            found.path = path
            found.moments = (part("moments.json") or {"moments": []})["moments"]
            return found

    @cached_property
    def _instants(self) -> list[Instant]:
        told = zip(self.frames, self.pictures(), self.waits(), strict=True)
        return [
            Instant(place, frame["t_ns"], dict(counters), None if load is None else load.copy(), edges, bins.copy())
            for place, (frame, (counters, load), (edges, bins)) in enumerate(told)
        ]

    def at(self, seq: int) -> Instant:
        """What the frame of a number holds."""
        return next(self._instants[place] for place, each in enumerate(self.frames) if each["seq"] == seq)

    def between(self, from_ns: float, until_ns: float) -> list[Instant]:
        """The frames that are drawn at some instant between two."""
        begun = max((place for place, each in enumerate(self.frames) if each["t_ns"] <= from_ns), default=0)
        return [each for each in self._instants[begun:] if each.t_ns <= until_ns or each.place == begun]

    def waits(self) -> Iterator[tuple[Any, Any]]:
        """The lower edges of the bins of waits (nanoseconds), and how many tasks each holds, at each frame."""
        edges, bins = np.zeros(0), np.zeros(0, np.int64)
        for frame in self.frames:
            for told in frame.get("hist", {}).values():
                if "edges" in told:
                    edges, bins = np.array(told["edges"]), np.zeros(len(told["edges"]), np.int64)
                bins[told["idx"]] = told["val"]
            yield edges, bins

    def pictures(self) -> Iterator[tuple[dict[str, int], Any]]:
        """All counters and the layer of load (a byte a machine, None without one) at each frame."""
        layers = self.meta["layers"]
        named = next((one["name"] for one in layers if one.get("role") == "load"), None)
        named = named or next((one["name"] for one in layers if one["kind"] == "level"), None)
        counters: dict[str, int] = {}
        load = None
        for frame in self.frames:
            counters.update(frame.get("counters", {}))
            change = frame.get("layers", {}).get(named)
            if change and "full" in change:
                load = np.frombuffer(change["full"], np.uint8).copy()
            elif change and load is not None:
                load[np.frombuffer(change["idx"], "<u4")] = np.frombuffer(change["val"], np.uint8)
            yield counters, load
