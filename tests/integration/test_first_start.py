"""The first start finds what `make setup` has made: bytecode of what the processes load, and the digests of kernels."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import PROJECT, answers, start_playground, wait_until
from tests.tiers import wide
from tools.install import LOADED

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("stores"), wide]

#: Modules that a process loads only where it is started: of 2,700. Before setup loaded them, 960 were missing.
_FEW = 100


def test_the_first_start_compiles_nearly_no_module_and_no_digest(tmp_path: Path) -> None:
    bytecode, cache = tmp_path / "bytecode", tmp_path / "cache"
    variables = {
        "PYTHONPYCACHEPREFIX": str(bytecode), "PYTHONDONTWRITEBYTECODE": "", "SCHEDULER_CORE_CACHE": str(cache),
        "DJANGO_SETTINGS_MODULE": "playground.settings",
    }  # fmt: skip
    for group in LOADED:
        command = [sys.executable, "-m", "playground.shell.play.loaded", group]
        subprocess.run(command, cwd=PROJECT, env=os.environ | variables, check=True)
    there, digests = set(bytecode.rglob("*.pyc")), list((cache / "sources").iterdir())
    assert len(digests) == 1
    play = start_playground(tmp_path / "var", **variables)
    try:
        wait_until(lambda: answers(play.url + "/readyz"), seconds=60, what="the playground is ready")
    finally:
        play.stop()
    found = {path.name.partition(".")[0] for path in set(bytecode.rglob("*.pyc")) - there}
    assert len(found) < _FEW, sorted(found)
    assert list((cache / "sources").iterdir()) == digests
