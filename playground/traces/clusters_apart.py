"""Make a cluster file of a cluster's export, in a process of its own (`playground.ground.apart`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scheduler_core import import_served
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.limits import Limits


def too_large() -> Problem:
    """Return the problem of an export with a priority or a time that no 64 bits hold."""
    return Problem("", "has a number or a time that is too large", "times from 1678 to 2262, priorities of 64 bits")


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """Read the export at the path `source` and write the cluster file `target`; return the `problems`."""
    try:
        import_served(Path(asked["source"]), Path(asked["target"]), Limits(**asked["limits"]))
    except ExperimentError as error:
        return {"problems": [each.to_dict() for each in error.problems]}
    except OverflowError:
        return {"problems": [too_large().to_dict()]}
    return {"problems": []}
