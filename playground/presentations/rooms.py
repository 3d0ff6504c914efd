"""The newest state of each presentation in Redis, and one reader for each presentation and process."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from contextlib import suppress
from typing import Any, cast

import msgpack
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from playground.contract.notices import PresentationNotice
from playground.contract.sockets import PresentationNews
from playground.storage import connections
from playground.storage.cancelling import cancel
from playground.storage.keys import presentation_group, presentation_key, presentation_watching_key, presenter_key
from playground.storage.notices import hear

logger = logging.getLogger(__name__)

#: A presenter says something at least so often, or has left.
LEASE_S = 8
_KEPT_S = 3600
_LOOK_EVERY_S = 2.0
_COUNT_HOLDS_S = 3 * _LOOK_EVERY_S
_MOST_UNSEEN = 64

# Only who holds the presentation writes to it, in one step: a second window of the same owner may take it over.
# A window that stood still until its lease was over takes the presentation up again.
_SHOW = (
    "local holder = redis.call('get', KEYS[1]) if holder and holder ~= ARGV[1] then return 0 end "
    "redis.call('set', KEYS[1], ARGV[1], 'EX', ARGV[2]) "
    "if ARGV[3] ~= '' then redis.call('set', KEYS[2], ARGV[3], 'EX', ARGV[4]) end return 1"
)
_LEAVE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"


class Follower:
    """One socket of a presentation: what it was sent and has not said that it has seen."""

    def __init__(self) -> None:
        self.wake = asyncio.Event()
        self._told = b""
        self._sent = b""
        self._unseen = 0

    def tell(self, told: bytes) -> None:
        self._told = told
        self.wake.set()

    def seen(self) -> None:
        self._unseen = 0
        self.wake.set()

    def take(self) -> bytes | None:
        """Return what is to be sent now: always the newest, nothing to who does not read."""
        self.wake.clear()
        if self._told == self._sent or self._unseen >= _MOST_UNSEEN:
            return None
        self._unseen += 1
        self._sent = self._told
        return self._told


class _Room:
    """A presentation as this process sees it."""

    def __init__(self, room: str) -> None:
        self.followers: set[Follower] = set()
        self.told = b""
        self._room = room
        self._name = secrets.token_hex(8)
        self._news = asyncio.Event()
        self._tasks = [
            asyncio.create_task(hear(presentation_group(room), self._wake), name="presentation-news"),
            asyncio.create_task(self._run(), name="presentation"),
        ]

    async def close(self) -> None:
        await cancel(*self._tasks)

    async def _wake(self) -> None:
        self._news.set()

    def look(self) -> None:
        """Count the room's users again after one came or left."""
        self._news.set()

    async def _run(self) -> None:
        client = connections.new_async_client()
        try:
            while True:
                self._news.clear()
                try:
                    await self._look(client)
                except RedisError as error:
                    logger.debug("presentation %s: %s", self._room, error)
                # Not `wait_for`, which may lose a cancellation that comes together with the news (Python 3.11).
                with suppress(TimeoutError):
                    async with asyncio.timeout(_LOOK_EVERY_S):
                        await self._news.wait()
        finally:
            await client.aclose()

    async def _look(self, client: Any) -> None:
        counts = presentation_watching_key(self._room)
        async with client.pipeline() as pipe:
            pipe.hset(counts, self._name, f"{len(self.followers)} {time.time():.1f}")
            pipe.expire(counts, int(10 * _COUNT_HOLDS_S))
            pipe.get(presentation_key(self._room))
            pipe.exists(presenter_key(self._room))
            pipe.hvals(counts)
            _, _, shown, presenting, watching = await pipe.execute()
        news: PresentationNews = {
            "presenting": bool(presenting),
            # The presenter's own window is among them.
            "watching": max(0, sum(_fresh(count) for count in watching) - bool(presenting)),
            "state": msgpack.unpackb(shown) if shown else None,
        }
        told = msgpack.packb(news)
        if told != self.told:
            self.told = told
            for follower in self.followers:
                follower.tell(told)


def _fresh(count: bytes) -> int:
    number, _, at = count.decode().partition(" ")
    return int(number) if time.time() - float(at) < _COUNT_HOLDS_S else 0


class Rooms:
    """The presentations that a user in this process follows."""

    def __init__(self) -> None:
        # A room belongs to its event loop (a server has one, tests have many).
        self._rooms: dict[tuple[int, str], _Room] = {}

    def join(self, room: str, follower: Follower) -> None:
        place = (id(asyncio.get_running_loop()), room)
        if place not in self._rooms:
            self._rooms[place] = _Room(room)
        found = self._rooms[place]
        found.followers.add(follower)
        if found.told:
            follower.tell(found.told)
        found.look()

    async def leave(self, room: str, follower: Follower) -> None:
        place = (id(asyncio.get_running_loop()), room)
        found = self._rooms.get(place)
        if found is None:
            return
        found.followers.discard(follower)
        found.look()
        if not found.followers:
            del self._rooms[place]
            await found.close()


ROOMS = Rooms()


async def begin(room: str) -> str:
    """Take a presentation over; return the name under which to show."""
    name = secrets.token_hex(16)
    client = connections.new_async_client()
    try:
        await client.set(presenter_key(room), name, ex=LEASE_S)
    finally:
        await client.aclose()
    await _announce(room)
    return name


async def show(client: Any, room: str, name: str, state: dict[str, Any] | None) -> bool:
    """Show a state, or with None say that the presenter is still there; False when another presenter has taken over."""
    packed = b"" if state is None else cast("bytes", msgpack.packb(state))
    arguments = (name, LEASE_S, packed, _KEPT_S)
    held = bool(await client.eval(_SHOW, 2, presenter_key(room), presentation_key(room), *arguments))
    if held and state is not None:
        await _announce(room)
    return held


async def end(client: Any, room: str, name: str) -> None:
    await client.eval(_LEAVE, 1, presenter_key(room), name)
    await _announce(room)


async def _announce(room: str) -> None:
    layer = get_channel_layer()
    if layer is not None:
        notice: PresentationNotice = {"type": "presentation.news"}
        await layer.group_send(presentation_group(room), notice)
