"""Answers what an experiment may name (known.Registries): each question loads only the registry that it is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from scheduler_core.errors import TraceError
from scheduler_core.world.spec import Params


def scheduler_params() -> Mapping[str, type[Params]]:
    """Each listed scheduler's model of its parameters by the scheduler's name, in order."""
    from scheduler_core.schedulers import SCHEDULERS

    return {spec.name: spec.params for spec in SCHEDULERS}


def params_of(name: str) -> type[Params] | None:
    """Look up the model of a scheduler's parameters, of one that is not listed, too; None for an unknown name."""
    from scheduler_core.schedulers import UNLISTED

    return scheduler_params().get(name) or {spec.name: spec.params for spec in UNLISTED}.get(name)


def trace_formats() -> Sequence[str]:
    """Names of the formats that traces may have, in order."""
    from scheduler_core.workload.readers.registry import TRACE_READERS

    return [reader.name for reader in TRACE_READERS]


def trace_format(path: Path) -> str | None:
    """Name of the format that a file has; None where it has none of them, or cannot be read."""
    from scheduler_core.workload.readers.registry import recognise

    try:
        return recognise(path).name
    except TraceError:
        return None
