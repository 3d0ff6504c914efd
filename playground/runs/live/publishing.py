"""Publish a run's frames in batches, because one call of Redis takes as long as several frames."""

from __future__ import annotations

import time
from types import TracebackType

from playground.runs.live import store
from scheduler_core import Frame

_EVERY_S = 0.025
_MOST_BYTES = 1_000_000


class Publishing:
    """Frames on their way into a stream. The first goes at once, and none waits longer than `flush_if_due` is called.

    At the end of the block all are in the stream, also where an exception ends it.
    """

    def __init__(self, stream: str) -> None:
        self._stream = stream
        # What an earlier attempt published is not even encoded again.
        self._published = store.last_published(stream)
        self._waiting: list[store.Encoded] = []
        self._bytes = 0
        self._due = 0.0

    def add(self, frame: Frame) -> None:
        """Publish a frame, now or with the next ones."""
        if frame.seq > self._published:
            data = frame.encode()
            self._waiting.append(store.Encoded(frame.seq, data, frame.key))
            self._bytes += len(data)
            self.flush_if_due()

    def flush_if_due(self) -> None:
        """Publish what has waited long enough, or is much."""
        if self._waiting and (self._bytes > _MOST_BYTES or time.monotonic() >= self._due):
            self._flush()

    def _flush(self) -> None:
        waiting, self._waiting, self._bytes = self._waiting, [], 0
        store.publish_frames(self._stream, waiting)
        self._due = time.monotonic() + _EVERY_S

    def __enter__(self) -> Publishing:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._waiting:
            self._flush()
