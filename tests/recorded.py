"""Recordings, read without the page's scripts."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgpack
import numpy as np


def unpacked(data: bytes) -> Iterator[Any]:
    """The messages that follow each other in some bytes."""
    reader = msgpack.Unpacker(strict_map_key=False)
    reader.feed(data)
    yield from reader


class Recorded:
    """A recording's frames and track, read without the page's scripts."""

    def __init__(self, path: Path) -> None:
        with zipfile.ZipFile(path) as file:
            self.meta = json.loads(file.read("meta.json"))
            names = sorted(name for name in file.namelist() if name.startswith("frames/"))
            self.frames = [frame for name in names for frame in unpacked(file.read(name))]
            tracked = "track.msgpack" in file.namelist()
            self.track = next(unpacked(file.read("track.msgpack"))) if tracked else None

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
