"""Bound the memory that a worker may allocate while it reads a user's file."""

from __future__ import annotations

import resource
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from django.conf import settings

_STATM = Path("/proc/self/statm")
#: The bound is the process's: two threads that set it at once would restore each other's.
_one_at_a_time = threading.RLock()
# What reading may allocate: a reader and its library, and columns of every task, some of them twice.
_READING_BYTES = 600_000_000
_TASK_BYTES = 250


@contextmanager
def bounded_memory(further_bytes: int) -> Iterator[None]:
    """Let this process grow by at most a number of bytes inside; beyond that, a MemoryError is raised.

    Sizes that a file announces are allocated before they prove wrong. Where the system does not say how large a
    process is (it has no /proc), nothing is bounded.
    """
    if not _STATM.exists():
        yield
        return
    with _one_at_a_time:
        yield from _bounded(further_bytes)


def bounded_reading() -> AbstractContextManager[None]:
    """Bound what reading a trace may allocate, wherever the trace comes from."""
    return bounded_memory(_READING_BYTES + _TASK_BYTES * settings.LIMIT_TASKS)


def _bounded(further_bytes: int) -> Iterator[None]:
    before, most = resource.getrlimit(resource.RLIMIT_AS)
    limit = int(_STATM.read_text().split()[0]) * resource.getpagesize() + further_bytes
    for other in (before, most):
        if other != resource.RLIM_INFINITY:
            limit = min(limit, other)
    resource.setrlimit(resource.RLIMIT_AS, (limit, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (before, most))
