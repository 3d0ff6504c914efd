"""Compiling ahead gives way to compiling that somebody waits for: never two compilers beside each other meanwhile.

Whoever compiles for a person holds a shared lock on a file in the cache. A process that compiles ahead has a child do
it, and stops the child while anybody holds that lock. Without such locks (Windows) both go on beside each other.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from scheduler_core.engine.sources import cache_root

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows
    fcntl = None  # type: ignore[assignment]

_LOOK_EVERY_S = 0.1
_PR_SET_PDEATHSIG = 1

_ahead = False
_depth = 0
_held: int | None = None


def _lock_file() -> Path:
    return cache_root() / "waited-for.lock"


@contextmanager
def waited_for() -> Iterator[None]:
    """Say that somebody waits for what is compiled here; the caller holds Numba's compiler lock. May be nested."""
    global _depth
    _depth += 1
    if _depth == 1:
        _hold()
    try:
        yield
    finally:
        _depth -= 1
        if _depth == 0:
            _let_go()


@contextmanager
def meanwhile_not() -> Iterator[None]:
    """Take that back while this process waits for another one that compiles the same: that one must go on."""
    _let_go()
    try:
        yield
    finally:
        if _depth:
            _hold()


def _hold() -> None:
    global _held
    if _ahead or fcntl is None:
        return
    with suppress(OSError):  # a cache that cannot be written to
        _held = os.open(_lock_file(), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        fcntl.flock(_held, fcntl.LOCK_SH)


def _let_go() -> None:
    global _held
    if _held is not None:
        os.close(_held)
        _held = None


def somebody_waits() -> bool:
    """Say whether another process compiles what somebody waits for."""
    if fcntl is None:
        return False
    try:
        file = os.open(_lock_file(), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False


def compile_ahead(work: Callable[[], None]) -> int:
    """Do work in a child process that stands still while somebody waits; return its exit code."""
    if not hasattr(os, "fork"):  # pragma: no cover - Windows
        work()
        return 0
    child = os.fork()
    if child == 0:
        os._exit(_in_child(work))
    try:
        return _watch(child)
    finally:
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def _in_child(work: Callable[[], None]) -> int:
    global _ahead
    _ahead = True
    if sys.platform == "linux":  # a stopped child would outlive a parent that is killed
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    try:
        work()
    except BaseException as error:  # the child of a fork ends here, whatever happens
        print(f"compiling ahead failed: {error}", file=sys.stderr, flush=True)
        return 1
    return 0


def _watch(child: int) -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    stands = False
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        if somebody_waits() != stands:
            stands = not stands
            os.kill(child, signal.SIGSTOP if stands else signal.SIGCONT)
        time.sleep(_LOOK_EVERY_S)
