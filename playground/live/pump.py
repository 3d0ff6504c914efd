"""One reader of a run's frames for each server process, which hands them to every socket of the process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, cast

import redis.asyncio

from playground.live.keys import frames_key, progress_key
from playground.live.outbox import Outbox, WireFrame
from playground.live.store import Progress, new_async_client, seq_of

_BLOCK_MS = 200
_BATCH = 64
FINAL = frozenset({"done", "failed", "cancelled"})

Entries = list[tuple[bytes, dict[bytes, bytes]]]


def wire_frame(entry_id: bytes, fields: dict[bytes, bytes]) -> WireFrame:
    seq = seq_of(entry_id)
    return WireFrame(seq, seq, fields[b"k"] == b"1", fields[b"f"])


class Listener:
    """One socket's side of a pump: an outbox, and a wish to be woken when there is something new."""

    def __init__(self, outbox: Outbox) -> None:
        self.outbox = outbox
        self.wake = asyncio.Event()
        #: Set when the outbox has everything up to the pump's position, so that frames may come from it directly.
        self.caught_up = False
        self.progress: Progress | None = None
        self.ended = False


class Pump:
    """Follows one run's stream from where it stood; what is older each socket fetches by itself."""

    def __init__(self, run_id: str, client: redis.asyncio.Redis) -> None:
        self.run_id = run_id
        self.client = client
        self.position = -1
        self.listeners: set[Listener] = set()
        self._progress: Progress | None = None
        self._task: asyncio.Task[None] | None = None
        self._stopped = False

    async def start(self) -> None:
        newest = cast(Entries, await self.client.xrevrange(frames_key(self.run_id), count=1))
        self.position = seq_of(newest[0][0]) if newest else -1
        self._task = asyncio.create_task(self._follow(), name=f"pump-{self.run_id}")

    async def stop(self) -> None:
        # A cancellation may get lost inside the client; the flag ends the loop after one more wait at the latest.
        self._stopped = True
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError, redis.RedisError):
                await self._task
        await self.client.aclose()

    async def history(self, after: int) -> list[WireFrame]:
        """Return the next frames after `after` as far as they are kept, some at a time."""
        found = await self.client.xrange(frames_key(self.run_id), min=f"{after + 2}-0", count=_BATCH)
        return [wire_frame(entry_id, fields) for entry_id, fields in cast(Entries, found)]

    async def _follow(self) -> None:
        while not self._stopped:
            try:
                await self._read_once()
            except redis.RedisError:
                # Redis is being restarted; the run goes on, and so do we.
                await asyncio.sleep(0.5)

    async def _read_once(self) -> None:
        # The last frame is published before the state says so: ended is who was final before a read found nothing.
        was_final = self._progress is not None and self._progress.state in FINAL
        key = frames_key(self.run_id)
        entries = _entries_of(await self.client.xread({key: f"{self.position + 1}-0"}, count=_BATCH, block=_BLOCK_MS))
        if entries:
            self._hand_out(entries)
        await self.refresh(ended=was_final and not entries)

    async def refresh(self, *, ended: bool = False) -> None:
        """Read the run's progress and tell the listeners if it is new."""
        progress = Progress.parse(await cast(Any, self.client.hgetall(progress_key(self.run_id))))
        if progress != self._progress or ended:
            self._progress = progress
            for listener in self.listeners:
                listener.progress = progress
                listener.ended = listener.ended or ended
                listener.wake.set()

    def _hand_out(self, entries: Entries) -> None:
        now = time.monotonic()
        frames = [wire_frame(entry_id, fields) for entry_id, fields in entries]
        self.position = frames[-1].seq
        for listener in self.listeners:
            if listener.caught_up:
                for frame in frames:
                    listener.outbox.offer(frame, now)
            listener.wake.set()


def _entries_of(answer: Any) -> Entries:
    """Return the entries of the one stream that was read (a list of pairs, or a map under RESP3)."""
    if not answer:
        return []
    if isinstance(answer, dict):
        entries = next(iter(answer.values()))
        # RESP3 wraps them once more.
        return cast(Entries, entries[0] if entries and isinstance(entries[0], list) else entries)
    return cast(Entries, answer[0][1])


@dataclass
class _Shared:
    pump: Pump
    starting: asyncio.Task[None]
    users: int = 0


class Pumps:
    """The pumps of this process, each alive while somebody listens."""

    def __init__(self, make_client: Callable[[], redis.asyncio.Redis] = new_async_client) -> None:
        self._make_client = make_client
        self._shared: dict[tuple[int, str], _Shared] = {}

    @asynccontextmanager
    async def listen(self, run_id: str, listener: Listener) -> AsyncIterator[Pump]:
        """Give the run's pump with the listener on it."""
        # A client belongs to the event loop that it was made in (a server has one, tests have many).
        key = (id(asyncio.get_running_loop()), run_id)
        shared = self._shared.get(key)
        if shared is None:
            pump = Pump(run_id, self._make_client())
            shared = self._shared[key] = _Shared(pump, asyncio.create_task(pump.start()))
        shared.users += 1
        shared.pump.listeners.add(listener)
        try:
            await asyncio.shield(shared.starting)
            yield shared.pump
        finally:
            shared.pump.listeners.discard(listener)
            shared.users -= 1
            if shared.users == 0:
                del self._shared[key]
                await shared.pump.stop()


PUMPS = Pumps()
