"""Progress, cancellation and a memory limit for reading a trace. The caller that reads for a user sets them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class Reading:
    """Progress of reading: bytes read, size of the file, decompressed bytes (0: unknown), and rows."""

    position: int
    size: int
    unpacked: int
    rows: int


Watch = Callable[[Reading], None]
Guard = Callable[[], AbstractContextManager[None]]
_watch: ContextVar[Watch | None] = ContextVar("watch", default=None)
_guard: ContextVar[Guard | None] = ContextVar("guard", default=None)
_everywhere: list[Guard] = [nullcontext]


@contextmanager
def watched(watch: Watch | None) -> Iterator[None]:
    """Call `watch` several times a second while a trace is read; it may raise an exception such as Cancelled."""
    token = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(token)


@contextmanager
def guarded(guard: Guard) -> Iterator[None]:
    """Read traces inside a context, such as one that limits memory; a MemoryError in it becomes a TraceError."""
    token = _guard.set(guard)
    try:
        yield
    finally:
        _guard.reset(token)


def guard_reading(guard: Guard) -> None:
    """Guard every reading of this process that has no guard of its own."""
    _everywhere[:] = [guard]


def inside_guard() -> AbstractContextManager[None]:
    """Return the context to read in."""
    return (_guard.get() or _everywhere[0])()


def tell(reading: Reading) -> None:
    """Report the progress of reading to the watcher."""
    if (watch := _watch.get()) is not None:
        watch(reading)
