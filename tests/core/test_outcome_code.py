"""The digest of the code behind a run changes with what can change an outcome, and with nothing else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import PROJECT
from tests.tiers import wide

SAY = """
from scheduler_core import outcome_code
print(outcome_code("sparrow"))
"""


def said(checkout: Path, cache: Path) -> str:
    """Return the digest for Sparrow that a process of a checkout prints."""
    done = subprocess.run(
        [sys.executable, "-c", SAY], cwd=checkout, check=True, capture_output=True, text=True,
        env=os.environ | {"PYTHONPATH": str(checkout), "SCHEDULER_CORE_CACHE": str(cache)},
    )  # fmt: skip
    return done.stdout


def changed(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    shutil.copytree(
        PROJECT / "scheduler_core", tmp_path / "tree" / "scheduler_core", ignore=shutil.ignore_patterns("__pycache__")
    )
    return tmp_path / "tree"


@wide
def test_the_digest_follows_code_and_leaves_words_out(checkout: Path, tmp_path: Path) -> None:
    core, cache = checkout / "scheduler_core", tmp_path / "cache"
    before = said(checkout, cache)
    sparrow = core / "schedulers" / "probing" / "sparrow"
    changed(sparrow / "kernel.py", '"""', '"""Once more: ')
    changed(sparrow / "__init__.py", 'summary="', 'summary="More: ')
    changed(sparrow / "params.py", 'title="Sampling"', 'title="Samples"')
    changed(sparrow / "placing.py", "\n@inner\n", "\n_ANOTHER = 7\n\n\n@inner\n")
    assert said(checkout, cache) == before, "a docstring, a sentence, a label, a name that nothing uses"
    changed(core / "engine" / "rng.py", "return ", "return 1 + ")
    assert said(checkout, cache) != before
