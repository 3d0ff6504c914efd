"""Small notices over the channel layer, such as "this run has a new state". Frames never go this way."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

from channels.layers import get_channel_layer

logger = logging.getLogger(__name__)

_RETRY_S = 1.0


async def hear(group: str, on_news: Callable[[], Awaitable[None]]) -> None:
    """Call `on_news` once the group is joined, for what came before, and at each of its notices, until cancelled."""
    layer = get_channel_layer()
    if layer is None:
        return
    while True:
        channel = await layer.new_channel()
        try:
            await layer.group_add(group, channel)
            await on_news()
            while True:
                await layer.receive(channel)
                await on_news()
        except Exception as error:
            # Notices only save time: readers read the same five times a second anyway.
            logger.debug("notices of %s: %s", group, error)
            await asyncio.sleep(_RETRY_S)
        finally:
            layer.forget(channel)
            with suppress(Exception):
                await layer.group_discard(group, channel)
