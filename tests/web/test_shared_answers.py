"""What many ask for at the same moment is found once; a failure reaches those who wait, and no log when nobody does."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest

from playground.web.once import Shared


async def test_those_who_ask_meanwhile_get_the_same_answer_and_later_ones_a_new_one() -> None:
    shared: Shared[int] = Shared()
    asked = 0

    async def find() -> int:
        nonlocal asked
        asked += 1
        number = asked
        await asyncio.sleep(0.01)
        return number

    assert await asyncio.gather(*(shared.get("key", find) for _ in range(5))) == [1] * 5
    assert await shared.get("key", find) == 2


async def test_a_failure_reaches_those_who_wait_and_is_no_fault_when_all_have_left() -> None:
    complaints: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
    shared: Shared[int] = Shared()
    may_fail = asyncio.Event()

    async def fail() -> int:
        await may_fail.wait()
        raise OSError("closed under it")

    leaving = asyncio.create_task(shared.get("key", fail))
    await asyncio.sleep(0)
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    may_fail.set()
    await asyncio.sleep(0.01)
    del leaving  # what it waited for is forgotten
    gc.collect()
    assert complaints == []
    with pytest.raises(OSError, match="closed under it"):
        await shared.get("key", fail)
