"""Small work of many sockets that uses the database: work that waits at the same time shares a thread's turn.

A turn alone costs more than such work: a change of threads, and a connection to the database that is opened and
checked. With hundreds of phones that say something within a second, that is most of the server's time for them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from channels.db import database_sync_to_async

T = TypeVar("T")
#: Other sockets' work waits for a turn of this many at most.
_MOST = 20


class _Waiting:
    """The work that waits in one event loop, and the task that does it."""

    def __init__(self) -> None:
        self.work: list[tuple[Callable[[], Any], asyncio.Future[Any]]] = []
        self.task: asyncio.Task[None] | None = None

    async def do(self) -> None:
        try:
            while self.work:
                turn, self.work = self.work[:_MOST], self.work[_MOST:]
                for (_, future), done in zip(turn, await _done([work for work, _ in turn]), strict=True):
                    if future.done():
                        continue  # whoever asked has gone
                    if isinstance(done, Exception):
                        future.set_exception(done)
                    else:
                        future.set_result(done)
        finally:
            self.task = None


# Work belongs to an event loop (a server has one, tests have many).
_WAITING: WeakKeyDictionary[asyncio.AbstractEventLoop, _Waiting] = WeakKeyDictionary()


async def in_batch(work: Callable[[], T]) -> T:
    """Return what the work returns, done in a thread with the other work that waits. Raises what it raises."""
    loop = asyncio.get_running_loop()
    waiting = _WAITING.setdefault(loop, _Waiting())
    future: asyncio.Future[T] = loop.create_future()
    waiting.work.append((work, future))
    if waiting.task is None:
        waiting.task = loop.create_task(waiting.do(), name="batches")
    return await future


async def _done(turn: Sequence[Callable[[], Any]]) -> list[Any]:
    """Return the result of each piece of work, or the exception that it raised."""
    try:
        results: list[Any] = await database_sync_to_async(_each)(turn)
        return results
    except Exception as error:  # of the turn itself: nobody may wait for ever
        return [error] * len(turn)


def _each(turn: Sequence[Callable[[], Any]]) -> list[Any]:
    done: list[Any] = []
    for work in turn:
        try:
            done.append(work())
        except Exception as error:
            done.append(error)
    return done
