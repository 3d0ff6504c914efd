"""Small notices over the channel layer: a run's new state, a preview's answer. Frames never go this way."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypedDict

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

from playground.live.keys import notices_group
from playground.live.store import Progress, write_progress

logger = logging.getLogger(__name__)

_RETRY_S = 1.0


class StateNotice(TypedDict):
    """The channel-layer message that says a run has a new state."""

    type: str
    state: str


def announce_state(run_id: str, progress: Progress) -> None:
    """Write a run's new state where everybody looks, and tell those who watch."""
    write_progress(run_id, progress)
    layer = get_channel_layer()
    if layer is not None:
        message: StateNotice = {"type": "run.state", "state": progress.state}
        async_to_sync(layer.group_send)(notices_group(run_id), message)


async def hear_states(run_id: str, on_state: Callable[[], Awaitable[None]]) -> None:
    """Call `on_state` at every announced state, until cancelled.

    One channel for each run and process. With one a socket, all of them would read from Redis, and all break with it.
    """
    await hear(notices_group(run_id), on_state)


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
            # Notices only save time: what they announce is read five times a second anyway.
            logger.debug("notices of %s: %s", group, error)
            await asyncio.sleep(_RETRY_S)
        finally:
            with suppress(Exception):
                await layer.group_discard(group, channel)
