"""Ready-made synthetic workloads, flat or DAGs, each with the numbers of its fit."""

from __future__ import annotations

import functools
import json
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from scheduler_core.experiment.workloads import DagWorkload, SyntheticWorkload

FOLDER = Path(str(files("scheduler_core"))) / "presets"


class WorkloadPreset(BaseModel):
    """A drawn workload with its evidence.

    `targets` maps a statistic (`duration_s.p50`) to its measured or published value; `found` to what seed 1 draws, of
    all its tasks on `machines` machines.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    label: str
    about: str
    fit: str
    evidence: Literal["measured", "published", "synthetic"]
    cutoff_s: float | None = None
    machines: int
    targets: dict[str, float]
    found: dict[str, float]
    workload: Annotated[SyntheticWorkload | DagWorkload, Field(discriminator="kind")]


@functools.cache
def workload_presets() -> tuple[WorkloadPreset, ...]:
    """Return all presets by name."""
    return tuple(WorkloadPreset.model_validate(_read(path)) for path in sorted(FOLDER.glob("*.json")))


def _read(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data
