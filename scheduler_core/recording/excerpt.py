"""Make a recording small enough to embed: what a viewer plays, without tables, and with fewer frames if necessary."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import msgpack

from scheduler_core.recording.file import TRACK, RecordingReader, RecordingWriter, write_frames
from scheduler_core.recording.frames import merge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scheduler_core.recording.frames import Frame

_STEPS = (1, 2, 4, 8, 16)


@dataclass(frozen=True)
class Excerpt:
    """An excerpt of a recording: a ZIP file, its frames and all frames of the recording, and if it has the track."""

    content: bytes
    frames: int
    frames_recorded: int
    has_track: bool


def excerpt(source: Path | BinaryIO, most_bytes: int) -> Excerpt:
    """Return the part of a recording that a viewer plays, in at most `most_bytes` bytes.

    It leaves out the decision log and the tables. If that is not enough, it leaves out the track too. Then 2, 4, 8 or
    16 consecutive frames become one: later values win, and every mark and every point of a curve stays. Raises
    ValueError if even that is larger, or if `source` is not a recording.
    """
    with RecordingReader(source) as reader:
        track = reader.track()
        for step in _STEPS:
            frames = list(_merged(reader.frames(), step))
            for kept in (track, None) if step == 1 and track is not None else (None,):
                content = _packed(reader, frames, kept)
                if len(content) <= most_bytes:
                    return Excerpt(content, len(frames), reader.count, kept is not None)
    raise ValueError(f"no excerpt of this recording has at most {most_bytes:,} bytes")


def _merged(frames: Iterator[Frame], step: int) -> Iterator[Frame]:
    """Yield one frame for each `step` frames; the first frame and every key frame begin a new one."""
    group: list[Frame] = []
    for frame in frames:
        if group and (frame.key or len(group) == step):
            yield merge(group)
            group = []
        group.append(frame)
    if group:
        yield merge(group)


def _packed(reader: RecordingReader, frames: list[Frame], track: dict[str, object] | None) -> bytes:
    writer = RecordingWriter()
    for frame in frames:
        writer.add(frame)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        write_frames(archive, reader.meta, *writer.parts())
        archive.writestr("summary.json", json.dumps(reader.summary))
        archive.writestr("moments.json", json.dumps({"moments": reader.moments()}))
        if track is not None:
            archive.writestr(TRACK, msgpack.packb(track))
    return target.getvalue()
