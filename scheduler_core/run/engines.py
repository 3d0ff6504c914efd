"""What runs the event loop of a run: Numba's machine code, or the loop's built module by wasmtime."""

from __future__ import annotations

from typing import Any

from scheduler_core.engine.entry import Kernel
from scheduler_core.engine.wasm.packed import BUILD
from scheduler_core.errors import ExperimentError, Problem, UnknownName

NATIVE, WASMTIME = "native", "wasmtime"
ENGINES = (NATIVE, WASMTIME)
"""The engines by name. All of them end a run with the same arrays, to the last bit."""


def engine_by_name(name: str) -> ModuleEngine | None:
    """Return a new engine for one run; None is Numba's machine code. Raises UnknownName."""
    if name == NATIVE:
        return None
    if name == WASMTIME:
        return ModuleEngine()
    raise UnknownName("engine", name, list(ENGINES))


class ModuleEngine:
    """The engine of one run by built modules. Raises ExperimentError where the run's loop has none that fits."""

    def __init__(self) -> None:
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
        """Run an event loop."""
        try:
            return self._machine.call(kernel, arguments)
        except self._error as error:
            raise self._problem(error) from error

    @staticmethod
    def _problem(error: Exception) -> ExperimentError:
        remedy = f"take the engine {NATIVE}, or build the modules: {BUILD}"
        return ExperimentError([Problem("engine", f"{WASMTIME}: {error}", remedy=remedy)])
