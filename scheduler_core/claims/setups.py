"""Build an experiment of a claim: its starting point, the draws for a seed, and its changes."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from scheduler_core.claims import programs  # noqa: F401  (its functions are declared there)
from scheduler_core.claims.drawn import drawn_changes
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment.places import with_changes
from scheduler_core.workload.presets import workload_presets

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


class Part(BaseModel):
    """Base of all parts: frozen, and unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Setup(Part):
    """One experiment of a claim: its starting point, and its changes, as {path: value}."""

    of: str | None = None
    """Another setup of the same claim or file, begun with."""
    experiment: dict[str, Any] | None = None
    """An experiment, written out."""
    file: str | None = None
    """A shipped experiment, by its file under fixtures/ without `.json`, such as `gallery/old-news`."""
    workload: str = ""
    """A workload preset by name, which becomes the experiment's workload."""
    drawn: dict[str, Any] = Field(default_factory=dict)
    """What a function of `claims.drawn` draws under the seed: its name as `by`, and its other arguments."""
    change: dict[str, Any] = Field(default_factory=dict)
    """Values by path; `"absent"` takes a key out, and `"null"` is no value, which TOML cannot write."""

    @model_validator(mode="after")
    def _begins_once(self) -> Setup:
        if sum(one is not None for one in (self.of, self.experiment, self.file)) != 1:
            raise ValueError("begins with exactly one of `of`, `experiment` and `file`")
        return self


def setup_data(setups: Mapping[str, Setup], setup: Setup, seed: int) -> dict[str, Any]:
    """Return the experiment of a setup as JSON. Raises ExperimentError, and Missing where an input is not at hand."""
    if setup.of is not None:
        data = setup_data(setups, setups[setup.of], seed)
    elif setup.file is not None:
        data = shipped(setup.file)
    else:
        data = {"schema_version": 1} | (setup.experiment or {})
    if setup.workload:
        data = data | {"workload": _preset(setup.workload)}
    changes = {path: None if value == "null" else value for path, value in setup.change.items()}
    return with_changes(data, drawn_changes(setup.drawn, seed) | changes)


def with_parents(names: set[str], setups: Mapping[str, Setup]) -> set[str]:
    """Return these setups and the known ones that they begin with."""
    found: set[str] = set()
    waiting = [name for name in names if name in setups]
    while waiting:
        name = waiting.pop()
        found.add(name)
        parent = setups[name].of
        if parent is not None and parent in setups and parent not in found:
            waiting.append(parent)
    return found


def shipped(name: str) -> dict[str, Any]:
    """Read a shipped experiment, or that of an entry of the gallery, by its file's name. Raises ExperimentError."""
    path = (FIXTURES / f"{name}.json").resolve()
    if not path.is_relative_to(FIXTURES) or not path.is_file():
        raise ExperimentError(
            [Problem("file", f"there is no shipped experiment {name!r}", "a clone, or the full product")]
        )
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    if "preset" in data:
        return shipped(f"presets/{data['preset']}")
    found: dict[str, Any] = data.get("experiment", data)
    return found


@functools.cache
def _preset(name: str) -> dict[str, Any]:
    for one in workload_presets():
        if one.name == name:
            return one.workload.model_dump(mode="json", exclude_unset=True)
    known = ", ".join(sorted(one.name for one in workload_presets()))
    raise ExperimentError([Problem("workload", f"there is no workload preset {name!r}", known)])
