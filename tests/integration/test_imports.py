"""What a process imports only when it is used: these packages take from a tenth of a second to more than one each."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import PROJECT, own_environment

HEAVY = {"numba", "ortools", "pandas", "plotly", "pyarrow", "scipy"}


@pytest.mark.parametrize(
    "statements",
    [
        "import scheduler_core",
        "from scheduler_core import Experiment; Experiment.from_file('fixtures/experiments/first.json')",
        "import playground.asgi; from django.urls import get_resolver; get_resolver().url_patterns",
        "from scheduler_core.cli import main; main(['schema'])",
    ],
    ids=["library", "experiment", "web", "command"],
)
def test_large_packages_load_where_they_are_used(statements: str, tmp_path: Path) -> None:
    assert HEAVY & imported_by(statements, tmp_path) == set()


def test_what_is_imported_is_seen(tmp_path: Path) -> None:
    assert HEAVY & imported_by("import scipy", tmp_path) == {"scipy"}


def imported_by(statements: str, tmp_path: Path) -> set[str]:
    """Return the names of the top-level modules that a new process has after these statements."""
    listing = "import sys; print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", f"{statements}\n{listing}"],
        cwd=PROJECT,
        env=own_environment(tmp_path, DJANGO_SETTINGS_MODULE="playground.settings", PYTHONWARNINGS="ignore"),
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.split())
