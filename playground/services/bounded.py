"""A bound on what a worker may allocate while it reads what somebody else wrote."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_STATM = Path("/proc/self/statm")


@contextmanager
def bounded_memory(further_bytes: int) -> Iterator[None]:
    """Let this process grow by so many bytes and no further inside; past that there is a MemoryError.

    Sizes that a file announces are allocated before they prove wrong. Where the system does not say how large a
    process is (it has no /proc), nothing is bounded.
    """
    if not _STATM.exists():
        yield
        return
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
