"""Defaults in use that suit one trace, which their fields declare by `suits`: on other work they may mislead."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scheduler_core import SCHEDULERS

_PARAMS = "scheduler.params."


@dataclass(frozen=True)
class FittedDefault:
    """A parameter's default that suits one trace, and the schedulers of a study that use it."""

    scheduler: str
    """The name of the first of them."""
    key: str
    value: Any
    trace: str
    labels: list[str] = field(default_factory=list)

    @property
    def path(self) -> str:
        return _PARAMS + self.key


def fitted_defaults(schedulers: Iterable[Mapping[str, Any]], varied: Collection[str]) -> list[FittedDefault]:
    """Return the defaults that suit one trace, but for parameters of the paths that a study varies.

    `schedulers` have `name`, `params` and `label`.
    """
    found: dict[tuple[str, Any, str], FittedDefault] = {}
    for one in schedulers:
        known, given = defaults_of(one["name"]), one.get("params") or {}
        for key, trace in _suits(one["name"]).items():
            if given.get(key, known[key]) == known[key] and _PARAMS + key not in varied:
                fitted = FittedDefault(one["name"], key, known[key], trace)
                found.setdefault((key, known[key], trace), fitted).labels.append(one["label"])
    return list(found.values())


@functools.cache
def defaults_of(name: str) -> dict[str, Any]:
    """Return the defaults of a scheduler's parameters; none for a scheduler that is not known."""
    spec = next((one for one in SCHEDULERS if one.name == name), None)
    return {} if spec is None else spec.params().model_dump(mode="json")


@functools.cache
def _suits(name: str) -> dict[str, str]:
    """Return the parameters of a scheduler whose default suits one trace, with the trace."""
    spec = next((one for one in SCHEDULERS if one.name == name), None)
    fields = {} if spec is None else spec.params.model_fields
    extras = {key: field.json_schema_extra for key, field in fields.items()}
    return {key: str(extra["suits"]) for key, extra in extras.items() if isinstance(extra, dict) and "suits" in extra}
