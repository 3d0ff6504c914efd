"""Let the experiment model look up names that higher floors declare: schedulers and trace formats.

The model of an experiment imports neither schedulers nor trace readers. It calls `registries` instead. The library's
root, which Python imports before any other part of the library, sets the provider with `tell`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol


class Registries(Protocol):
    """The registries behind the names in an experiment. Each question loads only the registry that it needs."""

    def scheduler_params(self) -> Mapping[str, type[Any]]:
        """Return each listed scheduler's parameter model (world.spec.Params) by scheduler name, in order."""
        ...

    def params_of(self, name: str) -> type[Any] | None:
        """Return the parameter model of a scheduler, listed or not; None for an unknown name."""
        ...

    def plugin_sha256(self, name: str) -> str | None:
        """Return the SHA-256 of the file of a loaded plugin, as hex; None for any other scheduler."""
        ...

    def trace_formats(self) -> Sequence[str]:
        """Return the names of the supported trace formats, in order."""
        ...

    def trace_format(self, path: Path) -> str | None:
        """Return the name of a file's trace format; None if no format matches or the file cannot be read."""
        ...


_answers: list[Callable[[], Registries]] = []


def tell(registries: Callable[[], Registries]) -> None:
    """Set the function that returns the registries. It is called at the first question."""
    _answers[:] = [registries]


def registries() -> Registries:
    """Return the registries that `tell` has set."""
    return _answers[0]()
