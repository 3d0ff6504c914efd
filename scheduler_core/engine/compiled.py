"""Forbid compilation in a thread that must answer people at once, or let it stop between two functions."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
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


@contextmanager
def compiling() -> Iterator[None]:
    """Compile in this thread what is not compiled, even where a module could run meanwhile (engine.wasm.meanwhile)."""
    before = getattr(_this, "compiles", False)
    _this.compiles = True
    try:
        yield
    finally:
        _this.compiles = before


def is_strict() -> bool:
    """Return True if this thread compiles on purpose, or may not compile: it gets machine code or an error."""
    return bool(getattr(_this, "compiles", False) or getattr(_this, "refuses", False))


@contextmanager
def compile_while(check: Callable[[], None]) -> Iterator[None]:
    """Call `check` before each function that this thread compiles; an exception that it raises stops the compilation.

    The functions compiled by then stay in this process, so a second attempt goes on from there.
    """
    with event.install_listener("numba:compile", _Check(check)):
        yield


class _Check(event.Listener):
    """Ask before each function, in the thread that made this."""

    def __init__(self, check: Callable[[], None]) -> None:
        self._check, self._thread = check, threading.get_ident()

    def on_start(self, event: Any) -> None:
        """Ask; other threads compile on."""
        if threading.get_ident() == self._thread:
            self._check()

    def on_end(self, event: Any) -> None:
        """Do nothing."""


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
