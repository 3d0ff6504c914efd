"""Have another process compile kernels, while this one does without: Numba's compiler would hold this one's GIL.

The other process fills the cache, from which this one loads a kernel when it is there. It ends when it has compiled
what it was asked for, also after this process has ended: the next run then finds the kernel. Of several processes on a
machine one compiles at a time. A compilation that fails is no error here: nothing appears in the cache.
"""

from __future__ import annotations

import functools
import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import filelock

from scheduler_core.engine.entry import Kernel
from scheduler_core.engine.sources import cache_root, package_folder

COMPILE_FIRST = "SCHEDULER_CORE_COMPILE_FIRST"
"""The variable of the environment that has every kernel compiled before it runs."""
_LOCK = "beside.lock"
_NICE = 5
_MOST_TIMES = 2
#: Seconds without a request after which the process ends.
_IDLE_S = 5.0
#: Seconds between two looks into the cache for one kernel.
_LOOK_EVERY_S = 0.1


def wanted() -> bool:
    """Return False where the environment asks for compilation first."""
    return os.environ.get(COMPILE_FIRST, "") in ("", "0")


def in_cache(kernel: Kernel, signature: tuple[Any, ...]) -> bool:
    """Return True if the machine code of a kernel is in this process or complete in the cache."""
    if signature in kernel.native.overloads:
        return True
    cache: Any = getattr(kernel.native, "_cache", None)
    file = getattr(cache, "_cache_file", None)
    if file is None:
        return False
    if not Path(file._index_path).is_file():
        return False
    key = cache._index_key(signature, kernel.native.targetctx.codegen())
    try:
        name = file._load_index().get(key)
    except (OSError, EOFError, pickle.UnpicklingError):
        return False
    return name is not None and Path(file._data_path(name)).is_file() and _is_free(kernel)


def _is_free(kernel: Kernel) -> bool:
    """Return False while another process holds the kernel's lock (engine.jit): it has still to end its compilation."""
    function = kernel.native.py_func
    folder = Path(kernel.native._cache.cache_path).parent
    lock = filelock.FileLock(folder / f"{function.__module__}.{function.__name__}.lock")
    try:
        with lock.acquire(blocking=False):
            return True
    except filelock.Timeout:
        return False
    except OSError:
        return True


class Compiler:
    """The process that compiles for this one. It starts with a request and ends when none has come for a while."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked: dict[tuple[str, str, Any], int] = {}
        self._looked: dict[tuple[Kernel, Any], float] = {}
        self._process: subprocess.Popen[bytes] | None = None

    def has_compiled(self, kernel: Kernel, signature: tuple[Any, ...]) -> bool:
        """Return True if the kernel can be loaded; if not, have it compiled. Look ten times a second at most."""
        now, key = time.monotonic(), (kernel, signature)
        if now < self._looked.get(key, 0.0):
            return False
        if in_cache(kernel, signature):
            return True
        self._looked[key] = now + _LOOK_EVERY_S
        with self._lock, suppress(OSError, ValueError):
            self._ask(kernel, signature)
        return False

    def _ask(self, kernel: Kernel, signature: tuple[Any, ...]) -> None:
        """Send a request; once more if the process has ended, and never again if it ends a second time."""
        function = kernel.native.py_func
        request = function.__module__, function.__name__, signature
        alive = self._process is not None and self._process.poll() is None
        times = self._asked.get(request, 0)
        if times >= _MOST_TIMES or (times and alive):
            return
        self._asked[request] = times + 1
        if self._process is None or not alive:
            self._process = _start()
        assert self._process.stdin is not None
        pickle.dump((*request[:2], pickle.dumps(signature)), self._process.stdin)
        self._process.stdin.flush()


@functools.cache
def _compiler_of(process: int) -> Compiler:
    return Compiler()


def compiler() -> Compiler:
    """Return the compiler of this process; a process that was forked from another one has its own."""
    return _compiler_of(os.getpid())


def _start() -> subprocess.Popen[bytes]:
    if not sys.executable:
        raise OSError("no program is known that runs Python")
    paths = [str(package_folder().parent), os.environ.get("PYTHONPATH", "")]
    return subprocess.Popen(
        [sys.executable, "-m", __name__],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths)), COMPILE_FIRST: "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _serve(requests: IO[bytes]) -> None:
    """Compile what comes in; end when the other end has closed, or nothing has come for a while."""
    if hasattr(os, "nice"):
        os.nice(_NICE)
    came: queue.Queue[tuple[str, str, bytes] | None] = queue.Queue()
    threading.Thread(target=_read, args=(requests, came), daemon=True).start()
    with suppress(queue.Empty, KeyboardInterrupt):
        while (request := came.get(timeout=_IDLE_S)) is not None:
            with filelock.FileLock(cache_root() / _LOCK), suppress(Exception):
                _compile(*request)


def _read(requests: IO[bytes], came: queue.Queue[tuple[str, str, bytes] | None]) -> None:
    with suppress(EOFError, OSError):
        while True:
            came.put(pickle.load(requests))  # noqa: S301 - the process that started this one writes
    came.put(None)


def _compile(module: str, name: str, signature: bytes) -> None:
    """Compile one kernel. Loaded here: a process that waits for another one has loaded nothing."""
    from importlib import import_module

    from scheduler_core.engine.compile_progress import leave_marks
    from scheduler_core.engine.giving_way import compile_for_people

    compile_for_people()
    leave_marks()
    getattr(import_module(module), name).native.compile(pickle.loads(signature))  # noqa: S301 - the same


if __name__ == "__main__":
    _serve(sys.stdin.buffer)
