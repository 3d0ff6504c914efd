"""Run a kernel, above all an event loop, from its module by wasmtime, in place of Numba's machine code.

The run's arrays lie in the module's linear memory, and Python works on views of them: nothing is copied between two
calls. An array that lies elsewhere (one that has grown, or was restored from a snapshot) is copied in before a call and
back after it, until `settle` moves it.
"""

from __future__ import annotations

import atexit
import ctypes
import functools
import hashlib
import math
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from typing import Any, NamedTuple, TypeVar

import numpy as np
import wasmtime

from scheduler_core.engine import sources
from scheduler_core.engine.compile_progress import kernel_name
from scheduler_core.engine.entry import Kernel
from scheduler_core.engine.wasm import packed
from scheduler_core.engine.wasm.finish import HEAP
from scheduler_core.engine.wasm.interface import RESULTS, interface_of

State = TypeVar("State", bound=NamedTuple)

_PAGE, _LINE = 1 << 16, 64
_MOST_BYTES = 1 << 32
_HEADER_WORDS = 5
"""Numba's array begins with its two owners (none here), its items, the bytes of an item and its address."""
_RESULT, _ERROR = HEAP, HEAP + 16
_FIRST_WORD = HEAP + 64


class ModuleError(Exception):
    """Raised where a loop cannot run from a module: there is none of today's sources, or it does not fit."""


class Machine:
    """One linear memory with the arrays of one run, and the modules that work on them.

    It belongs to one run, which calls it from one thread at a time. A view of its memory keeps all of it.
    """

    def __init__(self) -> None:
        with _possible():
            self._store = wasmtime.Store(_engine())
            kind = wasmtime.MemoryType(wasmtime.Limits(_pages(HEAP + _PAGE), None))
            self._memory = wasmtime.Memory(self._store, kind)
        self._base = self._address()
        # Each call writes the words of its arrays from here on; the arrays begin behind them.
        self._end = HEAP + _PAGE
        self._loops: dict[str, Any] = {}

    def call(self, kernel: Kernel, arguments: tuple[Any, ...]) -> Any:
        """Run a kernel by its module. Raises ModuleError where no module fits."""
        run, result = self._loop(kernel_name(kernel.native.py_func), arguments)
        words: list[int] = []
        end = self._end
        outside: list[tuple[Any, Any]] = []
        starts = [value for each in arguments for value in self._passed(each, words, outside)]
        self._write_words(words)
        for array, view in outside:
            view[...] = array
        status = run(self._store, _RESULT, _ERROR, *starts)
        for array, view in outside:
            if array.flags.writeable:
                array[...] = view
        self._end = end  # the copies' room is free again
        if status != 0:
            raise RuntimeError(f"{kernel.native.py_func.__module__} raised an error (status {status})")
        return None if result is None else self._view(_RESULT, 8)[: result.itemsize].view(result)[0].item()

    @property
    def size(self) -> int:
        """Return the bytes of the memory."""
        return int(self._memory.size(self._store)) * _PAGE

    def settle(self, state: State) -> State:
        """Return a named tuple of arrays with each array in this memory, as a view; those that lie here stay."""
        return type(state)(*(each if self._place(each) >= 0 else self._move(each) for each in state))

    # -- modules

    def _loop(self, name: str, arguments: tuple[Any, ...]) -> Any:
        if name not in self._loops:
            usable = packed.usable(name)
            if not usable:
                raise ModuleError(f"no module of today's sources for {name}")
            takes = interface_of(arguments)
            built = next((each for each in usable if each.takes == takes), None)
            if built is None:
                raise ModuleError(f"the module of {name} is for arrays with other columns")
            with _possible():
                instance = wasmtime.Instance(self._store, _module(built), [self._memory])
            self._loops[name] = instance.exports(self._store)["run"], RESULTS[built.returns]
        return self._loops[name]

    # -- memory

    def _passed(self, argument: Any, words: list[int], outside: list[tuple[Any, Any]]) -> list[Any]:
        """Return the values by which a module takes an argument: the address of a named tuple's words, or all words."""
        if hasattr(argument, "_fields"):
            return [self._lay_out(argument, words, outside)]
        if isinstance(argument, tuple):
            return [value for each in argument for value in self._passed(each, words, outside)]
        if isinstance(argument, np.ndarray):
            return self._words(argument, outside)
        return [float(argument) if isinstance(argument, float) else int(argument)]

    def _lay_out(self, arrays: Any, words: list[int], outside: list[tuple[Any, Any]]) -> int:
        """Append the words of a named tuple's arrays; return where the first one will lie."""
        start = _FIRST_WORD + 8 * len(words)
        for array in arrays:
            words += self._words(array, outside)
        return start

    def _words(self, array: Any, outside: list[tuple[Any, Any]]) -> list[int]:
        place = self._place(array)
        if place < 0:
            view = self._room(array)
            outside.append((array, view))
            array, place = view, self._place(view)
        return [0, 0, array.size, array.itemsize, place, *array.shape, *array.strides]

    def _write_words(self, words: list[int]) -> None:
        if 8 * len(words) > _PAGE - (_FIRST_WORD - HEAP):
            raise ModuleError("the loop takes too many arrays")
        self._view(_FIRST_WORD, 8 * len(words)).view(np.int64)[:] = words

    def _place(self, array: Any) -> int:
        """Return where an array lies in this memory; -1 for an array elsewhere, or one with gaps."""
        place = int(array.__array_interface__["data"][0]) - self._base
        inside = HEAP <= place and place + array.nbytes <= self._end
        return place if inside and array.flags.c_contiguous else -1

    def _move(self, array: Any) -> Any:
        view = self._room(array)
        view[...] = array
        return view

    def _room(self, array: Any) -> Any:
        """Return a view of new room for an array of this shape and type; it begins at a processor cache line."""
        start, size = self._end, math.prod(array.shape) * array.itemsize
        end = start + -(-size // _LINE) * _LINE + _LINE
        if end > _MOST_BYTES:
            raise ModuleError(
                f"the run needs more than {_MOST_BYTES >> 30} GiB, which is all that a module can address"
            )
        missing = _pages(end) - self._memory.size(self._store)
        if missing > 0:
            with _possible():
                self._memory.grow(self._store, missing)
            assert self._address() == self._base, "the engine reserves all addresses of a memory"
        self._end = end
        return self._view(start, max(size, 1))[:size].view(array.dtype).reshape(array.shape).view(type(array))

    def _view(self, start: int, size: int) -> Any:
        owned: Any = (ctypes.c_uint8 * size).from_address(self._base + start)
        owned.machine = self  # the memory lives as long as a view of it
        return np.frombuffer(owned, np.uint8)

    def _address(self) -> int:
        return ctypes.addressof(self._memory.data_ptr(self._store).contents)


@contextmanager
def _possible() -> Iterator[None]:
    """Raise ModuleError for what this machine cannot do, such as to reserve more addresses."""
    try:
        yield
    except wasmtime.WasmtimeError as error:
        raise ModuleError(str(error)) from error


def _pages(size: int) -> int:
    return -(-size // _PAGE)


@functools.cache
def _engine() -> wasmtime.Engine:
    atexit.register(_end_quietly)
    config = wasmtime.Config()
    config.memory_reservation = _MOST_BYTES
    config.memory_may_move = False
    # A process that was forked from this one has none of the threads that would compile in parallel.
    config.parallel_compilation = False
    return wasmtime.Engine(config)


def _end_quietly() -> None:
    """Leave what is left to the operating system: wasmtime's destructors fail while the interpreter ends."""
    for part in wasmtime.Store.__mro__:
        if "__del__" in vars(part):
            part.__del__ = lambda self: None  # type: ignore[attr-defined]


_loaded: dict[str, wasmtime.Module] = {}


def _module(built: packed.Built) -> wasmtime.Module:
    """Return a module as machine code: from this process, from the cache, or compiled and cached."""
    if built.file not in _loaded:
        _loaded[built.file] = _compiled(packed.module_bytes(built))
    return _loaded[built.file]


def _compiled(module: bytes) -> wasmtime.Module:
    name = f"{hashlib.sha256(module).hexdigest()[:32]}.compiled"
    path = sources.cache_root() / "modules" / f"wasmtime-{version('wasmtime')}" / name
    with suppress(OSError, wasmtime.WasmtimeError):  # missing, or of another processor
        return wasmtime.Module.deserialize(_engine(), path.read_bytes())
    compiled = wasmtime.Module(_engine(), module)
    sources.keep(path, bytes(compiled.serialize()))
    return compiled
