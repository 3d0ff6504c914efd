"""Run a kernel from its module as long as it is not compiled; another process compiles it (engine.beside).

An event loop runs in the memory of its run (run.engines). This module runs all other kernels: it copies their arrays
into a memory of the process and back.
"""

from __future__ import annotations

import functools
import json
import os
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine import beside, compiled, entry
from scheduler_core.engine.compile_progress import kernel_name
from scheduler_core.engine.entry import Kernel

LOOP = "advance"
#: A larger memory is given back after a call.
_KEPT_BYTES = 8 << 20
#: Bytes of a run's arrays that may be copied at each call.
_COPIED_BYTES = 1 << 20


def use_modules() -> None:
    """Run kernels from their modules in this process from now on, where they are not compiled."""
    if not entry.not_compiled and beside.wanted():
        entry.not_compiled.append(Meanwhile())


class Meanwhile:
    """The engine of kernels that are not compiled."""

    def call(self, kernel: Kernel, arguments: tuple[Any, ...]) -> Any:
        """Run a kernel by machine code if there is some, or if it has no module; else from its module."""
        if too_large(arguments) or runs_natively(kernel, arguments):
            kernel.compiled = True
            return kernel.native(*arguments)
        from scheduler_core.engine.wasm.machine import ModuleError

        try:
            with _lock:
                return _call(kernel, arguments)
        except ModuleError:  # too little memory, or the machine cannot run it: the kernel has not begun
            return kernel.native(*arguments)


def runs_natively(kernel: Kernel, arguments: tuple[Any, ...]) -> bool:
    """Return True if a call goes to Numba; if not, the kernel's module fits, and another process compiles the kernel.

    A thread that compiles on purpose, or that may not compile, gets machine code in any case.
    """
    if compiled.is_strict() or kernel.native.overloads or not beside.wanted():
        return True
    if lacking() or overlap(arguments) or not _fits(kernel, arguments):
        return True
    signature = tuple(kernel.native.typeof_pyval(each) for each in arguments)
    return beside.compiler().has_compiled(kernel, signature)


def too_large(arguments: tuple[Any, ...]) -> bool:
    """Return True if copies of a run's arrays, at every call, would take longer than to compile a small kernel once."""
    states = [each for each in arguments if hasattr(each, "_fields")]
    return sum(array.nbytes for array in _arrays(tuple(states))) > _COPIED_BYTES


def overlap(arguments: tuple[Any, ...]) -> bool:
    """Return True if an array shares memory with another one: as copies they would not. States share none within."""
    alone = [each for each in arguments if isinstance(each, np.ndarray)]
    every = list(_arrays(arguments)) if alone else []
    return any(one is not two and np.may_share_memory(one, two) for one in alone for two in every)


def _arrays(arguments: tuple[Any, ...]) -> Iterator[npt.NDArray[Any]]:
    for each in arguments:
        if isinstance(each, np.ndarray):
            yield each
        elif isinstance(each, tuple):
            yield from _arrays(each)


def lacking() -> str:
    """Return why no module can run here now; an empty text where modules run.

    Only success is remembered. A failure may be of this moment: a worker that reads a user's file has a bound on its
    memory, and the same process runs modules a second later.
    """
    try:
        _made_one()
    except Exception as error:  # whatever is wrong with it: kernels are compiled, as without wasmtime
        return f"{type(error).__name__}: {error}"
    return ""


@functools.cache
def _made_one() -> None:
    """Make a memory of a module once. Raises whatever hinders it, such as ModuleError or ImportError."""
    from scheduler_core.engine.wasm import machine

    machine.Machine()


def _fits(kernel: Kernel, arguments: tuple[Any, ...]) -> bool:
    from scheduler_core.engine.wasm import packed
    from scheduler_core.engine.wasm.interface import interface_of

    usable = packed.usable(kernel_name(kernel.native.py_func))
    takes = interface_of(arguments) if usable else []
    return any(each.takes == takes for each in usable)


#: Memories by kernel and what it takes: the constants of two modules would lie at one place.
_machines: dict[tuple[int, Kernel, str], Any] = {}
_lock = threading.Lock()


def _call(kernel: Kernel, arguments: tuple[Any, ...]) -> Any:
    from scheduler_core.engine.wasm.interface import interface_of
    from scheduler_core.engine.wasm.machine import Machine

    key = os.getpid(), kernel, json.dumps(interface_of(arguments))
    machine = _machines.setdefault(key, None) or Machine()
    answer = machine.call(kernel, arguments)
    _machines[key] = machine if machine.size <= _KEPT_BYTES else None
    return answer
