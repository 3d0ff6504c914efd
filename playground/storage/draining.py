"""Draining: a worker that receives SIGTERM takes no new tasks, and its processes hand back what they hold.

The parent process receives the signal and the processes of its pool do the work. They share one byte of memory, which
a fork inherits; so nothing needs to be asked of Redis, which may be away at that moment.
"""

from __future__ import annotations

import mmap

_FLAG = mmap.mmap(-1, 1)


def begin() -> None:
    """Tell every process of this worker to return its work."""
    _FLAG[0] = 1


def end() -> None:
    """Let this worker work again; only tests need it."""
    _FLAG[0] = 0


def has_begun() -> bool:
    return bool(_FLAG[0])
