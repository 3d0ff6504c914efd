"""The base of all sockets: identity, message limits, sending, and closing.

A socket is a class with three methods: `join` looks up what the address names and begins, `obey` does what a message
says, `leave` lets go. Messages are MessagePack maps, both ways. Who may open a socket at all (Origin, host) is checked
around the router, by `playground.shell.security.sockets`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs

import msgpack
from autobahn.exception import Disconnected
from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from redis.exceptions import RedisError

from playground.errors import PlaygroundError
from playground.ground.viewers import Viewer
from playground.storage.cancelling import cancel
from playground.web.sessions import session_key_of
from playground.web.words import SOURCE

logger = logging.getLogger(__name__)

CLOSE_NORMAL, CLOSE_BAD_REQUEST, CLOSE_NOT_FOUND, CLOSE_TAKEN_OVER, CLOSE_UNAVAILABLE = 1000, 4400, 4404, 4409, 4503
#: What refuses at joining ends the socket with this code; a page connects again after the last one.
_CLOSE_CODES = {404: CLOSE_NOT_FOUND, 503: CLOSE_UNAVAILABLE}
_MOST_TOKEN_CHARACTERS = 200


class Ended(Exception):
    """The socket is to be closed: with an error's code and message (none for a plain end) and a close code."""

    def __init__(self, code: str, message: str, close_code: int) -> None:
        super().__init__(message)
        self.code, self.message, self.close_code = code, message, close_code


class Socket(AsyncWebsocketConsumer):
    """One socket of one viewer. Subclasses say what it is about and what may be said on it."""

    # News come by one channel a subject and process, not by one a socket.
    channel_layer_alias = ""

    #: Bounds of what a viewer says: bytes of a message, messages in a second, messages that cannot be understood.
    most_bytes = 4096
    most_a_second = 0
    most_bad = 1
    #: Messages that the socket accepts, for the refusal of others; empty: none.
    expects = ""
    keys: frozenset[str] = frozenset()

    async def dispatch(self, message: dict[str, Any]) -> None:
        # Without the check of database connections that Channels makes at every message, in a thread: most messages
        # use no database, and what does makes the check itself.
        await getattr(self, get_handler_name(message))(message)

    async def join(self) -> None:
        """Look up what the address names, and begin. Raises PlaygroundError, RedisError, Ended."""
        raise NotImplementedError

    async def obey(self, message: dict[str, Any]) -> None:
        """Do what a viewer says. Raises ValueError for what cannot be understood, PlaygroundError, Ended."""
        raise ValueError(self.expects)

    async def leave(self) -> None:
        """Let go of what was joined; called once, also when joining failed half-way."""

    async def connect(self) -> None:
        self._tasks: list[asyncio.Task[None]] = []
        self._open = False
        self._second = self._said = self._bad = 0
        await self.accept()
        async with self._ending():
            await self.join()
            self._open = True

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        # Without the same check of database connections, which Channels makes here as well.
        await self.disconnect(message["code"])
        raise StopConsumer

    async def disconnect(self, code: int) -> None:
        self._open = False
        await cancel(*self._tasks)
        await self.leave()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if not self._open:
            return
        async with self._ending():
            try:
                await self.obey(self._message(bytes_data))
            except ValueError as error:
                self._bad += 1
                if self._bad >= self.most_bad:
                    raise Ended("bad_message", str(error), CLOSE_BAD_REQUEST) from None
                await self.say({"error": "bad_message", "message": str(error)})

    def run(self, work: Coroutine[Any, Any, None], *, name: str) -> None:
        """Run a task beside the messages until the viewer leaves; its errors end the socket."""
        self._tasks.append(asyncio.create_task(self._run(work), name=name))

    async def _run(self, work: Coroutine[Any, Any, None]) -> None:
        async with self._ending():
            await work

    def argument(self, name: str) -> str:
        """Return a part of the address."""
        found: str = self.scope["url_route"]["kwargs"][name]
        return found

    @property
    def spoken(self) -> str:
        """The language that the address names by `?lang=`; English without one that the product has."""
        asked = parse_qs(self.scope.get("query_string", b"").decode("latin-1")).get("lang", [SOURCE])[0]
        return asked if asked in dict(settings.LANGUAGES) else SOURCE

    def viewer(self, token: object = "") -> Viewer:
        """Return who is there: the session of the handshake's cookie, and a token that was said (uses the database)."""
        said = token if isinstance(token, str) and len(token) <= _MOST_TOKEN_CHARACTERS else ""
        return Viewer(session_key=session_key_of(self.scope), token=said)

    async def forward(self, packed: bytes) -> None:
        """Send bytes that are packed already; nothing happens when the viewer has just left."""
        with suppress(Disconnected):
            await self.send(bytes_data=packed)

    async def say(self, message: Mapping[str, object]) -> None:
        """Send a message (one of playground.contract.sockets); nothing happens when the viewer has just left."""
        await self.forward(msgpack.packb(message))

    async def end(self, close_code: int = CLOSE_NORMAL, *, code: str = "", message: str = "") -> None:
        """Close the socket, with an error before if there is one."""
        self._open = False
        with suppress(Disconnected):
            if code:
                await self.send(bytes_data=msgpack.packb({"error": code, "message": message}))
            await self.close(close_code)

    def _ending(self) -> _Ending:
        return _Ending(self)

    def _message(self, data: bytes | None) -> dict[str, Any]:
        """Bound and decode a message. Raises ValueError; Ended for a viewer that says too much."""
        now = int(time.monotonic())
        self._said = self._said + 1 if now == self._second else 1
        self._second = now
        if self.most_a_second and self._said > self.most_a_second:
            raise Ended("bad_message", f"more than {self.most_a_second} messages in a second", CLOSE_BAD_REQUEST)
        if not self.keys:
            raise ValueError(self.expects)
        if data is None:
            raise ValueError("messages are binary MessagePack")
        if len(data) > self.most_bytes:
            raise ValueError(f"a message has at most {self.most_bytes} bytes")
        try:
            message = msgpack.unpackb(data)
        except (ValueError, msgpack.UnpackException, RecursionError):
            raise ValueError("not MessagePack") from None
        if not isinstance(message, dict) or not message.keys() & self.keys:
            raise ValueError(self.expects)
        return message


class _Ending:
    """Says an error to the viewer and closes its socket, wherever the error comes from."""

    def __init__(self, socket: Socket) -> None:
        self._socket = socket

    async def __aenter__(self) -> None:
        return None

    async def __aexit__(self, kind: Any, error: BaseException | None, trace: Any) -> bool:
        socket = self._socket
        match error:
            case None:
                return False
            case Ended():
                await socket.end(error.close_code, code=error.code, message=error.message)
            case PlaygroundError():
                close_code = _CLOSE_CODES.get(error.status, CLOSE_BAD_REQUEST)
                await socket.end(close_code, code=error.kind.replace("-", "_"), message=error.title)
            case RedisError():
                said = "the server's Redis is unavailable; connect again"
                await socket.end(CLOSE_UNAVAILABLE, code="unavailable", message=said)
            case Disconnected():
                pass  # the viewer left between two messages: nobody is there to hear it
            case Exception():
                logger.error("%s broke", type(socket).__name__, exc_info=error)
                said = "the playground failed; the error was logged"
                await socket.end(CLOSE_UNAVAILABLE, code="fault", message=said)
            case _:
                return False  # a cancellation
        return True


class NoSuchSocket(AsyncWebsocketConsumer):
    """Refuses a socket that leads nowhere. Without it Channels would answer with a fault of the server."""

    channel_layer_alias = ""

    async def connect(self) -> None:
        await self.close()
