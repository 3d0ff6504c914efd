"""Frames from before a socket connected: from memory, or from the stream, read once for all requests."""

from __future__ import annotations

from collections import OrderedDict, deque
from typing import Any, cast

import redis.asyncio

from playground.runs.live.outbox import WireFrame
from playground.runs.live.store import seq_of
from playground.storage.keys import frames_key
from playground.web.once import Shared

#: Frames per read.
BATCH = 64
_MOST_CHUNKS = 8
_MOST_RECENT_BYTES = 8_000_000

Entries = list[tuple[bytes, dict[bytes, bytes]]]


def wire_frame(entry_id: bytes, fields: dict[bytes, bytes]) -> WireFrame:
    seq = seq_of(entry_id)
    return WireFrame(seq, seq, fields[b"k"] == b"1", fields[b"f"])


def entries_of(answer: Any) -> Entries:
    """Return the entries of the one stream that was read (a list of pairs, or a map under RESP3)."""
    if not answer:
        return []
    if isinstance(answer, dict):
        entries = next(iter(answer.values()))
        # RESP3 wraps them once more.
        return cast(Entries, entries[0] if entries and isinstance(entries[0], list) else entries)
    return cast(Entries, answer[0][1])


class History:
    """Kept frames of one run. A thousand sockets that come at once share what was read, bytes included."""

    def __init__(self, stream: str, client: redis.asyncio.Redis) -> None:
        self._key, self._client = frames_key(stream), client
        self._recent: deque[WireFrame] = deque()
        self._recent_bytes = 0
        self._chunks: OrderedDict[int, list[WireFrame]] = OrderedDict()
        self._reads: Shared[list[WireFrame]] = Shared()

    def note(self, frames: list[WireFrame]) -> None:
        """Keep the newest frames at hand: who reconnects after a moment needs only those."""
        for frame in frames:
            if self._recent and frame.from_seq != self._recent[-1].seq + 1:
                self._recent.clear()
                self._recent_bytes = 0
            self._recent.append(frame)
            self._recent_bytes += len(frame.data)
        while self._recent_bytes > _MOST_RECENT_BYTES:
            self._recent_bytes -= len(self._recent.popleft().data)

    async def after(self, seq: int) -> list[WireFrame]:
        """Return the next frames later than `seq` as far as they are kept, at most a batch."""
        if self._recent and self._recent[0].from_seq <= seq + 1:
            return [frame for frame in self._recent if frame.seq > seq][:BATCH]
        first = (seq + 1) // BATCH * BATCH
        chunk = self._chunks.get(first) or await self._reads.get(first, lambda: self._read(first))
        found = [frame for frame in chunk if frame.seq > seq]
        return found or await self._reads.get(("from", seq + 1), lambda: self._read(seq + 1, keep=False))

    async def _read(self, first: int, *, keep: bool = True) -> list[WireFrame]:
        found = await self._client.xrange(self._key, min=f"{first + 1}-0", count=BATCH)
        frames = [wire_frame(entry_id, fields) for entry_id, fields in cast(Entries, found)]
        # A chunk without a hole never changes.
        if keep and len(frames) == BATCH and frames[0].seq == first and frames[-1].seq == first + BATCH - 1:
            self._chunks[first] = frames
            if len(self._chunks) > _MOST_CHUNKS:
                self._chunks.popitem(last=False)
        return frames
