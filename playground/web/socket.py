"""What sockets share."""

from __future__ import annotations

from channels.generic.websocket import AsyncWebsocketConsumer


class NoSuchSocket(AsyncWebsocketConsumer):
    """Refuses a socket that leads nowhere. Without it Channels would answer with a fault of the server."""

    channel_layer_alias = ""

    async def connect(self) -> None:
        await self.close()
