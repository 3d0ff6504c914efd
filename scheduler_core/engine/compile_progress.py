"""Progress of compilation: compiled functions, expected functions, and the seconds left.

The expected figures come from earlier compilations on this machine. Before the first compilation they are the shipped
figures, which `python -m bench.compile_figures` makes. A process that compiles leaves a mark in the cache, because
several processes may wait for one kernel. Kernels do not depend on this file, so a change here recompiles nothing.
"""

from __future__ import annotations

import functools
import gc
import json
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numba.core import event

from scheduler_core.engine import sources
from scheduler_core.engine.jit import watch_compiling
from scheduler_core.engine.quicker import collect_later

_SHIPPED = Path(__file__).with_name("compile_figures.json")
_LEARNED, _MARKS = "compile-times.json", "compiling"
#: Bounds on how much slower or faster a machine may be than the shipped figures.
_SLOWEST, _FASTEST = 20.0, 0.1
_TELL_EVERY_S, _MARK_EVERY_S = 0.5, 0.3
#: A process that leaves no mark for so long has died.
_MARK_COUNTS_S = 120.0


@dataclass(frozen=True)
class Figure:
    """The cost of compiling one kernel: its functions, including those that it calls, and seconds."""

    functions: int
    seconds: float


@dataclass(frozen=True)
class Compiled:
    """The progress of compilation; `left_s` is None if the time left is unknown."""

    done: int
    known: int
    left_s: float | None


@contextmanager
def follow_compiling(scheduler: str, told: Callable[[Compiled], None]) -> Iterator[None]:
    """Call `told` twice a second, in its own thread, while a kernel for a scheduler's run compiles."""
    leave_marks()
    following = _Following(scheduler, told)
    thread = threading.Thread(target=following.tell, name="compiling", daemon=True)
    try:
        with watch_compiling(following.turn):
            thread.start()
            yield
    finally:
        following.stop.set()
        thread.join()


class _Following:
    """Read the cache and the marks while this process compiles or waits for a process that does."""

    def __init__(self, scheduler: str, told: Callable[[Compiled], None]) -> None:
        self._scheduler, self._told = scheduler, told
        self._known: dict[str, Figure] | None = None
        self._lock, self._on = threading.Lock(), threading.Event()
        self.stop = threading.Event()

    def turn(self, compiling: bool) -> None:
        """Handle the beginning or the end of a compilation; report nothing after the end."""
        with self._lock:
            if compiling:
                self._on.set()
            else:
                self._on.clear()

    def tell(self) -> None:
        while not self.stop.wait(_TELL_EVERY_S):
            if self._on.is_set():
                if self._known is None:
                    self._known = expected(not_cached(self._scheduler))
                found = look(self._known)
                with self._lock:
                    if self._on.is_set() and found.known:
                        self._told(found)


def look(known: dict[str, Figure]) -> Compiled:
    """Return the progress of the kernels that were not in the cache, based on their figures."""
    missing = _missing(known)
    done = sum(each.functions for name, each in known.items() if name not in missing)
    left = sum(known[name].seconds for name in missing)
    for name in missing:
        functions, began = _read_mark(name)
        done += min(functions, known[name].functions)
        left -= min(max(time.time() - began, 0.0), known[name].seconds) if began else 0.0
    return Compiled(done, sum(each.functions for each in known.values()), max(left, 1.0) if missing else 0.0)


def expected(kernels: Collection[str]) -> dict[str, Figure]:
    """Return the expected figures of some kernels: learned here, or shipped and scaled to this machine's speed."""
    learned, shipped = learned_figures(), shipped_figures()[0]
    both = [name for name in learned if name in shipped]
    here, there = sum(learned[name].seconds for name in both), sum(shipped[name].seconds for name in both)
    slower = min(max(here / there, _FASTEST), _SLOWEST) if there > 0 else 1.0
    scaled = {name: Figure(each.functions, each.seconds * slower) for name, each in shipped.items()}
    return {name: (scaled | learned)[name] for name in kernels if name in scaled or name in learned}


def not_cached(scheduler: str) -> list[str]:
    """Return the kernels that a scheduler's runs need and that are not in the cache."""
    return _missing(shipped_figures()[1].get(scheduler, ()))


def _missing(kernels: Collection[str]) -> list[str]:
    root, digests = sources.cache_root(), sources.known_digests()
    return [name for name in kernels if not any((root / digests.get(name, "-")).rglob("*.nbc"))]


def kernel_name(function: Callable[..., Any]) -> str:
    """Name a kernel by its file in this library and its own name, as the cache's digests do."""
    path = Path(function.__code__.co_filename)
    with suppress(ValueError):
        path = path.resolve().relative_to(sources.package_folder())
    return f"{path.as_posix()}:{function.__name__}"


# -- figures


@functools.cache
def shipped_figures() -> tuple[dict[str, Figure], dict[str, tuple[str, ...]]]:
    """Return the shipped figures by kernel, and the kernels that each scheduler's runs need."""
    try:
        told = json.loads(_SHIPPED.read_text(encoding="utf-8"))
        schedulers = {name: tuple(kernels) for name, kernels in told["schedulers"].items()}
        return _figures(told["kernels"]), schedulers
    except (OSError, ValueError, KeyError, TypeError):
        return {}, {}


def write_shipped(kernels: dict[str, Figure], schedulers: dict[str, list[str]]) -> None:
    """Write the shipped figures."""
    parts: dict[str, dict[str, Any]] = {
        "kernels": {name: [each.functions, round(each.seconds, 2)] for name, each in kernels.items()},
        "schedulers": {name: sorted(used) for name, used in schedulers.items()},
    }
    rows = {
        part: ",\n".join(f"  {json.dumps(k)}: {json.dumps(each[k])}" for k in sorted(each))
        for part, each in parts.items()
    }
    text = ",\n".join(f' "{part}": {{\n{each}\n }}' for part, each in rows.items())
    _SHIPPED.write_text(f"{{\n{text}\n}}\n", encoding="utf-8")


def learned_figures() -> dict[str, Figure]:
    """Return the measured figures of compilations on this machine, by kernel."""
    with suppress(OSError, ValueError, TypeError, AttributeError):
        return _figures(json.loads((sources.cache_root() / _LEARNED).read_text(encoding="utf-8")))
    return {}


def _figures(told: dict[str, Any]) -> dict[str, Figure]:
    return {name: Figure(int(functions), float(seconds)) for name, (functions, seconds) in told.items()}


def _learn(name: str, figure: Figure) -> None:
    learned = {**learned_figures(), name: figure}
    told = {name: [each.functions, round(each.seconds, 2)] for name, each in sorted(learned.items())}
    _write(sources.cache_root() / _LEARNED, json.dumps(told))


# -- marks


@functools.cache
def leave_marks() -> None:
    """Start to mark in the cache when this process compiles a kernel, and to learn from each compilation.

    Garbage collection pauses during a compilation.
    """
    event.register("numba:compile", _Marks())  # type: ignore[no-untyped-call]


class _Marks(event.Listener):
    """Count functions as they compile; the functions of a kernel arrive nested.

    A compilation that stopped early is no figure to learn; the next attempt counts on from where it was.
    """

    def __init__(self) -> None:
        self._stopped: dict[str, Figure] = {}
        self._depth = self._functions = 0
        self._kernel, self._began, self._next = "", 0.0, 0.0
        self._collected = False

    def on_start(self, event: Any) -> None:
        """Start counting at the outermost function, which is a kernel."""
        self._depth += 1
        if self._depth == 1:
            self._kernel = kernel_name(event.data["dispatcher"].py_func)
            before = self._stopped.pop(self._kernel, Figure(0, 0.0))
            self._functions, self._began = before.functions, time.time() - before.seconds
            # Going through Numba's many objects again and again took an eighth of the time and freed nearly nothing.
            self._collected = gc.isenabled()
            gc.disable()
            self._mark()

    def on_end(self, event: Any) -> None:
        """Count a function; if it is the kernel itself, learn the kernel's figures."""
        self._depth -= 1
        # Numba 0.68's `is_failed` is true where nothing failed.
        failed = event._exc_details is not None
        self._functions += not failed
        if self._depth == 0:
            if self._collected:
                collect_later()
            figure = Figure(self._functions, time.time() - self._began)
            if failed:
                self._stopped[self._kernel] = figure
            else:
                _learn(self._kernel, figure)
            with suppress(OSError):
                _mark_file(self._kernel).unlink(missing_ok=True)
        elif time.time() > self._next:
            self._mark()

    def _mark(self) -> None:
        self._next = time.time() + _MARK_EVERY_S
        _write(_mark_file(self._kernel), json.dumps([self._functions, self._began]))


def _read_mark(kernel: str) -> tuple[int, float]:
    with suppress(OSError, ValueError, TypeError):
        file = _mark_file(kernel)
        if time.time() - file.stat().st_mtime < _MARK_COUNTS_S:
            functions, began = json.loads(file.read_text(encoding="utf-8"))
            return int(functions), float(began)
    return 0, 0.0


def _mark_file(kernel: str) -> Path:
    return sources.cache_root() / _MARKS / kernel.replace("/", ".").replace(":", ".")


def _write(path: Path, text: str) -> None:
    """Write a file atomically; do nothing if the cache is not writable."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
            file.write(text)
        Path(file.name).replace(path)
