"""WS /ws/presentations/{slug}: viewers follow what a presenter shows, in binary MessagePack, the newest state at once.

A viewer is sent `{presenting, watching, state}` and says `{ack: true}` now and then. Who owns the experiment may say
`{present: true, token?}`, then `{state: {...}}` as often as the view changes (`{state: null}` when it does not), and
`{stop: true}`.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Any

import msgpack
from autobahn.exception import Disconnected
from channels.consumer import get_handler_name
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from redis.exceptions import RedisError

from playground.errors import PlaygroundError
from playground.experiments.service import get_experiment_by_slug
from playground.ground.viewers import Viewer
from playground.presentations import rooms
from playground.presentations.rooms import ROOMS, Follower
from playground.presentations.service import may_present, shown
from playground.storage import connections
from playground.web.sessions import session_key_of

_MOST_BYTES = 2048
_MOST_A_SECOND = 40
_MOST_TOKEN_CHARACTERS = 200
CLOSE_BAD_REQUEST, CLOSE_NOT_FOUND, CLOSE_TAKEN_OVER = 4400, 4404, 4409


class PresentationConsumer(AsyncWebsocketConsumer):
    """One socket of a presentation: a viewer's, or the presenter's."""

    # It hears news by its room's channel, one a process.
    channel_layer_alias = ""

    async def dispatch(self, message: dict[str, Any]) -> None:
        # Without the check of database connections at every message; who uses the database makes it.
        await getattr(self, get_handler_name(message))(message)

    async def connect(self) -> None:
        self._slug: str = self.scope["url_route"]["kwargs"]["slug"]
        self._follower: Follower | None = None
        self._telling: asyncio.Task[None] | None = None
        self._presents = ""
        self._second, self._said = 0, 0
        await self.accept()
        try:
            await database_sync_to_async(get_experiment_by_slug)(slug=self._slug)
        except PlaygroundError as error:
            await self._end("not_found", error.title, CLOSE_NOT_FOUND)
            return
        self._client = connections.new_async_client()
        self._follower = Follower()
        ROOMS.join(self._slug, self._follower)
        self._telling = asyncio.create_task(self._tell(self._follower), name="following")

    async def disconnect(self, code: int) -> None:
        if self._follower is None or self._telling is None:
            return
        self._telling.cancel()
        await asyncio.gather(self._telling, return_exceptions=True)
        with suppress(RedisError):
            if self._presents:
                await rooms.end(self._client, self._slug, self._presents)
        await ROOMS.leave(self._slug, self._follower)
        await self._client.aclose()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self._follower is None:
            return
        try:
            await self._obey(self._message(bytes_data), self._follower)
        except ValueError as error:
            await self._end("bad_message", str(error), CLOSE_BAD_REQUEST)
        except PlaygroundError as error:
            await self._end(error.kind.replace("-", "_"), error.title, CLOSE_BAD_REQUEST)
        except RedisError:
            await self._say({"error": "unavailable", "message": "the server's Redis is away; it is tried again"})

    def _message(self, data: bytes | None) -> dict[str, Any]:
        """Bound and decode a message. Raises ValueError."""
        now = int(time.monotonic())
        self._said = self._said + 1 if now == self._second else 1
        self._second = now
        if self._said > _MOST_A_SECOND:
            raise ValueError(f"more than {_MOST_A_SECOND} messages in a second")
        if data is None or len(data) > _MOST_BYTES:
            raise ValueError(f"a message is binary MessagePack of at most {_MOST_BYTES} bytes")
        try:
            message = msgpack.unpackb(data)
        except Exception:
            raise ValueError("a message is one MessagePack map") from None
        if not isinstance(message, dict):
            raise ValueError("a message is one MessagePack map")
        return message

    async def _obey(self, message: dict[str, Any], follower: Follower) -> None:
        if message.get("ack") is True:
            follower.seen()
        elif message.get("present") is True:
            await self._begin(message.get("token"))
        elif "state" in message and self._presents:
            state = None if message["state"] is None else shown(message["state"])
            if not await rooms.show(self._client, self._slug, self._presents, state):
                self._presents = ""
                await self._end("taken_over", "this presentation goes on in another window", CLOSE_TAKEN_OVER)
        elif message.get("stop") is True and self._presents:
            await rooms.end(self._client, self._slug, self._presents)
            self._presents = ""
        else:
            raise ValueError("expected ack, present, or of a presenter state or stop")

    async def _begin(self, token: Any) -> None:
        text = token if isinstance(token, str) and len(token) <= _MOST_TOKEN_CHARACTERS else ""

        def check() -> None:
            may_present(slug=self._slug, viewer=Viewer(session_key=session_key_of(self.scope), token=text))

        await database_sync_to_async(check)()
        self._presents = await rooms.begin(self._slug)

    async def _tell(self, follower: Follower) -> None:
        while True:
            await follower.wake.wait()
            told = follower.take()
            if told is not None:
                with suppress(Disconnected):
                    await self.send(bytes_data=told)

    async def _say(self, message: dict[str, Any]) -> None:
        with suppress(Disconnected):
            await self.send(bytes_data=msgpack.packb(message))

    async def _end(self, code: str, message: str, close_code: int) -> None:
        await self._say({"error": code, "message": message})
        with suppress(Disconnected):
            await self.close(close_code)
