"""Responses to previews for the sockets of this process: one subscription and one reading for all.

Workers publish the place that was told something. Places that are told at the same time are read from Redis together.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from asgiref.sync import sync_to_async

from playground.previews.newest import told_to
from playground.storage.cancelling import cancel
from playground.storage.connections import REDIS_AWAY, new_async_client
from playground.storage.keys import PREVIEWS_TOLD

logger = logging.getLogger(__name__)

#: Read all places this often as well: notices get lost while Redis is away.
_LOOK_EVERY_S = 2.0
_RETRY_S = 1.0


class Listener:
    """One socket that waits for answers at a place: the newest message, and whether it was sent."""

    def __init__(self) -> None:
        self.wake = asyncio.Event()
        self.told = b""

    def tell(self, told: bytes) -> None:
        if told != self.told:
            self.told = told
            self.wake.set()


class _Office:
    """The sockets of one event loop, by their places."""

    def __init__(self) -> None:
        self._places: dict[str, set[Listener]] = {}
        self._named: set[str] = set()
        self._news = asyncio.Event()
        self._tasks = [
            asyncio.create_task(self._hear(), name="previews-news"),
            asyncio.create_task(self._run(), name="previews"),
        ]

    @property
    def is_empty(self) -> bool:
        return not self._places

    def join(self, place: str, listener: Listener) -> None:
        self._places.setdefault(place, set()).add(listener)
        self._look_at(place)

    def leave(self, place: str, listener: Listener) -> None:
        here = self._places.get(place, set())
        here.discard(listener)
        if not here:
            self._places.pop(place, None)

    async def close(self) -> None:
        await cancel(*self._tasks)

    def _look_at(self, *places: str) -> None:
        self._named.update(places)
        self._news.set()

    async def _hear(self) -> None:
        while True:
            client = new_async_client()
            try:
                async with client.pubsub(ignore_subscribe_messages=True) as news:
                    await news.subscribe(PREVIEWS_TOLD)
                    self._look_at(*self._places)
                    async for message in news.listen():
                        if (place := message["data"].decode()) in self._places:
                            self._look_at(place)
            except REDIS_AWAY as error:
                logger.debug("notices of previews: %s", error)
            finally:
                with suppress(*REDIS_AWAY):
                    await client.aclose()
            await asyncio.sleep(_RETRY_S)

    async def _run(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_EVERY_S):
                    await self._news.wait()
            named = self._named & self._places.keys() if self._news.is_set() else set(self._places)
            self._news.clear()
            self._named.clear()
            with suppress(*REDIS_AWAY):
                await self._tell(list(named))

    async def _tell(self, places: list[str]) -> None:
        found = await sync_to_async(told_to, thread_sensitive=False)(places) if places else []
        for place, told in zip(places, found, strict=True):
            for listener in self._places.get(place, ()):
                if told is not None:
                    listener.tell(told)


class Offices:
    """The sockets that wait for previews in this process."""

    def __init__(self) -> None:
        self._offices: dict[int, _Office] = {}

    def join(self, place: str, listener: Listener) -> None:
        loop = id(asyncio.get_running_loop())
        if loop not in self._offices:
            self._offices[loop] = _Office()
        self._offices[loop].join(place, listener)

    async def leave(self, place: str, listener: Listener) -> None:
        loop = id(asyncio.get_running_loop())
        office = self._offices.get(loop)
        if office is None:
            return
        office.leave(place, listener)
        if office.is_empty:
            del self._offices[loop]
            await office.close()


OFFICES = Offices()
