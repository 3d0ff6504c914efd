"""When a real Slurm controller started the jobs of small cases, and when the scheduler `slurm` starts them.

The cases were run once, by tests/core/slurm_controller.py, on Debian's Slurm 22.05.8 with simulated nodes. Each case
holds what the controller printed, so reading that is tested, too.
"""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.core.test_slurm import imported_starts_s

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "data" / "slurm_controller.json").read_text())[
    "cases"
]
#: The controller takes up to a second for each step of a chain of jobs: whole seconds, and the end of a job.
APART_S = 8


def _seconds(told: str) -> float:
    return datetime.fromisoformat(told).timestamp()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_jobs_start_when_a_real_controller_started_them(tmp_path: Path, case: dict[str, Any]) -> None:
    names, *lines = (line.split("|") for line in case["sacct"])
    rows = [dict(zip(names, line, strict=True)) for line in lines]
    first = min(_seconds(row["Submit"]) for row in rows)
    files = {
        name: "\n".join(case[kind]) + "\n"
        for name, kind in (
            ("sacct.txt", "sacct"),
            ("nodes.txt", "nodes_printed"),
            ("partitions.txt", "partitions_printed"),
        )
    }
    starts = imported_starts_s(tmp_path, files, {"bf_interval": 1, "bf_resolution": 1, **case["params"]})
    apart = [_seconds(row["Start"]) - first - start for row, start in zip(rows, starts.values(), strict=True)]
    differs = [number for number, one in enumerate(apart, 1) if abs(one) > APART_S]
    assert differs == case.get("differs", []), case.get("why", apart)
