"""The one place that decorators of compiled code come from.

Numba's on-disk cache does not notice that a compiled *callee* in another file has changed: a cached caller keeps
running the old code. So the cache lives in a folder named by a digest of everything a kernel is made of (the sources
of this package and of the schedulers): an edit makes a new folder, an unchanged tree hits the old one.
"""

from __future__ import annotations

import functools
import hashlib
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])

_PACKAGE = Path(__file__).resolve().parent.parent
_KERNEL_SOURCES = ("engine", "schedulers", "workload", "metrics")


@functools.cache
def sources_digest() -> str:
    """Hex digest of every source file that compiled code is made of, with the versions it is compiled by."""
    digest = hashlib.sha256(f"{numba.__version__}".encode())
    for folder in _KERNEL_SOURCES:
        for path in sorted((_PACKAGE / folder).rglob("*.py")):
            digest.update(path.relative_to(_PACKAGE).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Folder of compiled kernels: $SCHEDULER_CORE_CACHE, else the user's cache folder, else a temporary one."""
    root = os.environ.get("SCHEDULER_CORE_CACHE")
    base = Path(root) if root else Path.home() / ".cache" / "scheduler-core"
    try:
        base.mkdir(parents=True, exist_ok=True)
        if not os.access(base, os.W_OK):
            raise PermissionError(base)
    except OSError:
        base = Path(tempfile.gettempdir()) / "scheduler-core-cache"
    return base / sources_digest()


numba.config.CACHE_DIR = str(cache_folder())  # type: ignore[attr-defined]


def kernel(function: F) -> F:
    """Compile a function that works on arrays and scalars: cached on disk, without the GIL, no reordered floats."""
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=False)(function))



def compile_seconds(run: Callable[[], object]) -> float:
    """Seconds that `run` (a first call of a kernel) takes: reported, never part of an outcome."""
    started = time.perf_counter()
    run()
    return time.perf_counter() - started
