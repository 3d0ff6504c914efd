"""Admit requests for previews a few at a time, so that a class that requests at one instant delays no one else.

A request has a thread. 300 threads that work at once share one processor core: the request of a teacher among them
takes as long as all of them together. Requests that wait here have no thread yet. Addresses take turns, so that a
flood from one of them delays no request of another.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any
from weakref import WeakKeyDictionary

from playground.web.rates import address_in

_ASKS = re.compile(r"/api/v1/(previews|classes/[^/]+/fork)/?")
_AT_ONCE = 4
#: Answer a request that has waited this long all the same: those before it may wait for a Redis that is away.
_MOST_S = 10.0


class _Gate:
    """Lets a few requests in at once; of those that wait, addresses take turns."""

    def __init__(self) -> None:
        self._free = _AT_ONCE
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    async def enter(self, address: str) -> None:
        if self._free:
            self._free -= 1
            return
        place = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self.leave()  # let in at the moment at which it gave up
            raise

    def leave(self) -> None:
        while self._waiting:
            address = next(iter(self._waiting))
            places = self._waiting.pop(address)
            while places:
                place = places.popleft()
                if not place.done():
                    if places:
                        self._waiting[address] = places  # behind the other addresses
                    place.set_result(None)
                    return
        self._free += 1


def in_turn(application: Any) -> Any:
    """Wrap an ASGI application that answers HTTP requests."""
    # A gate belongs to an event loop (a server has one, tests have many).
    gates: WeakKeyDictionary[asyncio.AbstractEventLoop, _Gate] = WeakKeyDictionary()

    async def serve(scope: Any, receive: Any, send: Any) -> None:
        if scope["method"] not in ("POST", "PUT") or _ASKS.fullmatch(scope["path"]) is None:
            await application(scope, receive, send)
            return
        gate = gates.setdefault(asyncio.get_running_loop(), _Gate())
        async with _admitted(gate, address_in(scope)):
            await application(scope, receive, send)

    return serve


@asynccontextmanager
async def _admitted(gate: _Gate, address: str) -> AsyncIterator[None]:
    has_place = False
    with suppress(TimeoutError):
        async with asyncio.timeout(_MOST_S):
            await gate.enter(address)
            has_place = True
    try:
        yield
    finally:
        if has_place:
            gate.leave()
