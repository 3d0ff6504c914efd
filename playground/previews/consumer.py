"""WS /ws/previews/{place}: answers to a viewer's previews as binary MessagePack, the last one at once."""

from __future__ import annotations

from playground.previews.live import OFFICES, Listener
from playground.web.socket import Socket


class PreviewConsumer(Socket):
    """One socket on which a viewer waits for answers; who knows the place may listen."""

    expects = "this socket only sends messages; ask by POST /api/v1/previews"

    async def join(self) -> None:
        self._place, self._listener = self.argument("place"), Listener()
        OFFICES.join(self._place, self._listener)
        self.run(self._tell(), name="previews")

    async def leave(self) -> None:
        await OFFICES.leave(self._place, self._listener)

    async def _tell(self) -> None:
        """Send what was told last: between two sendings some may be left out, the newest never is."""
        while True:
            await self._listener.wake.wait()
            self._listener.wake.clear()
            await self.forward(self._listener.told)
