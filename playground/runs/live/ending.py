"""Wait for the end of a run without holding a thread."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

from playground.models import FINAL_STATES, Run
from playground.runs.live.store import hear_states
from playground.storage.cancelling import cancel

#: Notices only save time: the loop asks the database this often anyway.
_LOOK_EVERY_S = 1.0


async def wait_for_end(run_id: str, seconds: float) -> None:
    """Return when a run is over, or after this number of seconds."""
    deadline, news = time.monotonic() + seconds, asyncio.Event()

    async def wake() -> None:
        news.set()

    hearing = asyncio.create_task(hear_states(run_id, wake), name=f"ending-{run_id}")
    try:
        while (left := deadline - time.monotonic()) > 0:
            news.clear()
            if await Run.objects.filter(public_id=run_id, state__in=FINAL_STATES).aexists():
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(min(left, _LOOK_EVERY_S)):
                    await news.wait()
    finally:
        await cancel(hearing)
