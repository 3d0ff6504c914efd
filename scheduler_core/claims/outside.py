"""Inputs of claims that cannot be shipped because their repositories state no license: where to get them."""

from __future__ import annotations

import os
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


class Missing(LookupError):
    """Raised for an input that is not available; the message says how to get it."""


def traces_folder() -> Path:
    """Return the folder of public traces: that of the variable SCHEDULER_TRACES, or `shared/traces` beside a clone."""
    return Path(os.environ.get("SCHEDULER_TRACES") or PROJECT.parent / "shared" / "traces")


def trace_path(name: str) -> Path:
    """Return the path of a public trace. Raises Missing."""
    path = traces_folder() / name
    if not path.is_file():
        raise Missing(
            f"The trace {name} is not shipped, since its repository states no license. Copy it from traces/input of "
            f"github.com/meghanat/megha_simulator into {traces_folder()}, or set SCHEDULER_TRACES to its folder."
        )
    return path


def partitions_path() -> Path:
    """Return the path of the machines of the second program of Megha's authors. Raises Missing."""
    path = traces_folder().parent / "oracle" / "megha_constraint_machines.json.gz"
    if not path.is_file():
        raise Missing(
            "The machines of Megha's second program are not shipped, since its repository states no license. "
            "Write the bits of the partitions in simulator_config/*_C.json of "
            f"github.com/meghanat/megha-constraint-aware to {path} "
            "(tests/data/published/README.md has the form)."
        )
    return path
