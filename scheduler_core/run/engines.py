"""What runs the event loop of a run: Numba's machine code, or the loop's built module by wasmtime.

By default a run takes machine code where there is some. Where there is none yet, it begins with the module while
another process compiles (engine.beside), and changes over between two slices, or never. Its arrays stay in the module's
memory, so a change-over copies nothing, and the result is the same.
"""

from __future__ import annotations

from typing import Any, Protocol

from scheduler_core.engine import sources
from scheduler_core.engine.compiled import compiling
from scheduler_core.engine.entry import Kernel, calling_by
from scheduler_core.engine.wasm import packed
from scheduler_core.engine.wasm.meanwhile import LOOP, lacking, runs_natively, use_modules
from scheduler_core.errors import ExperimentError, Problem, UnknownName
from scheduler_core.run.engine_names import AUTO, ENGINES, NATIVE, WASMTIME


class RunEngine(Protocol):
    """What runs the event loop of one run."""

    def settle(self, state: Any) -> Any:
        """Return a named tuple of arrays, each where this engine works on it without a copy."""
        ...

    def call(self, kernel: Kernel, arguments: tuple[Any, ...], /) -> Any:
        """Run a kernel."""
        ...

    @property
    def measures(self) -> bool:
        """Return True if the whole run could read the processor's clock: modules have none."""
        ...


def engine_by_name(name: str) -> RunEngine:
    """Return a new engine for one run. Raises UnknownName."""
    if name == AUTO:
        return FirstByModule()
    if name == NATIVE:
        return MachineCode()
    if name == WASMTIME:
        return ModuleEngine()
    raise UnknownName("engine", name, list(ENGINES))


def prepare_modules() -> None:
    """Compute the digests of kernels and modules, and keep them in the cache: the first run then finds them."""
    sources.known_digests()
    packed.digests()


class MachineCode:
    """The engine of one run by Numba's machine code, which is compiled first where there is none."""

    measures = True

    def settle(self, state: Any) -> Any:
        """Return the arrays as they are."""
        return state

    def call(self, kernel: Kernel, arguments: tuple[Any, ...]) -> Any:
        """Run a kernel."""
        with compiling():
            return kernel.native(*arguments)


class FirstByModule:
    """The engine of one run that does not wait for a compiler: the loop's module until machine code is there."""

    def __init__(self) -> None:
        self.measures = True
        self._machine: Any = None
        self._decided = False

    def settle(self, state: Any) -> Any:
        """Return a named tuple of arrays; all of them lie in the module's memory once the module has run."""
        if self._machine is None:
            return state
        from scheduler_core.engine.wasm.machine import ModuleError

        try:
            return self._machine.settle(state)
        except ModuleError:  # more than a module can address
            self._machine, self._decided = None, True
            return state

    def call(self, kernel: Kernel, arguments: tuple[Any, ...]) -> Any:
        """Run an event loop by what is there at this moment; other kernels decide for themselves (engine.entry)."""
        if kernel.native.py_func.__name__ != LOOP:
            with calling_by(None):
                return kernel(*arguments)
        if not self._decided and self.changes_over(kernel, arguments):
            self._machine, self._decided = None, True
        return kernel.native(*arguments) if self._decided else self._from_module(kernel, arguments)

    def changes_over(self, kernel: Kernel, arguments: tuple[Any, ...]) -> bool:
        """Return True if machine code runs the loop from now on."""
        return runs_natively(kernel, arguments)

    def _from_module(self, kernel: Kernel, arguments: tuple[Any, ...]) -> Any:
        from scheduler_core.engine.wasm.machine import Machine, ModuleError

        self.measures = False
        try:
            if self._machine is None:
                self._machine = Machine()
            return self._machine.call(kernel, arguments)
        except ModuleError:
            self._machine, self._decided = None, True
            return kernel.native(*arguments)


class ModuleEngine:
    """The engine of one run by built modules. Raises ExperimentError where the run's loop has none that fits."""

    measures = False

    def __init__(self) -> None:
        if reason := lacking():
            raise self._problem(RuntimeError(f"does not work here: {reason}"))
        # Loaded here: who never asks for this engine does not load wasmtime.
        from scheduler_core.engine.wasm import machine

        self._machine = machine.Machine()
        self._error = machine.ModuleError

    def settle(self, state: Any) -> Any:
        """Return a named tuple of arrays with all of them in the engine's memory."""
        try:
            return self._machine.settle(state)
        except self._error as error:
            raise self._problem(error) from error

    def call(self, kernel: Kernel, arguments: tuple[Any, ...]) -> Any:
        """Run an event loop; other kernels decide for themselves (engine.entry)."""
        if kernel.native.py_func.__name__ != LOOP:
            with calling_by(None):
                return kernel(*arguments)
        try:
            return self._machine.call(kernel, arguments)
        except self._error as error:
            raise self._problem(error) from error

    @staticmethod
    def _problem(error: Exception) -> ExperimentError:
        remedy = f"take the engine {NATIVE}, or build the modules: {packed.BUILD}"
        return ExperimentError([Problem("engine", f"{WASMTIME}: {error}", remedy=remedy)])


use_modules()
