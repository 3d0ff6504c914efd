"""Pause compilation ahead of time while a person waits for another compilation: never run two compilers at once.

A process that compiles for a person holds a shared lock on a file in the cache. A process that compiles ahead of time
does so in a child process, and pauses the child while anybody holds the lock. On systems without such locks (Windows)
both compile at the same time.
"""

from __future__ import annotations

import ctypes
import functools
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from numba.core import event

from scheduler_core.engine.sources import cache_root

try:
    import fcntl

    _HAS_LOCKS = True
except ImportError:  # pragma: no cover - Windows
    _HAS_LOCKS = False

_LOOK_EVERY_S = 0.1
#: The child may hold what the other one waits for, so it never stands for long at once.
_STANDS_S, _GOES_ON_S = 30.0, 3.0
_PR_SET_PDEATHSIG = 1


def _lock_file() -> Path:
    return cache_root() / "waited-for.lock"


class _Waited(event.Listener):
    """Hold the lock while this process compiles; Numba reports nested functions that are not in the cache."""

    def __init__(self) -> None:
        self._depth = 0
        self._file: int | None = None

    def on_start(self, event: Any) -> None:
        """Take the lock at the outermost start."""
        self._depth += 1
        if self._depth == 1 and _HAS_LOCKS:
            with suppress(OSError):  # the process may not write to the cache
                self._file = os.open(_lock_file(), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
                fcntl.flock(self._file, fcntl.LOCK_SH)

    def on_end(self, event: Any) -> None:
        """Release the lock at the outermost end."""
        self._depth -= 1
        if self._depth == 0 and self._file is not None:
            os.close(self._file)
            self._file = None


@functools.cache
def compile_for_people() -> None:
    """Start to pause processes that compile ahead of time whenever this process compiles."""
    event.register("numba:compile", _Waited())  # type: ignore[no-untyped-call]


def somebody_waits() -> bool:
    """Return True if another process compiles a kernel that a person waits for."""
    if not _HAS_LOCKS:
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
    """Run `work` in a child process that pauses while a person waits; return the child's exit code."""
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
    if sys.platform == "linux":  # a stopped child would outlive a killed parent
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    try:
        work()
    except BaseException as error:  # the child of a fork ends here, whatever happens
        print(f"compiling ahead failed: {error}", file=sys.stderr, flush=True)
        return 1
    return 0


def _watch(child: int) -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    stood_at = went_on_at = -_STANDS_S
    stands = False
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        now = time.monotonic()
        rested = now - stood_at > _STANDS_S if stands else now - went_on_at < _GOES_ON_S
        if (somebody_waits() and not rested) != stands:
            stands = not stands
            if stands:
                stood_at = now
            elif rested:
                went_on_at = now
            os.kill(child, signal.SIGSTOP if stands else signal.SIGCONT)
        time.sleep(_LOOK_EVERY_S)
