"""One reader of a run's frames for each server process, which passes them to every socket of the process."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, cast

import redis.asyncio

from playground.models import FINAL_STATES, Run
from playground.runs.live.history import BATCH, Entries, History, entries_of, wire_frame
from playground.runs.live.outbox import Outbox
from playground.runs.live.store import WANTED_S, Progress, hear_states, seq_of
from playground.storage.cancelling import cancel
from playground.storage.connections import new_async_client
from playground.storage.keys import frames_key, progress_key, wanted_key

logger = logging.getLogger(__name__)

_BLOCK_MS = 200
_LEFT_S = WANTED_S // 4 + 1
#: After this long without frames or news, ask the database for the run's end: Redis may have forgotten it.
_SILENCE_S = 5.0
FINAL = frozenset(str(state) for state in FINAL_STATES)


class Listener:
    """One socket's side of a pump: an outbox, and a wish to be woken when there is something new."""

    def __init__(self, outbox: Outbox) -> None:
        self.outbox = outbox
        self.wake = asyncio.Event()
        #: Set when the outbox has everything up to the pump's position, so that frames may come from it directly.
        self.caught_up = False
        self.progress: Progress | None = None
        #: No more frames will come from the pump: the run is over, or the pump broke.
        self.ended = False
        self.broken = False


class Pump:
    """Follows one run's stream from where it stood; what is older each socket fetches by itself."""

    def __init__(self, run_id: str, client: redis.asyncio.Redis) -> None:
        self.run_id = run_id
        self.client = client
        self.position = -1
        self.listeners: set[Listener] = set()
        self.progress: Progress | None = None
        self.broken = False
        #: Runs that share a computation have one stream of frames, under the name of the first of them.
        self.stream = run_id
        self.history = History(run_id, client)
        self._tasks: list[asyncio.Task[None]] = []
        self._stopped = False
        self._last_news = time.monotonic()
        self._wanted_at = -float(WANTED_S)

    async def start(self) -> None:
        await self.refresh()
        newest = cast(Entries, await self.client.xrevrange(frames_key(self.stream), count=1))
        self.position = seq_of(newest[0][0]) if newest else -1
        self._tasks = [
            asyncio.create_task(self._follow(), name=f"pump-{self.run_id}"),
            asyncio.create_task(hear_states(self.run_id, self.refresh), name=f"notices-{self.run_id}"),
        ]

    async def stop(self) -> None:
        self._stopped = True
        await cancel(*self._tasks)
        with suppress(redis.RedisError, OSError):
            # Nobody looks on here any more. Another server whose viewers do says so again before this expires.
            await self.client.expire(wanted_key(self.run_id), _LEFT_S)
        await self.client.aclose()

    async def _follow(self) -> None:
        while not self._stopped:
            try:
                await self._read_once()
            except (redis.RedisError, OSError):
                # Redis restarts; the run goes on, and so do we.
                await asyncio.sleep(0.5)
            except Exception:
                # Who listens must not wait for ever for a reader that is gone: they connect again.
                logger.exception("the reader of run %s broke", self.run_id)
                self._end(broken=True)
                return

    async def _read_once(self) -> None:
        # A worker sends the last frame before the final state: a run has ended if it was final before an empty read.
        was_final = self.progress is not None and self.progress.state in FINAL
        key = frames_key(self.stream)
        entries = entries_of(await self.client.xread({key: f"{self.position + 1}-0"}, count=BATCH, block=_BLOCK_MS))
        if entries:
            self._hand_out(entries)
        await self._want()
        await self.refresh()
        if not entries and (was_final or await self._is_over_unheard()):
            self._end()

    async def _want(self) -> None:
        """Say periodically that a user watches the run."""
        now = time.monotonic()
        if now - self._wanted_at > WANTED_S / 4:
            self._wanted_at = now
            await self.client.set(wanted_key(self.run_id), b"1", ex=WANTED_S)

    async def refresh(self) -> None:
        """Read the run's progress and tell the listeners if it is new."""
        progress = Progress.parse(await cast(Any, self.client.hgetall(progress_key(self.run_id))))
        if progress is None or progress == self.progress:
            return
        self.progress, self._last_news = progress, time.monotonic()
        if progress.stream is not None and progress.stream != self.stream:
            # The frames of a number are the same in both.
            self.stream, self.history = progress.stream, History(progress.stream, self.client)
        for listener in self.listeners:
            listener.progress = progress
            listener.wake.set()

    async def _is_over_unheard(self) -> bool:
        """Ask the database after a long silence, once for all who listen."""
        now = time.monotonic()
        if now - self._last_news < _SILENCE_S:
            return False
        self._last_news = now
        return await Run.objects.filter(public_id=self.run_id, state__in=FINAL_STATES).aexists()

    def _end(self, *, broken: bool = False) -> None:
        self.broken = broken
        for listener in self.listeners:
            listener.ended, listener.broken = True, broken
            listener.wake.set()

    def _hand_out(self, entries: Entries) -> None:
        now = self._last_news = time.monotonic()
        frames = [wire_frame(entry_id, fields) for entry_id, fields in entries]
        self.position = frames[-1].seq
        self.history.note(frames)
        for listener in self.listeners:
            if listener.outbox.full:
                listener.caught_up = False
            if listener.caught_up:
                for frame in frames:
                    listener.outbox.offer(frame, now)
            listener.wake.set()


@dataclass
class _Shared:
    pump: Pump
    starting: asyncio.Task[None]
    users: int = 0

    async def stop(self) -> None:
        # Who leaves while the pump still starts must not leave it running.
        self.starting.cancel()
        await asyncio.gather(self.starting, return_exceptions=True)
        await self.pump.stop()


class Pumps:
    """The pumps of this process, each alive while a user listens."""

    def __init__(self, make_client: Callable[[], redis.asyncio.Redis] = new_async_client) -> None:
        self._make_client = make_client
        self._shared: dict[tuple[int, str], _Shared] = {}

    @asynccontextmanager
    async def listen(self, run_id: str, listener: Listener) -> AsyncIterator[Pump]:
        """Give the run's pump with the listener on it."""
        # A client belongs to the event loop of its creation (a server has one, tests have many).
        key = (id(asyncio.get_running_loop()), run_id)
        shared = self._shared.get(key)
        if shared is None or shared.pump.broken:
            pump = Pump(run_id, self._make_client())
            shared = self._shared[key] = _Shared(pump, asyncio.create_task(pump.start()))
        shared.users += 1
        shared.pump.listeners.add(listener)
        try:
            await asyncio.shield(shared.starting)
            listener.progress = shared.pump.progress
            yield shared.pump
        finally:
            shared.pump.listeners.discard(listener)
            shared.users -= 1
            if shared.users == 0:
                if self._shared.get(key) is shared:
                    del self._shared[key]
                # A second cancellation during the wait leaves nothing half stopped.
                await asyncio.shield(asyncio.create_task(shared.stop()))

    def counts(self) -> dict[str, int]:
        """Return how many pumps there are and how many sockets listen to them."""
        pumps = [shared.pump for shared in self._shared.values()]
        return {"pumps": len(pumps), "listeners": sum(len(pump.listeners) for pump in pumps)}


PUMPS = Pumps()
