"""The entry of a compiled function for calls from Python: by Numba's machine code, or by another engine.

Compiled functions call each other without this entry. A change of this file recompiles nothing (engine.sources).
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from typing import Protocol as _Protocol


class Engine(_Protocol):
    """What runs a kernel in place of Numba's machine code."""

    def call(self, kernel: Kernel, arguments: tuple[Any, ...], /) -> Any:
        """Return what the kernel returns for these arguments; its arrays hold afterwards what it wrote."""
        ...


_this = threading.local()
as_callee: list[Callable[[Kernel], Any]] = []
"""What gives compiled callers another dispatcher of a kernel: for code that is built for another machine."""
not_compiled: list[Engine] = []
"""What runs a kernel that is not compiled yet (engine.wasm.meanwhile). If it is empty, Numba compiles it first."""


@contextmanager
def calling_by(engine: Engine | None) -> Iterator[None]:
    """Run by `engine` the kernels that this thread calls meanwhile; None is Numba's machine code."""
    before = getattr(_this, "engine", None)
    _this.engine = engine
    try:
        yield
    finally:
        _this.engine = before


class Kernel:
    """A compiled function as Python calls it. All else that is asked of it goes to Numba's dispatcher."""

    def __init__(self, native: Any) -> None:
        self.native = native
        self.compiled = False
        """True once calls go to Numba's machine code without a look at what else could run this kernel."""
        functools.update_wrapper(self, native.py_func)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Run the function by the engine of this thread; with named arguments, by Numba's machine code."""
        engine: Engine | None = getattr(_this, "engine", None)
        if engine is None and not self.compiled and not_compiled:
            engine = not_compiled[0]
        return self.native(*arguments, **named) if engine is None or named else engine.call(self, arguments)

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the dispatcher; compiled callers find its type there."""
        if name == "native":  # a copy in the making has none yet
            raise AttributeError(name)
        return getattr(self.native, name)

    @property
    def _numba_type_(self) -> Any:
        """The type that compiled callers see."""
        return (as_callee[0](self) if as_callee else self.native)._numba_type_

    def __reduce__(self) -> str:
        """Pickle the function by its name, as Python does."""
        return str(self.native.py_func.__qualname__)
