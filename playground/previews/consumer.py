"""WS /ws/previews/{place}: answers to a viewer's previews as binary MessagePack, the last one at once."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from asgiref.sync import sync_to_async

from playground.previews.newest import last_told
from playground.storage.connections import REDIS_AWAY
from playground.storage.keys import previews_group
from playground.storage.notices import hear
from playground.web.socket import Socket

_LOOK_EVERY_S = 2.0


class PreviewConsumer(Socket):
    """One socket on which a viewer waits for answers; who knows the place may listen."""

    expects = "this socket only sends messages; ask by POST /api/v1/previews"

    async def join(self) -> None:
        self._place = self.argument("place")
        self._sent: bytes | None = None
        self._one_at_a_time = asyncio.Lock()
        self.run(hear(previews_group(self._place), self._tell), name="previews")
        self.run(self._look(), name="previews-look")

    async def _look(self) -> None:
        """Look now and then as well: of a burst of notices the channel layer drops some."""
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            with suppress(*REDIS_AWAY):
                await self._tell()

    async def _tell(self) -> None:
        """Send what was told last: between two sendings some may be left out, the newest never is."""
        async with self._one_at_a_time:
            message = await sync_to_async(last_told, thread_sensitive=False)(self._place)
            if message is not None and message != self._sent:
                self._sent = message
                await self.forward(message)
