"""WS /ws/previews/{place}: answers to a viewer's previews as binary MessagePack, the last one at once."""

from __future__ import annotations

from asgiref.sync import sync_to_async

from playground.previews.newest import last_told
from playground.storage.keys import previews_group
from playground.storage.notices import hear
from playground.web.socket import Socket


class PreviewConsumer(Socket):
    """One socket on which a viewer waits for answers; who knows the place may listen."""

    expects = "this socket only tells; ask by POST /api/v1/previews"

    async def join(self) -> None:
        self._place = self.argument("place")
        self._sent: bytes | None = None
        self.run(hear(previews_group(self._place), self._tell), name="previews")

    async def _tell(self) -> None:
        """Send what was told last: between two sendings some may be left out, the newest never is."""
        message = await sync_to_async(last_told, thread_sensitive=False)(self._place)
        if message is not None and message != self._sent:
            self._sent = message
            await self.forward(message)
