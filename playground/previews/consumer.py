"""WS /ws/previews/{place}: answers to a viewer's previews as binary MessagePack, the last one at once."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import msgpack
from asgiref.sync import sync_to_async
from autobahn.exception import Disconnected
from channels.generic.websocket import AsyncWebsocketConsumer

from playground.previews.newest import last_told
from playground.storage.keys import previews_group
from playground.storage.notices import hear

CLOSE_BAD_REQUEST = 4400


class PreviewConsumer(AsyncWebsocketConsumer):
    """One socket on which a viewer waits for answers; who knows the place may listen."""

    # It hears notices by a channel of its own, which survives a restart of Redis.
    channel_layer_alias = ""

    async def connect(self) -> None:
        self._place: str = self.scope["url_route"]["kwargs"]["place"]
        self._sent: bytes | None = None
        await self.accept()
        self._hearing = asyncio.create_task(hear(previews_group(self._place), self._tell), name="previews")

    async def disconnect(self, code: int) -> None:
        self._hearing.cancel()
        with suppress(asyncio.CancelledError):
            await self._hearing

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        said = "this socket only tells; ask by POST /api/v1/previews"
        with suppress(Disconnected):
            await self.send(bytes_data=msgpack.packb({"error": "bad_message", "message": said}))
            await self.close(CLOSE_BAD_REQUEST)

    async def _tell(self) -> None:
        """Send what was told last: between two sendings some may be left out, the newest never is."""
        message = await sync_to_async(last_told, thread_sensitive=False)(self._place)
        if message is not None and message != self._sent:
            self._sent = message
            with suppress(Disconnected):
                await self.send(bytes_data=message)
