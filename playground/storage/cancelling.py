"""Cancel tasks of the event loop reliably."""

from __future__ import annotations

import asyncio
from typing import Any

_SAY_AGAIN_S = 0.5


async def cancel(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks and wait until they have ended.

    A Redis client may lose a cancellation and continue to wait, so the cancellation is repeated until the task ends.
    """
    while running := [task for task in tasks if not task.done()]:
        for task in running:
            task.cancel()
        await asyncio.wait(running, timeout=_SAY_AGAIN_S)
