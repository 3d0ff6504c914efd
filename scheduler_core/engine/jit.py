"""The one place that decorators of compiled code come from.

Numba's on-disk cache does not notice that a compiled *callee* in another file has changed: a cached caller keeps
running the old code. So a function's cache lies in a folder named by a digest of the sources that its compiled code
can be made of: the compiled part of the engine, and the folder that the function itself is in (one scheduler, say).
An edit makes a new folder; an unchanged tree hits the old one; an edit to one scheduler recompiles that one alone.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numba.types

F = TypeVar("F", bound=Callable[..., Any])

_ENGINE = Path(__file__).resolve().parent
_COMPILED_MARK = "engine.jit import"
_ALWAYS = ("jit.py", "records.py")


@functools.cache
def sources_digest(folder: Path) -> str:
    """Hex digest of the engine's compiled sources, all sources of `folder`, and the versions that compile them."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]}".encode())
    engine = [path for path in sorted(_ENGINE.glob("*.py"))
              if path.name in _ALWAYS or _COMPILED_MARK in path.read_text(encoding="utf-8")]
    own = sorted(folder.glob("*.py")) if folder != _ENGINE else []
    for path in [*engine, *own]:
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def cache_root() -> Path:
    """Folder of compiled kernels: $SCHEDULER_CORE_CACHE, else the user's cache folder, else a temporary one."""
    root = os.environ.get("SCHEDULER_CORE_CACHE")
    base = Path(root) if root else Path.home() / ".cache" / "scheduler-core"
    try:
        base.mkdir(parents=True, exist_ok=True)
        if not os.access(base, os.W_OK):
            raise PermissionError(base)
    except OSError:
        base = Path(tempfile.gettempdir()) / "scheduler-core-cache"
    return base


_njit: Any = numba.njit  # its stubs know neither `_nrt` nor the wrappers
_types: Any = numba.types
_OPTIONS: dict[str, Any] = {
    "nogil": True, "error_model": "numpy", "fastmath": False, "_nrt": False, "forceinline": True,
}


def kernel(function: F) -> F:
    """Compile a function that works on given arrays and scalars and is called from Python; it must not allocate.

    Cached on disk, without the GIL, floats never reordered. Two more settings were worth a factor of ten together
    (docs/design.md, section 3): without reference counting a tuple of arrays costs nothing to pass on, and with forced
    inlining a protocol's loop becomes one function whose arrays stay in registers.
    """
    folder = Path(function.__code__.co_filename).resolve().parent
    # Read by Numba when the function is decorated; each function keeps the folder that was set at that moment.
    numba.config.CACHE_DIR = str(cache_root() / sources_digest(folder))  # type: ignore[attr-defined]
    return cast(F, _one_version(_njit(cache=True, **_OPTIONS)(function)))


def inner(function: F) -> F:
    """Like `kernel`, for a function that only other compiled ones call: no Python entry, no cache file of its own."""
    return cast(F, _one_version(_njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **_OPTIONS)(function)))


def _one_version(dispatcher: Any) -> Any:
    """Compile one version of a function for all integers that compiled callers give.

    Otherwise there is one for each mixture of literal numbers and column widths: twice the compile time for nothing.
    """
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return dispatcher  # the plain function
    template = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: template(tuple(_widest(arg) for arg in args), kws)
    return dispatcher


def _widest(argument: Any) -> Any:
    plain = _types.unliteral(argument)
    narrow = isinstance(plain, _types.Integer) and plain.signed and plain.bitwidth < 64
    return _types.int64 if narrow else plain
