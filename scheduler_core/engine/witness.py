"""Note which event loop a run calls, and with what, without running it."""

from __future__ import annotations

from typing import Any

from scheduler_core.engine.entry import Kernel, calling_by
from scheduler_core.engine.events import REACHED


class Witness:
    """An engine (engine.entry) that notes each call of an event loop in `called` and runs only other kernels."""

    def __init__(self) -> None:
        self.called: list[tuple[Kernel, tuple[Any, ...]]] = []

    def call(self, kernel: Kernel, arguments: tuple[Any, ...]) -> Any:
        """Return REACHED for an event loop, and what it returns for any other kernel."""
        if kernel.native.py_func.__name__ != "advance":
            with calling_by(None):
                return kernel(*arguments)
        self.called.append((kernel, arguments))
        return REACHED
