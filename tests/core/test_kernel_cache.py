"""What is compiled once on a machine serves every checkout of the same sources, and no other."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support import PROJECT

TINY = """
from scheduler_core.engine.jit import kernel

@kernel
def twice(x):
    return {factor} * x

print(twice(21), sum(twice.stats.cache_hits.values()))
"""


def said(checkout: Path, cache: Path, factor: int) -> str:
    """What a process prints that runs a tiny kernel of a checkout: its answer, and whether it came from the cache."""
    (checkout / "tiny").mkdir(parents=True)
    (checkout / "tiny" / "kernel.py").write_text(TINY.format(factor=factor))
    paths = os.pathsep.join((str(checkout), str(PROJECT)))
    env = {key: value for key, value in os.environ.items() if key != "NUMBA_DISABLE_JIT"}
    return subprocess.run(
        [sys.executable, "-m", "tiny.kernel"],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
        cwd=checkout,
        env=env | {"PYTHONPATH": paths, "SCHEDULER_CORE_CACHE": str(cache)},
    ).stdout.strip()


def test_checkouts_of_the_same_sources_share_kernels_and_an_edited_one_has_its_own(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert said(tmp_path / "one", cache, 2) == "42 0"
    assert said(tmp_path / "other", cache, 2) == "42 1"
    assert said(tmp_path / "edited", cache, 3) == "63 0"
