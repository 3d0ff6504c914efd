"""Make a cluster file of a cluster's export, in a process of its own (`playground.ground.apart`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scheduler_core import import_served
from scheduler_core.errors import ExperimentError
from scheduler_core.limits import Limits


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """Read the export at the path `source` and write the cluster file `target`; return the `problems`."""
    try:
        import_served(Path(asked["source"]), Path(asked["target"]), Limits(**asked["limits"]))
    except ExperimentError as error:
        return {"problems": [each.to_dict() for each in error.problems]}
    return {"problems": []}
