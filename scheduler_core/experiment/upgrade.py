"""Upgrade experiments of earlier formats, so that stored experiments and old links keep opening.

Version 1 is the current and first format. A change of the format raises CURRENT and adds a step from the previous
version. It also keeps an experiment of that version in tests/core/data/stored: a test opens each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scheduler_core.errors import ExperimentError, Problem

Step = Callable[[dict[str, Any]], dict[str, Any]]

CURRENT = 1
#: What turns an experiment of a version into one of the next; each returns a new object and changes no part of the old.
STEPS: Mapping[int, Step] = {}


def upgrade(data: dict[str, Any], *, steps: Mapping[int, Step] = STEPS, current: int = CURRENT) -> dict[str, Any]:
    """Return the experiment in the current format; return anything but a known earlier version unchanged.

    Raises ExperimentError for a future version.
    """
    version = data.get("schema_version")
    if isinstance(version, bool) or not isinstance(version, int):
        return data
    if version > current:
        raise ExperimentError(
            [
                Problem(
                    "schema_version",
                    f"is {version}, a format that this version does not know",
                    f"at most {current}",
                    "open it where it was made, or with a newer version",
                )
            ]
        )
    while version < current and version in steps:
        data = {**steps[version](data), "schema_version": version + 1}
        version += 1
    return data
