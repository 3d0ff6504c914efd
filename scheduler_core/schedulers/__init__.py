"""The schedulers. Adding one is a folder (or file) that declares a `SchedulerSpec`, and one line in `SCHEDULERS`."""

from __future__ import annotations

from scheduler_core.schedulers import megha, sparrow
from scheduler_core.schedulers.spec import SchedulerSpec

SCHEDULERS: tuple[SchedulerSpec, ...] = (
    megha.SPEC,
    sparrow.SPEC,
)

_BY_NAME = {spec.name: spec for spec in SCHEDULERS}


class UnknownName(KeyError):
    """A name that no registry entry has. `allowed` lists the valid ones."""

    def __init__(self, name: str, allowed: tuple[str, ...]) -> None:
        super().__init__(name)
        self.name = name
        self.allowed = allowed

    def __str__(self) -> str:
        return f"{self.name!r} is not a scheduler; valid names are {', '.join(self.allowed)}"


def scheduler_by_name(name: str) -> SchedulerSpec:
    """Look a scheduler up; UnknownName lists the valid names."""
    try:
        return _BY_NAME[name]
    except KeyError:
        raise UnknownName(name, tuple(_BY_NAME)) from None
