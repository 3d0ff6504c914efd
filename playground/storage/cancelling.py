"""End tasks of the event loop for certain."""

from __future__ import annotations

import asyncio
from typing import Any

_SAY_AGAIN_S = 0.5


async def cancel(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks and wait until they have ended.

    A cancellation may get lost inside a Redis client, which then goes on waiting: it is said until it is heard.
    """
    while running := [task for task in tasks if not task.done()]:
        for task in running:
            task.cancel()
        await asyncio.wait(running, timeout=_SAY_AGAIN_S)
