"""What other programs gave (tests/data/published), and the public traces, which a checkout may not have."""

from __future__ import annotations

import functools
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.support import PROJECT

FIGURES = PROJECT / "tests" / "data" / "published"
TRACES = Path(os.environ.get("SCHEDULER_TRACES") or PROJECT.parent / "shared" / "traces")
SOURCES = {
    ".tr": "traces/input of github.com/meghanat/megha_simulator",
    ".in": "test_graphs of github.com/ICGog/Flowlessly, into its folder flow",
}


@functools.cache
def figures(name: str) -> Any:
    """Return a file of figures."""
    return json.loads((FIGURES / f"{name}.json").read_text())


def trace(name: str) -> Path:
    """Return the path of a public trace or graph; skip the test and say how to get it where it is missing."""
    path = TRACES / name
    if not path.is_file():
        pytest.skip(
            f"{name} is not shipped, since its repository states no license: "
            f"copy it from {SOURCES[path.suffix]}, into {TRACES} or the folder in SCHEDULER_TRACES"
        )
    return path


def machines(name: str = "megha_constraint_machines") -> Path:
    """Return machines of Megha's second program; skip the test and say how to get them where they are missing."""
    path = TRACES.parent / "oracle" / f"{name}.json.gz"
    if not path.is_file():
        pytest.skip(
            f"{path.name} is not shipped, since its repository states no license: write the bits of the partitions in "
            f"simulator_config/*_C.json of github.com/meghanat/megha-constraint-aware to {path} "
            f"(tests/data/published/README.md has its form)"
        )
    return path
