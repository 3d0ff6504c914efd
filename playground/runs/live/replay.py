"""Frames of a finished or paused run, from its file."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import islice

from playground.models import Run
from playground.runs.live.outbox import WireFrame
from playground.runs.results.files import open_frames
from scheduler_core import RecordingReader

_BATCH = 32


async def frames_after(*, run: Run, after: int) -> AsyncIterator[list[WireFrame]]:
    """Yield the frames later than `after`, some at a time; files are read in a thread."""
    file = await asyncio.to_thread(open_frames, run=run)
    if file is None:
        return
    with file:
        reader = await asyncio.to_thread(RecordingReader, file)  # type: ignore[arg-type]
        frames = reader.frames(after)
        while batch := await asyncio.to_thread(lambda: [WireFrame.of(frame) for frame in islice(frames, _BATCH)]):
            yield batch
