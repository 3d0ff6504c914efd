"""Compute once what many callers request at the same moment."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Shared(Generic[T]):
    """Shares one computation among all callers that request it while it runs.

    Not a lock: a lock lets one waiter go on in each turn of the event loop, and under a thousand sockets a turn takes
    milliseconds.
    """

    def __init__(self) -> None:
        self._asked: dict[Hashable, asyncio.Task[T]] = {}

    async def get(self, key: Hashable, find: Callable[[], Awaitable[T]]) -> T:
        """Return what `find` gives, which is called unless a user asked for the same and still waits."""
        # A task belongs to its event loop (a server has one, tests have many).
        place = (id(asyncio.get_running_loop()), key)
        task = self._asked.get(place)
        if task is None:
            task = asyncio.create_task(self._find(place, find))
            # Every waiting caller sees a failure; after all have left (and closed its source), nobody needs to.
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
            self._asked[place] = task
        # Who leaves does not take the answer away from the others.
        return await asyncio.shield(task)

    async def _find(self, place: Hashable, find: Callable[[], Awaitable[Any]]) -> T:
        try:
            found: T = await find()
            return found
        finally:
            del self._asked[place]
