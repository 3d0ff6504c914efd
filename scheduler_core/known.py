"""What an experiment may name that is declared on higher floors: schedulers, and formats of traces.

The model of an experiment imports neither, so it asks here. The library's root, which Python imports before any part of
it, says by `tell` who answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol


class Registries(Protocol):
    """Who answers; loads what it needs when it is asked."""

    def scheduler_params(self) -> Mapping[str, type[Any]]:
        """Each listed scheduler's model of its parameters (world.spec.Params) by the scheduler's name, in order."""
        ...

    def params_of(self, name: str) -> type[Any] | None:
        """Look up the model of a scheduler's parameters, of one that is not listed, too; None for an unknown name."""
        ...

    def trace_formats(self) -> Sequence[str]:
        """Names of the formats that traces may have, in order."""
        ...

    def trace_format(self, path: Path) -> str | None:
        """Name of the format that a file has; None where it has none of them, or cannot be read."""
        ...


_answers: list[Callable[[], Registries]] = []


def tell(registries: Callable[[], Registries]) -> None:
    """Say who answers from now on; called when the first question comes."""
    _answers[:] = [registries]


def registries() -> Registries:
    """Who answers."""
    return _answers[0]()
