"""The recording: a ZIP file of frames, decisions and summary, readable without the kernel that made it."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import msgpack
import numpy as np

from scheduler_core.contract import upgraded_meta
from scheduler_core.recording.frames import Frame, merge
from scheduler_core.recording.track import with_fewer_moves

if TYPE_CHECKING:
    import pyarrow as pa

CHUNK_FRAMES = 32
GROUP_ROWS = 20_000
"""Rows that are read together from a table."""
FORMAT = 1
TRACK = "track.msgpack"
DENSITY = "density.msgpack"
MOST_TRACK = 0.5
"""A recording keeps its track where that takes at most this fraction of what the rest takes."""
LEAST_TRACK = 100_000
"""A track of so few bytes is kept whatever the rest takes."""


class RecordingWriter:
    """Collect encoded frames in chunks that begin with a key frame; `save` writes them."""

    def __init__(self) -> None:
        self._chunks: list[bytes] = []
        self._index: list[list[int]] = []
        self._open = bytearray()

    def add(self, frame: Frame) -> None:
        """Append the next frame, which must follow the previous one."""
        if frame.key or not self._index:
            self._close()
            self._index.append([frame.from_seq, frame.seq, frame.t_ns, frame.t_ns])
        self._open += frame.encode()
        self._index[-1][1] = frame.seq
        self._index[-1][3] = frame.t_ns

    def _close(self) -> None:
        if self._open:
            self._chunks.append(bytes(self._open))
            self._open.clear()

    def frames(self) -> Iterator[Frame]:
        """Return all frames so far."""
        for chunk in (*self._chunks, bytes(self._open)):
            yield from _frames_in(chunk)

    def parts(self) -> tuple[list[list[int]], list[bytes]]:
        """Return the index and the chunks so far, for a paused run; the last chunk may still grow."""
        return [list(row) for row in self._index], [*self._chunks, bytes(self._open)] if self._open else [*self._chunks]

    def take_over(self, index: list[list[int]], chunks: list[bytes]) -> None:
        """Continue after the frames that `parts` returned."""
        self._index = index
        self._chunks, self._open = chunks[:-1], bytearray(chunks[-1] if chunks else b"")

    def save(
        self,
        target: Path | BinaryIO,
        *,
        meta: dict[str, Any],
        summary: dict[str, Any],
        decisions: Any,
        graphs: dict[str, Any] | None = None,
        track: dict[str, Any] | None = None,
        moments: list[dict[str, Any]] | None = None,
        density: Callable[[], dict[str, Any]] | None = None,
    ) -> None:
        """Write the file. `decisions` are records of engine.records.DECISION, `graphs` the tables of graphs.py.

        The last frame ends with the `summary`, which may have grown since that frame was added. If the `track` would
        make the file more than half as large again, the file holds the `density` instead.
        """
        self._close()
        if self._chunks:
            self._chunks[-1] = _ending_with(self._chunks[-1], summary)
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
            write_frames(archive, meta, self._index, self._chunks)
            archive.writestr("summary.json", json.dumps(summary))
            archive.writestr("decisions.parquet", _parquet(_columns(decisions)))
            for name, table in (graphs or {}).items():
                # Stored as it is: compressed already, and read in parts.
                archive.writestr(f"graphs/{name}.parquet", _parquet(table), zipfile.ZIP_STORED)
            if moments is not None:
                archive.writestr("moments.json", json.dumps({"moments": moments}))
            kept = track is not None and _write_track(archive, track)
            if not kept and density is not None:
                archive.writestr(DENSITY, msgpack.packb(density()))


def _ending_with(chunk: bytes, summary: dict[str, Any]) -> bytes:
    """Return a chunk whose last frame has this summary, if that frame ends the run."""
    frames = _frames_in(chunk)
    if frames[-1].end is None or frames[-1].end == summary:
        return chunk
    return b"".join(frame.encode() for frame in (*frames[:-1], replace(frames[-1], end=summary)))


def _frames_in(chunk: bytes) -> list[Frame]:
    unpacker = msgpack.Unpacker(io.BytesIO(chunk), max_buffer_size=1 << 28)
    return [Frame.from_wire(wire) for wire in unpacker]


def _write_track(archive: zipfile.ZipFile, track: dict[str, Any]) -> bool:
    """Write the track with as many movements as fit; return False if even a track without movements does not fit."""
    most = max(MOST_TRACK * sum(info.compress_size for info in archive.infolist()), LEAST_TRACK)
    while True:
        packed: bytes = msgpack.packb(track)
        if len(zlib.compress(packed, 6)) <= most:
            archive.writestr(TRACK, packed)
            return True
        if not track["moves"]["count"]:
            return False
        track = with_fewer_moves(track)


def write_frames(archive: zipfile.ZipFile, meta: dict[str, Any], index: list[list[int]], chunks: list[bytes]) -> None:
    """Write what `RecordingReader` needs to show frames."""
    archive.writestr("meta.json", json.dumps({"recording_format": FORMAT, **meta}))
    archive.writestr("index.json", json.dumps(index))
    for number, chunk in enumerate(chunks):
        archive.writestr(f"frames/{number:06d}.msgpack", chunk)


def copy_recording(source: BinaryIO, target: BinaryIO, meta: dict[str, Any]) -> None:
    """Copy a recording with another `meta`; keep its format and the facts that only the run knew.

    A user waits for the copy, so its compression takes a third of the time; the file is up to a tenth larger.
    """
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new:
        kept = json.loads(old.read("meta.json"))
        new.writestr("meta.json", json.dumps(kept | meta))
        for info in old.infolist():
            if info.filename != "meta.json":
                new.writestr(info.filename, old.read(info), info.compress_type)


def _columns(records: Any) -> pa.Table:
    import pyarrow as pa

    return pa.table({name: np.ascontiguousarray(records[name]) for name in records.dtype.names})


def _parquet(table: pa.Table) -> bytes:
    import pyarrow.parquet as pq

    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd", row_group_size=GROUP_ROWS)
    return sink.getvalue()


class RecordingReader:
    """Read a recording from a file or a stream. Raises ValueError if the file is not a recording."""

    def __init__(self, source: Path | BinaryIO) -> None:
        try:
            self._archive = zipfile.ZipFile(source)
            self.meta: dict[str, Any] = upgraded_meta(json.loads(self._archive.read("meta.json")))
            self._index: list[list[int]] = json.loads(self._archive.read("index.json"))
        except (zipfile.BadZipFile, KeyError, json.JSONDecodeError) as error:
            raise ValueError("not a recording") from error
        if self.meta.get("recording_format") != FORMAT:
            raise ValueError(f"a recording of another format than {FORMAT}")

    def close(self) -> None:
        """Close the file."""
        self._archive.close()

    def __enter__(self) -> RecordingReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def summary(self) -> dict[str, Any]:
        """The summary of the run."""
        summary: dict[str, Any] = json.loads(self._archive.read("summary.json"))
        return summary

    @property
    def count(self) -> int:
        """The number of frames; frame numbers run from 0 to count - 1."""
        return self._index[-1][1] + 1 if self._index else 0

    @property
    def until_ns(self) -> int:
        """The simulated time of the last frame in ns."""
        return self._index[-1][3] if self._index else 0

    def _chunk(self, number: int) -> list[Frame]:
        return _frames_in(self._archive.read(f"frames/{number:06d}.msgpack"))

    def frame(self, seq: int) -> Frame:
        """Return the complete picture at frame `seq`: its chunk's key frame with the changes up to it.

        Raises IndexError if the recording has no such frame.
        """
        for number, (first, last, _, _) in enumerate(self._index):
            if first <= seq <= last:
                frames = [frame for frame in self._chunk(number) if frame.seq <= seq]
                whole = merge(frames)
                return Frame(**{**whole.__dict__, "from_seq": seq, "marks": frames[-1].marks})
        raise IndexError(f"frame {seq} is not in this recording of {self.count} frames")

    def frames(self, after: int = -1) -> Iterator[Frame]:
        """Yield the frames as recorded, starting with the first one after number `after`."""
        for number, (_, last, _, _) in enumerate(self._index):
            if last > after:
                yield from (frame for frame in self._chunk(number) if frame.seq > after)

    def decisions(self) -> Any:
        """Return the decision log as an Arrow table."""
        import pyarrow.parquet as pq

        return pq.read_table(io.BytesIO(self._archive.read("decisions.parquet")))

    def track(self) -> dict[str, Any] | None:
        """Return the track of the run (contract.Track); None if the recording has none."""
        if TRACK not in self._archive.namelist():
            return None
        track: dict[str, Any] = msgpack.unpackb(self._archive.read(TRACK))
        return track

    def packed_track(self) -> bytes | None:
        """Return the track of the run as the recording holds it, which is MessagePack; None if it has none."""
        return self._archive.read(TRACK) if TRACK in self._archive.namelist() else None

    def track_columns(self, *names: str) -> dict[str, bytes]:
        """Return some columns of the track's tasks, as far as it has them, without the whole track in memory."""
        if TRACK not in self._archive.namelist():
            return {}
        found: dict[str, bytes] = {}
        with self._archive.open(TRACK) as member:
            unpacker = msgpack.Unpacker(member, max_buffer_size=1 << 28)
            for _ in range(unpacker.read_map_header()):
                if unpacker.unpack() != "tasks":
                    unpacker.skip()
                    continue
                for _ in range(unpacker.read_map_header()):
                    name = unpacker.unpack()
                    if name in names:
                        found[name] = unpacker.unpack()
                    else:
                        unpacker.skip()
                break
        return found

    def density(self) -> dict[str, Any] | None:
        """Return the density of the run (contract.Density); None if the recording has a track instead, or is older."""
        if DENSITY not in self._archive.namelist():
            return None
        density: dict[str, Any] = msgpack.unpackb(self._archive.read(DENSITY))
        return density

    def moments(self) -> list[dict[str, Any]]:
        """Return the most instructive moments of the run (contract.Moment); empty if the recording has none."""
        if "moments.json" not in self._archive.namelist():
            return []
        kept: list[dict[str, Any]] = json.loads(self._archive.read("moments.json"))["moments"]
        return kept

    def graph_rows(self, name: str, first: int, count: int) -> tuple[int, pa.Table]:
        """Return the length of a table of graphs.py, and `count` rows from `first`. Raises KeyError if missing."""
        import pyarrow.parquet as pq

        with self._archive.open(f"graphs/{name}.parquet") as member:
            file = pq.ParquetFile(member)
            total = file.metadata.num_rows
            groups = range(first // GROUP_ROWS, -(-min(first + count, total) // GROUP_ROWS))
            return total, file.read_row_groups(list(groups)).slice(first % GROUP_ROWS, count)
