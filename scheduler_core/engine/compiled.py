"""Forbid compilation in a thread that must answer people at once."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event

_this = threading.local()


class NotCompiled(Exception):
    """Raised when a kernel is not in the cache and this thread may not compile it."""


@contextmanager
def only_compiled() -> Iterator[None]:
    """Load kernels only from the cache in this thread; raise NotCompiled for a kernel that is missing."""
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
    """Refuse compilation; Numba reports each function after the lookup in the cache and before it compiles."""

    def on_start(self, event: Any) -> None:
        """Raise NotCompiled in threads that refuse to compile."""
        if getattr(_this, "refuses", False):
            raise NotCompiled(event.data["dispatcher"].py_func.__qualname__)

    def on_end(self, event: Any) -> None:
        """Do nothing."""
