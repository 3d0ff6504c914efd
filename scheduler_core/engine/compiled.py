"""Refuses to compile where nobody may wait for it: in a process that answers people at once."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event

_this = threading.local()


class NotCompiled(Exception):
    """A kernel is not in the cache, and this thread is not to compile it."""


@contextmanager
def only_compiled() -> Iterator[None]:
    """Load kernels from the cache and compile none in this thread; one that is missing raises NotCompiled."""
    _listen()
    before = getattr(_this, "refuses", False)
    _this.refuses = True
    try:
        yield
    finally:
        _this.refuses = before


@functools.cache
def _listen() -> None:
    event.register("numba:compile", _Refusal())  # type: ignore[no-untyped-call]


class _Refusal(event.Listener):
    """Numba tells of each function that it is about to compile, after it has looked into the cache."""

    def on_start(self, event: Any) -> None:
        """Stop it in threads that refuse."""
        if getattr(_this, "refuses", False):
            raise NotCompiled(event.data["dispatcher"].py_func.__qualname__)

    def on_end(self, event: Any) -> None:
        """Nothing to do."""
