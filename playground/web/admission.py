"""Admit requests for previews a few at a time, so that a class that requests at one instant delays no one else.

A request has a thread. 300 threads that work at once share one processor core: the request of a teacher among them
takes as long as all of them together. Requests that wait here have no thread yet.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any
from weakref import WeakKeyDictionary

_ASKS = re.compile(r"/api/v1/(previews|classes/[^/]+/fork)/?")
_AT_ONCE = 4
#: Answer a request that has waited this long all the same: those before it may wait for a Redis that is away.
_MOST_S = 10.0


def in_turn(application: Any) -> Any:
    """Wrap an ASGI application that answers HTTP requests."""
    # A semaphore belongs to an event loop (a server has one, tests have many).
    gates: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()

    async def serve(scope: Any, receive: Any, send: Any) -> None:
        if scope["method"] not in ("POST", "PUT") or _ASKS.fullmatch(scope["path"]) is None:
            await application(scope, receive, send)
            return
        gate = gates.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(_AT_ONCE))
        async with _admitted(gate):
            await application(scope, receive, send)

    return serve


@asynccontextmanager
async def _admitted(gate: asyncio.Semaphore) -> AsyncIterator[None]:
    has_place = False
    with suppress(TimeoutError):
        async with asyncio.timeout(_MOST_S):
            has_place = await gate.acquire()
    try:
        yield
    finally:
        if has_place:
            gate.release()
