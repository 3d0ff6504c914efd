"""Answer which names an experiment may use (known.Registries). Each question loads only its own registry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from scheduler_core.errors import TraceError, UnknownName
from scheduler_core.world.spec import Params


def scheduler_params() -> Mapping[str, type[Params]]:
    """Return each listed scheduler's parameter model by scheduler name, in order."""
    from scheduler_core.schedulers import SCHEDULERS

    return {spec.name: spec.params for spec in SCHEDULERS}


def params_of(name: str) -> type[Params] | None:
    """Return the parameter model of a scheduler, listed or not; None for an unknown name."""
    from scheduler_core.schedulers import scheduler_by_name

    try:
        return scheduler_by_name(name).params
    except UnknownName:
        return None


def plugin_sha256(name: str) -> str | None:
    """Return the SHA-256 of the file of a loaded plugin, as hex; None for any other scheduler."""
    from scheduler_core.schedulers import BUILT_IN
    from scheduler_core.schedulers.plugin.loading import plugin

    found = None if any(spec.name == name for spec in BUILT_IN) else plugin(name)
    return None if found is None else found.sha256


def trace_formats() -> Sequence[str]:
    """Return the names of the supported trace formats, in order."""
    from scheduler_core.workload.readers.registry import TRACE_READERS

    return [reader.name for reader in TRACE_READERS]


def trace_format(path: Path) -> str | None:
    """Return the name of a file's trace format; None if no format matches or the file is unreadable."""
    from scheduler_core.workload.readers.registry import recognize

    try:
        return recognize(path).name
    except TraceError:
        return None
