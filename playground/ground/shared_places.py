"""Places for costly work that a web process does for strangers; addresses that wait take turns."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

#: The address for which this request works; empty for the site itself.
asker: ContextVar[str] = ContextVar("asker", default="")
#: Each request that waits holds a thread.
_MOST_WAITING = 20


class Places:
    """A number of places. A place that becomes free goes to the address that was served longest ago.

    A flood of costly requests from one address therefore delays those of another address by one piece of work.
    """

    def __init__(self, count: int) -> None:
        self._free = count
        self._waiting: dict[str, deque[threading.Event]] = {}
        self._lock = threading.Lock()

    @contextmanager
    def place(self, wait_s: float) -> Iterator[None]:
        """Take a place for the block. Raises TimeoutError if none is free within `wait_s`, or too many wait."""
        self._take(asker.get(), wait_s)
        try:
            yield
        finally:
            with self._lock:
                self._leave()

    def waiting(self) -> int:
        """Return how many requests wait for a place."""
        with self._lock:
            return sum(len(events) for events in self._waiting.values())

    def _take(self, address: str, wait_s: float) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            events = self._waiting.setdefault(address, deque())
            if len(events) >= _MOST_WAITING:
                raise TimeoutError("too many requests of this address wait")
            mine = threading.Event()
            events.append(mine)
        deadline = time.monotonic() + wait_s
        while not mine.wait(max(0.0, deadline - time.monotonic())):
            with self._lock:
                if not mine.is_set():
                    events.remove(mine)
                    if not events and self._waiting.get(address) is events:
                        del self._waiting[address]
                    raise TimeoutError("other work is under way")

    def _leave(self) -> None:
        """Give a place to the address whose turn it is; the lock is held."""
        if not self._waiting:
            self._free += 1
            return
        address = next(iter(self._waiting))
        events = self._waiting.pop(address)
        events.popleft().set()
        if events:
            self._waiting[address] = events  # behind the other addresses
