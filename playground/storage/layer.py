"""Channels' layer over Redis, without the buffers that it keeps for channels without readers."""

from __future__ import annotations

from typing import Any

from channels_redis.core import BoundedQueue, RedisChannelLayer


class _Buffers(dict[str, BoundedQueue]):
    """Messages by channel, kept for the channels in `read` alone."""

    def __init__(self, capacity: int) -> None:
        super().__init__()
        self.read: set[str] = set()
        self._capacity = capacity

    def __missing__(self, channel: str) -> BoundedQueue:
        queue = BoundedQueue(self._capacity)
        if channel in self.read:
            self[channel] = queue
        return queue


class Layer(RedisChannelLayer):  # type: ignore[misc]  # channels_redis has no types
    """A notice that was on its way when its reader left would stay in memory for ever: one for each presentation."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.receive_buffer = _Buffers(self.capacity)

    async def new_channel(self, prefix: str = "specific") -> str:
        channel: str = await super().new_channel(prefix)
        self.receive_buffer.read.add(channel)
        return channel

    def forget(self, channel: str) -> None:
        """Keep nothing more for a channel: its reader has left."""
        self.receive_buffer.read.discard(channel)
        self.receive_buffer.pop(channel, None)
